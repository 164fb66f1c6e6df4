"""ReplayFinalization finds a failed session however much else waits."""

from typing import Any

import pytest
from pydantic import ValidationError

from memory.errors import NotFound
from memory.model.finalization import FinalizationKey
from memory.scope import ConversationScope
from memory.session.times import rfc3339
from memory.stores.redis.keys import UNFINISHED, SealedKeys
from tests.inprocess import World

OTHERS = 1_200
PLACE = ConversationScope("default", "last")


async def fail(here: World, conversation: str) -> FinalizationKey:
    """A session whose only attempt gave up."""
    await here.write("头痛", "多久了", conversation, user_id="u")
    outcome = await here.sessions.seal(ConversationScope("default", conversation), force=True, cause="asked")
    key = FinalizationKey(ConversationScope("default", conversation), outcome.sealed or 0)
    attempt = await here.sessions.start_attempt(key)
    assert attempt is not None
    assert await here.sessions.give_up(key, attempt.fence, "the disk is on fire")
    return key


async def fill(here: World) -> None:
    """As many others that wait, all listed before."""
    commands: list[tuple[Any, ...]] = []
    for number in range(OTHERS):
        key = FinalizationKey(ConversationScope("default", f"other{number}"), 0)
        fields = ("state", "ENDING", "fence", 0, "attempts", 0, "cause", "idle", "user", "u", "sealed", 1)
        commands += [
            ("HSET", SealedKeys.of(key).finalization, *fields),
            ("EXPIRE", SealedKeys.of(key).finalization, 600),
            ("ZADD", UNFINISHED, 0, str(key)),
        ]
    await here.commands.run(*commands)


async def test_replay_of_a_session_behind_a_thousand_others_finds_it(here: World) -> None:
    key = await fail(here, "last")
    await fill(here)

    answer = await here.call("ReplayFinalization", conversation_id="last")

    assert answer["replayed"] == [key.finalization_id]
    assert here.jobs.waiting == [key]
    assert (await here.call("GetFinalization", conversation_id="last"))["state"] == "ENDING"
    with pytest.raises(NotFound):
        await here.call("ReplayFinalization", conversation_id="last")


async def test_replay_of_one_of_two_failed_sessions_leaves_the_other(here: World) -> None:
    first, second = await fail(here, "last"), await fail(here, "last")

    answer = await here.call("ReplayFinalization", conversation_id="last", finalization_id=second.finalization_id)

    assert answer["replayed"] == [second.finalization_id]
    assert await here.sessions.failed(PLACE) == [first]


async def test_list_of_the_unfinished_drops_what_has_ended_and_stops_at_its_limit(here: World) -> None:
    await fill(here)
    gone = SealedKeys.of(FinalizationKey(ConversationScope("default", "other7"), 0)).finalization
    await here.commands.run(("DEL", gone))

    listed = await here.call("ListFinalizations", limit=1000)

    assert len(listed["finalizations"]) == 1000
    assert (await here.commands.run(("ZCARD", UNFINISHED)))[0] == OTHERS - 1


async def pages(here: World, **asked: Any) -> list[list[dict[str, Any]]]:
    found, cursor = [], ""
    while True:
        page = await here.call("ListFinalizations", cursor=cursor, **asked)
        found.append(page["finalizations"])
        cursor = page["cursor"]
        if not cursor:
            return found


async def test_list_of_the_unfinished_comes_in_pages_each_once_and_in_order(here: World) -> None:
    """All of them ended in the same moment but one; one becomes memory while somebody is turning the pages."""
    await fill(here)
    key = await fail(here, "last")
    first = await here.call("ListFinalizations", limit=7)
    gone = first["finalizations"][-1]["conversation_id"]
    await here.commands.run(("DEL", SealedKeys.of(FinalizationKey(ConversationScope("default", gone), 0)).finalization))
    rest = await here.call("ListFinalizations", limit=1000, cursor=first["cursor"])
    last = await here.call("ListFinalizations", limit=1000, cursor=rest["cursor"])

    every = [each["conversation_id"] for page in (first, rest, last) for each in page["finalizations"]]
    assert (len(rest["finalizations"]), last["cursor"]) == (1000, "")
    assert every == [*sorted(f"other{number}" for number in range(OTHERS)), key.scope.conversation]


async def test_page_that_is_just_full_is_the_last(here: World) -> None:
    await fail(here, "one")
    await fail(here, "two")
    assert [len(page) for page in await pages(here, limit=2)] == [2]
    assert [len(page) for page in await pages(here, limit=1)] == [1, 1]


async def test_list_of_what_failed_says_whose_it_is_and_why_and_since_when(here: World) -> None:
    await fill(here)
    key = await fail(here, "last")

    ((failed,),) = await pages(here, state="FAILED")

    ended = await here.sessions.finalization(key)
    assert ended is not None
    assert {name: failed[name] for name in ("finalization_id", "state", "user_id", "cause", "reason", "sealed_at")} == {
        "finalization_id": key.finalization_id,
        "state": "FAILED",
        "user_id": "u",
        "cause": "asked",
        "reason": "the disk is on fire",
        "sealed_at": rfc3339(ended.sealed_ms),
    }
    assert sum(map(len, await pages(here, state="ENDING", limit=500))) == OTHERS


@pytest.mark.parametrize(
    "cursor", ["x", "1", "1.", ".c", "-1.c", "1.a b", "12345678901234567.c", f"1.{'c' * 129}", "1.c\n"]
)
async def test_cursor_of_the_unfinished_that_no_answer_gave_is_refused(here: World, cursor: str) -> None:
    with pytest.raises(ValidationError):
        await here.call("ListFinalizations", cursor=cursor)
