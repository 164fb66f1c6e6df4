"""An answer says what its agent was given of what is remembered: by ids, once, and nothing of what it was not."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from memory.errors import NotFound, StoreUnavailable
from memory.model.session import Given, Mode
from memory.scope import ConversationScope
from memory.stores.redis.keys import ConversationKeys, given_key
from memory.stores.redis.sessions import RedisSessions
from tests.inprocess import World

MakeWorld = Callable[..., Any]
ASKED = "火锅，你还记得我说过什么吗？"
WHO = {"user_id": "u1"}
KEY = given_key(ConversationScope("default", "c"))


@pytest.fixture
async def here(make_world: MakeWorld) -> World:
    return await remembered(make_world)


async def remembered(make_world: MakeWorld) -> World:
    """Somebody of whom a liking and an allergy are remembered."""
    world: World = await make_world(recall=True)
    await world.write("我特别喜欢吃四川火锅，对青霉素过敏。", "不错。", user_id="u1", conversation="before")
    await world.finalize("before")
    return world


async def asked(here: World, query: str = ASKED, **fields: Any) -> dict[str, Any]:
    """The answer, once what was given is noted."""
    answer = await here.query("c", query=query, **(WHO | fields))
    await here.background.drain(5)
    return answer


async def answers(here: World, conversation: str = "c") -> list[dict[str, Any] | None]:
    """What was given for each message of an agent."""
    found = await here.call("GetTimeline", conversation_id=conversation)
    return [each.get("given") for each in found["entries"] if each.get("role") == "assistant"]


def named(answer: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The ids of what stood in a context."""
    memories = [each["memory_id"] for each in answer["memories"]]
    return memories, [each["fact_id"] for each in answer["safety"]["details"]]


async def test_the_answer_says_what_stood_in_the_context_before_it(here: World) -> None:
    given = await asked(here, agent_code="cook")
    memories, facts = named(given)
    assert memories
    assert facts
    await here.write(ASKED, "你喜欢四川火锅。", **WHO, agent_code="cook")
    (first,) = await answers(here)
    assert first is not None
    assert (first["memory_ids"], first["fact_ids"]) == (memories, facts)
    assert (first["mode"], first["tokens"], first["agent_code"]) == (given["mode"], given["estimated_tokens"], "cook")
    assert "from_seq" not in first, "nothing was said before"
    again = await asked(here, "火锅辣不辣？")
    await here.write("火锅辣不辣？", "辣。", **WHO)
    second = (await answers(here))[1]
    assert second is not None
    assert (second["from_seq"], "agent_code" in second) == (2, False)
    assert second["memory_ids"] == named(again)[0]
    living = await answers(here)
    await here.call("FinalizeSessionMemory", conversation_id="c")
    assert await answers(here) == living, "sealed"
    await here.work()
    assert await answers(here) == living, "in memory"


async def test_a_session_that_comes_back_goes_on_saying_it(here: World) -> None:
    await here.write("你好。", "你好！", **WHO)
    await here.finalize("c")
    memories, _ = named(await asked(here))
    await here.write(ASKED, "你喜欢四川火锅。", **WHO)
    given = (await answers(here))[-1]
    assert given is not None
    assert (given["memory_ids"], given["mode"]) == (memories, "SUMMARY_N")


async def test_it_stands_in_nothing_that_a_model_is_sent(here: World) -> None:
    before = await asked(here)
    await here.write(ASKED, "你喜欢四川火锅。", **WHO)
    after = await here.query("c", query="还有呢？", **WHO, include=["full_history", "turns", "session"])
    for memory_id in named(before)[0]:
        for name in ("history", "messages", "context", "turns", "full_history"):
            assert memory_id not in json.dumps(after[name]), name
    expected = await here.tokens.count(f"用户: {ASKED}\n") + await here.tokens.count("AI: 你喜欢四川火锅。\n")
    assert sum(each["tokens"] for each in after["turns"]) == expected


@pytest.mark.parametrize("told", [{"preview": True}, {"query": "", "user_id": None}])
async def test_a_look_and_a_context_of_nobody_leave_no_note(here: World, told: dict[str, Any]) -> None:
    await asked(here, **told)
    (found,) = await here.commands.run(("EXISTS", KEY))
    assert found == 0
    await here.write(ASKED, "你喜欢四川火锅。", **WHO)
    assert await answers(here) == [None]


async def test_each_context_is_told_of_once_and_the_last_counts(here: World) -> None:
    await asked(here)
    last = await asked(here, "青霉素")
    await here.write("青霉素？", "你过敏。", **WHO)
    (waits,) = await here.commands.run(("EXISTS", KEY))
    assert waits == 0, "what is told waits no longer"
    await here.write("好。", "嗯。", **WHO)
    first, second = await answers(here)
    assert first is not None
    assert (first["memory_ids"], second) == (named(last)[0], None)


async def test_a_question_that_is_written_before_its_answer_keeps_it(here: World) -> None:
    memories, _ = named(await asked(here))
    question, answer = ({"role": "user", "content": ASKED}, {"role": "assistant", "content": "四川火锅。"})
    await here.call("WriteMessages", conversation_id="c", **WHO, messages=[question])
    await here.call("WriteMessages", conversation_id="c", **WHO, messages=[question, answer, answer])
    first, second = await answers(here)
    assert first is not None
    assert (first["memory_ids"], second) == (memories, None)


async def test_another_agents_answer_does_not_say_it(here: World) -> None:
    memories, _ = named(await asked(here, agent_code="cook"))
    await here.write("你好。", "你好！", **WHO, agent_code="greeter")
    assert await answers(here) == [None]
    await here.write(ASKED, "四川火锅。", **WHO, agent_code="cook")
    assert await answers(here) == [None, None], "it could not know what the other one said"
    memories, _ = named(await asked(here, agent_code="cook"))
    await here.write(ASKED, "四川火锅。", **WHO)
    given = (await answers(here))[-1]
    assert given is not None, "a write that names no agent may be anybody's"
    assert given["memory_ids"] == memories


async def test_what_was_given_of_one_user_goes_into_no_session_of_another(here: World) -> None:
    await asked(here)
    await here.write("我是另一个人。", "你好！", user_id="u2")
    assert await answers(here) == [None]
    (note,) = await here.commands.run(("GET", KEY))
    assert b"u1" not in note, "it may outlive the user by half an hour"


async def test_a_note_that_comes_after_its_answer_goes_to_no_other(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, note = asyncio.Event(), RedisSessions.note_given

    async def late(self: RedisSessions, *given: Any) -> None:
        await written.wait()
        await note(self, *given)

    monkeypatch.setattr(RedisSessions, "note_given", late)
    here = await remembered(make_world)
    await here.query("c", query=ASKED, **WHO)
    await here.write(ASKED, "四川火锅。", **WHO)
    written.set()
    await here.background.drain(5)
    (waits,) = await here.commands.run(("EXISTS", KEY))
    assert waits == 1, "it came"
    await here.write("好。", "嗯。", **WHO)
    assert await answers(here) == [None, None]


async def test_an_answer_that_is_written_again_says_it_once(here: World) -> None:
    await asked(here)
    for _ in range(2):
        await here.write(ASKED, "四川火锅。", **WHO, idempotency_key="k")
        await asked(here)
    assert len(await answers(here)) == 1
    (waits,) = await here.commands.run(("EXISTS", KEY))
    assert waits == 1, "what was given since is for the next answer"


async def test_a_store_that_takes_no_notes_fails_no_answer(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    away, note = [True], RedisSessions.note_given

    async def at_times(self: RedisSessions, *given: Any) -> None:
        if away:
            raise StoreUnavailable("gone for a moment")
        await note(self, *given)

    monkeypatch.setattr(RedisSessions, "note_given", at_times)
    here = await remembered(make_world)
    assert (await asked(here))["memories"]
    away.clear()
    await asked(here)
    await here.write(ASKED, "四川火锅。", **WHO)
    assert (await answers(here))[0] is not None, "the next one is noted again"


async def test_notes_of_several_conversations_are_all_kept(here: World) -> None:
    """They go in one write; on a cluster they lie in several places."""
    given = Given(1, "u1", "", Mode.FULL_HISTORY, last_seq=0, from_seq=0, tokens=1, memory_ids=("m",), fact_ids=())
    scopes = [ConversationScope("default", f"c{number}") for number in range(5)]
    await here.sessions.note_given({scope: given._replace(tokens=at) for at, scope in enumerate(scopes, 1)})
    kept = await here.commands.run(*(("GET", given_key(scope)) for scope in scopes))
    assert [json.loads(note.split(b"|", 3)[3])["tokens"] for note in kept] == [1, 2, 3, 4, 5]


async def test_a_note_renews_no_session_and_goes_by_itself(here: World) -> None:
    await here.write("你好。", "你好！", **WHO)
    session = ConversationKeys.of(ConversationScope("default", "c")).session
    await here.commands.run(("PEXPIRE", session, 60_000))
    await asked(here)
    left, waits = await here.commands.run(("PTTL", session), ("PTTL", KEY))
    assert 0 < left <= 60_000
    assert 0 < waits <= 1_800_000
    await here.call("WriteMessages", conversation_id="c", **WHO, messages=[{"role": "user", "content": "嗯"}])
    (after,) = await here.commands.run(("PTTL", KEY))
    assert 0 < after <= waits


async def test_what_is_forgotten_is_named_by_an_id_that_leads_nowhere(here: World) -> None:
    memories, _ = named(await asked(here))
    await here.write(ASKED, "记得。", **WHO)
    await here.call("ForgetMemory", **WHO, memory_id=memories[0])
    given = (await answers(here))[0]
    assert given is not None
    assert given["memory_ids"] == memories
    with pytest.raises(NotFound):
        await here.call("GetMemory", **WHO, memory_id=memories[0])


@pytest.mark.parametrize("what", [{}, {"conversation_id": "c"}])
async def test_a_note_that_waits_is_forgotten_with_its_conversation(here: World, what: dict[str, Any]) -> None:
    await here.write("你好。", "你好！", **WHO)
    await asked(here)
    await here.call("ForgetMemory", **WHO, **what, dry_run=True)
    (waits,) = await here.commands.run(("EXISTS", KEY))
    assert waits == 1
    await here.call("ForgetMemory", **WHO, **what)
    (waits,) = await here.commands.run(("EXISTS", KEY))
    assert waits == 0
