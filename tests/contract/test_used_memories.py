"""Shown is not used: a memory grows stronger by answers that rest on it, not by standing in a context."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from memory.consolidation.curate import Curator
from memory.errors import InvalidInput, RevisionConflict
from memory.model.memory import Memory
from memory.model.memunit import MemUnit
from memory.retrieval.decay import BoostSettings
from memory.scope import ConversationScope, UserScope
from tests.inprocess import NO_RECALL, World

MakeWorld = Callable[..., Any]
U1 = UserScope("default", "u1")
ASKED = "周末想吃点好的，有什么建议？"


@pytest.fixture
async def world(make_world: MakeWorld) -> World:
    """Somebody of whom a conversation told two things that do not fade."""
    here = await make_world(recall=True)
    await here.write("我特别喜欢吃四川火锅。", "不错。", user_id="u1", conversation="before")
    await here.write("我每天早上跑步五公里。", "很好。", user_id="u1", conversation="before")
    await here.finalize("before")
    return here


async def shown(here: World, conversation: str, query: str) -> list[str]:
    """The ids of what stands in a context, once that is noted."""
    context = await here.query(conversation, user_id="u1", query=query)
    await here.background.drain(5)
    return [each["memory_id"] for each in context["memories"]]


async def about(here: World, word: str) -> list[Memory]:
    page = await here.call("ListMemories", user_id="u1")
    ids = [each["memory_id"] for each in page["items"] if word in each["text"]]
    return await here.memories.get(U1, ids)


async def test_an_answer_strengthens_what_it_rests_on_and_nothing_else(world: World) -> None:
    seen = await shown(world, "later", "火锅和跑步，你还记得我说过什么吗？")
    assert {each.memory_id for each in [*await about(world, "火锅"), *await about(world, "跑步")]} & set(seen)
    await world.write(ASKED, "您说过喜欢四川火锅，可以约朋友去吃。", user_id="u1", conversation="later")
    await world.finalize("later")
    used = [each for each in await about(world, "火锅") if each.memory_id in seen]
    beside = [each for each in await about(world, "跑步") if each.memory_id in seen and "火锅" not in each.text]
    assert used
    assert beside
    assert {(each.accesses, each.shown) for each in used} == {(1, 1)}
    assert {round(each.strength, 6) for each in used} == {1.3}
    assert {(each.accesses, each.strength) for each in beside} == {(0, 1.0)}
    answer = await world.call("GetMemory", memory_id=used[0].memory_id)
    assert (answer["shown"], answer["accesses"]) == (1, 1)
    why = await world.call("ExplainMemory", memory_id=used[0].memory_id)
    assert "answers that rested on it: 1, which added 0.30 to its strength" in why["reasons"]


async def test_what_was_not_shown_is_not_used(world: World) -> None:
    await world.write(ASKED, "四川火锅很好吃。", user_id="u1", conversation="later")
    await world.finalize("later")
    assert {(each.accesses, each.strength) for each in await about(world, "火锅")} == {(0, 1.0)}


async def test_a_word_that_the_user_said_is_no_sign_of_use(world: World) -> None:
    assert await shown(world, "later", "我喜欢的火锅是哪种？")
    await world.write("附近有四川火锅吗？", "有一家四川火锅。", user_id="u1", conversation="later")
    await world.finalize("later")
    assert {each.strength for each in await about(world, "火锅") if each.source.conversation == "before"} == {1.0}


async def test_a_unit_that_is_judged_again_and_again_counts_once(world: World) -> None:
    seen = await shown(world, "later", "火锅，你还记得我说过什么吗？")
    await world.write(ASKED, "您说过喜欢四川火锅。", user_id="u1", conversation="later")
    await world.finalize("later")
    before = await world.memories.get(U1, seen)
    units = await units_of(world, "later")
    curator = Curator(world.memories, world.store, BoostSettings())
    for _ in range(5):
        await curator.judge(U1, ConversationScope("default", "later"), [unit.unit_id for unit in units])
    assert await world.memories.get(U1, seen) == before
    assert any(each.accesses == 1 for each in before)


async def test_an_agents_words_in_a_conversation_of_nobody_strengthen_nothing(world: World) -> None:
    await shown(world, "later", "火锅，你还记得我说过什么吗？")
    await world.write(ASKED, "您说过喜欢四川火锅。", conversation="other")
    await world.finalize("other")
    assert {each.accesses for each in await about(world, "火锅")} == {0}


async def test_a_callers_word_counts_once_with_the_rules(world: World) -> None:
    seen = await shown(world, "later", "火锅，你还记得我说过什么吗？")
    marked = await world.call("MarkUsed", user_id="u1", memory_ids=[*seen, "nobody-knows"])
    assert [each["outcome"] for each in marked["results"]] == [*["boosted"] * len(seen), "unknown"]
    again = await world.call("MarkUsed", user_id="u1", memory_ids=seen)
    assert {each["outcome"] for each in again["results"]} == {"cooling"}
    before = await world.memories.get(U1, seen)
    await world.write(ASKED, "您说过喜欢四川火锅。", user_id="u1", conversation="later")
    await world.finalize("later")
    assert await world.memories.get(U1, seen) == before
    assert {round(each.strength, 6) for each in before} == {1.3}


async def test_what_a_caller_may_say_of_uses(world: World) -> None:
    (memory, *_) = await about(world, "火锅")
    said: dict[str, Any] = {"user_id": "u1", "memory_ids": [memory.memory_id]}
    (unused,) = (await world.call("MarkUsed", **said, used=False))["results"]
    assert unused["outcome"] == "unused"
    assert await world.memories.get(U1, [memory.memory_id]) == [memory]
    with pytest.raises(InvalidInput, match="future"):
        await world.call("MarkUsed", **said, occurred_at="2999-01-01T00:00:00Z")
    outcomes = []
    for hour in range(0, 12, 2):
        at = f"2026-03-01T{hour:02d}:00:00Z"
        outcomes.append((await world.call("MarkUsed", **said, occurred_at=at))["results"][0]["outcome"])
    assert outcomes == ["boosted"] * 4 + ["capped"] * 2
    (stronger,) = await world.memories.get(U1, [memory.memory_id])
    assert stronger.strength == pytest.approx(2.0)
    stranger = await world.call("MarkUsed", user_id="u2", memory_ids=[memory.memory_id])
    assert stranger["results"][0]["outcome"] == "unknown"


async def test_sixty_four_callers_at_once_have_one_effect(world: World) -> None:
    (memory, *_) = await about(world, "火锅")
    call = partial(world.call, "MarkUsed", user_id="u1", memory_ids=[memory.memory_id])
    answers = await asyncio.gather(*(call() for _ in range(64)))
    assert Counter(each["results"][0]["outcome"] for each in answers) == {"boosted": 1, "cooling": 63}


async def test_a_write_says_what_its_answer_rests_on(world: World) -> None:
    (hotpot, *_), (running, *_) = await about(world, "火锅"), await about(world, "跑步")

    async def told(conversation: str, *ids: str, **fields: Any) -> Any:
        answer = await world.write(ASKED, "好的。", conversation, used_memory_ids=list(ids), **fields)
        await world.background.drain(5)
        return answer

    async def strengths() -> list[float]:
        return [round(each.strength, 6) for each in await world.memories.get(U1, [hotpot.memory_id, running.memory_id])]

    unknown = "00000000-0000-4000-8000-000000000000"
    written = await told("later", hotpot.memory_id, hotpot.memory_id, unknown, user_id="u1", idempotency_key="one")
    assert (written.turn_count, await strengths()) == (1, [1.3, 1.0])
    again = await told("later", hotpot.memory_id, hotpot.memory_id, unknown, user_id="u1", idempotency_key="one")
    assert (again.replayed, await strengths()) == (True, [1.3, 1.0])
    await told("strangers", running.memory_id, user_id="u2")
    await told("nobodys", running.memory_id)
    assert await strengths() == [1.3, 1.0], "another user's is none, and nobody has none"
    await told("later", running.memory_id, occurred_at="2999-01-01T00:00:00Z")
    assert await strengths() == [1.3, 1.3], "whose conversation it is says who"
    (stored,) = await world.memories.get(U1, [running.memory_id])
    assert stored.boosted_ms is not None
    assert stored.boosted_ms < 4_000_000_000_000, "not the time to come that the write named"
    await world.finalize("later")
    assert await strengths() == [1.3, 1.3], "the rule that reads the answers adds nothing to it"


async def test_messages_say_what_they_rest_on_and_what_is_refused_says_nothing(world: World) -> None:
    (hotpot, *_) = await about(world, "火锅")
    messages = [
        {"role": "user", "content": ASKED, "occurred_at": "2026-01-01T10:00:00Z"},
        {"role": "assistant", "content": "好的。", "occurred_at": "2026-01-01T10:00:05Z"},
    ]
    body = {"conversation_id": "later", "user_id": "u1", "messages": messages, "used_memory_ids": [hotpot.memory_id]}
    with pytest.raises(RevisionConflict):
        await world.call("WriteMessages", **body, if_rev=7)
    await world.background.drain(5)
    (before,) = await world.memories.get(U1, [hotpot.memory_id])
    assert before.strength == 1.0
    await world.call("WriteMessages", **body)
    await world.background.drain(5)
    (after,) = await world.memories.get(U1, [hotpot.memory_id])
    assert (round(after.strength, 6), after.boosted_ms) == (1.3, 1_767_261_605_000)


TENTH = BoostSettings(step=0.1)


@pytest.mark.parametrize(("boost", "shown_adds", "outcome"), [(None, 0.0, "off"), (TENTH, 0.1, "cooling")])
async def test_being_shown_strengthens_only_where_it_is_asked_for(
    make_world: MakeWorld, boost: BoostSettings | None, shown_adds: float, outcome: str
) -> None:
    recall = replace(NO_RECALL, enabled=True, boost=boost, boost_shown=boost is not None)
    here = await make_world(recall=recall)
    await here.write("我特别喜欢吃四川火锅。", "不错。", user_id="u1", conversation="before")
    await here.finalize("before")
    seen = await shown(here, "later", "火锅，你还记得我说过什么吗？")
    stored = await here.memories.get(U1, seen)
    assert {round(each.strength - 1, 6) for each in stored} == {shown_adds}
    marked = await here.call("MarkUsed", user_id="u1", memory_ids=seen)
    assert {each["outcome"] for each in marked["results"]} == {outcome}


async def units_of(here: World, conversation: str) -> list[MemUnit]:
    page = await here.call("ListMemUnits", user_id="u1", conversation_id=conversation)
    place = ConversationScope("default", conversation)
    found = [await here.store.get_memunit(place, each["unit_id"]) for each in page["items"]]
    return [each for each in found if each is not None]
