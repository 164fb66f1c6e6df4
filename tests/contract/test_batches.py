"""Many memories at once: what was previewed is done, no more and no less, and can be followed and stopped."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from memory.errors import BatchExpired, InvalidInput, NotFound, StoreUnavailable
from memory.model.batch import BatchKey
from memory.model.caller import Caller
from memory.model.memory import Category
from memory.scope import UserScope
from memory.service import batch_runs
from memory.service.forgetting import Forgetting
from memory.stores.redis.batches import RedisBatches
from memory.stores.redis.keys import BatchKeys, batches_key
from tests.inprocess import MovableClock, World

STRANGER = Caller("elsewhere", frozenset({"admin"}))
ALL = {"states": ["held", "ended", "superseded", "archived"]}
MINUTE_MS = 60_000


async def told(here: World, number: int, user: str = "ann", topic: str = "tea") -> list[str]:
    """Make so many memories; their ids."""
    made = []
    for each in range(number):
        body = {"user_id": user, "subject": user, "memory_type": "fact", "topic": f"{topic} number {each}"}
        made.append((await here.call("CreateMemory", **body))["memory"]["memory_id"])
    return made


async def held(here: World, user: str = "ann", **choice: Any) -> set[str]:
    return {each["memory_id"] for each in await here.pages("ListMemories", user_id=user, **choice)}


async def worked(here: World) -> None:
    """What a worker does: a while of each until there is nothing to do."""
    for _ in range(100):
        if not [await here.service.batches.run(key) for key in await here.service.batches.open()]:
            return
    pytest.fail("there is always something to do")


async def begun(here: World, op: str, user: str = "ann", **asked: Any) -> dict[str, Any]:
    """Preview and start."""
    seen = await here.call("PreviewBatch", user_id=user, op=op, **asked)
    body = {"user_id": user, "batch_token": seen["batch_token"], "confirm_count": seen["count"]}
    return await here.call("StartBatch", **body, why="一时的话")


async def done(here: World, op: str, user: str = "ann", **asked: Any) -> dict[str, Any]:
    """Preview, start, and work until it is done."""
    job = await begun(here, op, user, **asked)
    await worked(here)
    return await here.call("GetJob", job_id=job["job_id"])


async def test_what_was_previewed_is_forgotten_whatever_is_written_meanwhile(here: World) -> None:
    tea, coffee = await told(here, 7), await told(here, 3, topic="coffee")
    seen = await here.call("PreviewBatch", user_id="ann", op="forget", choice={"contains": "TEA"})
    assert (seen["count"], len(seen["sample"]), seen["left_out"], seen["more"]) == (7, 7, {}, False)
    assert await held(here) == {*tea, *coffee}
    later = await told(here, 2, topic="more tea")
    body = {"user_id": "ann", "batch_token": seen["batch_token"], "confirm_count": 7}
    job = await here.call("StartBatch", **body)
    assert (job["state"], job["done"], job["total"]) == ("waiting", 0, 7)
    await worked(here)
    assert await held(here, **ALL) == {*coffee, *later}
    job = await here.call("GetJob", job_id=job["job_id"])
    assert (job["state"], job["done"], job["failed"], job["failures"]) == ("done", 7, 0, [])
    assert (await here.call("GetErasure", erasure_id=job["erasure_id"]))["erasure_id"] == job["erasure_id"]
    assert await here.call("StartBatch", **body) == job, "the same token again begins nothing anew"


async def test_archived_and_restored_with_who_and_why(here: World) -> None:
    ids = await told(here, 5)
    job = await done(here, "archive", memory_ids=[*ids, ids[0]])
    assert (job["total"], job["state"], job["by"], job["why"]) == (5, "done", "caller", "一时的话")
    assert await held(here) == set()
    (change,) = (await here.call("GetMemoryHistory", memory_id=ids[0]))["changes"]
    assert (change["op"], change["by"], change["why"]) == ("archived", "caller", "一时的话")
    again = await here.call("PreviewBatch", user_id="ann", op="archive", memory_ids=ids)
    assert (again["count"], again["left_out"], "batch_token" in again) == (0, {"same": 5}, False)
    assert (await done(here, "restore", choice={"states": ["archived"]}))["done"] == 5
    assert await held(here) == set(ids)


async def test_each_that_is_left_out_says_why(here: World) -> None:
    await here.write("我对青霉素过敏，我叫王芳。", "好的。", user_id="ann")
    pending = {
        each["memory_id"] for each in (await here.call("SearchMemories", user_id="ann", query="青霉素"))["memories"]
    }
    made = await told(here, 2)
    ends = {"source_memory_id": made[0], "target_memory_id": made[1]}
    link = (await here.call("LinkMemories", user_id="ann", relation_type="related", **ends))["link_id"]
    others = await told(here, 1, user="bob")
    asked = {"user_id": "ann", "memory_ids": [*made, *pending, link, *others, "no-id"]}
    for op, left_out in (
        ("archive", {"pending": len(pending), "link": 1, "unknown": 2}),
        ("forget", {"pending": len(pending), "unknown": 2}),
        ("restore", {"pending": len(pending), "link": 1, "unknown": 2, "same": 2}),
    ):
        seen = await here.call("PreviewBatch", op=op, **asked)
        assert seen["left_out"] == left_out
        assert seen["count"] == {"archive": 2, "forget": 3, "restore": 0}[op]
    await here.finalize()
    everything = {"user_id": "ann", "choice": {"states": ["held"]}}
    safety = {each["memory_id"] for each in await here.pages("ListMemories", user_id="ann", categories=["core"])}
    seen = await here.call("PreviewBatch", op="forget", **everything)
    assert seen["left_out"] == {"core": len(safety) - 1, "profile": 1}
    assert safety.isdisjoint(each["memory_id"] for each in seen["sample"])
    seen = await here.call("PreviewBatch", op="archive", include_core=True, **everything)
    assert seen["left_out"] == {"safety": len(safety) - 1, "profile": 1}


async def test_core_is_forgotten_when_it_is_meant_and_the_profile_knows(here: World) -> None:
    await here.write("我对青霉素过敏。", "好的。", user_id="ann")
    await here.finalize()
    assert (await here.call("GetProfile", user_id="ann"))["allergies"] == ["青霉素"]
    await done(here, "forget", choice={}, include_core=True)
    assert await held(here, **ALL) == set()
    assert (await here.call("GetProfile", user_id="ann"))["allergies"] == []


async def test_one_that_became_core_meanwhile_stays(here: World) -> None:
    ids = await told(here, 3)
    job = await begun(here, "forget", memory_ids=ids)
    scope = UserScope("default", "ann")
    await here.memories.change(scope, ids[:1], lambda memory: replace(memory, category=Category.CORE))
    await worked(here)
    assert await held(here) == {ids[0]}
    job = await here.call("GetJob", job_id=job["job_id"])
    assert (job["done"], job["failures"]) == (3, [{"memory_id": ids[0], "code": "core"}])


@pytest.mark.parametrize("wrong", [{"confirm_count": 4}, {"user_id": "bob"}])
async def test_nothing_is_done_that_was_previewed_otherwise(here: World, wrong: dict[str, Any]) -> None:
    ids = await told(here, 3)
    seen = await here.call("PreviewBatch", user_id="ann", op="forget", memory_ids=ids)
    body = {"user_id": "ann", "batch_token": seen["batch_token"], "confirm_count": 3}
    with pytest.raises(BatchExpired):
        await here.call("StartBatch", **body | wrong)
    await worked(here)
    assert await held(here) == set(ids)
    with pytest.raises(NotFound):
        await here.call("GetJob", job_id=seen["batch_token"])
    assert (await here.call("StartBatch", **body))["state"] == "waiting", "it can be begun as it was previewed"


async def test_a_stranger_sees_starts_and_stops_nothing(here: World) -> None:
    ids = await told(here, 3)
    seen = await here.call("PreviewBatch", user_id="ann", op="forget", memory_ids=ids)
    body = {"user_id": "ann", "batch_token": seen["batch_token"], "confirm_count": 3}
    with pytest.raises(BatchExpired, match="preview again"):
        await here.call("StartBatch", STRANGER, **body)
    job = await here.call("StartBatch", **body)
    for operation in ("GetJob", "CancelJob"):
        with pytest.raises(NotFound):
            await here.call(operation, STRANGER, job_id=job["job_id"])
    assert (await here.call("ListJobs", STRANGER))["items"] == []
    assert (await here.call("GetJob", job_id=job["job_id"]))["state"] == "waiting"
    assert (await here.call("PreviewBatch", STRANGER, user_id="ann", op="forget", memory_ids=ids))["left_out"] == {
        "unknown": 3
    }


async def test_a_preview_is_gone_after_ten_minutes_and_a_job_after_a_week(here: World) -> None:
    await told(here, 2)
    seen = await here.call("PreviewBatch", user_id="ann", op="archive", choice={})
    keys = BatchKeys.of(BatchKey("default", seen["batch_token"]))
    for key in (keys.batch, keys.memory_ids):
        (left_ms,) = await here.commands.run(("PTTL", key))
        assert 9 * MINUTE_MS < left_ms <= 10 * MINUTE_MS
    await here.commands.run(("DEL", keys.batch, keys.memory_ids))
    with pytest.raises(BatchExpired, match="preview again"):
        await here.call("StartBatch", user_id="ann", batch_token=seen["batch_token"], confirm_count=2)
    await done(here, "archive", choice={})
    (names,) = await here.commands.run(("KEYS", "*batch*"))
    for key in names:
        (left_ms,) = await here.commands.run(("PTTL", key))
        assert key == b"short_term_memory:open_batches" or 6 * 1440 * MINUTE_MS < left_ms <= 7.1 * 1440 * MINUTE_MS, key


@pytest.fixture
async def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches go on by two."""
    monkeypatch.setattr(batch_runs, "_TOGETHER", 2)


@pytest.mark.usefixtures("few")
async def test_stopped_in_the_middle_the_rest_stays(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = await told(here, 9)
    job = await begun(here, "archive", memory_ids=ids)
    advance, steps = RedisBatches.advance, itertools.count(1)

    async def stop_at_the_second(self: RedisBatches, *args: Any) -> Any:
        if next(steps) == 2:
            assert (await here.call("CancelJob", job_id=job["job_id"]))["state"] == "running"
        return await advance(self, *args)

    monkeypatch.setattr(RedisBatches, "advance", stop_at_the_second)
    await worked(here)
    found = await here.call("CancelJob", job_id=job["job_id"])
    assert (found["state"], found["done"], found["total"]) == ("cancelled", 4, 9)
    assert await held(here) == set(ids[4:])
    waiting = await begun(here, "forget", memory_ids=ids[4:])
    assert (await here.call("CancelJob", job_id=waiting["job_id"]))["state"] == "cancelled"
    await worked(here)
    assert await held(here) == set(ids[4:])


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("op", ["forget", "archive"])
@pytest.mark.parametrize("dies", ["before", "after"])
async def test_taken_up_again_where_it_died_each_once(
    here: World, monkeypatch: pytest.MonkeyPatch, op: str, dies: str
) -> None:
    ids = await told(here, 7)
    job = await begun(here, op, memory_ids=ids)
    advance, steps = RedisBatches.advance, itertools.count(1)

    async def die_at_the_second(self: RedisBatches, *args: Any) -> Any:
        is_second = next(steps) == 2
        found = None if is_second and dies == "before" else await advance(self, *args)
        if is_second:
            raise StoreUnavailable
        return found

    monkeypatch.setattr(RedisBatches, "advance", die_at_the_second)
    (key,) = await here.service.batches.open()
    with pytest.raises(StoreUnavailable):
        await here.service.batches.run(key)
    assert (await here.call("GetJob", job_id=job["job_id"]))["state"] == "running"
    await worked(here)
    job = await here.call("GetJob", job_id=job["job_id"])
    assert (job["state"], job["done"], job["failed"]) == ("done", 7, 0)
    assert await held(here) == set()
    if op == "archive":
        for memory_id in ids:
            assert len((await here.call("GetMemoryHistory", memory_id=memory_id))["changes"]) == 1


async def test_a_store_in_trouble_is_waited_out_and_fails_no_memory(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = await told(here, 3)
    job = await begun(here, "forget", memory_ids=ids)
    (key,) = await here.service.batches.open()
    with monkeypatch.context() as patched:

        async def away(*_: Any) -> None:
            raise StoreUnavailable

        patched.setattr(Forgetting, "forget_memories", away)
        with pytest.raises(StoreUnavailable):
            await here.service.batches.run(key)
    found = await here.call("GetJob", job_id=job["job_id"])
    assert (found["state"], found["done"], found["failed"]) == ("running", 0, 0)
    await worked(here)
    assert (await here.call("GetJob", job_id=job["job_id"]))["failed"] == 0
    assert await held(here) == set()


@pytest.mark.usefixtures("few")
async def test_a_long_one_lets_another_have_its_turn(
    make_world: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = MovableClock()
    here = await make_world(clock=clock)
    await told(here, 9)
    await told(here, 2, user="bob")
    long, short = await begun(here, "archive", choice={}), await begun(here, "archive", user="bob", choice={})
    advance = RedisBatches.advance

    async def slowly(self: RedisBatches, *args: Any) -> Any:
        clock.at_ms += 1_100
        return await advance(self, *args)

    monkeypatch.setattr(RedisBatches, "advance", slowly)
    for key in await here.service.batches.open():
        assert await here.service.batches.run(key)
    states = [await here.call("GetJob", job_id=each["job_id"]) for each in (long, short)]
    assert [(each["state"], each["done"]) for each in states] == [("running", 4), ("done", 2)]


async def test_what_is_over_leaves_nothing_to_do_and_no_ids(here: World) -> None:
    await told(here, 3)
    job = await begun(here, "archive", choice={})
    key = BatchKey("default", job["job_id"])
    (left_ms,) = await here.commands.run(("PTTL", BatchKeys.of(key).batch))
    assert left_ms > 6 * 1440 * MINUTE_MS, "what was begun is kept for a week at once"
    await worked(here)
    assert not await here.service.batches.run(key)
    assert (await here.commands.run(("EXISTS", BatchKeys.of(key).memory_ids)))[0] == 0
    assert (await here.commands.run(("ZCARD", "short_term_memory:open_batches")))[0] == 0


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("before", ["advance", "end"])
async def test_a_user_who_is_forgotten_meanwhile_ends_it_without_a_trace(
    here: World, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    await told(here, 5)
    await begun(here, "archive", choice={})
    step = getattr(RedisBatches, before)

    async def too_late(self: RedisBatches, *args: Any) -> Any:
        await here.call("ForgetMemory", user_id="ann")
        return await step(self, *args)

    monkeypatch.setattr(RedisBatches, before, too_late)
    await worked(here)
    (names,) = await here.commands.run(("KEYS", "*:batch:*"))
    assert names == []
    assert await held(here, **ALL) == set()


async def test_profiles_say_what_was_archived_no_longer_and_again_what_was_restored(here: World) -> None:
    await here.write("我喜欢喝绿茶。", "好的。", user_id="ann")
    await here.finalize()

    async def profile() -> str:
        found = await here.pages("ListMemories", user_id="ann", kinds=["profile"])
        return " ".join(each["text"] for each in found)

    assert "绿茶" in await profile()
    await done(here, "archive", choice={"kinds": ["fact"]})
    assert "绿茶" not in await profile()
    await done(here, "restore", choice={"kinds": ["fact"], "states": ["archived"]})
    assert "绿茶" in await profile()


async def test_one_that_is_cancelled_while_a_worker_takes_it_up_does_nothing(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = await told(here, 3)
    job = await begun(here, "forget", memory_ids=ids)
    begin = RedisBatches.begin

    async def too_late(self: RedisBatches, *args: Any) -> Any:
        assert (await here.call("CancelJob", job_id=job["job_id"]))["state"] == "cancelled"
        return await begin(self, *args)

    monkeypatch.setattr(RedisBatches, "begin", too_late)
    await worked(here)
    found = await here.call("GetJob", job_id=job["job_id"])
    assert (found["state"], found["done"]) == ("cancelled", 0)
    assert {"started_at", "erasure_id"}.isdisjoint(found), "it never began"
    assert await held(here) == set(ids)


async def test_one_whose_ids_are_lost_does_not_look_done(here: World) -> None:
    ids = await told(here, 3)
    job = await begun(here, "forget", memory_ids=ids)
    await here.commands.run(("DEL", BatchKeys.of(BatchKey("default", job["job_id"])).memory_ids))
    await worked(here)
    found = await here.call("GetJob", job_id=job["job_id"])
    assert (found["state"], found["done"]) == ("cancelled", 0)
    assert await held(here) == set(ids)


async def test_one_that_begins_while_a_worker_clears_up_is_not_lost(
    make_world: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = MovableClock()
    here = await make_world(clock=clock)
    ids = await told(here, 3)
    seen = await here.call("PreviewBatch", user_id="ann", op="archive", memory_ids=ids)
    body = {"user_id": "ann", "batch_token": seen["batch_token"]}
    with pytest.raises(BatchExpired):  # a first try, with another number, puts it among what there is to do
        await here.call("StartBatch", **body, confirm_count=1)
    clock.at_ms += 2 * MINUTE_MS
    several = RedisBatches._several

    async def meanwhile(self: RedisBatches, keys: Any) -> Any:
        found = await several(self, keys)
        monkeypatch.setattr(RedisBatches, "_several", several)
        await here.call("StartBatch", **body, confirm_count=3)
        return found

    monkeypatch.setattr(RedisBatches, "_several", meanwhile)
    assert await here.service.batches.open() == []
    await worked(here)
    assert await held(here) == set()


async def test_two_workers_do_not_work_on_one(here: World) -> None:
    await told(here, 2)
    job = await begun(here, "archive", choice={})
    key = BatchKey("default", job["job_id"])
    batches = RedisBatches(here.commands)
    async with batches.claim(key) as mine:
        assert mine is not None
        assert not await here.service.batches.run(key)
        async with batches.claim(key) as theirs:
            assert theirs is None
    assert await here.service.batches.run(key)


async def test_a_bug_costs_one_memory_and_not_the_batch(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = await told(here, 5)
    forget = Forgetting.forget_memories

    async def fails_on_the_third(self: Forgetting, scope: UserScope, memories: Any) -> None:
        if ids[2] in {memory.memory_id for memory in memories}:
            raise ZeroDivisionError
        await forget(self, scope, memories)

    monkeypatch.setattr(Forgetting, "forget_memories", fails_on_the_third)
    job = await done(here, "forget", memory_ids=ids)
    assert (job["state"], job["done"], job["failed"]) == ("done", 5, 1)
    assert job["failures"] == [{"memory_id": ids[2], "code": "failed"}]
    assert await held(here) == {ids[2]}


async def test_all_of_somebody_forgotten_takes_their_batches(here: World) -> None:
    await told(here, 3)
    await told(here, 3, user="bob")
    await here.call("PreviewBatch", user_id="ann", op="forget", choice={})
    job = await begun(here, "archive", choice={})
    others = await begun(here, "archive", user="bob", choice={})
    await here.call("ForgetMemory", user_id="ann")
    with pytest.raises(NotFound):
        await here.call("GetJob", job_id=job["job_id"])
    (names,) = await here.commands.run(("KEYS", "*:batch:*"))
    assert {name.decode().split(":")[3] for name in names} == {others["job_id"]}
    assert (await here.commands.run(("ZCARD", batches_key("default"))))[0] == 1
    await worked(here)
    assert [each["job_id"] for each in await here.pages("ListJobs")] == [others["job_id"]]


async def test_jobs_are_listed_newest_first_in_pages(make_world: Callable[..., Any]) -> None:
    clock = MovableClock()
    here = await make_world(clock=clock)
    begun_ids = []
    for number in range(5):
        await told(here, 1, user=f"u{number % 2}", topic=f"tea {number}")
        clock.at_ms += 1
        begun_ids.append((await done(here, "archive", user=f"u{number % 2}", choice={}))["job_id"])
    for limit in (1, 2, 200):
        assert [each["job_id"] for each in await here.pages("ListJobs", limit=limit)] == begun_ids[::-1]
    first = await here.call("ListJobs", limit=2)
    await told(here, 1, topic="later")
    await done(here, "archive", choice={})
    second = await here.call("ListJobs", limit=2, cursor=first["cursor"])
    assert [each["job_id"] for each in second["items"]] == begun_ids[2:0:-1], "none comes twice for one that came"
    assert [each["job_id"] for each in await here.pages("ListJobs", user_id="u1")] == [begun_ids[3], begun_ids[1]]


async def test_a_preview_says_what_it_is_of(here: World) -> None:
    for asked in ({}, {"memory_ids": ["a"], "choice": {}}):
        with pytest.raises(InvalidInput, match="give memory_ids or a choice"):
            await here.call("PreviewBatch", user_id="ann", op="forget", **asked)
    assert (await here.call("PreviewBatch", user_id="nobody", op="forget", choice={}))["count"] == 0
    (names,) = await here.commands.run(("KEYS", "*batch*"))
    assert names == []


async def test_what_is_more_than_a_batch_takes_is_said(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await told(here, 5)
    for most, number, more in ((3, 3, True), (5, 5, False), (6, 5, False)):
        monkeypatch.setattr("memory.service.batches.BATCH_MEMORIES_MAX", most)
        seen = await here.call("PreviewBatch", user_id="ann", op="archive", choice={})
        assert (seen["count"], seen["more"]) == (number, more)


async def test_what_may_begin_yet_is_left_among_what_there_is_to_do(make_world: Callable[..., Any]) -> None:
    clock = MovableClock()
    here = await make_world(clock=clock)
    await here.commands.run(("ZADD", "short_term_memory:open_batches", clock.at_ms, "default/abc"))
    assert await here.service.batches.open() == []
    assert (await here.commands.run(("ZCARD", "short_term_memory:open_batches")))[0] == 1
    clock.at_ms += 61_000
    assert await here.service.batches.open() == []
    assert (await here.commands.run(("ZCARD", "short_term_memory:open_batches")))[0] == 0
