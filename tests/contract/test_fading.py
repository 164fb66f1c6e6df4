"""What is taken out of the way and back, which memories a list shows, and the curve that one goes down."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from memory.errors import Guarded, NotFound
from memory.model.caller import Caller
from memory.retrieval.decay import DecaySettings, Law
from tests.contract.lives import ON_ONE_STORE
from tests.inprocess import NO_RECALL, World

pytestmark = ON_ONE_STORE

NURSE = Caller("default", frozenset({"write", "read"}), "nurse")


async def remembered(here: World, *texts: str, conversation: str = "c") -> None:
    for text in texts:
        await here.write(text, "好的。", conversation, user_id="u1")
    await here.finalize(conversation)


async def facts(here: World, **asked: Any) -> dict[str, str]:
    """Ids by object."""
    listed = await here.call("ListMemories", user_id="u1", kinds=["fact"], **asked)
    return {each["object"]: each["memory_id"] for each in listed["items"]}


async def test_what_is_archived_is_found_nowhere_until_it_is_restored(here: World) -> None:
    await remembered(here, "我喜欢跑步。我住在北京。")
    running = (await facts(here))["跑步"]
    archived = await here.call("ArchiveMemory", NURSE, memory_id=running, why="不再相关")
    assert "archived_at" in archived
    assert "跑步" not in await facts(here)
    (profile,) = (await here.call("ListMemories", user_id="u1", kinds=["profile"]))["items"]
    assert "跑步" not in profile["text"]
    assert "北京" in profile["text"]
    found = await here.call("SearchMemories", user_id="u1", query="跑步", kinds=["fact"])
    assert running not in {each["memory_id"] for each in found["memories"]}
    assert await here.call("ArchiveMemory", memory_id=running) == archived, "the same again changes nothing"
    assert await facts(here, states=["archived"]) == {"跑步": running}
    restored = await here.call("RestoreMemory", NURSE, user_id="u1", memory_id=running)
    assert "archived_at" not in restored
    assert "kept_at" in restored
    assert "跑步" in await facts(here)
    assert await here.call("RestoreMemory", memory_id=running) == restored
    changes = (await here.call("GetMemoryHistory", memory_id=running))["changes"]
    assert [(each["op"], each["by"], each.get("why")) for each in changes] == [
        ("archived", "nurse", "不再相关"),
        ("restored", "nurse", None),
    ]


async def test_what_is_restored_yields_to_what_was_said_since(here: World) -> None:
    await remembered(here, "我住在北京。", conversation="a")
    old = (await facts(here))["北京"]
    await here.call("ArchiveMemory", memory_id=old)
    await remembered(here, "我住在上海。", conversation="b")
    restored = await here.call("RestoreMemory", memory_id=old)
    assert restored["superseded_by"] == (await facts(here))["上海"]
    assert list(await facts(here)) == ["上海"]


async def test_safety_and_what_is_not_there_are_not_archived(here: World) -> None:
    await remembered(here, "我对青霉素过敏。")
    with pytest.raises(Guarded):
        await here.call("ArchiveMemory", memory_id=(await facts(here))["青霉素"])
    for operation in ("ArchiveMemory", "RestoreMemory", "GetDecay"):
        with pytest.raises(NotFound):
            await here.call(operation, user_id="u2", memory_id=(await facts(here))["青霉素"])
    running = "00000000-0000-0000-0000-000000000000"
    with pytest.raises(NotFound):
        await here.call("RestoreMemory", memory_id=running)


async def test_a_list_shows_what_is_asked_for(here: World) -> None:
    await remembered(here, "我住在北京。我喜欢跑步。我对花生过敏。", conversation="a")
    await remembered(here, "我住在上海。", conversation="b")
    assert set(await facts(here, states=["superseded"])) == {"北京"}
    assert set(await facts(here, states=["held"])) == {"跑步", "花生", "上海"}
    assert set(await facts(here, states=["held", "superseded"])) == {"跑步", "花生", "上海", "北京"}
    assert set(await facts(here, categories=["core"])) == {"花生"}
    assert set(await facts(here, types=["opinion"])) == {"跑步"}
    assert set(await facts(here, contains="海")) == {"上海"}
    assert await facts(here, contains="nothing of the kind") == {}
    seen, cursor = set[str](), ""
    while True:
        page = await here.call(
            "ListMemories", user_id="u1", kinds=["fact"], states=["held", "superseded"], limit=1, cursor=cursor
        )
        seen |= {each["object"] for each in page["items"]}
        cursor = page["cursor"]
        if not cursor:
            break
    assert seen == {"跑步", "花生", "上海", "北京"}


async def test_the_curve_is_that_of_the_law(make_world: Callable[..., Any]) -> None:
    stepped = replace(NO_RECALL, decay=DecaySettings(fact=Law.STEPPED))
    here = await make_world(recall=stepped)
    await remembered(here, "我喜欢跑步。我对花生过敏。")
    known = await facts(here)
    curve = await here.call("GetDecay", memory_id=known["跑步"], days=30)
    values = [each["vitality"] for each in curve["points"]]
    assert curve["law"] == "stepped"
    assert len(values) >= 30
    assert values == sorted(values, reverse=True)
    assert values[:5] == [1.0] * 5, "five days of grace"
    assert values[7] == pytest.approx(0.85**2, abs=0.001)
    assert curve["review_at"] < curve["forget_at"]
    used = await here.call("GetDecay", memory_id=known["跑步"], days=30, used_at=curve["points"][0]["at"])
    assert used["points"][-1]["vitality"] > values[-1]
    never = await here.call("GetDecay", memory_id=known["花生"], days=3_650)
    assert never["law"] == "never"
    assert {each["vitality"] for each in never["points"]} == {1.0}
    assert len(never["points"]) <= 200
    assert "forget_at" not in never


async def test_what_was_ended_and_then_archived_is_listed_as_archived(here: World) -> None:
    await remembered(here, "我住在北京。", conversation="a")
    old = (await facts(here))["北京"]
    await remembered(here, "我住在上海。", conversation="b")
    await here.call("ArchiveMemory", memory_id=old)
    assert await facts(here, states=["archived"]) == {"北京": old}
    assert "北京" not in await facts(here)
