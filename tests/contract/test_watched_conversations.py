"""What a watch of a conversation is told: another revision after every change, none after a look."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from memory.errors import NotFound
from memory.model.caller import Caller
from memory.model.conversation_calls import ConversationChanged, WatchConversationRequest
from tests.inprocess import EVERYONE, World

STRANGER = Caller("elsewhere", frozenset({"read"}))
Step = Callable[[World], Awaitable[Any]]


async def watched(here: World, caller: Caller = EVERYONE, **asked: Any) -> ConversationChanged | None:
    request = WatchConversationRequest.model_validate({"conversation_id": "c", **asked})
    return await here.service.watch_conversation(caller, request)


async def stands(here: World, **asked: Any) -> ConversationChanged:
    found = await watched(here, **asked)
    assert found is not None
    return found


async def said(here: World) -> None:
    await here.write("我头痛三天了。", "好的。", "c", user_id="u1")


CHANGES: dict[str, Step] = {
    "a turn": said,
    "a checkpoint": lambda here: here.call("CheckpointShortMemory", conversation_id="c", summary="头痛三天"),
    "the working state": lambda here: here.call("UpdateGlobalState", conversation_id="c", entities={"dept": "内科"}),
    "what a caller notes": lambda here: here.call(
        "UpsertPreferences", conversation_id="c", user_id="u1", preferences={"language": "zh"}
    ),
    "its end": lambda here: here.call("FinalizeSessionMemory", conversation_id="c"),
    "its way into memory": lambda here: here.work(),
    "the next session": said,
    "its expiry": lambda here: here.expire("c"),
    "the end of what expired": lambda here: here.sweep(),
    "a session without words": lambda here: here.call("CreateShortMemory", conversation_id="c", user_id="u1"),
    "its expiry, too": lambda here: here.expire("c"),
    "its end, which leaves no trace": lambda here: here.sweep(),
}
"""In this order."""


async def test_every_change_of_a_conversation_is_another_revision(here: World) -> None:
    await said(here)
    before = await stands(here)
    seen = {before.revision}
    for what, change in CHANGES.items():
        await change(here)
        now = await stands(here, since=before.revision)
        assert now.revision not in seen, what
        seen.add(now.revision)
        before = now


async def test_an_event_says_how_it_stands_without_a_word_of_what_was_said(here: World) -> None:
    await said(here)
    living = (await stands(here)).model_dump()
    assert {name: living[name] for name in ("state", "rev", "seq", "turn_count", "mode")} == {
        "state": "ACTIVE",
        "rev": 1,
        "seq": 3,
        "turn_count": 1,
        "mode": "FULL_HISTORY",
    }
    assert living["expires_at"] > living["updated_at"]
    await here.call("FinalizeSessionMemory", conversation_id="c", summary="头痛三天")
    ending = (await stands(here)).model_dump()
    assert (ending["state"], "rev" in ending, "expires_at" in ending) == ("ENDING", False, False)
    await here.work()
    ended = await stands(here)
    assert (ended.state, ended.finalization_id) == ("ENDED", ending["finalization_id"])
    assert "头痛" not in ended.model_dump_json()


async def test_a_look_at_it_is_no_change_and_a_known_revision_is_not_told_again(here: World) -> None:
    await said(here)
    revision = (await stands(here)).revision
    for operation in ("GetTimeline", "GetSession", "QueryMemoryContext"):
        await here.call(operation, conversation_id="c")
    await stands(here)
    assert await watched(here, since=revision) is None
    assert (await here.call("GetTimeline", conversation_id="c"))["revision"] == revision


async def test_a_failed_session_that_is_replayed_is_another_revision_each_time(here: World) -> None:
    await said(here)
    await here.call("FinalizeSessionMemory", conversation_id="c")
    (key,) = here.jobs.waiting
    revisions = [(await stands(here)).revision]
    attempt = await here.sessions.start_attempt(key)
    assert attempt is not None
    await here.sessions.give_up(key, attempt.fence, "for a test")
    failed = await stands(here)
    assert failed.state == "FAILED"
    revisions.append(failed.revision)
    assert await here.sessions.replay(key)
    assert (await stands(here)).state == "ENDING"
    await here.work()
    revisions.append((await stands(here)).revision)
    assert len(set(revisions)) == 3


@pytest.mark.parametrize(("caller", "asked"), [(STRANGER, {}), (EVERYONE, {"user_id": "u2"})], ids=["tenant", "user"])
async def test_a_stranger_is_told_what_is_told_of_no_conversation(
    here: World, caller: Caller, asked: dict[str, Any]
) -> None:
    await said(here)
    with pytest.raises(NotFound) as refused:
        await watched(here, caller, **asked)
    with pytest.raises(NotFound) as absent:
        await watched(here, conversation_id="nobodys")
    assert refused.value.detail == absent.value.detail
    assert (await stands(here, user_id="u1")).state == "ACTIVE"


async def test_who_watches_what_is_forgotten_is_told_that_there_is_no_such_conversation(here: World) -> None:
    await said(here)
    revision = (await stands(here)).revision
    await here.call("ForgetMemory", user_id="u1")
    with pytest.raises(NotFound):
        await watched(here, since=revision)
