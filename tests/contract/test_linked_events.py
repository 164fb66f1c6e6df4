"""Links between what says no triple, messages and events: in the graph, in ways and pictures, as memories."""

import itertools
from typing import Any

import pytest

from tests.contract.lives import ON_EITHER_STORE
from tests.inprocess import World

pytestmark = ON_EITHER_STORE


@pytest.fixture
async def joined(here: World) -> tuple[World, list[str]]:
    """A fact that a tool made, a message and an event: each led to the next."""
    await here.write("我昨天在浴室滑倒了，额头磕在水池上。", "现在头晕吗？", user_id="u1")
    await here.finalize()
    listed = (await here.call("ListMemories", user_id="u1"))["items"]
    message = next(each["memory_id"] for each in listed if each.get("speaker") and "滑倒" in each["text"])
    made = [
        (await here.call("CreateMemory", user_id="u1", subject="我", memory_type="事件", topic=topic))["memory_id"]
        for topic in ("头晕", "住院")
    ]
    chain = [made[0], message, made[1]]
    for source, target in itertools.pairwise(chain):
        ends = {"source_memory_id": source, "target_memory_id": target}
        await here.call("LinkMemories", user_id="u1", **ends, relation_type="导致")
    return here, chain


async def test_a_linked_message_is_a_node_of_the_graph(joined: Any) -> None:
    world, chain = joined
    found = await world.call("GetGraph", user_id="u1")
    assert len(found["links"]) == 2
    (node,) = [each for each in found["nodes"] if each["kind"] == "memory"]
    assert (node["id"], "滑倒" in node["label"]) == (chain[1], True)
    near = await world.call("GetGraph", user_id="u1", about=chain[1])
    assert len(near["links"]) == 2
    assert {each["label"] for each in near["nodes"]} >= {"头晕", "住院", node["label"]}
    pages = [await world.call("GetGraph", user_id="u1", limit=1, kinds=["link"])]
    pages.append(await world.call("GetGraph", user_id="u1", limit=1, kinds=["link"], cursor=pages[0]["cursor"]))
    for part in pages:
        ends = {part["links"][0]["source_memory_id"], part["links"][0]["target_memory_id"]}
        assert chain[1] in ends & {each["id"] for each in part["nodes"]}


async def test_a_way_goes_through_it_and_so_does_a_picture(joined: Any) -> None:
    world, chain = joined
    found = await world.call("FindPath", user_id="u1", source="头晕", target="住院", relations=["导致"])
    assert [step["relation"] for step in found["paths"][0]["steps"]] == ["causes", "causes"]
    assert chain[1] in [each["id"] for each in found["paths"][0]["nodes"]]
    by_id = await world.call("FindPath", user_id="u1", source=chain[1], target="住院")
    assert by_id["paths"][0]["length"] == 1
    drawn = (await world.call("GetGraph", user_id="u1", format="mermaid"))["text"]
    assert drawn.count('-->|"导致"|') == 2


async def test_what_is_forgotten_of_it_is_in_no_graph(joined: Any) -> None:
    world, chain = joined
    await world.call("ForgetMemory", user_id="u1", memory_id=chain[1])
    found = await world.call("GetGraph", user_id="u1")
    assert found["links"] == []
    assert "memory" not in {each["kind"] for each in found["nodes"]}


async def test_a_link_holds_since_both_its_ends_do_and_not_since_it_was_told(here: World) -> None:
    times = {"失眠": "2025-03-01", "犯困": "2025-03-02"}
    ends = [
        (
            await here.call(
                "CreateMemory", user_id="u1", subject="我", memory_type="事件", topic=topic, attributes={"时间": day}
            )
        )["memory_id"]
        for topic, day in times.items()
    ]
    await here.call(
        "LinkMemories", user_id="u1", source_memory_id=ends[0], target_memory_id=ends[1], relation_type="导致"
    )
    then = [await here.call("GetGraph", user_id="u1", as_of=f"2025-03-0{day}T12:00:00Z") for day in (1, 3)]
    assert [len(each["links"]) for each in then] == [0, 1]
    way = await here.call("FindPath", user_id="u1", source="失眠", target="犯困", as_of="2025-03-03T12:00:00Z")
    assert [step["relation"] for step in way["paths"][0]["steps"]] == ["causes"]


async def test_a_time_that_is_put_right_moves_the_memory_to_it(here: World) -> None:
    made = await here.call(
        "CreateMemory", user_id="u1", subject="我", memory_type="事件", topic="散步", attributes={"时间": "2025-10-10"}
    )
    changed = await here.call(
        "UpdateMemory", user_id="u1", memory_id=made["memory_id"], attributes={"时间": "2025-11-26", "地点": "公园"}
    )
    assert changed["memory"]["occurred_at"][:10] == "2025-11-26"
    found = [await here.call("GetGraph", user_id="u1", as_of=f"2025-11-{day}T12:00:00Z") for day in (25, 27)]
    assert [len(each["edges"]) for each in found] == [0, 1]
    assert found[1]["edges"][0]["valid_from"][:10] == "2025-11-26"
    again = await here.call(
        "UpdateMemory", user_id="u1", memory_id=made["memory_id"], attributes={"地点": "湖边", "结束时间": "2025-11-30"}
    )
    assert again["memory"]["occurred_at"] == changed["memory"]["occurred_at"], "the first time is when it was"
