"""How sessions end when nothing goes wrong."""

import asyncio
import json

import pytest
from kit import CALLER, Kit, NoQueue, context, end, kept, say, scope, where
from processes import (
    RedisServer,
    both,
    lists,
    units,
)

from memory.consolidation.boundaries import BoundarySettings
from memory.consolidation.memunit import UnitMaker, UnitSettings
from memory.errors import NotFound
from memory.model.finalization import FinalizationKey
from memory.model.lifecycle import SessionState
from memory.model.memunit import MemUnit
from memory.model.requests import CreateShortMemoryRequest


async def test_finalization_of_an_empty_session_is_skipped(kit: Kit, redis_server: RedisServer) -> None:
    jobs = NoQueue()
    service = kit.service(jobs)
    await service.create_short_memory(CALLER, CreateShortMemoryRequest(conversation_id="empty", user_id="user_1"))
    answer = await end(service, "empty")
    assert (answer.state, answer.skipped, answer.memory_ids) == (SessionState.ENDED, "empty", [])
    assert (await where(service, "empty")).skipped == "empty"
    assert jobs.keys == []
    assert units(kit.data) == []
    with redis_server.client() as client:
        assert not lists(client, "journal", "archive", "records", "sealed")


async def test_finalization_of_a_resumed_session_without_a_new_word_is_skipped(kit: Kit) -> None:
    jobs = NoQueue()
    service = kit.service(jobs)
    await say(service, "back", "1")
    await end(service, "back")
    await kit.finaliser().run(jobs.keys.pop())
    create = CreateShortMemoryRequest(conversation_id="back", user_id="user_1")
    assert (await service.create_short_memory(CALLER, create)).resumed
    await end(service, "back")
    assert jobs.keys == []
    assert kept(kit) == {"back": [both(["1"])]}


async def test_finalization_with_a_given_summary_stores_and_resumes_with_it(kit: Kit) -> None:
    jobs = NoQueue()
    service = kit.service(jobs)
    await say(service, "summed", "1")
    await end(service, "summed", summary="the user has a headache")
    await kit.finaliser().run(jobs.keys[0])
    (unit,) = units(kit.data)
    assert "the user has a headache" in unit["summary"]
    await say(service, "summed", "2")
    found = json.loads((await context(service, "summed")).encode())
    assert found["resumed"] is True
    assert "the user has a headache" in found["summary"]


async def test_finalization_asked_twice_has_one_effect(kit: Kit) -> None:
    jobs = await kit.docket()
    service = kit.service(jobs)
    await say(service, "twice", "1")
    answers = await asyncio.gather(*(end(service, "twice", wait_ms=10_000) for _ in range(8)))
    assert {answer.state for answer in answers} == {SessionState.ENDED}
    assert len({answer.finalization_id for answer in answers}) == 1
    assert await end(service, "twice") == answers[0]
    assert kept(kit) == {"twice": [both(["1"])]}


async def test_finalization_of_an_unknown_conversation_is_not_found(kit: Kit) -> None:
    service = kit.service(NoQueue())
    with pytest.raises(NotFound):
        await end(service, "nobody")
    with pytest.raises(NotFound):
        await where(service, "nobody")
    await say(service, "alive", "1")
    with pytest.raises(NotFound):
        await where(service, "alive")


async def test_finalization_under_way_lets_a_write_open_the_next_session(kit: Kit) -> None:
    jobs = NoQueue()
    service = kit.service(jobs)
    await say(service, "next", "1", user_id="user_1")
    ending = await end(service, "next")
    assert ending.state is SessionState.ENDING
    written = await say(service, "next", "2", user_id="user_1")
    assert (written.rev, written.turn_count) == (1, 1)
    found = json.loads((await context(service, "next")).encode())
    assert (found["session_state"], found["resumed"], found["turn_count"]) == ("ACTIVE", True, 1)
    assert [message["content"] for message in found["messages"]] == both(["1", "2"])
    assert (await where(service, "next")) == ending
    await end(service, "next")
    for key in reversed(list(dict.fromkeys(jobs.keys))):
        assert await kit.finaliser().run(key)
    assert kept(kit) == {"next": [both(["1"]), both(["2"])]}
    sessions = units(kit.data)
    assert sessions[0]["seq_to"] < sessions[1]["seq_from"]


async def only_unit(kit: Kit, key: FinalizationKey, *, piece: int) -> MemUnit:
    """Made of the journal, so many messages at a time."""
    journal = await kit.sessions.sealed_head(key)
    assert journal is not None
    maker = UnitMaker(key, journal, UnitSettings(12_000, "zh", BoundarySettings()))
    for first in range(0, journal.length, piece):
        assert not maker.add(await kit.sessions.sealed_messages(key, first, piece))
    ((unit, entries),) = maker.end()
    assert entries == journal.length
    return unit


async def test_finalization_is_built_from_the_journal_alone_and_the_same_each_time(kit: Kit) -> None:
    jobs = NoQueue()
    service = kit.service(jobs)
    for number in range(5):
        await say(service, "pure", str(number))
    await end(service, "pure")
    (key,) = jobs.keys
    first = await only_unit(kit, key, piece=100)
    await kit.sessions.start_attempt(key)
    second = await only_unit(kit, key, piece=3)
    assert (first.unit_id, first.content_hash()) == (second.unit_id, second.content_hash())
    assert first.scope == scope("pure")
