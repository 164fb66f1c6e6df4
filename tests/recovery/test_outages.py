"""Redis stalls, dies, fills up, forgets its scripts, or cannot be trusted: B5 to B9; clocks that are off: B18."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from kit import Kit, NoQueue, context, end, open_connection, say, where
from processes import (
    PAUSE,
    RESUME,
    Answer,
    Gateway,
    RedisServer,
    admitted,
    ask,
    assert_whole,
    both,
    client_session,
    contents,
    finalizations,
    head,
    journal,
    lists,
    scaled,
    stored_contents,
    turn,
    units,
)

from memory.errors import DeadlineExceeded, StoreUnavailable
from memory.stores.redis.keys import DEADLINES
from tests.deadlines import LATE_S
from tests.gateways import children
from tests.waiting import eventually

if TYPE_CHECKING:
    import redis

BURST = 500
RECOVERY_BURST = 64
"""So many at once use so many connections, which the processes of a gateway share."""
OUTAGE_S = 5.0
DEADLINE_MS = "500"
ANSWERED_WITHIN_S = 1.0 + LATE_S  # the deadline and the watch interval


def statuses(answers: list[Answer]) -> dict[int, int]:
    return dict(Counter(answer.status for answer in answers))


def assert_refused(answers: list[Answer]) -> None:
    """503 with Retry-After, each of them, and in time."""
    assert {answer.status for answer in answers} == {503}, statuses(answers)
    assert all(int(answer.headers["Retry-After"]) >= 1 for answer in answers)
    assert all(answer.body["code"] in {"deadline_exceeded", "store_unavailable"} for answer in answers)
    slowest = max(answer.seconds for answer in answers)
    assert slowest < ANSWERED_WITHIN_S, f"the slowest answer took {slowest:.1f} s"


async def burst(session: aiohttp.ClientSession, gateway: Gateway, name: str, count: int = BURST) -> list[Answer]:
    """Half writes, half reads, all at once."""

    async def one(number: int) -> Answer:
        if number % 2:
            body = {"conversation_id": f"{name}-{number}", "query": "?", "user_id": "user_1"}
            return await ask(session, gateway.url, "QueryMemoryContext", body)
        return await ask(session, gateway.url, "WriteTurn", turn(f"{name}-{number}", f"{name}-{number}"))

    return list(await asyncio.gather(*map(one, range(count))))


async def served(session: aiohttp.ClientSession, gateway: Gateway, name: str, count: int) -> float:
    """Wait until so many at once go through (a busy machine misses the deadline at first); returns how long."""
    loop = asyncio.get_running_loop()
    began = loop.time()

    async def all_of_them() -> bool:
        return statuses(await burst(session, gateway, name, count)) == {200: count}

    await eventually(all_of_them, f"{count} requests at once are served")
    return loop.time() - began


def memory_kib(gateway: Gateway) -> int:
    """Of all its processes together."""
    assert gateway.process is not None
    return sum(map(resident_kib, (gateway.process.pid, *children(gateway.process.pid))))


async def settled_kib(gateway: Gateway) -> int:
    """The same once its processes have loaded what they need, which they do after it is ready."""
    before, now = 0, memory_kib(gateway)
    while now - before > 1024:
        await asyncio.sleep(1)
        before, now = now, memory_kib(gateway)
    return now


def resident_kib(pid: int) -> int:
    return int(Path(f"/proc/{pid}/status").read_text(encoding="ascii").partition("VmRSS:")[2].split()[0])


@pytest.mark.long
async def test_b5_a_redis_that_is_a_black_hole_is_answered_503_in_time_and_recovers(
    redis_server: RedisServer, make_gateway: Callable[..., Gateway]
) -> None:
    gateway = make_gateway(redis_server, REDIS__DEADLINE_MS=DEADLINE_MS).start()
    loop = asyncio.get_running_loop()
    async with client_session() as session:
        await served(session, gateway, "before", BURST)
        memory_before = await settled_kib(gateway)
        redis_server.signal(PAUSE)
        try:
            until, refused, slowest = loop.time() + OUTAGE_S, 0, 0.0
            while loop.time() < until:
                answers = await burst(session, gateway, "during")
                assert_refused(answers)
                refused += len(answers)
                slowest = max(slowest, *(answer.seconds for answer in answers))
            assert gateway.get("/live")[0] == 200
            status, health = gateway.get("/health")
            assert (status, json.loads(health)["components"]["redis"]["status"]) == (503, "down")
        finally:
            redis_server.signal(RESUME)
        seconds = await served(session, gateway, "again", RECOVERY_BURST)
        await served(session, gateway, "after", BURST)
        growth_mib = (memory_kib(gateway) - memory_before) / 1024
        in_flight = gateway.get("/metrics")[1]
    print(
        f"B5: {refused} requests refused in {OUTAGE_S:.0f} s, slowest {slowest:.2f} s; "
        f"writes again {seconds:.2f} s after the end; memory grew by {growth_mib:.1f} MiB"
    )
    assert "anamnesis_requests_in_flight 0.0" in in_flight, "requests are stuck"
    assert growth_mib < 64


async def test_b5_metrics_answer_while_redis_is_a_black_hole(
    redis_server: RedisServer, make_gateway: Callable[..., Gateway]
) -> None:
    gateway = make_gateway(redis_server, REDIS__DEADLINE_MS=DEADLINE_MS).start()
    redis_server.signal(PAUSE)
    try:
        status, text = gateway.get("/metrics")
        assert (status, "anamnesis_requests_in_flight" in text) == (200, True)
    finally:
        redis_server.signal(RESUME)


async def test_b5_a_redis_that_dies_and_comes_back_loses_nothing(
    start_redis: Callable[..., RedisServer], make_gateway: Callable[..., Gateway], seed: int
) -> None:
    server = start_redis(appendfsync="always")
    gateway = make_gateway(server, REDIS__DEADLINE_MS=DEADLINE_MS).start()
    acknowledged: list[str] = []
    asked: list[str] = []
    answers: list[Answer] = []
    dice = random.Random(seed)
    stopped = False

    async def writer(session: aiohttp.ClientSession, number: int) -> None:
        index = 0
        while not stopped:
            text, index = f"{number}-{index}", index + 1
            asked.append(text)
            answer = await ask(session, gateway.url, "WriteTurn", turn(f"dies-{number}", text))
            answers.append(answer)
            if answer.status == 200:
                acknowledged.append(text)
            else:
                await asyncio.sleep(0.01)

    async with client_session() as session:
        writing = asyncio.gather(*(writer(session, number) for number in range(32)))
        for _ in range(scaled(3)):
            target = len(acknowledged) + dice.randrange(100, 300)
            await eventually(lambda target=target: reached(acknowledged, target), "writes go on")
            server.kill()
            down = len(answers) + 200
            await eventually(lambda down=down: reached(answers, down), "requests are answered while Redis is gone")
            await asyncio.to_thread(server.start)
        target = len(acknowledged) + 100
        await eventually(lambda: reached(acknowledged, target), "writes go on")
        stopped = True
        await asyncio.wait_for(writing, 20)
        the_worker_too = {"conversation_id": "dies-0", "wait_ms": 10_000}
        ended = await admitted(session, gateway.url, "FinalizeSessionMemory", the_worker_too)
    assert_only_refusals(answers)
    assert ended.body.get("state") == "ENDED", ended
    with server.client() as client:
        kept = [
            entry["content"][2:]
            for key, entries in lists(client, "journal").items()
            for entry in (assert_whole(entries), entries)[1]
            if entry["role"] == "user"
        ]
    kept += [text[2:] for unit in units(gateway.data) for text in contents(unit["messages"])[::2]]
    lost = Counter(acknowledged) - Counter(kept)
    extra = Counter(kept) - Counter(asked)
    print(f"B5: {scaled(3)} deaths of Redis, {len(acknowledged)} acknowledged, {statuses(answers)}")
    assert (lost.total(), extra.total()) == (0, 0)


async def reached(log: list[Any], target: int) -> bool:
    return len(log) >= target


def assert_only_refusals(answers: list[Answer]) -> None:
    assert set(statuses(answers)) <= {200, 503}, statuses(answers)
    slow = [answer.seconds for answer in answers if answer.seconds > ANSWERED_WITHIN_S]
    assert not slow, f"{len(slow)} requests took up to {max(slow):.1f} s"


async def test_b5_commands_sent_while_the_connection_dies_fail_at_once(redis_server: RedisServer) -> None:
    async with AsyncExitStack() as stack:
        connection = await open_connection(stack, redis_server.url, 0.5)
        calls: list[asyncio.Future[Any]] = []

        async def lost() -> bool:
            calls.append(asyncio.ensure_future(connection.run(("PING",))))
            return not connection.connected

        await connection.run(("PING",))
        redis_server.kill()
        await eventually(lost, "the connection is lost")
        for _ in range(20):
            await lost()
        _, pending = await asyncio.wait(calls, timeout=2)
        failed = [call.exception() for call in calls if call.done()]
        assert not pending, f"{len(pending)} of {len(calls)} calls never end"
        assert all(isinstance(error, StoreUnavailable | DeadlineExceeded) for error in failed if error)


async def test_b6_cancelled_commands_never_hand_their_reply_to_another(any_server: RedisServer, seed: int) -> None:
    dice = random.Random(seed)
    wanted, keys = scaled(10_000), 997
    with any_server.client() as client:
        client.mset({f"k{number}": f"v{number}" for number in range(keys)})
    cancelled = swapped = read = 0
    async with AsyncExitStack() as stack:
        connection = await open_connection(stack, any_server.url)

        async def get(number: int) -> bool:
            single, double = ("GET", f"k{number}"), ("GET", f"k{(number + 1) % keys}")
            if number % 3:
                return await connection.run(single) == [b"v%d" % number]
            return await connection.run(single, double) == [b"v%d" % number, b"v%d" % ((number + 1) % keys)]

        while cancelled < wanted:
            tasks = [asyncio.create_task(get(dice.randrange(keys))) for _ in range(400)]
            for _ in range(dice.randrange(4)):
                await asyncio.sleep(0)
            for task in dice.sample(tasks, 300):
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            cancelled += sum(isinstance(result, asyncio.CancelledError) for result in results)
            swapped += results.count(False)
            read += results.count(True)
            assert not [r for r in results if isinstance(r, Exception)]
    print(f"B6: {cancelled} cancelled, {read} read, {swapped} replies to another request")
    assert swapped == 0
    assert read >= wanted // 4


# --- B7: full ------------------------------------------------------------------------------------


async def fill(session: aiohttp.ClientSession, gateway: Gateway, acknowledged: dict[str, list[str]]) -> list[Answer]:
    """Write until most writes are refused; returns the refusals."""
    refused: list[Answer] = []

    async def writer(number: int) -> None:
        conversation, index = f"full-{number}", 0
        while len(refused) < 300:
            text, index = f"{number}-{index}", index + 1
            body = turn(conversation, text) | {"agent_response": f"a:{text}" + "x" * 2000}
            answer = await ask(session, gateway.url, "WriteTurn", body)
            if answer.status == 200:
                acknowledged.setdefault(conversation, []).append(text)
            else:
                refused.append(answer)

    await asyncio.gather(*map(writer, range(16)))
    return refused


async def test_b7_a_full_redis_refuses_writes_only_and_recovers(
    start_redis: Callable[..., RedisServer], make_gateway: Callable[..., Gateway]
) -> None:
    server = start_redis()
    gateway = make_gateway(server).start()
    acknowledged: dict[str, list[str]] = {}
    with server.client() as client:
        async with client_session() as session:
            client.config_set("maxmemory", client.info("memory")["used_memory"] + 3_000_000)
            refused = await fill(session, gateway, acknowledged)
            assert {(answer.status, answer.body["code"]) for answer in refused} == {(503, "store_full")}
            assert all(int(answer.headers["Retry-After"]) >= 1 for answer in refused)

            # Reads go on.
            for number in range(16):
                body = {"conversation_id": f"full-{number}", "user_id": "user_1", "model_context_window": 10_000_000}
                answer = await ask(session, gateway.url, "QueryMemoryContext", body)
                assert (answer.status, answer.body.get("session_state")) == (200, "ACTIVE"), answer.body
            half_writes = inconsistent(client, acknowledged)

            # Finalising goes on, and makes room.
            for number in range(8):
                body = {"conversation_id": f"full-{number}", "wait_ms": 10_000}
                answer = await ask(session, gateway.url, "FinalizeSessionMemory", body)
                assert (answer.status, answer.body.get("state")) == (200, "ENDED"), answer.body.get(
                    "reason", answer.body
                )
            client.config_set("maxmemory", 0)
            for number in range(16):
                answer = await ask(session, gateway.url, "WriteTurn", turn(f"full-{number}", f"{number}-after"))
                assert answer.status == 200, answer
            last = await ask(
                session, gateway.url, "FinalizeSessionMemory", {"conversation_id": "full-9", "wait_ms": 10_000}
            )
            assert last.body["state"] == "ENDED", "the worker did not survive"
    found = {conversation: each[::2] for conversation, each in stored_contents(gateway.data).items()}
    lost = [
        text for number in range(8) for text in acknowledged.get(f"full-{number}", []) if f"q:{text}" not in
        found[f"full-{number}"]
    ]  # fmt: skip
    total = sum(map(len, acknowledged.values()))
    print(f"B7: {total} turns until full, {len(refused)} refused, half writes {len(half_writes)}, lost {len(lost)}")
    assert not half_writes
    assert not lost


def inconsistent(client: "redis.Redis", acknowledged: dict[str, list[str]]) -> list[str]:
    """Conversations whose journal, counters and log do not say the same."""
    found = []
    for conversation, texts in acknowledged.items():
        entries, counters = journal(client, conversation), head(client, conversation)
        agrees = (
            [entry["content"][2:] for entry in entries[::2]] == texts
            and int(counters["turns"]) == int(counters["rev"]) == len(texts)
            and int(counters["seq"]) == entries[-1]["seq"]
            and int(counters["tokens"]) == sum(entry["tok"] for entry in entries)
        )
        if not agrees:
            found.append(conversation)
    return found


async def test_b7_a_full_redis_still_says_what_is_in_the_context_when_a_summary_is_due(
    start_redis: Callable[..., RedisServer], make_gateway: Callable[..., Gateway]
) -> None:
    server = start_redis()
    gateway = make_gateway(server).start()
    async with client_session() as session:
        for number in range(10):
            assert (await ask(session, gateway.url, "WriteTurn", turn("due", f"{number} some words"))).status == 200
        with server.client() as client:
            client.config_set("maxmemory", 1)
        assert (await ask(session, gateway.url, "WriteTurn", turn("due", "refused"))).body["code"] == "store_full"
        body = {"conversation_id": "due", "model_context_window": 50, "query": "?"}
        answer = await ask(session, gateway.url, "QueryMemoryContext", body)
        assert answer.status == 200, answer.body


# --- B8: a Redis that cannot be trusted ----------------------------------------------------------


def test_b8_an_evicting_redis_is_refused_at_the_start_with_the_reason(
    start_redis: Callable[..., RedisServer], make_gateway: Callable[..., Gateway]
) -> None:
    gateway = make_gateway(start_redis(maxmemory_policy="allkeys-lru")).spawn()
    assert gateway.process.wait(30) == 2
    assert "maxmemory-policy is allkeys-lru" in gateway.text()
    assert "Traceback" not in gateway.text()


def test_b8_an_evicting_redis_that_is_allowed_makes_health_say_degraded_with_the_reason(
    start_redis: Callable[..., RedisServer], make_gateway: Callable[..., Gateway]
) -> None:
    gateway = make_gateway(start_redis(maxmemory_policy="allkeys-lru"), REDIS__ALLOW_EVICTION="true").start()
    health = json.loads(gateway.get("/health")[1])
    assert health["status"] == health["components"]["redis"]["status"] == "degraded"
    assert "allkeys-lru" in health["components"]["redis"]["reason"]


def test_b8_a_redis_without_aof_makes_health_say_degraded_with_the_reason(
    start_redis: Callable[..., RedisServer], make_gateway: Callable[..., Gateway]
) -> None:
    gateway = make_gateway(start_redis(appendonly="no")).start()
    health = json.loads(gateway.get("/health")[1])
    assert health["status"] == "degraded"
    assert "append-only file is off" in health["components"]["redis"]["reason"]


def test_b8_durability_always_on_a_redis_without_aof_is_refused_at_the_start(
    start_redis: Callable[..., RedisServer], make_gateway: Callable[..., Gateway]
) -> None:
    gateway = make_gateway(start_redis(appendonly="no"), SESSION__DURABILITY="always").spawn()
    assert gateway.process.wait(30) == 2
    assert "append-only file" in gateway.text()


# --- B9: SCRIPT FLUSH ----------------------------------------------------------------------------


async def test_b9_script_flush_under_load_fails_no_request(
    any_server: RedisServer, make_gateway: Callable[..., Gateway]
) -> None:
    gateway = make_gateway(any_server).start()
    each, done, answers = scaled(60), [], []

    async def life(session: aiohttp.ClientSession, number: int) -> None:
        conversation = f"flush-{number}"
        for index in range(each):
            answers.append(await ask(session, gateway.url, "WriteTurn", turn(conversation, f"{number}-{index}")))
            body = {"conversation_id": conversation, "query": "?", "user_id": "user_1"}
            answers.append(await ask(session, gateway.url, "QueryMemoryContext", body))
            done.append(number)
        end_it = {"conversation_id": conversation, "wait_ms": 20_000}
        answers.append(await ask(session, gateway.url, "CheckpointShortMemory", {"conversation_id": conversation}))
        answers.append(await ask(session, gateway.url, "FinalizeSessionMemory", end_it, timeout_s=30))

    async def flush() -> int:
        flushes = 0
        with any_server.client() as client:
            while len(done) < 16 * each:
                target = min(16 * each, len(done) + 40)
                await eventually(lambda target=target: reached(done, target), "the load goes on")
                client.script_flush()
                flushes += 1
        return flushes

    async with client_session() as session:
        *_, flushes = await asyncio.gather(*(life(session, number) for number in range(16)), flush())
    print(f"B9: {flushes} flushes, {len(answers)} requests: {statuses(answers)}")
    assert set(statuses(answers)) == {200}, [answer for answer in answers if answer.status != 200][:3]
    found = stored_contents(gateway.data)
    assert found == {f"flush-{n}": both(f"{n}-{index}" for index in range(each)) for n in range(16)}


# --- B18: clocks ---------------------------------------------------------------------------------


@pytest.mark.parametrize("days", [-1, 1])
async def test_b18_a_gateway_clock_a_day_off_changes_no_order_and_loses_nothing(kit: Kit, days: int) -> None:
    jobs = NoQueue()
    right, wrong = kit.service(jobs), kit.service(jobs, shift_ms=days * 86_400_000)
    for number in range(10):
        await say((right, wrong)[number % 2], "b18", str(number))
    assert await kit.sweeper(jobs).sweep() is not None
    assert not jobs.keys, "a clock that is off ended a living session"
    assert b"a:9" in (await context(wrong, "b18")).encode()
    assert (await end(wrong, "b18")).state == "ENDING"
    assert await kit.finaliser().run(jobs.keys[0])
    (unit,) = units(kit.data)
    assert contents(unit["messages"]) == both(map(str, range(10)))
    assert_whole(unit["messages"])
    assert (await where(right, "b18")).state == "ENDED"


async def test_b18_a_redis_clock_31_minutes_ahead_ends_sessions_and_loses_nothing(
    kit: Kit, redis_server: RedisServer
) -> None:
    """To Redis, its clock jumping ahead is all of this at once: hashes expired, deadlines passed."""
    jobs = NoQueue()
    service = kit.service(jobs)
    count = scaled(50)
    for number in range(count):
        await say(service, f"b18-{number}", "before")
    with redis_server.client() as client:
        for key in client.scan_iter("short_term_memory:session:*"):
            client.pexpire(key, 1)
        await eventually(lambda: gone(client), "the sessions have expired")
        resumed = [await say(service, f"b18-{number}", "after") for number in range(0, count, 2)]
        assert {answer.turn_count for answer in resumed} == {1}
        contexts = [(await context(service, f"b18-{number}")).encode() for number in range(0, count, 2)]
        assert all(b'"resumed":true' in found for found in contexts)
        client.zadd(DEADLINES, dict.fromkeys(client.zrange(DEADLINES, 0, -1), 1))
        await kit.sweeper(jobs).sweep()
        for key in set(jobs.keys):
            assert await kit.finaliser().run(key)
        assert {f["state"] for f in finalizations(client).values()} == {"ENDED"}
        for number in range(0, count, 2):
            await end(service, f"b18-{number}")
        for key in set(jobs.keys):
            await kit.finaliser().run(key)
        assert not client.zcard("short_term_memory:unfinished")
    found = stored_contents(kit.data)
    expected = {f"b18-{n}": both(["before", "after"] if n % 2 == 0 else ["before"]) for n in range(count)}
    assert found == expected


async def gone(client: "redis.Redis") -> bool:
    return not any(client.scan_iter("short_term_memory:session:*"))
