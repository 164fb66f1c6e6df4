"""GetGraph, FindPath, GetUserGraph over what tools, callers and dialogues left: as a bot reads it."""

from typing import Any

import pytest

from memory.errors import NotFound
from tests.contract.lives import ON_EITHER_STORE
from tests.inprocess import World

pytestmark = ON_EITHER_STORE

SAID_AT = "2025-11-05T10:00:00+08:00"


async def create(world: World, topic: str, object_: str | None = None, **fields: Any) -> str:
    body = {"user_id": "u1", "subject": "我", "memory_type": "事实", "topic": topic, "object": object_, **fields}
    return str((await world.call("CreateMemory", **body, occurred_at=SAID_AT))["memory_id"])


async def join(world: World, source: str, target: str) -> str:
    ends = {"source_memory_id": source, "target_memory_id": target}
    return str((await world.call("LinkMemories", user_id="u1", **ends, relation_type="导致", quote="因为"))["link_id"])


@pytest.fixture
async def told(here: World) -> tuple[World, dict[str, str]]:
    """A chain of two links that tools made, and a family that a dialogue told."""
    await here.write("我女儿灿灿喜欢画画。我是护士。", "真好。", user_id="u1")
    await here.finalize()
    made = {topic: await create(here, topic) for topic in ("失眠", "犯困", "迟到")}
    made["first"] = await join(here, made["失眠"], made["犯困"])
    made["second"] = await join(here, made["犯困"], made["迟到"])
    return here, made


async def test_every_edge_names_its_memory_and_the_words_that_say_it(told: Any) -> None:
    world, made = told
    found = await world.call("GetGraph", user_id="u1")
    assert {link["link_id"] for link in found["links"]} == {made["first"], made["second"]}
    assert not found["truncated"]
    listed = {each["memory_id"]: each for each in (await world.call("ListMemories", user_id="u1"))["items"]}
    assert {edge["relation"] for edge in found["edges"]} >= {"事实", "女儿", "职业"}
    for edge in found["edges"]:
        memory = listed[edge["memory_id"]]
        said = memory["source"]["quote"]
        assert (edge["quote"], edge["quoted"]) == (said or memory["text"], bool(said))
    assert {edge["quoted"] for edge in found["edges"]} == {True, False}
    ends = {edge["source"] for edge in found["edges"]} | {edge["target"] for edge in found["edges"]}
    assert ends == {node["id"] for node in found["nodes"]}


async def test_what_stands_round_something_and_what_does_not_exist(told: Any) -> None:
    world, made = told
    near = await world.call("GetGraph", user_id="u1", about="灿灿", depth=1)
    assert {node["label"] for node in near["nodes"]} >= {"灿灿", "画画", "用户"}
    by_memory = await world.call("GetGraph", user_id="u1", about=made["失眠"], depth=0)
    assert {node["label"] for node in by_memory["nodes"]} == {"失眠", "用户"}
    with pytest.raises(NotFound, match="about"):
        await world.call("GetGraph", user_id="u1", about="没有的东西")
    with pytest.raises(NotFound, match="about"):
        await world.call("GetGraph", user_id="u2", about=made["失眠"])
    assert (await world.call("GetGraph", user_id="u2"))["edges"] == []


async def test_pages_are_the_whole(told: Any) -> None:
    world, _ = told
    every = await world.call("GetGraph", user_id="u1")
    edges: list[Any] = []
    links: list[Any] = []
    cursor = ""
    while True:
        part = await world.call("GetGraph", user_id="u1", limit=2, cursor=cursor)
        edges, links, cursor = [*edges, *part["edges"]], [*links, *part["links"]], part["cursor"]
        assert part["truncated"] == bool(cursor)
        if not cursor:
            break
    assert (edges, links) == (every["edges"], every["links"])


async def test_a_way_says_by_which_words(told: Any) -> None:
    world, made = told
    found = (await world.call("FindPath", user_id="u1", source="失眠", target="迟到"))["paths"]
    first = found[0]
    assert [step["link_id"] for step in first["steps"]] == [made["first"], made["second"]]
    assert [step["quote"] for step in first["steps"]] == ["因为", "因为"]
    assert (first["length"], first["nodes"][0]["label"], first["nodes"][-1]["label"]) == (2, "失眠", "迟到")
    family = (await world.call("FindPath", user_id="u1", source="画画", target="护士", paths_max=1))["paths"]
    assert [(step["relation"], step["forward"]) for step in family[0]["steps"]] == [
        ("喜欢", False), ("女儿", False), ("职业", True),
    ]  # fmt: skip
    assert "灿灿" in family[0]["steps"][0]["quote"]
    assert (await world.call("FindPath", user_id="u1", source="失眠", target="迟到", hops_max=1))["paths"] == []
    only = await world.call("FindPath", user_id="u1", source="失眠", target="迟到", relations=["导致"])
    assert [each["length"] for each in only["paths"]] == [2]


async def test_a_way_from_or_to_nothing_is_refused(told: Any) -> None:
    world, made = told
    for user, ends in (("u1", ("失眠", "没有")), ("u1", ("没有", "失眠")), ("u2", (made["失眠"], made["迟到"]))):
        with pytest.raises(NotFound, match="names nothing"):
            await world.call("FindPath", user_id=user, **{"from": ends[0], "to": ends[1]})


async def test_what_was_held_then_is_shown_as_of_then(told: Any) -> None:
    world, made = told
    await world.call("UnlinkMemories", user_id="u1", link_id=made["first"])
    await world.call("UpdateMemory", user_id="u1", memory_id=made["迟到"], valid_to="2025-11-06T00:00:00Z")
    now = await world.call("GetGraph", user_id="u1")
    assert [link["link_id"] for link in now["links"]] == [made["second"]]
    assert made["迟到"] not in {edge["memory_id"] for edge in now["edges"]}
    past = await world.call("GetGraph", user_id="u1", include=["past"])
    assert {link["link_id"]: link["valid"] for link in past["links"]} == {made["first"]: False, made["second"]: True}
    assert {edge["memory_id"] for edge in past["edges"] if not edge["valid"]} == {made["迟到"]}
    then = await world.call("GetGraph", user_id="u1", as_of="2025-11-05T12:00:00Z")
    assert {edge["memory_id"]: edge["valid"] for edge in then["edges"]}[made["迟到"]] is True
    before = await world.call("GetGraph", user_id="u1", as_of="2025-01-01T00:00:00Z")
    assert before["edges"] == []


async def test_what_another_took_the_place_of_is_past(told: Any) -> None:
    world, _ = told
    for city, since in (("北京", "2020-01-01T00:00:00Z"), ("上海", "2024-01-01T00:00:00Z")):
        told_now = {"subject": "user", "predicate": "residence", "object": city, "valid_from": since}
        await world.call("UpsertFacts", user_id="u1", triples=[told_now])

    async def cities(**more: object) -> set[tuple[str, bool]]:
        found = await world.call("GetGraph", user_id="u1", kinds=["fact"], **more)
        labels = {node["id"]: node["label"] for node in found["nodes"]}
        edges = [(labels[edge["target"]], edge["valid"]) for edge in found["edges"]]
        return {each for each in edges if each[0] in ("北京", "上海")}

    assert await cities() == {("上海", True)}
    assert await cities(include=["past"]) == {("上海", True), ("北京", False)}
    assert await cities(include=["past"], as_of="2021-01-01T00:00:00Z") == {("北京", True)}


async def test_a_graph_of_some_kinds_alone(told: Any) -> None:
    world, made = told
    whole = await world.call("GetGraph", user_id="u1")
    facts, created, links = [
        await world.call("GetGraph", user_id="u1", kinds=[kind]) for kind in ("fact", "created", "link")
    ]
    assert (len(created["edges"]), facts["links"], created["links"], links["edges"]) == (3, [], [], [])
    assert facts["edges"]
    assert sorted(facts["edges"] + created["edges"], key=lambda each: each["memory_id"]) == whole["edges"]
    assert links["links"] == whole["links"]
    assert {link["link_id"] for link in links["links"]} == {made["first"], made["second"]}


async def test_the_graph_of_a_user_has_what_tools_made_and_every_drawing(told: Any) -> None:
    world, _ = told
    for drawing, sign in (("mermaid", "graph LR"), ("graphml", "<graphml"), ("dot", "digraph memory {")):
        found = await world.call("GetUserGraph", user_id="u1", format=drawing)
        assert sign in found["text"]
        assert "失眠" in found["text"]
        assert not found["truncated"]
        assert sign in (await world.call("GetGraph", user_id="u1", format=drawing))["text"]
    assert "导致" in (await world.call("GetGraph", user_id="u1", format="dot", relations=["导致"]))["text"]


async def test_the_graph_of_a_user_comes_page_by_page(told: Any) -> None:
    world, _ = told
    whole = await world.call("GetUserGraph", user_id="u1")
    pages, cursor = list[Any](), ""
    while cursor or not pages:
        pages.append(await world.call("GetUserGraph", user_id="u1", limit=2, cursor=cursor))
        cursor = pages[-1]["cursor"]
        assert pages[-1]["truncated"] == bool(cursor)
        ends = {end for edge in pages[-1]["edges"] for end in (edge["source"], edge["target"])}
        assert {node["id"] for node in pages[-1]["nodes"]} == ends
    assert len(pages) > 1
    assert [edge for each in pages for edge in each["edges"]] == whole["edges"]
    assert (whole["truncated"], whole["cursor"]) == (False, "")


async def test_what_is_forgotten_stands_in_no_graph(told: Any) -> None:
    world, made = told
    await world.call("ForgetMemory", user_id="u1", memory_id=made["犯困"])
    found = await world.call("GetGraph", user_id="u1")
    assert found["links"] == []
    assert "犯困" not in {node["label"] for node in found["nodes"]}
    with pytest.raises(NotFound):
        await world.call("FindPath", user_id="u1", source="犯困", target="失眠")
