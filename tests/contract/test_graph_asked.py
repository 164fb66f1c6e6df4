"""A graph as somebody asks for it who does not know how it is made: filters, pages, ids that stay, odd labels."""

from itertools import pairwise
from typing import Any

import pytest

from memory.errors import Guarded, NotFound
from tests.contract.lives import ON_EITHER_STORE
from tests.inprocess import World

pytestmark = ON_EITHER_STORE
U: dict[str, Any] = {"user_id": "u1"}
CHAIN = ("失眠", "很困", "没心情", "挨批评")


async def create(world: World, topic: str, thing: str, subject: str = "我", **fields: Any) -> str:
    told = {"subject": subject, "memory_type": "事实", "topic": topic, "object": thing, **fields}
    return str((await world.call("CreateMemory", **U, **told))["memory_id"])


@pytest.fixture
async def linked(here: World) -> tuple[World, list[str]]:
    """Four memories, each the reason for the next."""
    made = [await create(here, f"状态{number}", thing) for number, thing in enumerate(CHAIN)]
    for source, target in pairwise(made):
        ends = {"source_memory_id": source, "target_memory_id": target}
        await here.call("LinkMemories", **U, **ends, relation_type="导致")
    return here, made


async def ids(world: World, **asked: Any) -> dict[str, str]:
    return {each["label"]: each["id"] for each in (await world.call("GetGraph", **U, **asked))["nodes"]}


@pytest.mark.parametrize("chosen", [{"kinds": ["link"]}, {"relations": ["导致"]}])
async def test_pages_of_links_have_the_nodes_that_they_join(linked: Any, chosen: dict[str, Any]) -> None:
    here, _ = linked
    seen: list[str] = []
    cursor = ""
    for _ in range(3):
        page = await here.call("GetGraph", **U, **chosen, limit=1, cursor=cursor, format="mermaid")
        assert (len(page["nodes"]), page["edges"], len(page["links"])) == (3, [], 1)
        assert "-->" in page["text"]
        seen += [each["label"] for each in page["nodes"]]
        cursor = page["cursor"]
    assert not cursor
    assert set(seen) == {*CHAIN, "用户"}


@pytest.mark.parametrize("chosen", [{"kinds": ["link"]}, {"relations": ["导致"]}])
async def test_round_a_node_by_links_alone(linked: Any, chosen: dict[str, Any]) -> None:
    here, made = linked
    for about in ("失眠", (await ids(here))["失眠"]):
        found = await here.call("GetGraph", **U, **chosen, about=about, depth=1)
        assert {each["label"] for each in found["nodes"]} == {*CHAIN[:2], "用户"}
        assert (len(found["links"]), found["edges"]) == (1, [])
    of_memory = await here.call("GetGraph", **U, relations=["导致"], about=made[0], depth=1)
    assert "很困" in {each["label"] for each in of_memory["nodes"]}
    alone = await here.call("GetGraph", **U, relations=["状态3"], about="失眠")
    assert ([each["label"] for each in alone["nodes"]], alone["edges"], alone["links"]) == (["失眠"], [], [])


async def test_the_user_and_a_relative_keep_their_id_under_every_name(here: World) -> None:
    await create(here, "likes", "tea")
    await here.call("CreateMemory", **U, subject="妈妈", memory_type="事实", topic="患有", object="高血压")
    before = await ids(here)
    mother, user = before["妈妈"], next(node for label, node in before.items() if label in {"user", "用户"})
    for number in range(4):
        await create(here, f"喜欢{number}", f"东西{number}")
    told = [{"subject": "user", "predicate": "name", "object": "李雷"}]
    await here.call("UpsertFacts", **U, triples=told)
    await create(here, "妈妈", "王秀兰", memory_type="关系")
    now = await ids(here)
    assert (now["李雷"], now["王秀兰"]) == (user, mother)
    assert await ids(here, about=user, depth=0) == {"李雷": user}
    assert await ids(here, about=mother, depth=0) == {"王秀兰": mother}


async def test_a_label_in_the_form_of_a_key_or_of_an_id_is_a_label(here: World) -> None:
    await create(here, "影响", "睡眠", subject="心情")
    await create(here, "取决于", "天气", subject="情绪")
    feeling = (await ids(here))["心情"]
    await create(here, "怕", "thing:心情")
    await create(here, "怕", feeling)
    await create(here, "怕", "左腿")
    await create(here, "怕", "右腿")
    assert await ids(here, about=feeling, depth=0) == {"心情": feeling}
    assert list(await ids(here, about="thing:心情", depth=0)) == ["thing:心情"]
    with pytest.raises(NotFound):
        await here.call("GetGraph", **U, about="thing:情绪")
    with pytest.raises(Guarded):
        await here.call("MergeNodes", **U, a="左腿", b="右腿")
    merged = await here.call("MergeNodes", **U, a=feeling, b="情绪")
    assert merged["node"]["aliases"] == ["情绪"]
    verdict = await here.call("GetMemory", **U, memory_id=merged["merge_id"])
    assert {verdict["subject"], verdict["object"]} == {"心情", "情绪"}, "a record names labels, as a caller does"


async def test_round_what_has_ended_there_is_a_graph_of_the_past_alone(here: World) -> None:
    live, moved = await create(here, "居住地", "杭州"), await create(here, "居住地", "苏州")
    await here.call("ResolveMemoryConflict", **U, memory_ids=[live, moved], keep=moved)
    with pytest.raises(NotFound):
        await here.call("GetGraph", **U, about=live)
    found = await here.call("GetGraph", **U, about=live, include=["past"])
    assert {each["label"] for each in found["nodes"]} >= {"用户", "杭州"}


async def test_from_a_node_to_itself_there_is_a_way_without_a_step(linked: Any) -> None:
    here, _ = linked
    found = await here.call("FindPath", **U, source="失眠", target=(await ids(here))["失眠"])
    (way,) = found["paths"]
    assert ([each["label"] for each in way["nodes"]], way["steps"], way["length"]) == (["失眠"], [], 0)


async def test_no_two_nodes_have_one_id(here: World) -> None:
    await here.call("UpsertFacts", **U, triples=[{"subject": "user", "predicate": "name", "object": "李雷"}])
    await create(here, "患有", "高血压", subject="妈妈")
    await create(here, "想念", "我妈")
    await create(here, "称呼自己", "用户")
    await create(here, "密码", "user")
    await create(here, "照顾", "孩子")
    await create(here, "喜欢", "画画", subject="我家孩子")
    shown = (await here.call("GetGraph", **U))["nodes"]
    assert len({each["id"] for each in shown}) == len(shown)
    assert {each["label"] for each in shown} == {"李雷", "妈妈", "高血压", "user", "孩子", "画画"}
    (way,) = (await here.call("FindPath", **U, source="李雷", target="高血压"))["paths"]
    assert [step["relation"] for step in way["steps"]] == ["想念", "患有"]
