"""Heartbeats of workers over fakeredis, Redis and Valkey."""

import asyncio
from typing import Any

import pytest

from gateway.work.heartbeats import DEAD_AFTER_S, START_S, Heart, silence, worker_component
from memory.errors import StoreUnavailable
from memory.stores.redis.keys import WORKERS
from memory.stores.redis.workers import Heard, RedisWorkers


async def test_workers_are_heard_the_latest_first_until_they_leave(commands: Any) -> None:
    workers = RedisWorkers(commands)
    assert await workers.heard() == []
    await workers.beat("a:1", {"mind": {"status": "ok"}})
    await workers.beat("b:2", {})
    first, second = await workers.heard()
    assert first.age_s <= second.age_s < 5
    assert {each.worker: each.told for each in (first, second)} == {"a:1": {"mind": {"status": "ok"}}, "b:2": {}}
    await workers.beat("a:1", {"mind": {"status": "degraded"}})
    assert {each.worker for each in await workers.heard()} == {"a:1", "b:2"}
    await workers.leave("a:1")
    assert [each.worker for each in await workers.heard()] == ["b:2"]


async def test_worker_that_was_not_heard_of_for_an_hour_is_forgotten(commands: Any) -> None:
    workers = RedisWorkers(commands)
    (time,) = await commands.run(("TIME",))
    long_ago = int(time[0]) * 1000 - 3_700_000
    await commands.run(("HSET", WORKERS, "dead:1", f"{long_ago} {{}}"))
    await workers.beat("alive:2", {})
    assert [each.worker for each in await workers.heard()] == ["alive:2"]


async def test_heart_beats_and_says_farewell(commands: Any) -> None:
    workers = RedisWorkers(commands)
    beating = asyncio.create_task(Heart(workers, lambda: {"mind": {"status": "ok"}}).run())
    while not (heard := await workers.heard()):
        await asyncio.sleep(0.01)
    assert heard[0].told == {"mind": {"status": "ok"}}
    beating.cancel()
    await asyncio.gather(beating, return_exceptions=True)
    assert await workers.heard() == []


async def test_heart_goes_on_while_redis_is_down() -> None:
    class Down:
        async def beat(self, *_: object) -> None:
            raise StoreUnavailable

        leave = beat

    beating = asyncio.create_task(Heart(Down(), dict).run())  # type: ignore[arg-type]
    await asyncio.sleep(0.05)
    assert not beating.done()
    beating.cancel()
    await asyncio.gather(beating, return_exceptions=True)


@pytest.mark.parametrize(
    ("state", "ages", "status"),
    [
        ("working", [1.0], "ok"),
        ("elsewhere", [1.0, 500.0], "ok"),
        ("elsewhere", [], "degraded"),
        ("elsewhere", [DEAD_AFTER_S + 1], "degraded"),
        ("working", [DEAD_AFTER_S + 1], "degraded"),
        ("starting", [], "degraded"),
        ("failed", [1.0], "degraded"),
    ],
)
def test_health_of_the_worker_follows_its_heartbeat(state: str, ages: list[float], status: str) -> None:
    heard = [Heard(f"w:{age}", age, {}) for age in ages]
    found = worker_component(state, heard, START_S)
    assert found["status"] == status
    assert ("reason" in found) == (status == "degraded")
    assert found["workers"] == sum(age <= DEAD_AFTER_S for age in ages)


@pytest.mark.parametrize("state", ["starting", "elsewhere"])
def test_worker_that_may_still_be_starting_is_not_missed_yet(state: str) -> None:
    assert worker_component(state, [], START_S - 1)["status"] == "ok"


def test_silence_says_for_how_long_and_what_to_do() -> None:
    assert "no worker was heard of" in silence([])
    assert "30 s ago; sessions that end do not become memory: start `anamnesis worker`" in silence(
        [Heard("w", 30.4, {})]
    )
