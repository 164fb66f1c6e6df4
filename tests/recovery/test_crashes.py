"""kill -9 at every step, under load, in mid-commit: A, B1, B3 and B15."""

import asyncio
import contextlib
import json
import os
import random
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import redis
from crash_grid import calls_of, drive, points_of
from oracle import content
from processes import SCALE, Gateway, RedisServer, ask, assert_whole, both, client_session, lists, rows, scaled, turn

from memory.scope import UserScope
from memory.stores.weaviate.records import tenant_name
from tests.sampling import Part, in_parts
from tests.waiting import wait_until
from tests.weaviate_server import WeaviateServer

WRITERS = 64
DRAWN = 12
SECOND_END = "script seal", 2  # the second session ends as the first did


# --- A: every step of a session's life -----------------------------------------------------------


def problems_of(report: dict[str, Any], life: str) -> list[str]:
    """What is wrong after a life with a crash in it."""
    if "error" in report:
        return [report["error"]]
    kept = [text for unit in report["units"] for text in unit]
    told = {
        f"acknowledged {report['acknowledged']}, in memory {report['units']}": kept == both(report["acknowledged"]),
        f"remembered {report['passages']} of {kept}": report["passages"] == sorted(kept),
        f"half visible: {report['half_visible']}": not report["half_visible"],
        f"not at rest: {report['states']}": not report["waiting"] and report["quiet"],
        f"not all ended: {report['states']}": set(report["states"]) == {"ENDED"},
        f"{len(report['units'])} MemUnits of 2 sessions": life != "full" or len(report["units"]) == 2,
    }
    return [problem for problem, holds in told.items() if not holds]


@in_parts
@pytest.mark.parametrize("life", ["full", pytest.param("idle", marks=pytest.mark.long)])
def test_a_kill_before_and_after_every_call_completes_without_loss(
    redis_server: RedisServer, tmp_path: Path, life: str, part: Part
) -> None:
    """`full`: writes, facts, checkpoint, an asked-for end, and back again. `idle`: the sweeper ends it."""

    def scenario(number: int, **more: Any) -> dict[str, Any]:
        return {
            "life": life,
            "conversation": "life",
            "user": "user_1",
            "redis": f"{redis_server.url}/{number}",
            "data": str(tmp_path / f"s{number}"),
            **more,
        }

    (dry,) = drive(tmp_path, [scenario(0)])
    calls = calls_of(dry)
    if SCALE <= 1 and SECOND_END in calls and life == "full":
        calls = calls[: calls.index(SECOND_END)]
    points = part.of(points_of(calls), DRAWN)
    reports = drive(tmp_path, [scenario(index, at=point) for index, point in enumerate(points, 1)])

    struck, problems = 0, []
    for point, report in zip(points, reports, strict=True):
        struck += report.get("struck", 0)
        problems += [(point, problem) for problem in problems_of(report, life)]
    print(f"A: {struck} of {len(points)} crash points of the {life} life struck; problems {len(problems)}")
    assert not problems, "\n".join(f"{point}: {text}" for point, text in problems)
    assert struck >= len(points) * 0.9 - 1


UNHURRIED = {"FINALIZATION__HOLD_S": "1.5", "FINALIZATION__ATTEMPTS_MAX": "20"}
"""An attempt waits for the lock of the one that was killed; on a busy machine it must not be taken for dead itself."""
REMEMBERING = ("attempt", "weaviate", "store put_memunit", "store get_memunit", "script start_attempt",
               "script note_step", "script close")  # fmt: skip


@pytest.mark.integration
def test_a_kill_around_every_step_of_remembering_in_weaviate_completes_without_loss(
    redis_server: RedisServer, weaviate: WeaviateServer, tmp_path: Path
) -> None:
    """Two sessions, the second of which says another residence: puts, changes, and every round trip between them."""

    def scenario(number: int, **more: Any) -> dict[str, Any]:
        user = f"user-{number}"
        return {
            "life": "remembered",
            "conversation": f"life-{number}",  # all scenarios share the server
            "user": user,
            "tenant": tenant_name(UserScope("default", user)),
            "redis": f"{redis_server.url}/{number}",
            "data": str(tmp_path / f"s{number}"),
            "ports": weaviate.ports,
            "settings": weaviate.gateway_settings() | UNHURRIED,
            **more,
        }

    (dry,) = drive(tmp_path, [scenario(0)])
    calls = calls_of(dry)
    first = ("attempt", 1 if SCALE > 1 else 2)  # the second session has all steps of the first, and the changes
    calls = [call for call in calls[calls.index(first) :] if call[0] in REMEMBERING]
    # Before a call is after the one before it, but for what runs beside it: of those some are drawn.
    after = [point for point in points_of(calls) if point[2] == "after"]
    points = after + Part.DRAWN.of([point for point in points_of(calls) if point[2] == "before"], DRAWN)
    reports = drive(tmp_path, [scenario(index, at=point) for index, point in enumerate(points, 1)])
    expected = content_of(dry)
    struck, problems, lost, extra = 0, [], 0, 0
    for point, report in zip(points, reports, strict=True):
        struck += report.get("struck", 0)
        found = content_of(report)
        lost, extra = lost + (expected - found).total(), extra + (found - expected).total()
        problems += [(point, problem) for problem in at_rest(report)]
    print(
        f"A: {struck} of {len(points)} crash points of remembering in Weaviate struck; of {expected.total()} memories "
        f"each lost {lost}, extra {extra}; problems {len(problems)}"
    )
    assert not problems, "\n".join(f"{point}: {text}" for point, text in problems)
    assert (lost, extra) == (0, 0)
    assert struck >= len(points) * 0.9
    assert sum(name == "weaviate" for name, _ in calls) >= 10
    assert any(each["superseded_by"] for each in dry["memories"]), "nothing was changed in this life"


def content_of(report: dict[str, Any]) -> Counter[str]:
    """What is remembered, of whomever and wherever it was said."""

    def plain(memory: dict[str, Any]) -> dict[str, Any]:
        conversation = "life" if memory["source"]["conversation"] else ""
        return {**memory, "user_id": "", "source": {**memory["source"], "conversation": conversation}}

    return content(map(plain, report.get("memories", ())))


def at_rest(report: dict[str, Any]) -> list[str]:
    """What is wrong but for the memories themselves."""
    if "error" in report:
        return [report["error"]]
    told = {
        f"half visible: {report['half_visible']}": not report["half_visible"],
        f"not at rest: {report['waiting']}": not report["waiting"] and report["quiet"],
        f"not two ended: {report['states']}": report["states"] == ["ENDED", "ENDED"],
        f"not in the record: {report['explained']}": report["explained"] == [True, True],
    }
    return [problem for problem, holds in told.items() if not holds]


# --- B1, B3: a process dies under load -----------------------------------------------------------


class Load:
    """64 writers, each on a conversation of its own; the log holds what was acknowledged, in order."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.acknowledged: dict[str, list[str]] = {f"load-{number}": [] for number in range(WRITERS)}
        self.asked: dict[str, set[str]] = {f"load-{number}": set() for number in range(WRITERS)}
        self.stopped = False
        self.written = 0
        self.unanswered = 0

    async def run(self) -> None:
        async with client_session() as session:
            await asyncio.gather(*(self._write(session, conversation) for conversation in self.acknowledged))

    async def _write(self, session: aiohttp.ClientSession, conversation: str) -> None:
        number = 0
        while not self.stopped:
            text, number = f"{conversation}/{number}", number + 1
            self.asked[conversation].add(text)
            answer = await ask(session, self._url, "WriteTurn", turn(conversation, text), timeout_s=15)
            if answer.status == 200:
                self.acknowledged[conversation].append(text)
                self.written += 1
            else:
                assert answer.status in {0, 503}, answer
                self.unanswered += answer.body.get("error") == "TimeoutError"
                await asyncio.sleep(0.02)  # a client that was refused does not hammer

    def total(self) -> int:
        return sum(map(len, self.acknowledged.values()))


def embedded(gateway: Gateway) -> "redis.Redis":
    """The embedded Valkey, asked directly."""
    return redis.Redis(unix_socket_path=str(gateway.data / "valkey" / "valkey.sock"), socket_timeout=10)


def valkey_pid(gateway: Gateway) -> int:
    with embedded(gateway) as client, contextlib.suppress(redis.RedisError):
        return int(client.info("server")["process_id"])
    return 0


def compare(load: Load, gateway: Gateway) -> tuple[int, int]:
    """(lost, extra) turns, by the raw journals. A turn without an answer may be there, once, or not."""
    lost = extra = 0
    with embedded(gateway) as client:
        assert not lists(client, "sealed", "archive")
        found = lists(client, "journal")
    for conversation, texts in load.acknowledged.items():
        entries = found.get(f"short_term_memory:journal:{{default/{conversation}}}", [])
        assert_whole(entries)
        there = Counter(entry["content"][2:] for entry in entries if entry["role"] == "user")
        lost += (Counter(texts) - there).total()
        extra += (there - Counter(load.asked[conversation])).total()
    return lost, extra


async def under_load(gateway: Gateway, strike: Callable[[int], None], kills: int, dice: random.Random) -> Load:
    """Run the writers and strike so many times, each time after some hundred more writes."""
    load = Load(gateway.url)
    writing = asyncio.create_task(load.run())
    try:
        for number in range(kills):
            until = load.written + dice.randrange(200, 500)
            while load.written < until:
                assert not writing.done(), writing.exception()
                await asyncio.sleep(0.001)
            await asyncio.to_thread(strike, number)
        until = load.written + 200
        while load.written < until:
            assert not writing.done(), writing.exception()
            await asyncio.sleep(0.01)
    finally:
        load.stopped = True
        await asyncio.wait_for(writing, 30)
    return load


async def test_b1_kill_the_gateway_under_64_writers_loses_and_tears_nothing(
    make_gateway: Callable[..., Gateway], seed: int
) -> None:
    gateway = make_gateway().start()

    def strike(_: int) -> None:
        gateway.kill()
        gateway.start()

    kills = scaled(5)
    load = await under_load(gateway, strike, kills, random.Random(seed))
    lost, extra = compare(load, gateway)
    print(f"B1: {kills} kills, {load.total()} turns acknowledged: lost {lost}, extra {extra}, torn 0")
    assert (lost, extra, load.unanswered) == (0, 0, 0)


@pytest.mark.parametrize("durability", [pytest.param("always", marks=pytest.mark.long), "everysec"])
async def test_b3_kill_the_embedded_valkey_under_load_recovers_by_itself(
    make_gateway: Callable[..., Gateway], seed: int, durability: str
) -> None:
    gateway = make_gateway(SESSION__DURABILITY=durability).start()

    def strike(_: int) -> None:
        old = valkey_pid(gateway)
        os.kill(old, signal.SIGKILL)
        wait_until(lambda: valkey_pid(gateway) not in {0, old}, "the gateway starts its Valkey again")
        gateway.wait_ready()

    kills = scaled(5)
    load = await under_load(gateway, strike, kills, random.Random(seed))
    lost, extra = compare(load, gateway)
    print(
        f"B3 {durability}: {kills} kills, {load.total()} turns acknowledged: lost {lost} "
        f"({lost / kills:.1f} a kill), extra {extra}, never answered {load.unanswered}"
    )
    assert extra == 0
    assert load.unanswered == 0, f"{load.unanswered} requests were never answered"
    if durability == "always":
        assert lost == 0


# --- B15: SQLite ---------------------------------------------------------------------------------


def profiles(data: Path) -> dict[str, list[str]]:
    found = rows(data, "SELECT user_id, allergies FROM profiles")
    return {row["user_id"]: json.loads(row["allergies"]) for row in found}


async def test_b15_kill_in_mid_commit_leaves_sqlite_whole(make_gateway: Callable[..., Gateway], seed: int) -> None:
    dice = random.Random(seed)
    gateway = make_gateway().start()
    acknowledged: dict[str, set[str]] = {f"user_{number}": set() for number in range(16)}
    stopped = False

    async def upsert(session: aiohttp.ClientSession, user: str) -> None:
        number = 0
        while not stopped and number < 150:
            fact, number = f"{user} fact {number}", number + 1
            body = {"user_id": user, "facts": {"allergies": [fact]}}
            answer = await ask(session, gateway.url, "UpsertFacts", body)
            if answer.status == 200:
                acknowledged[user].add(fact)
            else:
                assert answer.status in {0, 503}, answer
                await asyncio.sleep(0.02)

    async with client_session() as session:
        writing = asyncio.gather(*(upsert(session, user) for user in acknowledged))
        for _ in range(scaled(4)):
            until = sum(map(len, acknowledged.values())) + dice.randrange(30, 120)
            while sum(map(len, acknowledged.values())) < until and not writing.done():
                await asyncio.sleep(0.001)
            gateway.kill()
            with contextlib.closing(sqlite3.connect(gateway.data / "anamnesis.sqlite3")) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            gateway.start()
        stopped = True
        await writing
    found = profiles(gateway.data)
    total = sum(map(len, acknowledged.values()))
    lost = sum(len(facts - set(found.get(user, []))) for user, facts in acknowledged.items())
    twice = sum(len(facts) - len(set(facts)) for facts in found.values())
    print(f"B15: {total} facts acknowledged over {scaled(4)} kills: lost {lost}, twice {twice}, corrupt 0")
    assert (lost, twice) == (0, 0)
