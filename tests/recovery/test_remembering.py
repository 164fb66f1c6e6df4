"""The memory steps of a finalisation: delivered several times, paused, poisoned (D), and without their store (B12)."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kit import ATTEMPTS, CALLER, Kit, NoQueue, end, open_kit, reaches, replay, state_of, unfinished, where
from oracle import Told, content, in_sqlite, in_weaviate
from processes import RedisServer, scaled

from memory.errors import InvariantBroken, StoreUnavailable
from memory.model.finalization import FinalizationKey
from memory.model.lifecycle import SessionState
from memory.model.requests import WriteTurnRequest
from memory.model.search import IndexEntry
from memory.scope import UserScope
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.due import Outside
from memory.stores.weaviate.memories import WeaviateMemoryStore
from tests.inprocess import fades
from tests.waiting import eventually
from tests.weaviate_server import DueTimes, WeaviateServer

HOUR_OF_TRIES = 60
"""So often a finalisation is tried in an hour, with `finalization.hold_s` as it is by default."""


async def tell(service: Any, one: Told) -> None:
    await service.write_turn(CALLER, WriteTurnRequest.model_validate(one.body()))


def several(conversations: int, users: int) -> list[Told]:
    """A turn for each conversation; the users say the same things again and again, so that facts supersede."""
    return [Told(number, f"c-{number}", f"u-{number % users}") for number in range(conversations)]


async def undisturbed(url: str, data: Path, told: list[Told]) -> Counter[str]:
    """What the same turns leave when each job is run once, in order."""
    async with AsyncExitStack() as stack:
        kit = await open_kit(stack, url, data)
        jobs = NoQueue()
        service = kit.service(jobs)
        for one in told:
            await tell(service, one)
            await end(service, one.conversation)
            assert await kit.finaliser().run(jobs.keys.pop())
        return content(in_sqlite(kit.data))


async def test_d_jobs_delivered_several_times_in_any_order_make_each_memory_once(
    kit: Kit, redis_server: RedisServer, tmp_path: Path, seed: int
) -> None:
    dice = random.Random(seed)
    jobs = NoQueue()
    service = kit.service(jobs)
    told = several(scaled(60), 4)
    for one in told:
        await tell(service, one)
        await end(service, one.conversation)
    deliveries = [key for key in jobs.keys for _ in range(dice.randrange(2, 6))]
    dice.shuffle(deliveries)
    errors = (None, None, None, InvariantBroken("now and then"), StoreUnavailable("now and then"))
    kit.memories.fault = lambda _: dice.choice(errors)
    finaliser = kit.finaliser(attempts_max=1_000)
    gate = asyncio.Semaphore(8)

    async def deliver(key: FinalizationKey) -> bool:
        async with gate:
            try:
                return await finaliser.run(key)
            except (InvariantBroken, StoreUnavailable):
                return False

    closed = await asyncio.gather(*map(deliver, deliveries))
    kit.memories.fault = lambda _: None
    late = [await finaliser.run(key) for key in jobs.keys]
    found = content(in_sqlite(kit.data))
    expected = await undisturbed(f"{redis_server.url}/1", tmp_path / "undisturbed", told)
    lost, extra = expected - found, found - expected
    print(
        f"D: {len(deliveries)} deliveries of {len(told)} jobs, {closed.count(True)} closed, {late.count(True)} later; "
        f"{found.total()} memories: lost {lost.total()}, extra {extra.total()}"
    )
    assert closed.count(True) + late.count(True) == len(told)
    assert (lost, extra) == (Counter(), Counter())
    assert await unfinished(service) == []


async def test_d_worker_that_is_paused_in_its_puts_past_its_lease_closes_too_late_and_adds_nothing(kit: Kit) -> None:
    jobs = NoQueue()
    service = kit.service(jobs)
    await tell(service, Told(0, "paused", "ann"))
    await end(service, "paused")
    (key,) = jobs.keys
    reached, go_on = asyncio.Event(), asyncio.Event()
    put = kit.memories.put

    async def paused(scope: UserScope, entries: Sequence[IndexEntry]) -> None:
        if not reached.is_set():
            reached.set()
            await go_on.wait()
        await put(scope, entries)

    kit.memories.put = paused
    slow = asyncio.create_task(kit.finaliser().run(key))
    await reached.wait()
    assert await kit.finaliser().run(key) is True
    after, before = await where(service, "paused"), in_sqlite(kit.data)
    go_on.set()
    assert await slow is False, "its late close was not refused"
    assert await where(service, "paused") == after
    assert in_sqlite(kit.data) == before
    assert len(before) > 2


async def test_d_poison_in_the_memory_step_is_dead_lettered_while_others_go_on(kit: Kit) -> None:
    jobs = await kit.docket(attempts_max=ATTEMPTS, concurrency=2)
    service = kit.service(jobs)
    await kit.sweeping(jobs)
    kit.memories.fault = lambda scope: InvariantBroken("it cannot be told") if scope.user == "poison" else None
    told = [*several(scaled(20), 5), Told(1000, "poison", "poison")]
    for one in told:
        await tell(service, one)
    for one in reversed(told):
        await end(service, one.conversation)
    await reaches(service, "poison", SessionState.FAILED)
    answer = await where(service, "poison")
    assert (answer.attempts, answer.reason) == (ATTEMPTS, "InvariantBroken: it cannot be told")
    for one in told[:-1]:
        await reaches(service, one.conversation, SessionState.ENDED)
    assert {each["user_id"] for each in in_sqlite(kit.data)} == {one.user for one in told[:-1]}
    assert [each.conversation_id for each in await unfinished(service)] == ["poison"]
    kit.memories.fault = lambda _: None
    await replay(service, "poison")
    await reaches(service, "poison", SessionState.ENDED)
    assert "poison" in {each["user_id"] for each in in_sqlite(kit.data)}


@pytest.mark.integration
async def test_b12_an_hour_without_weaviate_fails_no_finalisation(
    kit: Kit, redis_server: RedisServer, weaviate: WeaviateServer, tmp_path: Path
) -> None:
    """The hour's tries, one after the other without the waiting between them."""
    store = WeaviateMemoryStore(WeaviateConnection(weaviate.settings()), "", 0, Outside(DueTimes(), fades))
    kit = replace(kit, memories=store, hold_ms=100)
    tried: Counter[str] = Counter()
    refund = kit.sessions.refund_attempt

    async def counted(key: FinalizationKey, fence: int) -> None:
        tried[key.scope.conversation] += 1
        await refund(key, fence)

    kit.sessions.refund_attempt = counted
    jobs = await kit.docket(attempts_max=2)
    service = kit.service(jobs)
    await kit.sweeping(jobs)
    weaviate.kill()
    told = several(scaled(4), 4)
    for one in told:
        await tell(service, one)
        await end(service, one.conversation)

    async def an_hour() -> bool:
        return len(tried) == len(told) and min(tried.values()) >= HOUR_OF_TRIES

    await eventually(an_hour, "each was tried as often as in an hour")
    assert {await state_of(service, one.conversation) for one in told} == {SessionState.ENDING}
    await asyncio.to_thread(weaviate.start)
    for one in told:
        await reaches(service, one.conversation, SessionState.ENDED)
    found = content(in_weaviate(weaviate))
    expected = await undisturbed(f"{redis_server.url}/1", tmp_path / "undisturbed", told)
    print(f"B12: {sum(tried.values())} tries of {len(told)} finalisations without Weaviate, FAILED 0, then all ENDED")
    assert found == expected
    await store.close()
