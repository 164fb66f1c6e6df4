"""From a MemUnit to memories: what is supported stays, what was recalled is not told again."""

import hashlib
import json
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from memory.consolidation.derive import derive, dialogue_of, fact_category
from memory.extraction.rules_mind import extract
from memory.language.fenced import RECALLED
from memory.language.terms import TERMS_VERSION, in_context, terms
from memory.model.extraction import Extraction, FoundEvent, FoundFact
from memory.model.memory import Category, Kind, Memory
from memory.model.memunit import MemUnit
from memory.scope import ConversationScope

AT = 1_763_764_800_000
TOLD = [
    ("user", "我叫李雷，今年35岁。我对青霉素过敏。"),
    ("assistant", "好的，记下了。还有别的病史吗？"),
    ("user", "我有高血压，上周三去医院做了检查。"),
    ("tool", "血压 150/95"),
    ("system", "你是分诊助手。病人对磺胺过敏。"),
    ("user", "谢谢"),
]
SAID = [
    *(text for _, text in TOLD),
    "医生说肾结石要多喝水，少吃菠菜；下个月去北京大学第三医院复查。",
    "上海浦东的天气很热，我和妹妹在世纪公园跑了十公里。",
    "She's been running marathons since 2019, hasn't she? The Joneses' dogs don't bite.",
    "ＦＵＬＬ－ｗｉｄｔｈ ﬁne 血压 150/95 mmHg，体温38.5度",
]


def unit(messages: list[tuple[str, str]], **fields: Any) -> MemUnit:
    entries = [
        {"seq": i, "turn": i, "at": AT + i, "tok": 1, "role": role, "content": content} | fields
        for i, (role, content) in enumerate(messages, 1)
    ]
    return MemUnit(
        unit_id="unit",
        scope=ConversationScope("t", "c"),
        user_id="u",
        session_number=1,
        seq_from=1,
        seq_to=len(entries),
        turn_from=1,
        turn_to=len(entries),
        started_ms=AT,
        ended_ms=AT + 1000,
        subject="",
        summary="",
        narrative="",
        participants=(),
        recent_turns=0,
        messages=json.dumps(entries, ensure_ascii=False).encode(),
    )


def made(messages: list[tuple[str, str]]) -> list[Memory]:
    one = unit(messages)
    dialogue = dialogue_of(one, "zh")
    return [derived.memory for derived in derive(one, dialogue, extract(dialogue), "rules").memories]


def facts(memories: list[Memory]) -> set[tuple[str, str, str]]:
    return {(m.subject, m.predicate, m.object) for m in memories if m.kind is Kind.FACT}


def test_facts_events_episodes_and_passages_are_made_of_what_people_said() -> None:
    memories = made(TOLD)
    assert {("user", "name", "李雷"), ("user", "allergy", "青霉素"), ("user", "disease", "高血压")} <= facts(memories)
    events = [m for m in memories if m.kind is Kind.EVENT]
    assert any("2025-11-12" in event.text for event in events), "上周三 is named by its date"
    passages = {m.position: m for m in memories if m.position}
    assert set(passages) == {1, 2, 3}, "no tool result, no system prompt, no courtesy"
    assert [m.subject for m in memories if m.kind is Kind.EPISODE and not m.position] == ["user"]


def test_safety_facts_of_the_user_and_of_relatives_never_fade_and_other_facts_do() -> None:
    memories = made([("user", "我对青霉素过敏。我妈妈有糖尿病。")])
    assert {m.category for m in memories if m.kind is Kind.FACT} == {Category.CORE}
    assert fact_category("symptom", "+", "头痛", subject="user") is Category.FACT
    assert fact_category("name", "+", "小红", subject="我妈") is Category.FACT
    assert fact_category("disease", "+", "糖尿病", subject="Bob") is Category.FACT


def test_every_memory_cites_messages_that_hold_its_quote() -> None:
    said = dict(enumerate((content for _, content in TOLD), 1))
    for memory in made(TOLD):
        assert memory.source.seqs
        if memory.kind is not Kind.EPISODE:
            (seq,) = memory.source.seqs
            assert memory.source.quote in said[seq]


def test_the_same_unit_makes_the_same_memories() -> None:
    assert made(TOLD) == made(TOLD)
    ids = [memory.memory_id for memory in made(TOLD)]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    "wrong",
    [
        FoundFact(1, "user", "allergy", "花生", "+", "我对花生过敏"),
        FoundFact(99, "user", "allergy", "青霉素", "+", "我对青霉素过敏"),
        FoundFact(1, "user", "allergy", "青霉素", "+", " "),
        FoundEvent(2, "went to Paris", AT, "went to Paris"),
    ],
    ids=["not said", "no such message", "no quote", "event not said"],
)
def test_what_has_no_support_is_dropped_and_counted(wrong: FoundFact | FoundEvent) -> None:
    one = unit(TOLD)
    found = Extraction(facts=[wrong]) if isinstance(wrong, FoundFact) else Extraction(events=[wrong])
    derivation = derive(one, dialogue_of(one, "zh"), found, "m")
    assert all(d.memory.kind is Kind.EPISODE for d in derivation.memories)
    assert sum(derivation.dropped.values()) == 1


def test_g4_recalled_memories_and_system_prompts_are_not_extracted_again_in_50_loops() -> None:
    told = "我对青霉素过敏。"
    first = made([("user", told)])
    for loop in range(50):
        block = f"{RECALLED.open}\n- [2025-11-21] user: {told} (id)\n{RECALLED.close}"
        transcript = [
            ("system", f"记忆：{told} {block}"),
            ("user", f"第{loop}次：今天头有点痛。{block}"),
            ("assistant", f"{block}好的。"),
        ]
        again = made(transcript)
        assert ("user", "allergy", "青霉素") not in facts(again)
        assert not any("青霉素" in m.text for m in again)
    assert ("user", "allergy", "青霉素") in facts(first)


def test_time_that_the_caller_gave_is_the_time_it_happened() -> None:
    one = unit([("user", "昨天我头痛。")], occurred_at="2024-05-07T08:00:00Z")
    dialogue = dialogue_of(one, "zh")
    memories = [derived.memory for derived in derive(one, dialogue, extract(dialogue), "rules").memories]
    (event,) = [m for m in memories if m.kind is Kind.EVENT]
    assert "2024-05-06" in event.text


def test_facts_are_read_from_resolved_words_and_quote_those_that_were_said() -> None:
    said = [("user", "我女儿叫灿灿"), ("user", "她今年5岁"), ("user", "她喜欢画画")]
    found = extract(dialogue_of(unit(said), "zh")).facts
    assert [(fact.subject, fact.predicate, fact.object, fact.quote) for fact in found] == [
        ("user", "family", "女儿灿灿", "我女儿叫灿灿"),
        ("灿灿", "age", "5岁", "她今年5岁"),
        ("灿灿", "like", "画画", "她喜欢画画"),
    ]
    assert [memory.subject for memory in made(said) if memory.kind is Kind.FACT] == ["user", "灿灿", "灿灿"]


def test_facts_of_somebody_who_stays_unnamed_are_not_found() -> None:
    assert (
        extract(dialogue_of(unit([("user", "她今年5岁"), ("user", "He has asthma and lives in Rome.")]), "zh")).facts
        == []
    )


def test_facts_under_a_name_that_the_user_gave_are_the_users() -> None:
    found = extract(dialogue_of(unit([("user", "我叫小朱"), ("user", "小朱喜欢喝茶")]), "zh")).facts
    assert [(fact.subject, fact.predicate) for fact in found] == [("user", "name"), ("user", "like")]


def test_terms_of_a_version_stay_as_they_are() -> None:
    """Other terms of a text make stored words useless: raise TERMS_VERSION, so that stores ask for a reindex."""
    each = [terms(text) for text in SAID]
    found = [in_context(each, index) for index in range(len(each))]
    digest = hashlib.sha256(json.dumps(found, ensure_ascii=False).encode()).hexdigest()[:16]
    assert (TERMS_VERSION, digest) == (1, "a94205e1c82d85dc")


def test_day_is_that_of_the_clock_of_whoever_wrote() -> None:
    evening = int(datetime(2026, 10, 7, 23, 30, tzinfo=UTC).timestamp() * 1000)
    told = unit([("user", "我昨天做了阑尾炎手术。")], at=evening)
    texts = [extract(dialogue_of(told, "zh", zone)).events[0].text for zone in (UTC, ZoneInfo("Asia/Shanghai"))]
    assert texts == ["我昨天（2026-10-06）做了阑尾炎手术。", "我昨天（2026-10-07）做了阑尾炎手术。"]
