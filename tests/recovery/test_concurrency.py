"""Many writers, several gateways, one truth: C1, C2, C3 and C5."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import aiohttp
import pytest
from kit import CALLER, Kit, NoQueue, context, end, open_connection, say, scope
from processes import (
    Answer,
    Gateway,
    RedisServer,
    ask,
    assert_whole,
    both,
    client_session,
    contents,
    finalizations,
    head,
    journal,
    lists,
    passages,
    scaled,
    turn,
    units,
)

from memory.consolidation.sweep import Sweeper
from memory.errors import TemporaryError
from memory.model.requests import CheckpointShortMemoryRequest
from memory.model.session import Append, Message, Opening, Role, Seed
from memory.session.journal import encode_message
from memory.stores.redis.endings import RedisSessionStore
from tests.waiting import eventually, wait_until

WRITERS = 64
RACE_TTL_MS = 40


def started(make_gateway: Callable[..., Gateway], server: RedisServer, count: int, **settings: str) -> list[Gateway]:
    """Gateways that start at the same moment on one Redis and one data folder."""
    gateways = [make_gateway(server, **settings).spawn() for _ in range(count)]
    for gateway in gateways:
        gateway.wait_ready()
    return gateways


async def test_c1_64_writers_on_one_conversation_over_two_gateways_lose_nothing(
    redis_server: RedisServer, make_gateway: Callable[..., Gateway]
) -> None:
    gateways = started(make_gateway, redis_server, 2, SESSION__TURNS_MAX="100000")
    each = scaled(100)
    acknowledged: list[tuple[str, Answer]] = []

    async def writer(session: aiohttp.ClientSession, number: int) -> None:
        for index in range(each):
            text = f"{number}-{index}"
            answer = await ask(session, gateways[(number + index) % 2].url, "WriteTurn", turn("c1", text))
            assert answer.status == 200, answer
            acknowledged.append((text, answer))

    async with client_session() as session:
        loop = asyncio.get_running_loop()
        began = loop.time()
        await asyncio.gather(*(writer(session, number) for number in range(WRITERS)))
        seconds = loop.time() - began
    with redis_server.client() as client:
        entries, counters = journal(client, "c1"), head(client, "c1")
    total = WRITERS * each
    print(f"C1: {len(entries) // 2} of {total} turns, {total / seconds:.0f} writes/s over 2 gateways")
    assert_whole(entries)
    assert Counter(contents(entries)) == Counter(both(text for text, _ in acknowledged))
    assert len(entries) == 2 * total
    assert int(counters["rev"]) == int(counters["turns"]) == total
    assert entries[-1]["seq"] - entries[0]["seq"] == 2 * total - 1, "there is a gap in the order"
    assert int(counters["seq"]) == entries[-1]["seq"]
    by_seq = {entry["seq"]: entry["content"] for entry in entries}
    assert all(by_seq[answer.body["seq"]] == f"a:{text}" for text, answer in acknowledged)
    assert {answer.body["rev"] for _, answer in acknowledged} == set(range(1, total + 1))


async def test_c2_one_idempotency_key_from_64_clients_has_one_effect(
    any_server: RedisServer, make_gateway: Callable[..., Gateway]
) -> None:
    gateways = started(make_gateway, any_server, 2)
    rounds = scaled(10)
    async with client_session() as session:
        for number in range(rounds):
            body = turn("c2", f"once-{number}", user_id="user_1", idempotency_key=f"key-{number}")
            answers = await asyncio.gather(
                *(ask(session, gateways[index % 2].url, "WriteTurn", body) for index in range(WRITERS))
            )
            assert {answer.status for answer in answers} == {200}
            bodies = [answer.body for answer in answers]
            assert [body["replayed"] for body in bodies].count(False) == 1
            assert len({str(sorted((body | {"replayed": None}).items())) for body in bodies}) == 1
            other = await ask(session, gateways[0].url, "WriteTurn", body | {"agent_response": "another"})
            assert (other.status, other.body["code"]) == (409, "idempotency_conflict")
    with any_server.client() as client:
        assert contents(journal(client, "c2")) == both(f"once-{number}" for number in range(rounds))
        assert int(head(client, "c2")["rev"]) == rounds


async def test_c2_one_idempotency_key_across_the_end_of_a_session_has_one_effect(kit: Kit) -> None:
    jobs = NoQueue()
    service = kit.service(jobs)
    first = await say(service, "c2-end", "once", idempotency_key="key")
    await end(service, "c2-end")
    second = await say(service, "c2-end", "once", idempotency_key="key")
    assert second.model_dump() == first.model_dump() | {"replayed": True}
    assert await kit.finaliser().run(jobs.keys[0])
    assert [contents(unit["messages"]) for unit in units(kit.data)] == [both(["once"])]


async def test_c2_of_64_writes_with_one_if_rev_exactly_one_wins(
    redis_server: RedisServer, make_gateway: Callable[..., Gateway]
) -> None:
    gateways = started(make_gateway, redis_server, 2)
    winners = []
    async with client_session() as session:
        for revision in range(scaled(10)):
            answers = await asyncio.gather(
                *(
                    ask(
                        session,
                        gateways[index % 2].url,
                        "WriteTurn",
                        turn("rev", f"{revision}-{index}", if_rev=revision),
                    )
                    for index in range(WRITERS)
                )
            )
            won = [index for index, answer in enumerate(answers) if answer.status == 200]
            lost = [answer for answer in answers if answer.status != 200]
            assert len(won) == 1, f"{len(won)} writers won revision {revision}"
            assert {(answer.status, answer.body["code"]) for answer in lost} == {(409, "revision_conflict")}
            winners.append(f"{revision}-{won[0]}")
    with redis_server.client() as client:
        assert contents(journal(client, "rev")) == both(winners)


class Race:
    """Writers that hit the moment at which their session ends, and the log of what they were told."""

    def __init__(self, kit: Kit, jobs: NoQueue, dice: random.Random) -> None:
        self._kit = kit
        self._service = kit.service(jobs)
        self._dice = dice
        self._gate = asyncio.Semaphore(64)
        self.acknowledged: dict[str, list[str]] = {}
        self.unknown: dict[str, list[str]] = {}

    async def run(self, conversation: str, *, asked: bool) -> None:
        """One turn, then three at the end of its life; `asked`: a forced end comes between, too."""
        async with self._gate:
            await self._write(conversation, "first", 0)
            race = [self._write(conversation, f"race-{index}", self._moment()) for index in range(3)]
            if asked:
                race.append(self._end(conversation, self._moment()))
            await asyncio.gather(*race)

    def _moment(self) -> float:
        return self._dice.uniform(RACE_TTL_MS - 5, RACE_TTL_MS + 5) / 1000

    async def _write(self, conversation: str, text: str, delay_s: float) -> None:
        await asyncio.sleep(delay_s)  # the moment within the race, not a wait for anything
        try:
            await say(self._service, conversation, text)
        except TemporaryError:
            self.unknown.setdefault(conversation, []).append(text)
        else:
            self.acknowledged.setdefault(conversation, []).append(text)

    async def _end(self, conversation: str, delay_s: float) -> None:
        await asyncio.sleep(delay_s)
        await self._kit.sessions.seal(scope(conversation), force=True, cause="asked")

    def compare(self, found: dict[str, list[str]]) -> tuple[int, int]:
        """(lost, extra) messages."""
        lost = extra = 0
        for conversation, texts in self.acknowledged.items():
            there = Counter(found.get(conversation, []))
            lost += (Counter(both(texts)) - there).total()
            extra += (there - Counter(both(texts + self.unknown.get(conversation, [])))).total()
        return lost, extra


@pytest.mark.long
async def test_c3_appends_that_race_the_end_are_in_one_session_or_the_next(
    kit: Kit, redis_server: RedisServer, seed: int
) -> None:
    kit = kit.with_times(ttl_ms=RACE_TTL_MS)
    jobs = NoQueue()
    race = Race(kit, jobs, random.Random(seed))
    conversations = scaled(334)  # with three writes each: 1,000 races
    await kit.sweeping(jobs, 0.002)
    await kit.sweeping(jobs, 0.003)
    await asyncio.gather(*(race.run(f"c3-{number}", asked=bool(number % 2)) for number in range(conversations)))
    finaliser = kit.finaliser()

    async def all_ended() -> bool:
        while jobs.keys:
            await finaliser.run(jobs.keys.pop())
        alive = any(client.scan_iter("short_term_memory:session:*"))
        return not alive and not lists(client, "journal", "archive", "records", "sealed")

    with redis_server.client() as client:
        await eventually(all_ended, "every session is in memory, by the sweepers alone")
    found: dict[str, list[str]] = {}
    sessions: Counter[str] = Counter()
    for unit in units(kit.data):
        found.setdefault(unit["conversation"], []).extend(contents(unit["messages"]))
        sessions[unit["conversation"]] += 1
    lost, extra = race.compare(found)
    several = sum(1 for count in sessions.values() if count > 1)
    print(
        f"C3: {sum(map(len, race.acknowledged.values()))} turns in {conversations} conversations, {several} of them "
        f"in several sessions, {sum(map(len, race.unknown.values()))} refused: lost {lost}, extra {extra}"
    )
    assert (lost, extra) == (0, 0)
    assert several > conversations // 20, "hardly any write met the end of its session: the race was not run"


async def filled(sessions: RedisSessionStore, conversations: int, turns: int = 2) -> dict[str, list[str]]:
    """Write short-lived sessions straight into the store."""
    log: dict[str, list[str]] = {}

    async def one(number: int) -> None:
        conversation = f"due-{number}"
        assert await sessions.open(scope(conversation), Opening(0, "user_1", "", b"s", Seed()))
        for index in range(turns):
            messages = (
                encode_message(Message(Role.USER, f"q:{index}"), 3, starts_turn=True),
                encode_message(Message(Role.ASSISTANT, f"a:{index}"), 3, starts_turn=False),
            )
            assert await sessions.append(scope(conversation), Append(messages=messages, stamp=b"s")) is not None
            log.setdefault(conversation, []).append(str(index))

    for first in range(0, conversations, 100):
        await asyncio.gather(*(one(number) for number in range(first, min(first + 100, conversations))))
    return log


async def make_due(client: Any) -> None:
    """Every living session expires at this moment, and every deadline with it."""
    for key in client.scan_iter("short_term_memory:session:*", count=1000):
        client.delete(key)
    client.zadd("short_term_memory:deadlines", dict.fromkeys(client.zrange("short_term_memory:deadlines", 0, -1), 1))


@pytest.mark.parametrize("sweepers", [2, 8])
async def test_c5_sweepers_that_find_1000_due_sessions_seal_each_once(
    kit: Kit, redis_server: RedisServer, sweepers: int
) -> None:
    conversations = scaled(1000)
    await filled(kit.sessions, conversations)
    jobs = NoQueue()
    async with AsyncExitStack() as stack:
        with redis_server.client() as client:
            await make_due(client)
        crowd = [
            Sweeper(
                RedisSessionStore(await open_connection(stack, kit.url), kit.times),
                jobs,
                lease_ms=60_000,
                hold_ms=60_000,
            )
            for _ in range(sweepers)
        ]
        sealed = 0

        async def sweep(sweeper: Sweeper) -> int:
            found = 0
            while (swept := await sweeper.sweep()).looked_at:
                found += swept.sealed
            return found

        sealed = sum(await asyncio.gather(*map(sweep, crowd)))
    print(f"C5: {sealed} sealed by {sweepers} sweepers, {len(jobs.keys)} jobs")
    assert sealed == conversations
    assert Counter(jobs.keys).total() == len(set(jobs.keys)) == conversations


@pytest.mark.long
async def test_c5_workers_that_find_1000_due_sessions_finalise_each_once(
    kit: Kit, redis_server: RedisServer, make_gateway: Callable[..., Gateway]
) -> None:
    conversations = scaled(1000)
    log = await filled(kit.sessions, conversations)
    with redis_server.client() as client:
        await make_due(client)
        workers = [
            make_gateway(redis_server, command="worker", FINALIZATION__HOLD_S="30", FINALIZATION__CONCURRENCY="8")
            for _ in range(3)
        ]
        for worker in workers:
            worker.spawn()
        wait_until(
            lambda: (
                len(finalizations(client)) == conversations
                and not lists(client, "sealed")
                and not client.zcard("short_term_memory:unfinished")
                and all(worker.alive() for worker in workers)
            ),
            "all sessions are in memory",
        )
        ended_as = Counter((f["state"], f["fence"], f["attempts"]) for f in finalizations(client).values())
    found, remembered = units(kit.data), Counter(passages(kit.data))
    print(
        f"C5: {len(found)} MemUnits of {conversations} sessions, {remembered.total()} passages, "
        f"by state, fence and attempts: {dict(ended_as)}"
    )
    assert ended_as == {("ENDED", "1", "1"): conversations}
    assert Counter(unit["conversation"] for unit in found) == Counter(log.keys())
    assert all(contents(unit["messages"]) == both(log[unit["conversation"]]) for unit in found)
    assert remembered == Counter(said for texts in log.values() for said in both(texts))


@pytest.mark.long
async def test_c1_a_read_between_writes_checkpoints_and_ends_is_never_torn(
    kit: Kit, redis_server: RedisServer, seed: int
) -> None:
    """Each answer is one moment of one session: its last turns without a gap, and the count that belongs to them."""
    dice = random.Random(seed)
    async with AsyncExitStack() as stack:
        other = replace(kit, connection=await open_connection(stack, redis_server.url))
        other = other.with_times()
        writing, reading = kit.service(NoQueue()), other.service(NoQueue())
        reads, torn, stopped = 0, [], False

        async def write(conversation: str) -> None:
            for number in range(scaled(150)):
                await say(writing, conversation, str(number))
                move = dice.random()
                if move < 0.15:
                    asked = CheckpointShortMemoryRequest(
                        conversation_id=conversation, recent_turns=dice.randrange(1, 9)
                    )
                    await writing.checkpoint_short_memory(CALLER, asked)
                elif move < 0.2:
                    await kit.sessions.seal(scope(conversation), force=True, cause="asked")

        async def read(conversation: str) -> None:
            nonlocal reads
            while not stopped:
                asked = {"include": ["full_history"]} if dice.random() < 0.2 else {}
                found = json.loads((await context(reading, conversation, **asked)).encode())
                texts = [message["content"] for message in found["messages"]]
                numbers = [int(text[2:]) for text in texts[::2]]
                reads += 1
                if texts != both(map(str, numbers)) or numbers != list(
                    range(numbers[0], numbers[-1] + 1) if numbers else ()
                ):
                    torn.append(texts)

        names = [f"torn-{number}" for number in range(8)]
        readers = [asyncio.create_task(read(name)) for name in names for _ in range(3)]
        await asyncio.gather(*map(write, names))
        stopped = True
        await asyncio.gather(*readers)
    print(f"C1: {reads} reads between writes, checkpoints and ends: torn {len(torn)}")
    assert not torn, torn[:3]
