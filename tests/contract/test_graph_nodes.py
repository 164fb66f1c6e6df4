"""MergeNodes, SplitNodes, ResolveMemoryConflict: decided, shown, undone, and gone with what they are about."""

from typing import Any

import pytest

from memory.errors import Guarded, InvalidInput, NoConflict, NotFound, WouldMergePeople
from tests.contract.lives import ON_EITHER_STORE
from tests.inprocess import World

pytestmark = ON_EITHER_STORE


async def create(world: World, topic: str, object_: str | None = None, **fields: Any) -> str:
    body = {"user_id": "u1", "subject": "我", "memory_type": "事实", "topic": topic, "object": object_, **fields}
    return str((await world.call("CreateMemory", **body))["memory_id"])


async def nodes(world: World, user: str = "u1") -> dict[str, Any]:
    found = await world.call("GetGraph", user_id=user)
    return {node["label"]: node.get("aliases") for node in found["nodes"]}


async def test_two_nodes_are_made_one_and_two_again(here: World) -> None:
    await create(here, "影响", "睡眠", subject="心情")
    await create(here, "取决于", "天气", subject="情绪")
    apart = await here.call("GetGraph", user_id="u1")
    merged = await here.call("MergeNodes", user_id="u1", a="心情", b="情绪", reason="同义")
    assert (merged["created"], merged["node"]["label"], merged["node"]["aliases"]) == (True, "心情", ["情绪"])
    assert not (await here.call("MergeNodes", user_id="u1", a="情绪", b="心情"))["created"]
    before = await nodes(here)
    assert before["心情"] == ["情绪"]
    assert "情绪" not in before
    way = await here.call("FindPath", user_id="u1", source="天气", target="睡眠")
    assert [step["relation"] for step in way["paths"][0]["steps"]] == ["取决于", "影响"]
    assert (await here.call("GetGraph", user_id="u1", about="情绪", depth=0))["nodes"]

    split = await here.call("SplitNodes", user_id="u1", a="心情", b="情绪")
    assert split["split"]
    assert await here.call("GetGraph", user_id="u1") == apart
    assert (await nodes(here)).keys() >= {"心情", "情绪"}
    assert (await here.call("FindPath", user_id="u1", source="天气", target="睡眠"))["paths"] == []
    assert not (await here.call("SplitNodes", user_id="u1", a="心情", b="情绪"))["split"]
    assert (await here.call("MergeNodes", user_id="u1", a="心情", b="情绪"))["created"], "who says so may say so again"


async def test_what_differs_is_not_made_one(here: World) -> None:
    await create(here, "量了", "高血压")
    await create(here, "怕", "低血压")
    await create(here, "朋友", "小明", memory_type="关系")
    with pytest.raises(Guarded, match="opposite") as guarded:
        await here.call("MergeNodes", user_id="u1", a="高血压", b="低血压")
    assert guarded.value.more == {"guard": "opposites"}
    with pytest.raises(WouldMergePeople):
        await here.call("MergeNodes", user_id="u1", a="小明", b="高血压")
    with pytest.raises(InvalidInput, match="same node"):
        await here.call("MergeNodes", user_id="u1", a="小明", b=" 小明")
    with pytest.raises(NotFound, match="b names nothing"):
        await here.call("MergeNodes", user_id="u1", a="小明", b="没有")
    with pytest.raises(NotFound):
        await here.call("MergeNodes", user_id="u2", a="高血压", b="低血压")
    assert all(aliases is None for aliases in (await nodes(here)).values())


async def test_what_differs_is_not_made_one_through_a_third(here: World) -> None:
    for label in ("阿司匹林", "那个药", "华法林"):
        await create(here, "在", "抽屉", subject=label)
    await here.call("MergeNodes", user_id="u1", a="阿司匹林", b="那个药")
    with pytest.raises(Guarded, match="medicines"):
        await here.call("MergeNodes", user_id="u1", a="那个药", b="华法林")


async def test_what_is_one_through_a_third_is_split_and_stays_so(here: World) -> None:
    for label in ("心情", "情绪", "感受"):
        await create(here, "在", "本子", subject=label)
    await here.call("MergeNodes", user_id="u1", a="心情", b="情绪")
    await here.call("MergeNodes", user_id="u1", a="情绪", b="感受")
    assert (await here.call("SplitNodes", user_id="u1", a="心情", b="感受"))["split"]
    found = await nodes(here)
    assert found.keys() >= {"心情", "感受"} or found.keys() >= {"情绪", "感受"}
    assert found["感受"] is None
    with pytest.raises(Guarded, match="two"):
        await here.call("MergeNodes", user_id="u1", a="情绪", b="感受")
    assert (await here.call("MergeNodes", user_id="u1", a="心情", b="感受"))["created"]


async def test_a_verdict_is_on_labels_however_they_are_written(here: World) -> None:
    first = await create(here, "is", "low", subject="Mood")
    await create(here, "is", "bad", subject="feeling")
    await here.call("MergeNodes", user_id="u1", a="Mood", b="feeling")
    await create(here, "was", "fine", subject="mood")
    await here.call("ForgetMemory", user_id="u1", memory_id=first)
    found = await nodes(here)
    assert sorted([label, *(found[label] or [])] for label in found if label in ("mood", "feeling")) in (
        [["feeling", "mood"]], [["mood", "feeling"]],
    )  # fmt: skip


async def test_a_verdict_changes_no_memory_and_goes_with_its_labels(here: World) -> None:
    first = await create(here, "影响", "睡眠", subject="心情")
    await create(here, "取决于", "天气", subject="情绪")
    before = (await here.call("ListMemories", user_id="u1"))["items"]
    await here.call("MergeNodes", user_id="u1", a="心情", b="情绪")
    assert (await here.call("ListMemories", user_id="u1"))["items"] == before
    assert [each["predicate"] for each in (await here.call("ListMemories", user_id="u1", kinds=["link"]))["items"]] == [
        "same"
    ]
    await here.call("ForgetMemory", user_id="u1", memory_id=first)
    assert (await here.call("ListMemories", user_id="u1", kinds=["link"]))["items"] == []
    assert await nodes(here) == {"情绪": None, "天气": None}


async def test_a_conflict_is_shown_and_one_side_ends_when_somebody_says_so(here: World) -> None:
    likes = await create(here, "喜欢", "下雨天", memory_type="观点")
    hates = await create(here, "讨厌", "下雨天", memory_type="观点")
    other = await create(here, "喜欢", "晴天", memory_type="观点")
    shown = await here.call("GetGraph", user_id="u1", include=["conflicts"])
    assert [(each["kind"], set(each["memory_ids"])) for each in shown["conflicts"]] == [("opposite", {likes, hates})]
    assert "conflicts" not in await here.call("GetGraph", user_id="u1")
    body = {"user_id": "u1", "memory_ids": [likes, hates]}
    with pytest.raises(InvalidInput, match="keep"):
        await here.call("ResolveMemoryConflict", **body, keep=other)
    with pytest.raises(NoConflict):
        await here.call("ResolveMemoryConflict", user_id="u1", memory_ids=[likes, other], keep=likes)
    with pytest.raises(NotFound):
        await here.call("ResolveMemoryConflict", user_id="u2", memory_ids=[likes, hates], keep=likes)
    done = await here.call("ResolveMemoryConflict", **body, keep=hates)
    assert done["kept"]["memory_id"] == hates
    assert "valid_to" in done["ended"]
    assert (await here.call("GetGraph", user_id="u1", include=["conflicts"]))["conflicts"] == []
    with pytest.raises(NoConflict):
        await here.call("ResolveMemoryConflict", **body, keep=likes)


async def test_what_was_so_on_its_day_stays_so_whichever_is_kept(here: World) -> None:
    likes = await create(here, "喜欢", "下雨天", memory_type="观点", occurred_at="2025-11-01T10:00:00Z")
    hates = await create(here, "讨厌", "下雨天", memory_type="观点", occurred_at="2025-11-10T10:00:00Z")

    async def held(day: int) -> set[str]:
        then = await here.call("GetGraph", user_id="u1", as_of=f"2025-11-{day:02}T12:00:00Z")
        return {edge["memory_id"] for edge in then["edges"]}

    assert [await held(day) for day in (1, 12)] == [{likes}, {likes, hates}]
    done = await here.call("ResolveMemoryConflict", user_id="u1", memory_ids=[likes, hates], keep=hates)
    assert done["ended"]["valid_to"] == "2025-11-10T10:00:00.000Z"
    assert [await held(day) for day in (1, 12)] == [{likes}, {hates}]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("住处", "上海"), ("住处", "北京")),
        (("能走路", None), ("不能走路", None)),
        (("喜欢吃", "鱼"), ("不喜欢吃", "鱼")),
    ],
)
async def test_what_cannot_both_be_so_is_a_conflict(here: World, first: Any, second: Any) -> None:
    made = [await create(here, *first), await create(here, *second)]
    shown = await here.call("GetGraph", user_id="u1", include=["conflicts"])
    assert [set(each["memory_ids"]) for each in shown["conflicts"]] == [set(made)]


@pytest.mark.parametrize(
    ("topic", "polarity"), [("allergy", "-"), ("过敏", "-"), ("不过敏", "+"), ("没有过敏", "+"), ("not allergic", "+")]
)
async def test_a_conflict_of_safety_is_for_a_person_to_decide(here: World, topic: str, polarity: str) -> None:
    triples = [{"subject": "user", "predicate": "allergy", "object": "青霉素"}]
    await here.call("UpsertFacts", user_id="u1", triples=triples)
    (fact,) = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    denied = await create(here, topic, "青霉素", polarity=polarity)
    shown = await here.call("GetGraph", user_id="u1", include=["conflicts"])
    assert [set(each["memory_ids"]) for each in shown["conflicts"]] == [{fact["memory_id"], denied}]
    with pytest.raises(Guarded, match="ConfirmFacts"):
        await here.call("ResolveMemoryConflict", user_id="u1", memory_ids=[fact["memory_id"], denied], keep=denied)
    assert (await here.call("GetProfile", user_id="u1"))["allergies"] == ["青霉素"]


async def test_a_nodes_id_is_its_users_alone_and_names_it_everywhere(here: World) -> None:
    for user in ("u1", "u2"):
        await create(here, "过敏", "青霉素", user_id=user)
        await create(here, "怕", "打针", user_id=user)
    mine, theirs = [
        {node["label"]: node["id"] for node in (await here.call("GetGraph", user_id=user))["nodes"]}
        for user in ("u1", "u2")
    ]
    assert mine.keys() == theirs.keys()
    assert set(mine.values()).isdisjoint(theirs.values())
    assert not any(label in node_id for ids in (mine, theirs) for label, node_id in ids.items())
    of_brain = await here.call("GetUserGraph", user_id="u1")
    assert {node["label"]: node["id"] for node in of_brain["nodes"]} == mine
    assert {edge[end] for edge in of_brain["edges"] for end in ("source", "target")} == set(mine.values())

    (way,) = (await here.call("FindPath", user_id="u1", source=mine["青霉素"], target=mine["打针"]))["paths"]
    assert [node["id"] for node in way["nodes"]] == [mine["青霉素"], mine["用户"], mine["打针"]]
    assert [(step["source"], step["target"]) for step in way["steps"]] == [
        (mine["青霉素"], mine["用户"]),
        (mine["用户"], mine["打针"]),
    ]
    for operation, named in (
        ("GetGraph", {"about": theirs["青霉素"]}),
        ("FindPath", {"source": "青霉素", "target": theirs["打针"]}),
        ("MergeNodes", {"a": theirs["青霉素"], "b": "打针"}),
        ("SplitNodes", {"a": "青霉素", "b": theirs["打针"]}),
    ):
        with pytest.raises(NotFound, match="names nothing"):
            await here.call(operation, user_id="u1", **named)


async def test_the_id_of_a_node_that_became_one_with_another_names_that_one(here: World) -> None:
    await create(here, "影响", "睡眠", subject="心情")
    await create(here, "取决于", "天气", subject="情绪")
    before = {node["label"]: node["id"] for node in (await here.call("GetGraph", user_id="u1"))["nodes"]}
    merged = await here.call("MergeNodes", user_id="u1", a=before["心情"], b=before["情绪"])
    assert merged["node"]["id"] == before["心情"]
    (one,) = (await here.call("GetGraph", user_id="u1", about=before["情绪"], depth=0))["nodes"]
    assert (one["id"], one["aliases"]) == (before["心情"], ["情绪"])
    assert (await here.call("SplitNodes", user_id="u1", a=before["心情"], b=before["情绪"]))["split"]
