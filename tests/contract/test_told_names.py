"""A name that a caller told stands wherever one does that the user said: the profile, contexts, memories, the graph."""

from typing import Any

import pytest

from memory.model import requests as ask
from memory.model.profile import Profile
from memory.scope import UserScope
from tests.contract.lives import ON_EITHER_STORE
from tests.inprocess import EVERYONE, World

pytestmark = ON_EITHER_STORE
U1 = UserScope("default", "u1")


async def tell(world: World, name: str, **fields: Any) -> dict[str, Any]:
    return await world.call("UpsertPreferences", user_id="u1", name=name, **fields)


async def said(world: World, text: str, conversation: str) -> None:
    await world.write(text, "好的。", conversation, user_id="u1")
    await world.finalize(conversation)


async def names(world: World) -> set[str]:
    """Those that hold in memory."""
    items = await world.pages("ListMemories", user_id="u1", kinds=["fact"])
    return {item["object"] for item in items if item["predicate"] == "name"}


async def shown(world: World) -> str:
    """The name in the user's profile and its memory, snapshot and graph, alike in all; empty: none."""
    name = (await world.call("GetProfile", user_id="u1")).get("name") or ""
    await world.write("今天天气不错。", "是的。", "another", user_id="u1")
    snapshot = (await world.query("another", user_id="u1", include=["session"]))["session"]["user_snapshot"]
    assert snapshot.get("name", "") == name
    nodes = (await world.call("GetUserGraph", user_id="u1"))["nodes"]
    assert [node["label"] for node in nodes if node["kind"] == "person"] == ([name] if name else [])
    profiles = (await world.call("ListMemories", user_id="u1", kinds=["profile"]))["items"]
    assert [f"姓名：{name}" in profile["text"] for profile in profiles] == ([True] if name else [])
    return name


async def test_told_name_is_a_memory_at_once(here: World) -> None:
    told = await tell(here, "王秀英")
    assert (told["name"], told["version"]) == ("王秀英", 1)
    assert await shown(here) == "王秀英"
    assert await names(here) == {"王秀英"}
    (text,) = [item["text"] for item in (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]]
    assert text == "用户的姓名：王秀英"
    again = await tell(here, "王秀英")
    assert again["version"] == 1
    assert len((await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]) == 1


async def test_what_was_said_or_told_last_is_the_name_everywhere(here: World) -> None:
    await said(here, "我叫张伟，今年35岁。", "c1")
    await tell(here, "王秀英")
    assert await shown(here) == "王秀英"
    assert await names(here) == {"王秀英"}
    await said(here, "我不叫王秀英，我叫李娜。", "c2")
    assert await shown(here) == "李娜"
    assert (await tell(here, "王秀英"))["name"] == "王秀英"
    assert await shown(here) == "王秀英"


async def test_told_name_outlives_its_conversation_and_goes_with_its_memory(here: World) -> None:
    await here.write("你好", "您好。", "c1", user_id="u1")
    await tell(here, "王秀英", conversation_id="c1")
    await here.finalize("c1")
    await here.call("ForgetMemory", user_id="u1", conversation_id="c1")
    assert await shown(here) == "王秀英"
    (fact,) = [
        item
        for item in (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
        if item["predicate"] == "name"
    ]
    await here.call("ForgetMemory", user_id="u1", memory_id=fact["memory_id"])
    assert await shown(here) == ""
    assert (await here.store.get_profile(U1)).name == ""
    assert (await tell(here, "王秀英"))["name"] == "王秀英"


async def test_forgetting_what_was_said_leaves_what_was_told(here: World) -> None:
    await tell(here, "王秀英")
    await said(here, "我叫王秀英。", "c1")
    items = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    (own,) = [item for item in items if item["predicate"] == "name" and not item.get("superseded_by")]
    assert own["source"]["conversation_id"] == "c1"
    await here.call("ForgetMemory", user_id="u1", memory_id=own["memory_id"])
    assert await shown(here) == "王秀英"


async def test_name_that_an_older_gateway_kept_is_read(here: World) -> None:
    def kept(profile: Profile) -> Profile:
        return Profile(profile.user_id, version=1, name="王秀英")

    await here.store.update_profile(U1, kept)
    assert (await here.call("GetProfile", user_id="u1"))["name"] == "王秀英"
    await said(here, "我叫李娜。", "c1")
    assert await shown(here) == "李娜"


@pytest.mark.parametrize("name", ["", "x" * 129])
async def test_name_that_is_none_changes_nothing(here: World, name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        ask.UpsertPreferencesRequest(user_id="u1", name=name)
    assert await names(here) == set()
    assert (await here.service.get_profile(EVERYONE, ask.GetProfileRequest(user_id="u1"))).name is None
