"""Deep searches: how far they go, by what, and what they keep to."""

import asyncio
import contextlib
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from memory import limits
from memory.errors import NotFound, StoreUnavailable
from memory.scope import UserScope
from tests.contract.graph_calls import chain, create, found, join, search
from tests.contract.lives import ON_EITHER_STORE
from tests.inprocess import NO_RECALL, World

pytestmark = ON_EITHER_STORE


async def test_why_somebody_is_unhappy_is_found_by_the_link(here: World) -> None:
    """Seed 001, 12.5: at ten the mood, at five past the reason, in the evening the question."""
    now = {"occurred_at": None}
    mood = await create(here, "心情", "不好", attributes={"时间": "今天"}, **now)
    sleep = await create(here, "睡眠", "不好", memory_type="事件", attributes={"时间": "昨晚"}, **now)
    ends = {"source": "昨晚睡眠不好", "target": "今天心情不好"}
    link = await here.call("LinkMemories", user_id="u1", **ends, relation_type="因为")
    answer = await search(here, "我为什么今天心情不好？", search_mode="auto")
    assert answer["searched"] == {"mode": "auto", "went_deep": True, "why": "the query says: 为什么"}
    assert found(answer) == {"心情": 0, "睡眠": 1}
    (reason,) = [each for each in answer["memories"] if each["predicate"] == "睡眠"]
    assert reason["path"] == [mood["memory_id"], link["link_id"], sleep["memory_id"]]


async def test_what_only_says_how_something_is_joins_nothing(here: World) -> None:
    await create(here, "血糖", "偏高")
    await create(here, "朋友", "王芳")
    await create(here, "血脂", "偏高", subject="王芳")
    answer = await search(here, "我的血糖", search_mode="deep", expand_depth=3)
    assert not any("偏高" in each.get("path", ()) for each in answer["memories"])
    by_friend = await here.call("FindPath", user_id="u1", source="王芳", target="用户", paths_max=2)
    said = [[step["relation"] for step in path["steps"]] for path in by_friend["paths"]]
    assert said == [["朋友"], ["血脂", "血糖"]], "a way over it is one, but the last"


async def test_a_filter_keeps_out_what_it_ends_in_not_what_it_begins_with(here: World) -> None:
    reason = await create(here, "失眠", memory_type="事件", conversation_id="c1")
    state = await create(here, "很困", conversation_id="c1")
    await join(here, reason["memory_id"], state["memory_id"])
    events = await search(here, "很困", search_mode="deep", types=["event"])
    assert found(events) == {"失眠": 1}
    assert len((await search(here, "很困", search_mode="deep", group_by="conversation"))["memories"]) == 1
    assert len((await search(here, "很困", search_mode="deep"))["memories"]) == 2


async def test_what_was_linked_then_is_followed_as_of_then(here: World) -> None:
    reason, state = [(await create(here, topic))["memory_id"] for topic in ("失眠", "很困")]
    link = await join(here, reason, state)
    await asyncio.sleep(0.01)
    then = datetime.now(UTC).isoformat()
    await asyncio.sleep(0.01)
    await here.call("UnlinkMemories", user_id="u1", link_id=link["link_id"])
    assert found(await search(here, "很困", search_mode="deep")) == {"很困": 0}
    assert found(await search(here, "很困", search_mode="deep", as_of=then)) == {"很困": 0, "失眠": 1}
    await asyncio.sleep(0.01)
    since = datetime.now(UTC).isoformat()
    await asyncio.sleep(0.01)
    assert found(await search(here, "很困", search_mode="deep", as_of=since)) == {"很困": 0}, "it had ended then"


async def test_a_deep_search_goes_as_far_as_it_is_told_by_the_relations_it_is_told(here: World) -> None:
    made = await chain(here, "加班", "失眠", "头痛", "请假")
    await join(here, made[0], (await create(here, "合同"))["memory_id"], "引用")
    await join(here, made[-1], made[0])  # a ring
    far = [found(await search(here, "加班", expand_depth=depth)) for depth in range(4)]
    assert far == [
        {"加班": None},
        {"加班": 0, "失眠": 1, "请假": 1, "合同": 1},
        {"加班": 0, "失眠": 1, "请假": 1, "合同": 1, "头痛": 2},
        {"加班": 0, "失眠": 1, "请假": 1, "合同": 1, "头痛": 2},
    ]
    assert found(await search(here, "加班", relations=["引用"])) == {"加班": 0, "合同": 1}
    assert len(found(await search(here, "加班", expand_depth=2, limit=3))) == 3
    assert found(await search(here, "加班", search_mode="fast", expand_depth=2)) == {"加班": None}
    assert found(await search(here, "加班", search_mode="auto")) == {"加班": None}


async def test_what_is_archived_is_not_walked_through(here: World) -> None:
    made = await chain(here, "加班", "失眠", "头痛")
    assert found(await search(here, "加班", expand_depth=2)) == {"加班": 0, "失眠": 1, "头痛": 2}
    await here.call("ArchiveMemory", user_id="u1", memory_id=made[1])
    assert found(await search(here, "加班", expand_depth=2)) == {"加班": 0}
    way = await here.call("FindPath", user_id="u1", source="加班", target="头痛", relations=["导致"])
    assert way["paths"] == []


async def test_a_way_is_as_of_then(here: World) -> None:
    for city, since, until in (("北京", "2020", "2022"), ("上海", "2022", None)):
        made = await create(here, "住处", city, occurred_at=f"{since}-01-01T00:00:00Z")
        if until:
            body = {"memory_id": made["memory_id"], "valid_to": f"{until}-01-01T00:00:00Z"}
            await here.call("UpdateMemory", user_id="u1", **body)

    async def ways(city: str, **fields: Any) -> int:
        with contextlib.suppress(NotFound):  # then nothing was called so
            return len((await here.call("FindPath", user_id="u1", source="我", target=city, **fields))["paths"])
        return 0

    assert [await ways("北京", as_of=f"{year}-06-01T00:00:00Z") for year in (2021, 2023)] == [1, 0]
    assert [await ways("上海", as_of=f"{year}-06-01T00:00:00Z") for year in (2021, 2023)] == [0, 1]
    assert (await ways("北京"), await ways("上海")) == (0, 1)


async def test_a_deep_search_keeps_to_its_filter_and_to_what_holds(here: World) -> None:
    made = await chain(here, "加班", "失眠")
    event = await create(here, "迟到", memory_type="事件")
    link = await join(here, made[0], event["memory_id"])
    assert found(await search(here, "加班", search_mode="deep")) == {"加班": 0, "失眠": 1, "迟到": 1}
    assert found(await search(here, "加班", search_mode="deep", types=["fact"])) == {"加班": 0, "失眠": 1}
    await here.call("UnlinkMemories", user_id="u1", link_id=link["link_id"])
    assert found(await search(here, "加班", search_mode="deep")) == {"加班": 0, "失眠": 1}


async def test_links_that_cannot_be_read_cost_what_is_linked_alone(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await chain(here, "加班", "失眠")

    async def away(*_: Any) -> None:
        raise StoreUnavailable("away")

    monkeypatch.setattr(here.memories, "links", away)
    answer = await search(here, "加班", search_mode="deep")
    assert answer["degraded"] == ["graph"]
    assert found(answer) == {"加班": None}


@pytest.mark.parametrize(("mode", "reason"), [("fast", False), ("auto", True), ("deep", True)])
async def test_the_reason_that_was_linked_stands_in_the_context_of_a_deep_recall(
    make_world: Any, mode: str, *, reason: bool
) -> None:
    world = await make_world(recall=replace(NO_RECALL, enabled=True, search_mode=mode))
    ground = (await create(world, "失眠", memory_type="事件"))["memory_id"]
    follows = (await create(world, "身体状态", "很困"))["memory_id"]
    await create(world, "养了一只猫")
    await join(world, ground, follows)
    recalled = (await world.query("c2", user_id="u1", query="我身体为什么很困？"))["memories"]
    texts = [each["text"] for each in recalled]
    assert "用户身体状态：很困" in texts
    assert ("用户失眠" in texts) is reason
    assert "用户养了一只猫" not in texts


async def test_a_deep_search_never_asks_for_all_links(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """An import may bring a memory with twenty thousand of them."""
    await chain(here, "加班", "失眠", "头痛")
    asked, links = list[int | None](), here.memories.links

    async def noting(scope: UserScope, ends: Any, most: int | None = None) -> Any:
        asked.append(most)
        return await links(scope, ends, most)

    monkeypatch.setattr(here.memories, "links", noting)
    assert len(found(await search(here, "加班", expand_depth=2))) == 3
    assert asked
    assert set(asked) == {limits.LINKS_WALKED_MAX}
