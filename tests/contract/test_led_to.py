"""Links that a conversation gives by itself: a reason that was said, found by asking why, gone with its ends."""

import json
from typing import Any

import pytest

from memory.consolidation.derive import derive, dialogue_of
from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.extraction.facts.clinical import with_health
from memory.extraction.rules_mind import RulesMind, extract
from memory.model.extraction import Extraction, FoundCause, FoundFact
from memory.model.memory import Kind, Memory
from memory.model.memunit import MemUnit
from memory.scope import ConversationScope, UserScope
from tests.contract.memory_stores import NOW_MS
from tests.inprocess import World


def unit(*texts: str) -> MemUnit:
    messages = [{"seq": seq, "role": "user", "content": text, "at": NOW_MS} for seq, text in enumerate(texts, 1)]
    return MemUnit(
        unit_id="unit", scope=ConversationScope("t", "c"), user_id="u", session_number=1, seq_from=1,
        seq_to=len(texts), turn_from=1, turn_to=1, started_ms=NOW_MS, ended_ms=NOW_MS, subject="", summary="",
        narrative="", participants=(), recent_turns=0, messages=json.dumps(messages).encode(),
    )  # fmt: skip


def linked(*texts: str, found: Extraction | None = None) -> list[tuple[str, str, str, str]]:
    """What each link joins, by which words, and who says so."""
    stretch = unit(*texts)
    said = dialogue_of(stretch, "zh")
    derived = derive(stretch, said, found or with_health(extract(said), said, by_rules=True), "a model")
    by_id = {each.memory.memory_id: each.memory for each in derived.memories}

    def what(memory: Memory) -> str:
        return memory.object or memory.text

    return [
        (what(by_id[each.subject]), what(by_id[each.object]), each.source.quote, each.mind) for each in derived.links
    ]


@pytest.mark.parametrize(
    ("text", "ground", "follows"),
    [
        ("我最近失眠，所以头疼三天了", "失眠", "头疼"),
        ("我有糖尿病，所以每天吃二甲双胍500mg", "糖尿病", "二甲双胍"),
        ("上周做了胆囊切除手术，因为有胆结石", "胆结石", "胆囊切除"),
        ("I take ibuprofen because my back hurts", "back pain (back hurts)", "ibuprofen"),
        ("I have asthma, so I use salbutamol", "asthma", "albuterol (salbutamol)"),
        ("The ibuprofen led to a stomach ache", "ibuprofen", "stomach ache"),
    ],
)
def test_what_a_message_joins_is_linked_with_its_words(text: str, ground: str, follows: str) -> None:
    assert linked(text) == [(ground, follows, text, "rules")]


@pytest.mark.parametrize(
    "text",
    [
        "我最近失眠，头疼三天了",
        "是不是因为失眠才头疼？",
        "I have asthma and I use salbutamol",
        "昨天我妈妈住院了，所以我没去上班，头很疼",
        "因为黄脓鼻涕还刚完8天的阿奇霉素，考虑到还在哺乳期",
        "因为眼睛问题做了个核磁共振，发现鼻窦炎还有",
        "我之前去过外院做过过敏原检测，结果显示尘螨过敏",
        "My brother has asthma, so I take aspirin.",
        "My wife is allergic to nuts, so I take cetirizine.",
        "The ibuprofen never led to a stomach ache",
        "My headache is not due to hypertension",
        "I don't think the headache is because of insomnia",
        "Perhaps ibuprofen caused my stomach ache",
        "我头疼，可能是因为失眠",
        "要不是失眠，所以就不会头疼",
        "没有因为失眠而头疼，就是发烧",
        "因为没吃硝苯地平，头晕",
        "My cough went away because I stopped lisinopril",
        "No fever because I took ibuprofen",
        "I have asthma and eczema, because of the eczema I use hydrocortisone",
        "I take metformin for diabetes, and because of my cough I take codeine",
        "因为头疼，我有高血压，每天吃硝苯地平",
        "因为咳嗽，我以前有哮喘",
        "I still felt dizzy. So I went to the hospital for a check-up, and it showed that I have a fatty liver",
    ],
)
def test_what_a_message_does_not_join_is_not(text: str) -> None:
    assert linked(text) == []


def test_two_messages_are_not_joined() -> None:
    assert linked("我最近失眠", "所以头疼三天了") == []


def test_of_many_things_in_one_stretch_none_is_linked() -> None:
    text = "I have nausea and vomiting and a rash and a cough, so I take ibuprofen"
    assert linked(text) == []


def fact(thing: str, quote: str, seq: int = 1) -> FoundFact:
    return FoundFact(seq, "user", "habit", thing, "+", quote)


def test_a_minds_cause_counts_where_its_words_stand_in_the_message() -> None:
    text = "Night shifts again. My stomach is in knots, it always is then."
    facts = [fact("shifts", "Night shifts again"), fact("knots", "My stomach is in knots")]
    cause = FoundCause(1, "Night shifts again", "My stomach is in knots", "Night shifts again. My stomach is in knots")
    (link,) = linked(text, found=Extraction(facts=facts, causes=[cause]))
    assert link == ("shifts", "knots", cause.quote, "a model")
    for wrong in (
        cause._replace(cause="Days off"),
        cause._replace(quote="Night shifts always hurt"),
        cause._replace(effect="Night shifts"),
        cause._replace(seq=2),
        cause._replace(cause=""),
    ):
        assert linked(text, found=Extraction(facts=facts, causes=[wrong])) == []


async def told(world: World, text: str) -> None:
    await world.write(text, "好的，记下了。", user_id="u1")
    await world.call("FinalizeSessionMemory", conversation_id="c")
    await world.work()


async def test_the_reason_is_found_by_asking_why_and_goes_with_what_it_joins(here: Any) -> None:
    await told(here, "我最近失眠，所以头疼三天了")
    graph = await here.call("GetGraph", user_id="u1")
    (link,) = graph["links"]
    assert (link["relation"], link["quote"]) == ("causes", "我最近失眠，所以头疼三天了")
    path = (await here.call("FindPath", user_id="u1", source="失眠", target="头疼"))["paths"][0]
    assert [step["relation"] for step in path["steps"]] == ["causes"]
    receipt = await here.call("GetFinalization", conversation_id="c")
    assert link["link_id"] not in receipt["memory_ids"]
    asked = {"user_id": "u1", "query": "为什么头疼", "search_mode": "auto", "kinds": ["fact"]}
    found = {each["object"]: each.get("path") for each in (await here.call("SearchMemories", **asked))["memories"]}
    assert {"失眠", "头疼"} <= found.keys()
    await here.call("ForgetMemory", user_id="u1", memory_id=link["source_memory_id"])
    assert (await here.call("ListMemories", user_id="u1", kinds=["link"]))["items"] == []


async def test_a_link_that_was_taken_off_stays_off_when_the_session_is_read_again(here: World) -> None:
    await told(here, "我最近失眠，所以头疼三天了")
    (link,) = (await here.call("GetGraph", user_id="u1"))["links"]
    await here.call("UnlinkMemories", user_id="u1", link_id=link["link_id"])
    stretch = (await here.store.own_memunits(UserScope("default", "u1"), "c", "", 10))[0]
    rememberer = Rememberer(here.memories, Minds(RulesMind(), RulesMind(), None, "zh"))
    await rememberer.remember(stretch)
    assert (await here.call("GetGraph", user_id="u1"))["links"] == []
    (kept,) = await here.memories.get(UserScope("default", "u1"), (link["link_id"],))
    assert kept.valid_to_ms is not None


def test_links_are_made_of_facts_and_events_alone() -> None:
    stretch = unit("我最近失眠，所以头疼三天了")
    said = dialogue_of(stretch, "zh")
    derived = derive(stretch, said, extract(said), "rules")
    assert all(each.kind is Kind.LINK for each in derived.links)
    assert all(each.memory.kind is not Kind.LINK for each in derived.memories)
