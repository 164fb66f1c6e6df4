"""A look at a context leaves no trace: no lease, nothing shown, no key; and a context by its parts."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from memory.scope import UserScope
from tests.inprocess import World

MakeWorld = Callable[..., Any]
U1 = UserScope("default", "u1")
ASKED = "火锅，你还记得我说过什么吗？"


@pytest.fixture
async def world(make_world: MakeWorld) -> World:
    """Somebody with memories, of whom a conversation lives whose summary is due."""
    here = await make_world(recall=True, auto_checkpoint=False)
    await here.write("我特别喜欢吃四川火锅，对青霉素过敏。", "不错。", user_id="u1", conversation="before")
    await here.finalize("before")
    for number in range(4):
        await here.write(f"第{number}天头痛，体温38.{number}度。" * 3, "多喝水，注意休息。" * 5, user_id="u1")
    return here


async def everything(here: World) -> dict[bytes, Any]:
    """Every key with what it holds and when it goes."""
    (keys,) = await here.commands.run(("KEYS", "*"))
    found = {}
    for key in sorted(keys):
        dump, expires = await here.commands.run(("DUMP", key), ("PEXPIRETIME", key))
        found[key] = (dump, expires)
    return found


async def stored(here: World) -> list[Any]:
    page = await here.call("ListMemories", user_id="u1")
    return [replace(each) for each in await here.memories.get(U1, [each["memory_id"] for each in page["items"]])]


@pytest.mark.parametrize("conversation", ["c", "nobody has written there"])
async def test_a_look_changes_nothing(world: World, conversation: str) -> None:
    look = {"user_id": "u1", "query": ASKED, "model_context_window": 300, "preview": True}
    conversation = conversation.replace(" ", "-")
    before, memories = await everything(world), await stored(world)
    seen = [await world.query(conversation, **look, include=["turns", "blocks"]) for _ in range(20)]
    await world.background.drain(5)
    assert await everything(world) == before
    assert await stored(world) == memories
    assert all(each["should_checkpoint_summary"] is False for each in seen)
    assert all(each["memories"] for each in seen), "what would be recalled is shown"
    asked = await world.query(conversation, **{**look, "preview": False})
    await world.background.drain(5)
    assert asked["should_checkpoint_summary"] is (conversation == "c"), "a lease was left to take"
    assert {each.shown for each in await stored(world)} == {0, 1}
    for name in ("context", "history", "mode", "estimated_tokens"):
        assert asked[name] == seen[0][name], name


async def test_a_context_by_its_parts(world: World) -> None:
    await world.checkpoint("用户头痛四天。")
    found = await world.query(user_id="u1", query=ASKED, include=["blocks"])
    names = [each["name"] for each in found["blocks"]]
    assert names == ["safety", "summary", "recalled"]
    assert "\n".join(each["text"] for each in found["blocks"]) == found["context"]
    for each in found["blocks"]:
        exact = await world.tokens.count(each["text"] + "\n")
        assert abs(each["tokens"] - exact) <= 2, each
    assert "blocks" not in await world.query(user_id="u1", query=ASKED)


async def test_before_anything_is_written_there_are_the_parts_that_there_are(world: World) -> None:
    found = await world.query("new", user_id="u1", include=["blocks"])
    assert [each["name"] for each in found["blocks"]] == ["safety"]
    assert (await world.query("other", include=["blocks"]))["blocks"] == []
