"""Attempts that fail, wait, are overtaken, come several times, or kill their worker: D."""

import asyncio
import random
from collections import Counter
from typing import Any

import pytest
from kit import (
    ATTEMPTS,
    CALLER,
    Kit,
    NoQueue,
    attempted,
    counted,
    end,
    failing,
    kept,
    reaches,
    replay,
    say,
    unfinished,
    where,
)
from processes import RedisServer, both, contents, finalizations, lists, scaled, stored_ids, units

from gateway.observe.metrics import Metrics
from gateway.work.worker import FinalizationRunner
from memory.errors import DeadlineExceeded, InvariantBroken, NotFound, StoreFull, StoreUnavailable
from memory.model.finalization import FinalizationKey
from memory.model.lifecycle import SessionState
from memory.model.requests import FinalizeSessionMemoryRequest
from memory.stores.redis.keys import DEADLINES
from tests.waiting import eventually


async def test_finalization_that_fails_twice_ends_at_the_third_attempt_with_one_memunit(
    kit: Kit, redis_server: RedisServer
) -> None:
    jobs = await kit.docket(attempts_max=ATTEMPTS)
    service = kit.service(jobs)
    kit.store.fault = failing(ATTEMPTS - 1, InvariantBroken("the disk is on fire"))
    await say(service, "retried", "1")
    await end(service, "retried")
    await reaches(service, "retried", SessionState.ENDED)
    answer = await where(service, "retried")
    assert (answer.attempts, answer.reason, answer.skipped) == (ATTEMPTS, None, None)
    assert answer.steps == ["collected", "written", "verified", "remembered"]
    assert kept(kit) == {"retried": [both(["1"])]}
    assert [unit["unit_id"] for unit in units(kit.data)] == answer.memory_ids[:1]
    assert set(answer.memory_ids) <= stored_ids(kit.data)
    with redis_server.client() as client:
        assert not lists(client, "sealed", "journal", "archive", "records")


async def test_finalization_that_keeps_failing_is_failed_with_the_reason_then_replayed_once(
    kit: Kit, redis_server: RedisServer
) -> None:
    jobs = await kit.docket(attempts_max=ATTEMPTS)
    service = kit.service(jobs)
    kit.store.fault = lambda _: InvariantBroken("the disk is on fire")
    await say(service, "failed", "1")
    await say(service, "failed", "2")
    finalization_id = (await end(service, "failed")).finalization_id
    await reaches(service, "failed", SessionState.FAILED)

    answer = await where(service, "failed")
    assert answer.reason == "InvariantBroken: the disk is on fire"
    assert (answer.attempts, answer.finalization_id, answer.memory_ids) == (ATTEMPTS, finalization_id, [])
    assert [(f.finalization_id, f.state, f.reason) for f in await unfinished(service)] == [
        (finalization_id, SessionState.FAILED, answer.reason)
    ]
    assert kit.store.puts == ["failed"] * ATTEMPTS
    assert kept(kit) == {}
    with redis_server.client() as client:
        sealed = lists(client, "sealed")
        assert contents(next(v for k, v in sealed.items() if k.endswith(":journal"))) == both(["1", "2"])
        assert {client.ttl(key) for key in (*sealed, *finalizations(client))} == {-1}, "a failed session may expire"

    kit.store.fault = lambda _: None
    assert await replay(service, "failed") == [finalization_id]
    await reaches(service, "failed", SessionState.ENDED)
    with pytest.raises(NotFound):
        await replay(service, "failed")
    assert kept(kit) == {"failed": [both(["1", "2"])]}
    assert await unfinished(service) == []
    with redis_server.client() as client:
        assert not lists(client, "sealed")
        assert all(client.ttl(key) > 0 for key in finalizations(client))


async def test_finalization_failed_twice_keeps_its_journal_and_later_sessions_end(kit: Kit) -> None:
    jobs = await kit.docket(attempts_max=2)
    service = kit.service(jobs)
    kit.store.fault = lambda unit: InvariantBroken("bad") if b"q:bad" in unit.messages else None
    await say(service, "mixed", "bad")
    await end(service, "mixed")
    await reaches(service, "mixed", SessionState.FAILED)
    assert (await say(service, "mixed", "good")).turn_count == 1
    await end(service, "mixed")
    await reaches(service, "mixed", SessionState.ENDED)
    await replay(service, "mixed")

    async def failed_again() -> bool:
        return [f.state for f in await unfinished(service)] == [SessionState.FAILED]

    await eventually(failed_again, "it failed again")
    kit.store.fault = lambda _: None
    await replay(service, "mixed")

    async def over() -> bool:
        return not await unfinished(service)

    await eventually(over, "both have ended")
    assert kept(kit) == {"mixed": [both(["bad"]), both(["good"])]}


@pytest.mark.parametrize("error", [StoreUnavailable, DeadlineExceeded, StoreFull])
async def test_finalization_while_the_store_is_down_waits_and_never_fails(
    kit: Kit, redis_server: RedisServer, error: type[Exception]
) -> None:
    kit.hold_ms = 150
    jobs = await kit.docket(attempts_max=2)
    service = kit.service(jobs)
    await kit.sweeping(jobs)
    kit.store.fault = lambda _: error("down")
    count = scaled(10)
    for number in range(count):
        await say(service, f"waits-{number}", "1")
        await end(service, f"waits-{number}")

    async def many_attempts() -> bool:
        tried = Counter(kit.store.puts)
        return len(tried) == count and min(tried.values()) > 4

    await eventually(many_attempts, "each was tried more often than attempts_max")
    assert {f.state for f in await unfinished(service)} == {SessionState.ENDING}
    kit.store.fault = lambda _: None
    with redis_server.client() as client:

        async def drained() -> bool:
            return {f["state"] for f in finalizations(client).values()} == {"ENDED"} and not client.zcard(DEADLINES)

        await eventually(drained, "everything has ended")
    assert kept(kit) == {f"waits-{number}": [both(["1"])] for number in range(count)}


async def test_finalization_by_an_attempt_that_lost_its_fence_changes_nothing(
    kit: Kit, redis_server: RedisServer
) -> None:
    jobs = NoQueue()
    service = kit.service(jobs)
    await say(service, "fence", "1")
    await end(service, "fence")
    (key,) = jobs.keys
    slow = await kit.sessions.start_attempt(key)
    assert slow is not None
    fast = await kit.sessions.start_attempt(key)
    assert fast is not None
    assert fast.fence > slow.fence
    with redis_server.client() as client:
        before = finalizations(client)
        assert not await kit.sessions.close(key, slow.fence, ("not-a-memory",), "")
        assert not await kit.sessions.give_up(key, slow.fence, "late")
        await kit.sessions.note_step(key, slow.fence, "late")
        assert await kit.sessions.keep_decisions(key, slow.fence, "unit", "late") is None
        assert finalizations(client) == before
    assert await kit.sessions.close(key, fast.fence, ("memory",), "")
    assert not await kit.sessions.close(key, fast.fence, ("again",), "")
    assert await kit.sessions.start_attempt(key) is None
    assert (await where(service, "fence")).memory_ids == ["memory"]


async def test_who_asks_again_for_an_end_that_is_under_way_waits_for_it_as_well(kit: Kit) -> None:
    jobs = NoQueue()
    service = kit.service(jobs)
    await say(service, "waits", "1")
    await end(service, "waits")
    (key,) = jobs.keys
    again = FinalizeSessionMemoryRequest(conversation_id="waits", wait_ms=20_000)
    asked = asyncio.create_task(service.finalize_session_memory(CALLER, again))
    await asyncio.sleep(0.1)
    assert not asked.done()
    assert await kit.finaliser().run(key) is True
    assert (await asked).state is SessionState.ENDED


async def test_attempts_that_a_later_one_overtook_are_refunded_once_and_never_fail_the_session(kit: Kit) -> None:
    """A job delivered again and again while it runs (a late renewal of its lease) spent the attempts of all."""
    jobs = NoQueue()
    service = kit.service(jobs)
    await say(service, "overtaken", "1")
    await end(service, "overtaken")
    (key,) = jobs.keys
    begun = [await kit.sessions.start_attempt(key) for _ in range(3)]
    fences = [attempt.fence for attempt in begun if attempt is not None]
    assert (await where(service, "overtaken")).attempts == 3
    for fence in (*fences[:2], *fences[:2], 99):
        await kit.sessions.refund_attempt(key, fence)
    assert (await where(service, "overtaken")).attempts == 1
    assert await kit.finaliser(attempts_max=2).run(key) is True
    await kit.sessions.refund_attempt(key, fences[2])
    assert (await where(service, "overtaken")).attempts == 2


@pytest.mark.parametrize("deliveries", [2, 6])
async def test_a_job_delivered_again_while_it_fails_for_want_of_a_store_is_never_given_up(
    kit: Kit, deliveries: int
) -> None:
    jobs = NoQueue()
    service = kit.service(jobs)
    await say(service, "again", "1")
    await end(service, "again")
    (key,) = jobs.keys
    kit.store.fault = lambda _: StoreUnavailable("down")
    runner = FinalizationRunner(kit.finaliser(attempts_max=2), Metrics())
    outcomes = await asyncio.gather(*(runner.attempt(key) for _ in range(deliveries)), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [StoreUnavailable] * deliveries
    assert (await where(service, "again")).state is SessionState.ENDING
    kit.store.fault = lambda _: None
    await asyncio.gather(*(runner.attempt(key) for _ in range(deliveries)))
    assert (await where(service, "again")).state is SessionState.ENDED
    assert kept(kit) == {"again": [both(["1"])]}


async def test_finalization_that_is_paused_past_its_lease_closes_too_late_and_leaves_one_memunit(kit: Kit) -> None:
    """The real run stops inside its write; another one takes over, ends the session, and the first wakes up."""
    jobs = NoQueue()
    service = kit.service(jobs)
    await say(service, "paused", "1")
    await end(service, "paused")
    (key,) = jobs.keys
    reached, go_on = asyncio.Event(), asyncio.Event()
    write = kit.store.put_memunit

    async def paused(*unit: Any) -> None:
        if not reached.is_set():
            reached.set()
            await go_on.wait()
        await write(*unit)

    kit.store.put_memunit = paused
    slow = asyncio.create_task(kit.finaliser().run(key))
    await reached.wait()
    assert await kit.finaliser().run(key) is True
    after = await where(service, "paused")
    go_on.set()
    assert await slow is False
    assert await where(service, "paused") == after
    assert after.state is SessionState.ENDED
    assert kept(kit) == {"paused": [both(["1"])]}


async def test_finalization_attempt_that_fails_after_losing_its_fence_does_not_fail_the_session(kit: Kit) -> None:
    """An old attempt raises while a newer one is at work: the newer one decides how it ends."""
    jobs = NoQueue()
    service = kit.service(jobs)
    await say(service, "overtaken", "1")
    await end(service, "overtaken")
    (key,) = jobs.keys
    attempts_max = 2
    old, new = kit.finaliser(attempts_max), kit.finaliser(attempts_max)
    stopped_old, stopped_new = asyncio.Event(), asyncio.Event()
    reached_new = asyncio.Event()
    write = kit.store.put_memunit
    calls = iter(("old", "new"))

    async def stepped(*unit: Any) -> None:
        if next(calls, "") == "old":
            await stopped_old.wait()
            raise InvariantBroken("the old attempt broke")
        reached_new.set()
        await stopped_new.wait()
        await write(*unit)

    kit.store.put_memunit = stepped
    slow = asyncio.create_task(attempted(old, key))
    await eventually(lambda: counted(kit, key, 1), "the old attempt has begun")
    fast = asyncio.create_task(new.run(key))
    await reached_new.wait()
    stopped_old.set()
    await slow
    stopped_new.set()
    assert await fast is True, "an attempt without the fence took the session away from the one that holds it"
    assert (await where(service, "overtaken")).state is SessionState.ENDED


async def test_finalization_jobs_delivered_several_times_in_any_order_have_one_effect(kit: Kit, seed: int) -> None:
    dice = random.Random(seed)
    jobs = NoQueue()
    service = kit.service(jobs)
    count = scaled(60)
    expected: dict[str, list[list[str]]] = {}
    for number in range(count):
        for session in range(2):
            await say(service, f"again-{number}", str(session))
            await end(service, f"again-{number}")
            expected.setdefault(f"again-{number}", []).append(both([str(session)]))
    deliveries = [key for key in set(jobs.keys) for _ in range(dice.randrange(2, 6))]
    dice.shuffle(deliveries)
    kit.store.fault = lambda _: InvariantBroken("now and then") if dice.random() < 0.2 else None
    finaliser = kit.finaliser(attempts_max=1_000)
    gate = asyncio.Semaphore(8)

    async def deliver(key: FinalizationKey) -> bool:
        async with gate:
            try:
                return await finaliser.run(key)
            except InvariantBroken:
                return False

    closed = await asyncio.gather(*map(deliver, deliveries))
    kit.store.fault = lambda _: None
    late = [await finaliser.run(key) for key in set(jobs.keys)]
    print(f"D: {len(deliveries)} deliveries of {2 * count} jobs, {closed.count(True)} closed, {late.count(True)} later")
    assert closed.count(True) + late.count(True) == 2 * count
    assert kept(kit) == expected
    assert await unfinished(service) == []


async def test_finalization_of_a_poison_session_is_dead_lettered_while_others_go_on(
    kit: Kit, redis_server: RedisServer
) -> None:
    """Its journal cannot be read: not JSON. Nothing but that one may suffer."""
    jobs = await kit.docket(attempts_max=ATTEMPTS, concurrency=2)
    service = kit.service(jobs)
    await kit.sweeping(jobs)
    count = scaled(20)
    for number in range(count):
        await say(service, f"good-{number}", "1")
    await say(service, "poison", "1")
    with redis_server.client() as client:
        client.lset("short_term_memory:journal:{default/poison}", 1, b'{"seq":3,"turn":1,"at":1,"tok":9,"role":???')
    await end(service, "poison")
    for number in range(count):
        await end(service, f"good-{number}")
    await reaches(service, "poison", SessionState.FAILED)
    answer = await where(service, "poison")
    assert answer.attempts == ATTEMPTS
    assert answer.reason
    for number in range(count):
        await reaches(service, f"good-{number}", SessionState.ENDED)
    assert kept(kit) == {f"good-{number}": [both(["1"])] for number in range(count)}
    assert [f.conversation_id for f in await unfinished(service)] == ["poison"]


async def test_finalization_whose_worker_dies_each_time_is_dead_lettered(kit: Kit) -> None:
    """Nobody is left to report: the attempts themselves are the evidence."""
    jobs = NoQueue()
    service = kit.service(jobs)
    await say(service, "killer", "1")
    await end(service, "killer")
    (key,) = jobs.keys
    for _ in range(ATTEMPTS):
        assert await kit.sessions.start_attempt(key) is not None  # and then the process is gone
    assert await kit.finaliser(ATTEMPTS).run(key) is False
    answer = await where(service, "killer")
    assert answer.state is SessionState.FAILED
    assert answer.reason is not None
    assert "without a word" in answer.reason
    assert await replay(service, "killer")
    assert await kit.finaliser(ATTEMPTS).run(key) is True
    assert kept(kit) == {"killer": [both(["1"])]}
