"""ReplayFinalization finds a failed session however much else waits."""

from typing import Any

import pytest

from memory.errors import NotFound
from memory.model.finalization import FinalizationKey
from memory.scope import ConversationScope
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
