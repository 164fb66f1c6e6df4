"""CreateMemory, LinkMemories, UnlinkMemories, UpdateMemory, deep searches: what tools make of memory."""

import asyncio
import itertools
import json
import re
from dataclasses import replace
from typing import Any

import pytest

from memory import limits
from memory.errors import (
    Ambiguous,
    GraphIsFull,
    Guarded,
    InvalidInput,
    NotFound,
    StoreUnavailable,
    UnsupportedQuote,
)
from memory.graph.tools import forms
from memory.model.memory import Kind
from memory.model.search import Filter
from memory.scope import UserScope
from tests.inprocess import NO_RECALL, World

SAID_AT = "2025-11-05T10:00:00+08:00"
CALL = re.compile(r"^(\w+)\((\{.*\})\)$", re.MULTILINE)


async def create(
    world: World, topic: str, object_: str | None = None, user: str = "u1", **fields: Any
) -> dict[str, Any]:
    body = {"subject": "我", "memory_type": "事实", "topic": topic, "object": object_, "occurred_at": SAID_AT, **fields}
    return await world.call("CreateMemory", user_id=user, **body)


async def join(world: World, source: str, target: str, relation: str = "导致", **fields: Any) -> dict[str, Any]:
    ends = {"source_memory_id": source, "target_memory_id": target}
    return await world.call("LinkMemories", user_id="u1", **ends, relation_type=relation, **fields)


async def search(world: World, query: str, **fields: Any) -> dict[str, Any]:
    return await world.call("SearchMemories", user_id="u1", query=query, **fields)


def found(answer: dict[str, Any]) -> dict[str, int | None]:
    """How far each memory stands off, by what it is about."""
    return {each["predicate"]: each.get("distance") for each in answer["memories"]}


async def chain(world: World, *topics: str) -> list[str]:
    """Memories, each of which leads to the next."""
    made = [(await create(world, topic))["memory_id"] for topic in topics]
    for ground, follows in itertools.pairwise(made):
        await join(world, ground, follows)
    return made


@pytest.mark.parametrize("locale", ["zh", "en"])
async def test_every_example_of_the_prompt_is_taken_as_it_stands(here: World, locale: str) -> None:
    calls = CALL.findall(forms.prompt(locale))
    assert len(calls) == 14 + 1
    for name, arguments in calls:
        operation, body = forms.OPERATIONS[name], json.loads(arguments)
        told = {"occurred_at": SAID_AT} if operation == "CreateMemory" else {}
        answer = await here.call(operation, user_id="u1", **body, **told)
        assert answer.get("success", True)
        if operation == "CreateMemory":
            assert answer["created"]
            assert all(time["understood"] for time in answer["times"])
    deep = await here.call("SearchMemories", user_id="u1", **json.loads(calls[-1][1]))
    assert deep["searched"]["went_deep"]
    assert {each.get("distance") for each in deep["memories"]} >= {0, 1}


async def test_calls_of_the_original_are_taken_as_it_wrote_them(here: World) -> None:
    """Seed 001: its simple event, stable fact, opinion; 不开心 leads to 摔东西, with `source` and `target`."""
    for body in (
        {"subject": "我", "memory_type": "事件", "topic": "吃饭", "object": "白米饭",
         "attributes": {"时间": "今天"}, "importance": 0.3},
        {"subject": "小明", "memory_type": "事实", "topic": "喜好", "object": "打篮球", "importance": 0.5},
        {"subject": "我", "memory_type": "观点", "topic": "认为撒谎", "object": "小明的陈述",
         "attributes": {"时间": "昨天", "基于": "他的话前后矛盾"}, "importance": 0.7},
        {"subject": "我", "memory_type": "事实", "topic": "情绪", "object": "不开心", "attributes": {"时间": "今天"}},
        {"subject": "我", "memory_type": "事件", "topic": "摔东西", "attributes": {"时间": "今天"}},
    ):  # fmt: skip
        assert (await here.call("CreateMemory", user_id="u1", occurred_at=SAID_AT, **body))["created"]
    link = await here.call("LinkMemories", user_id="u1", source="不开心", target="我摔东西", relation_type="导致")
    assert link["reads"] == "“用户情绪：不开心（时间：2025-11-05）”导致“用户摔东西（时间：2025-11-05）”"
    listed = (await here.call("ListMemories", user_id="u1"))["items"]
    assert {each["text"] for each in listed} >= {"小明喜好：打篮球", "用户吃饭：白米饭（时间：2025-11-05）"}


async def test_why_somebody_is_unhappy_is_found_by_the_link(here: World) -> None:
    """Seed 001, 12.5: at ten the mood, at five past the reason, in the evening the question."""
    mood = await create(here, "心情", "不好", attributes={"时间": "2025-11-05 10:00"})
    sleep = await create(here, "睡眠", "不好", memory_type="事件", attributes={"时间": "2025-11-04 夜间"})
    ends = {"source": "昨晚睡眠不好", "target": "今天心情不好"}
    link = await here.call("LinkMemories", user_id="u1", **ends, relation_type="因为")
    answer = await search(here, "我为什么今天心情不好？", search_mode="auto")
    assert answer["searched"] == {"mode": "auto", "went_deep": True, "why": "the query says: 为什么"}
    assert found(answer) == {"心情": 0, "睡眠": 1}
    first, second = answer["memories"]
    assert first["score"] > second["score"] > 0
    assert second["path"] == [mood["memory_id"], link["link_id"], sleep["memory_id"]]


async def test_times_are_understood_and_written_in_one_form(here: World) -> None:
    said = {
        "时间": "昨晚",
        "开始日期": "2025-11-05 08:00",
        "when": "next never",
        "地点": "昨天公园",
        "date": "last week",
    }
    answer = await create(here, "失眠", attributes=said)
    assert answer["memory"]["attributes"] == {
        "时间": "2025-11-04 夜间",
        "开始日期": "2025-11-05 08:00",
        "when": "next never",
        "地点": "昨天公园",
        "date": "2025-10-27/2025-11-02",
    }
    read = {time["key"]: time for time in answer["times"]}
    assert set(read) == {"时间", "开始日期", "when", "date"}
    assert read["时间"] == {
        "key": "时间", "said": "昨晚", "understood": True, "grain": "part",
        "start": "2025-11-04T10:00:00.000Z", "end": "2025-11-04T16:00:00.000Z",
    }  # fmt: skip
    assert read["when"] == {"key": "when", "said": "next never", "understood": False}
    assert answer["memory"]["occurred_at"] == "2025-11-04T10:00:00.000Z"


async def test_times_are_those_of_the_users_clock(here: World) -> None:
    await here.call("UpsertPreferences", user_id="u1", timezone="America/New_York")
    told = "2025-11-05T02:00:00Z"  # the fourth, there
    answer = await create(here, "吃饭", attributes={"时间": "今天"}, occurred_at=told)
    assert answer["memory"]["attributes"] == {"时间": "2025-11-04"}


async def test_the_same_told_again_is_the_same_memory(here: World) -> None:
    first = await create(here, "喜好", "打篮球", importance=0.4)
    again = await create(here, "喜好 ", "打篮球", importance=0.9, conversation_id="c9")
    assert (first["created"], again["created"]) == (True, False)
    assert again["memory_id"] == first["memory_id"]
    assert again["memory"]["importance"] == 0.4
    others = [
        await create(here, "喜好", "打篮球", polarity="-"),
        await create(here, "喜好", "打篮球", subject="小明"),
        await create(here, "喜好", "不打篮球"),
        await create(here, "喜好", "打篮球", memory_type="opinion"),
        await create(here, "喜好", "打篮球", user="u2"),
    ]
    assert len({each["memory_id"] for each in (*others, first)}) == 6


async def test_an_event_of_no_time_counts_once_a_conversation(here: World) -> None:
    async def event(**fields: Any) -> str:
        body = {"subject": "我", "memory_type": "事件", "topic": "跑步", **fields}
        return str((await here.call("CreateMemory", user_id="u1", **body))["memory_id"])

    assert await event(conversation_id="c1") == await event(conversation_id="c1") != await event(conversation_id="c2")
    day = {"attributes": {"时间": "2025-11-05"}}
    assert await event(conversation_id="c1", **day) == await event(conversation_id="c2", **day)
    today = [await event(attributes={"时间": "今天"}, occurred_at=f"2025-11-0{day}T10:00:00+08:00") for day in (5, 6)]
    assert len(set(today)) == 2


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("我今天不开心", "情绪"),
        ("我很开心", "心境"),
        ("小明考试满分", "考试"),
        ("我怀疑小明没考满分", "怀疑"),
        ("I was not happy", "mood"),
        ("I was happy with it", "feeling"),
    ],
)
async def test_a_description_means_the_memory_that_says_it(here: World, said: str, meant: str) -> None:
    """One word decides: not, 不."""
    await create(here, "情绪", "不开心")
    await create(here, "心境", "很开心")
    await create(here, "考试", "满分", subject="小明")
    await create(here, "怀疑", "小明没考满分")
    await create(here, "mood", "not happy")
    await create(here, "feeling", "happy with it")
    other = (await create(here, "另一件"))["memory_id"]
    answer = await here.call(
        "LinkMemories", user_id="u1", source_memory_description=said, target_memory_id=other, relation_type="related"
    )
    (memory,) = (await here.call("GetMemory", memory_id=answer["source_memory_id"]),)
    assert memory["predicate"] == meant


async def test_a_description_of_a_day_means_the_memory_of_that_day(here: World) -> None:
    made = [
        await create(here, "头痛", object_, memory_type="事件", attributes={"时间": day})
        for object_, day in (("左侧", "2025-11-01"), ("右侧", "2025-11-05"))
    ]
    other = (await create(here, "熬夜"))["memory_id"]
    for one, said in zip(made, ("2025-11-01头痛", "2025-11-05头痛"), strict=True):
        answer = await here.call(
            "LinkMemories", user_id="u1", source_memory_id=other, target=said, relation_type="导致"
        )
        assert answer["target_memory_id"] == one["memory_id"]


async def test_what_fits_no_memory_or_several_is_refused_with_those_that_it_may_mean(here: World) -> None:
    left, right = [await create(here, "头痛", side) for side in ("左侧", "右侧")]
    with pytest.raises(Ambiguous) as several:
        await here.call("LinkMemories", user_id="u1", source="头痛", target="左侧头痛", relation_type="相关")
    candidates: Any = several.value.more["candidates"]
    assert {each["memory_id"] for each in candidates} == {left["memory_id"], right["memory_id"]}
    assert several.value.fields[0].field == "source_memory_description"
    with pytest.raises(Ambiguous) as none:
        await here.call("LinkMemories", user_id="u2", source="头痛", target="左侧头痛", relation_type="相关")
    assert none.value.more["candidates"] == []
    assert not (await here.call("ListMemories", user_id="u1", kinds=["link"]))["items"]


async def test_a_link_is_made_once_taken_off_and_made_again(here: World) -> None:
    first, second = [(await create(here, topic))["memory_id"] for topic in ("失眠", "很困")]
    link = await join(here, first, second, quote="因为没睡好")
    assert link["created"]
    assert not (await join(here, first, second, "所以"))["created"]
    assert (await join(here, second, first))["created"], "a ring may be"
    taken = {"user_id": "u1", "link_id": link["link_id"]}
    assert [(await here.call("UnlinkMemories", **taken))["ended"] for _ in range(2)] == [True, False]
    assert (await join(here, first, second))["created"]
    with pytest.raises(InvalidInput, match="same memory"):
        await join(here, first, first)
    with pytest.raises(InvalidInput, match="source_memory_id or source_memory_description"):
        await here.call("LinkMemories", user_id="u1", target_memory_id=first, relation_type="导致")
    with pytest.raises(NotFound):
        await here.call("UnlinkMemories", user_id="u1", link_id=first)


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


async def test_links_go_with_what_they_join(here: World) -> None:
    made = await chain(here, "加班", "失眠", "头痛")
    told = await create(here, "出差", conversation_id="c7")
    await join(here, told["memory_id"], made[0])
    await here.call("ForgetMemory", user_id="u1", memory_id=made[1])
    listed = (await here.call("ListMemories", user_id="u1", kinds=["link"]))["items"]
    assert [(each["subject"], each["object"]) for each in listed] == [(told["memory_id"], made[0])]
    await here.call("ForgetMemory", user_id="u1", conversation_id="c7")
    assert not (await here.call("ListMemories", user_id="u1", kinds=["link"]))["items"]
    assert {each["predicate"] for each in (await here.call("ListMemories", user_id="u1"))["items"]} == {"加班", "头痛"}


async def test_nothing_of_another_user_is_reached(here: World) -> None:
    mine = (await create(here, "加班"))["memory_id"]
    theirs = (await create(here, "失眠", user="u2"))["memory_id"]
    with pytest.raises(NotFound) as strange:
        await join(here, mine, theirs)
    with pytest.raises(NotFound) as nothing:
        await join(here, mine, "00000000-0000-0000-0000-000000000000")
    assert str(strange.value) == str(nothing.value)
    with pytest.raises(NotFound):
        await here.call("UpdateMemory", user_id="u1", memory_id=theirs, importance=1)
    with pytest.raises(Ambiguous):
        await here.call("LinkMemories", user_id="u1", source_memory_id=mine, target="失眠", relation_type="导致")


async def test_a_tool_makes_no_safety_fact_and_says_so(here: World) -> None:
    answer = await create(here, "过敏", "青霉素")
    assert answer["warnings"] == ["no_safety_fact"]
    assert answer["memory"]["category"] == "fact"
    assert (await create(here, "allergies", "nuts"))["warnings"] == ["no_safety_fact"]
    assert "warnings" not in await create(here, "喜好", "打篮球")
    profile = await here.call("GetProfile", user_id="u1")
    assert profile["allergies"] == profile["details"] == []
    await here.call(
        "UpsertFacts", user_id="u1", triples=[{"subject": "user", "predicate": "allergy", "object": "磺胺"}]
    )
    (fact,) = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    with pytest.raises(Guarded):
        await here.call("UpdateMemory", user_id="u1", memory_id=fact["memory_id"], valid_to="2020-01-01T00:00:00Z")


async def test_a_quote_must_stand_in_its_message(here: World) -> None:
    await here.write("昨晚我失眠了，所以很困。", "好的。", user_id="u1")
    said = {"conversation_id": "c", "seq": 2}
    with pytest.raises(UnsupportedQuote):
        await create(here, "失眠", quote="我睡得很好", **said)
    assert (await create(here, "失眠", quote="昨晚我失眠了", **said))["memory"]["source"]["seqs"] == [2]
    with pytest.raises(NotFound):
        await create(here, "失眠", quote="昨晚我失眠了", conversation_id="c", seq=99)
    with pytest.raises(NotFound):
        await create(here, "失眠", quote="昨晚我失眠了", user="u2", **said)
    with pytest.raises(InvalidInput, match="conversation_id"):
        await create(here, "失眠", quote="昨晚我失眠了", seq=2)
    await here.finalize()
    assert (await create(here, "犯困", quote="所以很困", **said))["created"]
    with pytest.raises(UnsupportedQuote):
        await create(here, "犯困", quote="不困", **said)


async def test_update_changes_what_is_said_about_a_memory(here: World) -> None:
    made = await create(here, "失眠", attributes={"时间": "昨晚", "原因": "咖啡"})
    body = {"user_id": "u1", "memory_id": made["memory_id"]}
    changes = {"importance": 0.9, "attributes": {"原因": None, "地点": "家里"}, "valid_to": "2026-01-01T00:00:00Z"}
    memory = (await here.call("UpdateMemory", **body, **changes))["memory"]
    assert memory["attributes"] == {"时间": "2025-11-04 夜间", "地点": "家里"}
    assert (memory["importance"], memory["valid_to"]) == (0.9, "2026-01-01T00:00:00.000Z")
    assert memory["text"] == "用户失眠（时间：2025-11-04 夜间，地点：家里）"
    with pytest.raises(InvalidInput, match="more than 16"):
        await here.call("UpdateMemory", **body, attributes={f"k{number}": "v" for number in range(15)})
    assert (await here.call("GetMemory", memory_id=made["memory_id"]))["attributes"] == memory["attributes"]


async def test_a_memory_and_a_user_have_so_many_links_at_most(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = (await create(here, "中心"))["memory_id"]
    around = [(await create(here, f"第{number}件"))["memory_id"] for number in range(4)]
    monkeypatch.setattr("memory.service.graph.LINKS_PER_MEMORY_MAX", 2)
    for one in around[:2]:
        await join(here, hub, one)
    with pytest.raises(GraphIsFull, match="2 links"):
        await join(here, around[2], hub)
    assert not (await join(here, hub, around[0]))["created"], "one that is there is no more"
    monkeypatch.setattr("memory.service.graph.LINKS_PER_USER_MAX", 3)
    await join(here, around[2], around[3])
    with pytest.raises(GraphIsFull, match="3 links"):
        await join(here, around[0], around[1])
    monkeypatch.setattr("memory.service.graph.CREATED_PER_USER_MAX", 5)
    with pytest.raises(GraphIsFull, match="5 created"):
        await create(here, "再来一件")
    assert not (await create(here, "中心"))["created"]


async def test_sixty_four_at_once_make_each_memory_and_link_once(here: World) -> None:
    made = await asyncio.gather(*(create(here, f"第{number % 8}件") for number in range(64)))
    ids = sorted({each["memory_id"] for each in made})
    assert len(ids) == 8
    await asyncio.gather(*(join(here, ids[number % 8], ids[(number + 1) % 8]) for number in range(64)))
    page = await here.memories.page(UserScope("default", "u1"), Filter(kinds=(Kind.LINK,)), "", 100)
    assert len(page.memories) == 8


async def test_what_a_tool_made_is_recalled_into_the_next_context(make_world: Any) -> None:
    """The user had nothing before, and a copy of the profile said so."""
    world = await make_world(recall=replace(NO_RECALL, enabled=True))
    assert (await world.query("c1", user_id="u1", query="我平时喜欢什么运动？"))["memories"] == []
    await create(world, "喜欢的运动", "打篮球")
    recalled = (await world.query("c2", user_id="u1", query="我平时喜欢什么运动？"))["memories"]
    assert [each["text"] for each in recalled] == ["用户喜欢的运动：打篮球"]


async def test_limits_of_words(here: World) -> None:
    for field, most in (("topic", limits.TOPIC_CHARS_MAX), ("subject", limits.FACT_CHARS_MAX)):
        for length in (most, most + 1):
            body = {"subject": "我", "memory_type": "事实", "topic": "事", field: "长" * length}
            if length == most:
                assert (await here.call("CreateMemory", user_id="u1", **body))["created"]
            else:
                with pytest.raises(ValueError, match=field):
                    await here.call("CreateMemory", user_id="u1", **body)
    attributes = {f"k{number}": "v" for number in range(limits.ATTRIBUTES_MAX)}
    assert (await create(here, "多", attributes=attributes))["created"]
    with pytest.raises(ValueError, match="attributes"):
        await create(here, "多", attributes=attributes | {"more_than_that": "v"})
