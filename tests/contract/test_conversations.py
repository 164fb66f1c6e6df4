"""Looks at conversations: which a user has, and what was said and done in one, over all its sessions."""

from typing import Any

import pytest

from memory.errors import NotFound
from memory.model.caller import Caller
from tests.inprocess import World

STRANGER = Caller("elsewhere", frozenset({"read"}))


async def lived(here: World) -> None:
    """A conversation of two sessions, the first in memory; one of another user; one that only lives."""
    for text in ("我头痛三天了。", "还有点发烧。"):
        await here.write(text, "好的。", "c", user_id="u1", agent_code="triage")
    await here.finalize("c")
    await here.write("现在好多了。", "那就好。", "c", user_id="u1")
    await here.write("I have a cough.", "Since when?", "of_u2", user_id="u2")
    await here.write("我想改预约。", "改到哪天？", "alive", user_id="u1")


async def whole(here: World, limit: int = 3, **asked: Any) -> list[dict[str, Any]]:
    """The timeline of c, read in pages."""
    found, after = list[dict[str, Any]](), 0
    while True:
        page = await here.call("GetTimeline", conversation_id="c", after_seq=after, limit=limit, **asked)
        found += page["entries"]
        if "next_after_seq" not in page:
            return found
        assert page["next_after_seq"] > after
        after = page["next_after_seq"]


async def test_a_timeline_goes_over_all_sessions_in_order(here: World) -> None:
    await lived(here)
    entries = await whole(here)
    said = [each["content"] for each in entries if each["type"] == "message"]
    assert said == ["我头痛三天了。", "好的。", "还有点发烧。", "好的。", "现在好多了。", "那就好。"]
    assert [each["seq"] for each in entries] == sorted(each["seq"] for each in entries)
    (unit,) = [each for each in entries if each["type"] == "memunit"]
    assert await here.call("GetMemUnit", user_id="u1", unit_id=unit["unit_id"])
    assert entries == await whole(here, 500), "pages leave out nothing and show nothing twice"
    head = (await here.call("GetTimeline", conversation_id="c"))["head"]
    assert (head["state"], head["turns"], head["mode"]) == ("ACTIVE", 3, "SUMMARY_N")


async def test_a_timeline_shows_what_waits_for_memory_and_what_was_done(here: World) -> None:
    await here.write("我头痛三天了。", "好的。", "c", user_id="u1")
    await here.call("CheckpointShortMemory", conversation_id="c", summary="头痛三天", recent_turns=1)
    await here.call("UpsertPreferences", conversation_id="c", user_id="u1", preferences={"language": "zh"})
    before = await whole(here)
    assert {each["type"] for each in before} == {"message", "checkpoint", "preferences"}
    (checkpoint,) = [each for each in before if each["type"] == "checkpoint"]
    assert (checkpoint["summary"], checkpoint["recent_turns"]) == ("头痛三天", 1)
    await here.call("FinalizeSessionMemory", conversation_id="c")
    head = (await here.call("GetTimeline", conversation_id="c"))["head"]
    assert (head["state"], head["turns"], head["messages"]) == ("ENDING", 1, 3)
    assert await whole(here) == before, "sealed, and not in memory yet"
    await here.work()
    after = await whole(here)
    assert [each["content"] for each in after if each["type"] == "message"] == ["我头痛三天了。", "好的。"]
    assert (await here.call("GetTimeline", conversation_id="c"))["head"]["state"] == "ENDED"


@pytest.mark.parametrize("sessions", [1, 2])
async def test_a_conversation_that_waits_for_memory_has_all_its_turns(here: World, sessions: int) -> None:
    for _ in range(sessions - 1):
        await here.write("我头痛三天了。", "好的。", "c", user_id="u1")
        await here.finalize("c")
    for _ in range(2):
        await here.write("还有点发烧。", "好的。", "c", user_id="u1")
    (living,) = (await here.call("ListConversations", user_id="u1"))["items"]
    reached = (living["turns"], living["messages"])
    assert living["turns"] == sessions + 1

    async def stands() -> tuple[str, int, int]:
        (found,) = (await here.call("ListConversations", user_id="u1"))["items"]
        return found["state"], found["turns"], found["messages"]

    await here.expire("c")
    assert await stands() == ("ENDING", *reached), "expired"
    await here.call("FinalizeSessionMemory", conversation_id="c")
    assert await stands() == ("ENDING", *reached), "sealed"
    await here.work()
    assert await stands() == ("ENDED", *reached), "in memory"


READ = {
    "string": ("GET",),
    "list": ("LRANGE", 0, -1),
    "hash": ("HGETALL",),
    "zset": ("ZRANGE", 0, -1, "WITHSCORES"),
    "set": ("SMEMBERS",),
}


async def everything(here: World) -> dict[bytes, Any]:
    """What the session store holds, by its keys."""
    (keys,) = await here.commands.run(("KEYS", "*"))
    found = {}
    for key in keys:
        (kind,) = await here.commands.run(("TYPE", key))
        name, *rest = READ[kind.decode() if isinstance(kind, bytes) else str(kind)]
        (value,) = await here.commands.run((name, key, *rest))
        found[key] = sorted(value) if name == "SMEMBERS" else value
    return found


async def test_a_look_changes_nothing(here: World) -> None:
    await lived(here)
    await here.background.drain(5)
    before, memories = await everything(here), await here.call("ListMemories", user_id="u1")
    for _ in range(3):
        await whole(here)
        await here.call("ListConversations", user_id="u1")
        for order in ("active", "name"):
            await here.call("ListUsers", order=order, prefix="u")
    assert await everything(here) == before
    assert await here.call("ListMemories", user_id="u1") == memories


async def test_conversations_of_a_user_are_listed_as_they_stand(here: World) -> None:
    await lived(here)
    listed = await here.call("ListConversations", user_id="u1")
    assert [(each["conversation_id"], each["state"]) for each in listed["items"]] == [
        ("alive", "ACTIVE"),
        ("c", "ACTIVE"),
    ]
    assert (listed["total"], listed["cursor"]) == (2, "")
    await here.finalize("c")
    (ended,) = (await here.call("ListConversations", user_id="u1", state="ENDED"))["items"]
    assert (ended["conversation_id"], ended["turns"]) == ("c", 3)
    assert ended["started_at"] <= ended["updated_at"]
    first = await here.call("ListConversations", user_id="u1", limit=1)
    rest = await here.call("ListConversations", user_id="u1", limit=1, cursor=first["cursor"])
    assert [each["conversation_id"] for each in (*first["items"], *rest["items"])] == ["alive", "c"]
    assert rest["cursor"] == ""


async def test_what_is_anothers_is_not_there(here: World) -> None:
    await lived(here)
    for asked in ({"user_id": "u2"}, {}):
        caller = STRANGER if not asked else None
        with pytest.raises(NotFound):
            await here.call("GetTimeline", *([caller] if caller else []), conversation_id="c", **asked)
    with pytest.raises(NotFound):
        await here.call("GetTimeline", conversation_id="never")
    assert (await here.call("ListConversations", STRANGER, user_id="u1"))["items"] == []
    await here.call("ForgetMemory", user_id="u1", conversation_id="c")
    with pytest.raises(NotFound):
        await here.call("GetTimeline", conversation_id="c")
    assert [each["conversation_id"] for each in (await here.call("ListConversations", user_id="u1"))["items"]] == [
        "alive"
    ]


async def test_what_has_expired_is_its_owners_alone(here: World) -> None:
    await here.write("我有艾滋病。", "好的。", "c", user_id="u1")
    await here.expire("c")
    assert [each["content"] for each in await whole(here, user_id="u1")] == ["我有艾滋病。", "好的。"]
    with pytest.raises(NotFound):
        await here.call("GetTimeline", conversation_id="c", user_id="u2")
    assert [each["conversation_id"] for each in (await here.call("ListConversations", user_id="u1"))["items"]] == ["c"]
    assert (await here.call("ListConversations", user_id="u2"))["items"] == []


async def test_of_a_conversation_of_two_each_sees_their_own_part(here: World) -> None:
    await here.write("我头痛。", "好的。", "c", user_id="u1")
    await here.finalize("c")
    await here.write("我有艾滋病。", "好的。", "c", user_id="u2")

    async def said(user: str) -> list[str]:
        return [each["content"] for each in await whole(here, user_id=user) if each["type"] == "message"]

    for _ in ("while it lives", "when it has expired"):
        assert (await said("u1"), await said("u2")) == (["我头痛。", "好的。"], ["我有艾滋病。", "好的。"])
        for user in ("u1", "u2"):
            (item,) = (await here.call("ListConversations", user_id=user))["items"]
            assert "艾滋病" not in str(item) or user == "u2"
        await here.expire("c")


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5])
async def test_small_pages_leave_nothing_out(here: World, limit: int) -> None:
    for number in range(3):
        await here.write(f"第{number}次，我头痛。", "好的。", "c", user_id="u1")
        await here.finalize("c")
    assert await whole(here, limit) == await whole(here, 500)
