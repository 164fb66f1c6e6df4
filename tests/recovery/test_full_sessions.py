"""A session that is full is followed by the next one: nothing is lost, and no caller need know."""

import asyncio
import json
from dataclasses import replace

import pytest
from kit import CALLER, Kit, NoQueue, context, end, kept, say, scope
from processes import both

from memory.errors import IdempotencyConflict, RevisionConflict
from memory.model.requests import GetSessionRequest, UpdateGlobalStateRequest
from memory.model.responses import WriteResponse
from memory.service import MemoryService
from tests.waiting import eventually

TURNS = 4


@pytest.fixture
def small(kit: Kit) -> Kit:
    """Sessions of four turns."""
    return replace(kit, turns_max=TURNS)


async def fill(service: MemoryService, turns: int) -> list[tuple[int, int]]:
    """Write so many turns; (turn_count, rev) of each answer."""
    answers = [await say(service, "c", str(number), user_id="u") for number in range(turns)]
    return [(answer.turn_count, answer.rev) for answer in answers]


async def remembered(kit: Kit, jobs: NoQueue) -> list[list[str]]:
    """What the sessions that have ended leave in memory, oldest first."""
    finaliser = kit.finaliser()
    for key in sorted(set(jobs.keys), key=lambda key: key.number):
        assert await finaliser.run(key)
    return kept(kit).get("c", [])


@pytest.mark.parametrize("turns", [TURNS - 1, TURNS, TURNS + 1, 3 * TURNS + 1])
async def test_session_takes_as_many_turns_as_it_may_and_the_next_write_opens_the_next(small: Kit, turns: int) -> None:
    jobs = NoQueue()
    service = small.service(jobs)
    wanted = [(number % TURNS + 1, number % TURNS + 1) for number in range(turns)]
    assert await fill(service, turns) == wanted
    assert len(set(jobs.keys)) == (turns - 1) // TURNS
    texts = [str(number) for number in range(turns)]
    ended = (turns - 1) // TURNS * TURNS
    found = json.loads((await context(service, "c")).encode())
    assert found["resumed"] is bool(ended)
    assert [m["content"] for m in found["messages"]][-2 * (turns - ended) :] == both(texts[ended:])
    parts = await remembered(small, jobs)
    assert parts == [both(texts[begin : begin + TURNS]) for begin in range(0, ended, TURNS)]


async def test_session_that_is_full_by_bytes_is_followed(kit: Kit) -> None:
    jobs = NoQueue()
    service = replace(kit, bytes_max=2_000).service(jobs)
    counts = [(await say(service, "c", "x" * 700)).turn_count for _ in range(4)]
    assert counts == [1, 2, 1, 2], "two turns are more than 2,000 bytes"
    assert len(set(jobs.keys)) == 1


async def test_next_session_starts_with_the_last_turns_and_the_working_state(small: Kit) -> None:
    service = small.service(NoQueue())
    state = UpdateGlobalStateRequest(
        conversation_id="c", agent_code="triage", entities={"disease": "flu"}, slot={"step": 2}, current_intent="book"
    )
    await say(service, "c", "0", user_id="u")
    await service.update_global_state(CALLER, state)
    for number in range(1, TURNS + 1):
        await say(service, "c", str(number))
    session = await service.get_session(CALLER, GetSessionRequest(conversation_id="c", agent_code="triage"))
    assert session.session is not None
    found = session.session.global_state
    assert (found.entities["disease"], found.current_intent) == ("flu", "book")
    assert found.agent_slots == {"triage": {"step": 2}}
    messages = json.loads((await context(service, "c")).encode())["messages"]
    assert [message["content"] for message in messages] == both([str(number) for number in range(TURNS + 1)])


async def test_idempotency_key_at_the_edge_is_one_effect(small: Kit) -> None:
    jobs = NoQueue()
    service = small.service(jobs)
    await fill(service, TURNS - 1)
    last = await say(service, "c", "last", idempotency_key="last")
    first = await say(service, "c", "first", idempotency_key="first")
    assert (last.turn_count, first.turn_count) == (TURNS, 1)
    for key, answer in (("last", last), ("first", first)):
        again = await say(service, "c", key, idempotency_key=key)
        assert (again.seq, again.rev, again.replayed) == (answer.seq, answer.rev, True)
    with pytest.raises(IdempotencyConflict):
        await say(service, "c", "another", idempotency_key="last")
    assert len(set(jobs.keys)) == 1


async def test_if_rev_of_a_full_session_is_right_for_one_write_and_no_other(small: Kit) -> None:
    service = small.service(NoQueue())
    *_, (_, rev) = await fill(service, TURNS)
    with pytest.raises(RevisionConflict):
        await say(service, "c", "stale", if_rev=rev - 1)
    outcomes = await asyncio.gather(
        *(say(service, "c", f"at once {number}", if_rev=rev) for number in range(4)), return_exceptions=True
    )
    written = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
    assert [(one.turn_count, one.rev) for one in written] == [(1, 1)]
    assert all(isinstance(one, RevisionConflict) for one in outcomes if one not in written)


async def test_writes_at_once_over_many_edges_lose_nothing_and_double_nothing(small: Kit) -> None:
    jobs = NoQueue()
    service = small.service(jobs)
    turns = 10 * TURNS
    answers = await asyncio.gather(*(one_of_many(service, number) for number in range(turns)))
    assert len({answer.seq for answer in answers}) == turns
    await end(service, "c")
    said = [text for part in await remembered(small, jobs) for text in part]
    assert sorted(said) == sorted(both([str(number) for number in range(turns)]))


async def one_of_many(service: MemoryService, number: int) -> WriteResponse:
    return await say(service, "c", str(number), user_id="u", idempotency_key=str(number))


async def test_process_that_dies_right_after_the_edge_leaves_the_full_session_to_the_sweeper(small: Kit) -> None:
    """It has sealed it and opened the next, and never gets to queue a job."""
    jobs = NoQueue()
    service = small.service(jobs)
    await fill(service, TURNS)
    assert await service._writer._opener.follow(scope("c"))
    assert not jobs.keys
    sweeper = small.sweeper(jobs)

    async def found() -> bool:
        await sweeper.sweep()
        return bool(jobs.keys)

    await eventually(found, "the sweeper finds it")
    assert await remembered(small, jobs) == [both([str(number) for number in range(TURNS)])]
