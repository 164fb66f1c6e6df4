"""Who waits for a finalisation is told when it is over, and asks nothing meanwhile."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from memory.errors import InvariantBroken
from memory.scope import ConversationScope
from tests.inprocess import World

WAITERS = 50
QUIET_S = 0.3
PATIENCE_MS = 20_000


class Counted:
    """How many groups of commands the session store has been sent."""

    def __init__(self, here: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.groups = 0
        for name in ("run", "run_packed"):
            monkeypatch.setattr(here.commands, name, self._counting(getattr(here.commands, name)))

    def _counting(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any) -> Any:
            self.groups += 1
            return call(*args)

        return counted

    async def during(self, seconds: float) -> int:
        """Of a stretch of time."""
        before = self.groups
        await asyncio.sleep(seconds)
        return self.groups - before


async def who_wait(here: World, conversation: str) -> list["asyncio.Task[Any]"]:
    await here.write("头痛", "多久了", conversation, user_id="u")
    asked = {"conversation_id": conversation, "wait_ms": PATIENCE_MS}
    return [asyncio.create_task(here.call("FinalizeSessionMemory", **asked)) for _ in range(WAITERS)]


async def test_waiting_for_a_finalization_asks_nothing_and_ends_with_it(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(here, monkeypatch)
    tasks = await who_wait(here, "c")
    while await counted.during(QUIET_S):  # each looks once, and the session is sealed
        assert not any(task.done() for task in tasks)

    assert await counted.during(QUIET_S) == 0
    await here.work()
    answers = await asyncio.gather(*tasks)

    assert {answer["state"] for answer in answers} == {"ENDED"}


async def test_waiting_ends_when_the_finalization_is_given_up(here: World) -> None:
    await here.write("头痛", "多久了", "c", user_id="u")
    waiting = asyncio.create_task(here.call("FinalizeSessionMemory", conversation_id="c", wait_ms=PATIENCE_MS))
    while not here.jobs.waiting:
        await asyncio.sleep(0)
    (key,) = here.jobs.waiting
    attempt = await here.sessions.start_attempt(key)
    assert attempt is not None
    await here.sessions.give_up(key, attempt.fence, str(InvariantBroken("the disk is on fire")))

    assert (await waiting)["state"] == "FAILED"


async def test_waiting_beyond_its_time_says_that_it_goes_on(here: World) -> None:
    await here.write("头痛", "多久了", "c", user_id="u")

    answer = await here.call("FinalizeSessionMemory", conversation_id="c", wait_ms=50)

    assert answer["state"] == "ENDING"
    assert here.jobs.waiting[0].scope == ConversationScope("default", "c")


async def test_waiting_for_one_conversation_hears_nothing_of_others(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(here, monkeypatch)
    tasks = await who_wait(here, "c")
    while await counted.during(QUIET_S):
        pass
    (key,) = here.jobs.waiting
    here.jobs.waiting.clear()
    await here.write("头痛", "多久了", "other", user_id="u")
    await here.finalize("other")
    before = counted.groups
    await here.write("还疼吗", "疼", "another", user_id="u")
    own = counted.groups - before

    assert own < WAITERS
    assert not any(task.done() for task in tasks)
    here.jobs.waiting.append(key)
    await here.work()
    await asyncio.gather(*tasks)
