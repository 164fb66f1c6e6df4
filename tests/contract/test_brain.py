"""The plug-in brain: sessions that make and end themselves, and what comes of them."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from memory.errors import StoreUnavailable
from memory.model.brain import brain_conversation, is_brain
from memory.scope import UserScope
from memory.service import BrainSettings
from memory.service.memunits import memunit_at
from tests.inprocess import TIMES, World

MakeWorld = Callable[..., Any]
U1 = UserScope("default", "u1")
PLACE = brain_conversation(U1).conversation


async def said(world: World, *texts: str, user: str = "u1") -> dict[str, Any]:
    """Say these; returns the answer to the last."""
    answer: dict[str, Any] = {}
    for text in texts:
        answer = await world.call("ProcessMemory", input=text, user_id=user)
    return answer


async def ended(world: World, user: str = "u1") -> dict[str, Any]:
    answer = await world.call("EndSession", user_id=user)
    await world.work()
    return answer


async def status(world: World, user: str = "u1") -> dict[str, Any]:
    return await world.call("GetSessionStatus", user_id=user)


async def statements(world: World, user: str = "u1") -> list[str]:
    items = (await world.call("ListMemories", user_id=user, kinds=["episode"]))["items"]
    return [memory["text"] for memory in items]


@pytest.fixture
async def brain(make_world: MakeWorld) -> World:
    """A world with recall; the brain searches within its deadline."""
    return await make_world(recall=True)


async def test_seed_10_1_a_dialogue_without_long_term_memory(brain: World) -> None:
    first = await said(brain, "我叫小朱")
    assert first["status"] == "success"
    assert (first["resolved_query"], first["memories"], first["relations"]) == ("我叫小朱", [], [])
    assert first["metadata"]["has_memory"] is False
    third = await said(brain, "我女儿叫灿灿", "她今年几岁了？")
    assert (third["resolved_query"], third["memories"]) == ("灿灿今年几岁了？", [])
    summary = await brain.call("EndSession", user_id="u1")
    assert summary["message"] == "Session ending, consolidation started"
    assert summary["session_info"]["event_count"] == 3
    assert {"duration_seconds", "created_at", "ended_at"} < set(summary["session_info"])
    assert (await status(brain))["state"] == "ending"
    await brain.work()
    assert (await status(brain))["state"] == "ended"
    assert "灿灿是我的女儿" in await statements(brain)
    assert not any("几岁" in text for text in await statements(brain)), "a question is not stored"


async def test_seed_10_2_a_pronoun_is_what_was_spoken_of_last(brain: World) -> None:
    await said(brain, "我喜欢吃桔子")
    await ended(brain)
    found = await said(brain, "桔子熟了", "很甜", "你喜欢吃这个吗？")
    assert found["resolved_query"] == "你喜欢吃桔子吗？"
    assert found["memories"][0]["content"] == "我喜欢吃桔子"
    assert 0 <= found["memories"][0]["score"] <= 1


async def test_seed_10_3_a_session_becomes_sentences_that_stand_alone(brain: World) -> None:
    await said(brain, "我女儿叫灿灿", "她今年5岁", "她喜欢画画", "北京是中国的首都")
    await ended(brain)
    assert await statements(brain) == ["灿灿是我的女儿，今年5岁，喜欢画画"]


async def test_seed_10_4_a_question_across_sessions(brain: World) -> None:
    await said(brain, "我叫小朱", "我女儿叫灿灿", "她今年5岁", "她喜欢画画")
    await ended(brain)
    found = await said(brain, "小朱的女儿喜欢什么？")
    assert found["memories"][0]["content"] == "灿灿是我的女儿，今年5岁，喜欢画画"
    assert {"source": "灿灿", "relation": "喜欢", "target": "画画"} in found["relations"]
    assert {"source": "小朱", "relation": "女儿", "target": "灿灿"} in found["relations"]
    assert found["metadata"]["has_memory"] is True


@pytest.mark.parametrize("how", ["down", "slow"])
async def test_store_that_fails_after_the_search_costs_the_relations_alone(
    brain: World, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """What was said is in the journal by then: a refusal would have it said, and kept, twice."""
    await said(brain, "我女儿叫灿灿", "她今年5岁了")
    await ended(brain)
    whole = await said(brain, "灿灿喜欢什么？")

    async def fails(*_: object, **__: object) -> None:
        if how == "down":
            raise StoreUnavailable
        await asyncio.sleep(60)

    monkeypatch.setattr(type(brain.memories), "facts", fails)
    answer = await said(brain, "灿灿喜欢什么？")
    assert whole["relations"]
    assert [one["content"] for one in answer["memories"]] == [one["content"] for one in whole["memories"]] != []
    assert answer["relations"] == []
    assert answer["metadata"]["degraded"] == ["relations"]
    assert (await status(brain))["session_info"]["event_count"] == 2


async def test_english_is_understood_too(make_world: MakeWorld) -> None:
    world = await make_world(recall=True, locale="en")
    third = await said(world, "My daughter is called Mia.", "She likes drawing.", "How old is she?")
    assert third["resolved_query"] == "How old is Mia?"
    await ended(world)
    assert await statements(world) == ["Mia is my daughter and likes drawing"]
    found = await said(world, "What does my daughter like?")
    assert {"source": "Mia", "relation": "likes", "target": "drawing"} in found["relations"]


@pytest.mark.parametrize(
    "text",
    ["其他的呢？", "其它办法有吗？", "这个月怎么样？", "那个时候他在哪？", "他们好吗？", "小朱是谁？"],
)
async def test_query_is_left_alone_where_nobody_is_meant(brain: World, text: str) -> None:
    """Words that only look like pronouns, no antecedent, and the user's own name."""
    assert (await said(brain, "我叫小朱", text))["resolved_query"] == text


async def test_what_was_said_is_stored_as_it_was_said(brain: World) -> None:
    await said(brain, "我女儿叫灿灿", "她喜欢什么？")
    reading = await brain.sessions.read(brain_conversation(U1), "u1", profile_stamp=b"")
    assert "她喜欢什么？".encode() in reading.live[-1]


async def test_living_session_is_not_answered(brain: World) -> None:
    found = await said(brain, "我喜欢吃桔子", "我喜欢吃什么？")
    assert (found["memories"], found["relations"]) == ([], []), "the caller knows what was said in this session"


async def test_status_and_end_without_a_session(brain: World) -> None:
    assert await status(brain) == {
        "status": "success",
        "has_active_session": False,
        "state": "none",
        "session_info": None,
    }
    answer = await brain.call("EndSession", user_id="u1")
    assert answer == {"status": "success", "message": "No active session", "session_info": None}
    assert brain.jobs.waiting == []


async def test_call_while_the_last_session_is_ending_opens_the_next(brain: World) -> None:
    await said(brain, "我女儿叫灿灿")
    await brain.call("EndSession", user_id="u1")
    assert (await status(brain))["state"] == "ending"
    found = await said(brain, "她几岁了？")
    assert found["resolved_query"] == "她几岁了？", "the new session knows nothing of the one before"
    info = await status(brain)
    assert (info["state"], info["session_info"]["event_count"]) == ("active", 1)
    await brain.work()
    assert await statements(brain) == ["灿灿是我的女儿"]
    assert (await status(brain))["session_info"]["event_count"] == 1


async def test_idle_session_ends_by_itself(brain: World) -> None:
    await said(brain, "我女儿叫灿灿")
    assert 0 < (await status(brain))["session_info"]["time_until_timeout_seconds"] <= 1800
    await brain.expire(PLACE)
    assert (await status(brain))["state"] == "ending"
    await brain.sweep()
    assert (await status(brain))["state"] == "ended"
    assert await statements(brain) == ["灿灿是我的女儿"]


async def test_session_of_24_hours_ends_though_it_is_busy(make_world: MakeWorld) -> None:
    world = await make_world(recall=True, times=replace(TIMES, max_age_ms=1))
    await said(world, "我女儿叫灿灿")
    await asyncio.sleep(0.005)
    assert (await world.sweep()).sealed == 1
    assert (await status(world))["state"] == "ended"


async def test_event_after_the_last_opens_the_next_session(make_world: MakeWorld) -> None:
    world = await make_world(recall=True, brain=BrainSettings(events_max=100))
    for number in range(100):
        await said(world, f"我走了{number}步")
    assert (await status(world))["session_info"]["event_count"] == 100
    assert world.jobs.waiting == []
    await said(world, "我女儿叫灿灿")
    assert (await status(world))["session_info"]["event_count"] == 1
    assert len(world.jobs.waiting) == 1
    await world.work()
    answer = await world.call("GetFinalization", conversation_id=PLACE)
    assert answer["state"] == "ENDED"


@pytest.mark.parametrize("events_max", [7, 20])
async def test_many_at_once_lose_nothing_and_fill_every_session(make_world: MakeWorld, events_max: int) -> None:
    world = await make_world(recall=False, brain=BrainSettings(events_max=events_max))
    texts = [f"我的第{number}句" for number in range(60)]
    await asyncio.gather(*(said(world, text) for text in texts))
    await ended(world)
    units, seq = [], 2
    for _ in range(200):
        unit = await memunit_at(world.store, brain_conversation(U1), seq)
        if unit is not None:
            units.append(unit)
        seq = unit.seq_to + 1 if unit is not None else seq + 1
    contents = [text for unit in units for text in texts if f'"content":"{text}"'.encode() in unit.messages]
    assert sorted(contents) == sorted(texts), "each once"
    assert {unit.turn_to - unit.turn_from + 1 for unit in units[:-1]} <= {events_max}


async def test_debug_shows_every_step_and_stores_nothing(brain: World) -> None:
    await said(brain, "我女儿叫灿灿", "她喜欢画画")
    await ended(brain)
    await said(brain, "我女儿叫灿灿")
    (before,) = await brain.commands.run(("KEYS", "*:{default/brain:u1}*"))
    await brain.background.drain(1)  # being recalled is noted
    known = (await brain.call("ListMemories", user_id="u1"))["items"]
    shown = await brain.call("DebugProcessMemory", input="她喜欢什么？", user_id="u1")
    assert shown["resolved_query"] == "灿灿喜欢什么？"
    assert [step["step"] for step in shown["steps"]] == ["session and resolution", "retrieval", "storage"]
    assert all(step["took_ms"] >= 0 for step in shown["steps"])
    resolution, retrieval, storage = (step["details"] for step in shown["steps"])
    assert "她 -> 灿灿" in resolution["reason"]
    assert retrieval["memories"][0]["scores"]
    assert (storage["privacy"], storage["stored"]) == ("PUBLIC", False)
    await brain.background.drain(1)
    assert sorted((await brain.commands.run(("KEYS", "*:{default/brain:u1}*")))[0]) == sorted(before)
    assert (await status(brain))["session_info"]["event_count"] == 1
    assert (await brain.call("ListMemories", user_id="u1"))["items"] == known


async def test_graph_has_people_things_and_where_each_relation_comes_from(brain: World) -> None:
    await said(brain, "我叫小朱", "我女儿叫灿灿", "她喜欢画画")
    await ended(brain)
    graph = await brain.call("GetUserGraph", user_id="u1")
    assert {node["label"]: node["kind"] for node in graph["nodes"]} == {
        "小朱": "person",
        "灿灿": "person",
        "画画": "thing",
    }
    ids = {memory["memory_id"] for memory in (await brain.call("ListMemories", user_id="u1"))["items"]}
    assert {edge["memory_id"] for edge in graph["edges"]} <= ids
    drawn = await brain.call("GetUserGraph", user_id="u1", format="mermaid")
    assert drawn["text"].startswith("graph LR")


async def test_explain_says_why_an_event_was_not_stored(brain: World) -> None:
    await said(brain, "北京是中国的首都", "她几岁了？")
    await ended(brain)
    reasons = [
        (await brain.call("ExplainMemory", user_id="u1", conversation_id=PLACE, seq=seq))["reasons"] for seq in (2, 3)
    ]
    assert reasons == [["not stored: public"], ["not stored: question"]]


async def test_brain_of_another_user_or_tenant_is_apart(brain: World) -> None:
    await said(brain, "我女儿叫灿灿")
    assert (await said(brain, "她几岁了？", user="u2"))["resolved_query"] == "她几岁了？"
    assert (await status(brain))["session_info"]["event_count"] == 1


def test_conversation_of_every_user_is_their_own_and_an_id() -> None:
    names = ["u", "u" * 122, "u" * 123, "u" * 128, "brain:u", "u" * 127 + "v"]
    conversations = {brain_conversation(UserScope("t", name)).conversation for name in names}
    assert len(conversations) == len(names)
    assert all(is_brain(each) and len(each) <= 128 for each in conversations)
    assert not is_brain("brainstorm")
