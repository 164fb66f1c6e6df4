"""GetStats: how much there is, of a user at once, of all users as it was counted last."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from memory.consolidation.upkeep.users import UserLister
from memory.errors import Forbidden, StoreFull, StoreUnavailable
from memory.model.caller import Caller
from memory.model.stats import SessionCounts
from memory.model.stats_calls import WatchStatsRequest
from memory.providers.budget import Budget, BudgetLimits
from memory.scope import UserScope
from memory.stores.redis.counts import RedisCounts
from memory.stores.redis.keys import TO_COUNT, USERS_MADE, counts_key
from memory.stores.redis.memories import RedisLedger
from memory.stores.redis.users import RedisUsers
from tests.inprocess import EVERYONE, MovableClock, World

READER = Caller("default", frozenset({"read"}))
STRANGER = Caller("elsewhere", frozenset({"admin"}))
STATES = ["held", "ended", "superseded", "archived"]
DAY_MS = 86_400_000


async def listed(here: World) -> None:
    """Those who were there before there was a list of users are on it."""
    await UserLister(RedisUsers(here.commands), here.sessions, here.store, here.memories).make()


async def lived(here: World, user: str, *, begin: str = "我对青霉素过敏，今年40岁，住在杭州。") -> None:
    """Two conversations that are in memory; in the second something has changed."""
    await here.write(begin, "记下了。", f"{user}-1", user_id=user)
    await here.finalize(f"{user}-1")
    await here.write("我搬家了，现在住在上海。", "好的。", f"{user}-2", user_id=user)
    await here.finalize(f"{user}-2")


async def every(here: World, user: str) -> list[dict[str, Any]]:
    """All of a user's memories as another operation lists them."""
    return await here.pages("ListMemories", user_id=user, states=STATES)


def agrees(told: dict[str, Any], memories: list[dict[str, Any]]) -> None:
    """What is counted is what there is."""
    states: Counter[str] = Counter()
    for each in memories:
        superseded = "superseded" if each.get("superseded_by") else "ended" if each.get("valid_to") else "held"
        states["archived" if each.get("archived_at") else superseded] += 1
    held = [
        each for each in memories if not (each.get("archived_at") or each.get("superseded_by") or each.get("valid_to"))
    ]
    assert told["total"] == len(memories)
    assert told["states"] == states
    for field, name in (("kinds", "kind"), ("categories", "category")):
        assert told[field] == Counter(each[name] for each in held), field


async def test_numbers_of_a_user_are_those_of_their_list(over: World) -> None:
    await lived(over, "ann")
    await lived(over, "ben", begin="我有高血压。")
    episode = next(each for each in await every(over, "ann") if each["kind"] == "episode")
    await over.call("ArchiveMemory", user_id="ann", memory_id=episode["memory_id"])
    told = await over.call("GetStats", READER, user_id="ann")
    agrees(told["memories"], await every(over, "ann"))
    assert told["memories"]["states"]["archived"] == 1
    assert told["memories"]["states"]["superseded"] >= 1, "an address that another took the place of"
    assert told["memories"]["minds"] == {"rules": told["memories"]["states"]["held"]}
    assert (told["conversations"], told["counting"], "users" in told) == (2, False, False)
    assert sum(day["recorded"] for day in told["by_day"]) == told["memories"]["total"]
    assert len(told["by_day"]) == 30
    assert told["by_day"][-1]["date"] == told["computed_at"][:10]


async def test_nobody_has_no_memories(here: World) -> None:
    told = await here.call("GetStats", user_id="nobody")
    assert (told["memories"]["total"], told["memories"]["states"], told["conversations"]) == (0, {}, 0)


async def test_links_are_counted_apart_and_what_was_used(here: World) -> None:
    made = [
        (await here.call("CreateMemory", user_id="ann", subject="ann", memory_type="fact", topic=topic))["memory"]
        for topic in ("tea", "coffee", "water")
    ]
    ids = [each["memory_id"] for each in made]
    await here.call(
        "LinkMemories", user_id="ann", source_memory_id=ids[0], target_memory_id=ids[1], relation_type="causes"
    )
    await here.call("MarkUsed", user_id="ann", memory_ids=[ids[2]])
    told = (await here.call("GetStats", user_id="ann"))["memories"]
    assert (told["total"], told["links"], told["used"], told["shown"]) == (3, 1, 1, 0)
    assert told["kinds"] == {"created": 3}


async def test_all_users_are_counted_by_a_worker(over: World) -> None:
    await lived(over, "ann")
    await lived(over, "ben", begin="我有高血压。")
    before = await over.call("GetStats")
    assert (before["counting"], before["users"], before["by_day"]) == (True, 2, [])
    assert not {"memories", "computed_at", "sessions"} & before.keys()
    assert await over.service.counting.run()
    told = await over.call("GetStats", days=7)
    agrees(told["memories"], [*await every(over, "ann"), *await every(over, "ben")])
    assert (told["counting"], told["users"], len(told["by_day"])) == (False, 2, 7)
    assert told["sessions"] == {"alive": 0, "ending": 0, "failed": 0}
    elsewhere = await over.call("GetStats", STRANGER)
    assert (elsewhere["users"], elsewhere["counting"]) == (0, True)
    assert "memories" not in elsewhere, "what was counted is told to its tenant"


async def test_open_questions_are_those_that_are_listed(here: World) -> None:
    await here.write("我对青霉素过敏。", "好的。", "a", user_id="ann")
    await here.finalize("a")
    await here.write("我说错了，不是青霉素，是头孢。", "好的。", "c", user_id="ann")
    await here.finalize()
    told = await here.call("GetStats")
    assert told["reviews"] == (await here.call("ListReviews"))["counts"]
    assert sum(told["reviews"].values()) == 1


async def test_sessions_are_counted_by_how_they_stand(here: World) -> None:
    await listed(here)
    for name in ("alive-1", "alive-2", "ending", "failed", "over"):
        await here.write("我头痛。", "好的。", name, user_id="ann")
    await here.finalize("over")
    for name in ("ending", "failed"):
        await here.call("FinalizeSessionMemory", conversation_id=name)
    (key,) = [key for key in here.jobs.waiting if key.scope.conversation == "failed"]
    attempt = await here.finaliser.begin(key)
    assert attempt is not None
    assert await here.sessions.give_up(key, attempt.fence, "no reason")
    await here.expire("alive-2")
    counts = RedisCounts(here.commands)
    assert await counts.sessions("default") == SessionCounts(alive=1, ending=1, failed=1)
    assert await counts.sessions("elsewhere") == SessionCounts()


async def test_all_users_are_an_admins(here: World) -> None:
    with pytest.raises(Forbidden, match="admin"):
        await here.call("GetStats", READER)
    assert await here.commands.run(("EXISTS", TO_COUNT)) == [0], "and nothing is asked for"


async def test_what_is_not_fresh_is_counted_anew_and_once(make_world: Callable[..., Any]) -> None:
    clock = MovableClock()
    here = await make_world(clock=clock)
    await listed(here)
    await here.write("我有高血压。", "好的。", "c", user_id="ann")
    await here.call("GetStats")
    assert sorted(await asyncio.gather(*(here.service.counting.run() for _ in range(4)))) == [False] * 3 + [True]
    first = await here.call("GetStats")
    clock.at_ms += 59_999
    assert (await here.call("GetStats"))["computed_at"] == first["computed_at"]
    assert not await here.service.counting.run(), "nobody has asked for it"
    clock.at_ms += 1
    stale = await here.call("GetStats")
    assert (stale["counting"], stale["revision"]) == (True, first["revision"]), "meanwhile what was counted is told"
    assert await here.service.counting.run()
    again = await here.call("GetStats")
    assert (again["counting"], again["revision"] > first["revision"]) == (False, True)


async def test_what_takes_long_to_count_is_counted_seldom(make_world: Callable[..., Any]) -> None:
    clock = MovableClock()
    here = await make_world(clock=clock)
    await listed(here)
    await here.call("GetStats")
    await here.service.counting.run()
    counts = RedisCounts(here.commands)
    latest = await counts.latest("default")
    assert latest is not None
    await counts.keep("default", replace(latest, took_ms=60_000))
    clock.at_ms += 20 * 60_000 - 1
    assert not (await here.call("GetStats"))["counting"]
    clock.at_ms += 1
    assert (await here.call("GetStats"))["counting"]


async def test_a_tenant_that_cannot_be_counted_holds_up_nobody(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await listed(here)
    for tenant in ("a-broken", "b-away", "c-whole"):
        await here.call("GetStats", Caller(tenant, frozenset({"admin"})))
    counted = here.service.counting._count

    async def count(tenant: str) -> Any:
        if tenant == "a-broken":
            raise OverflowError("date value out of range")
        if tenant == "b-away":
            raise StoreUnavailable("the store is away")
        return await counted(tenant)

    monkeypatch.setattr(here.service.counting, "_count", count)
    with pytest.raises(StoreUnavailable):
        await here.service.counting.run()
    counts = RedisCounts(here.commands)
    assert await counts.latest("c-whole") is not None
    assert await counts.asked() == ["b-away"], "it is tried again; what cannot be counted is not"


async def test_what_was_counted_is_told_where_nothing_can_be_written(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: Any) -> Any:
        raise StoreFull("no room")

    monkeypatch.setattr(RedisCounts, "ask", full)
    told = await here.call("GetStats")
    assert (told["counting"], told["users"]) == (False, 0)


async def test_nothing_is_counted_while_not_all_are_listed(here: World) -> None:
    await listed(here)
    await here.call("GetStats")
    await here.commands.run(("DEL", USERS_MADE))
    assert not await here.service.counting.run()
    await listed(here)
    assert await here.service.counting.run(), "and then it is still asked for"


async def test_what_models_cost_is_told_as_it_is_paid(here: World) -> None:
    assert "models" not in await here.call("GetStats"), "none is asked"
    limits = BudgetLimits(tokens_per_day=1_000, price_in=2_000_000, price_out=4_000_000)
    budget = Budget(limits, RedisLedger(here.commands), lambda: "2026-11-26")
    here.service._stats._spending = budget
    assert (await here.call("GetStats"))["models"] == {"tokens": 0, "tokens_max": 1_000, "money": 0.0}
    paid = await budget.reserve("default", 100, 50)
    assert (await here.call("GetStats"))["models"]["tokens"] == 150, "in advance"
    await budget.settle(paid, 100, 10)
    assert (await here.call("GetStats"))["models"] == {"tokens": 110, "tokens_max": 1_000, "money": 240.0}
    assert (await here.call("GetStats", STRANGER))["models"]["tokens"] == 0
    assert "models" not in await here.call("GetStats", user_id="ann")


async def test_what_another_program_has_counted_is_counted_anew(here: World) -> None:
    await here.commands.run(("SET", counts_key("default"), '{"form": 0, "at_ms": 1}', "EX", 60))
    told = await here.call("GetStats")
    assert (told["counting"], "memories" in told) == (True, False)


async def test_a_watch_tells_what_is_counted_and_has_it_counted_anew(make_world: Callable[..., Any]) -> None:
    clock = MovableClock()
    here = await make_world(clock=clock)
    await listed(here)
    before = await watched(here, None)
    assert before["counting"]
    assert await watched(here, before["revision"]) is None
    await here.service.counting.run()
    counted = await watched(here, before["revision"])
    assert counted["memories"]["total"] == 0
    assert await watched(here, counted["revision"]) is None
    clock.at_ms += 60_000
    assert await watched(here, counted["revision"]) is None
    assert await here.service.counting.run(), "a watch asks for it"
    again = await watched(here, counted["revision"])
    assert again["revision"] > counted["revision"]
    await here.write("我头痛。", "好的。", "c", user_id="ann")
    assert (await watched(here, again["revision"]))["users"] == 1, "what is of now is told too"


async def watched(here: World, since: str | None) -> Any:
    """One look of a watch; None: nothing new."""
    found = await here.service.watch_stats(EVERYONE, WatchStatsRequest(since=since))
    return None if found is None else found.model_dump()


async def test_who_is_forgotten_is_counted_no_more(over: World) -> None:
    await lived(over, "ann")
    await lived(over, "ben", begin="我有高血压。")
    await over.call("ForgetMemory", user_id="ann")
    await over.call("GetStats")
    await over.service.counting.run()
    told = await over.call("GetStats")
    agrees(told["memories"], await every(over, "ben"))
    assert told["users"] == 1
    assert await over.memories.count(UserScope("default", "ann")) == 0


async def test_a_look_at_all_users_is_one_read_of_what_was_counted(here: World) -> None:
    """However much there is: nobody's memories are read for it."""
    await listed(here)
    await lived(here, "ann")
    await here.call("GetStats")
    await here.service.counting.run()

    async def page(*_: Any) -> Any:
        pytest.fail("memories are read")

    here.memories.page = page  # type: ignore[method-assign]
    assert (await here.call("GetStats"))["memories"]["total"]
