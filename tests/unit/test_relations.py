"""Facts as relations and as a graph."""

import json
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.consolidation.derive import derive, dialogue_of
from memory.extraction.facts.reading import find_facts
from memory.extraction.rules_mind import extract
from memory.graph.drawing import graphml, mermaid
from memory.graph.triples import graph, relations
from memory.model.memory import Category, Kind, Memory, Source, Type
from memory.model.memunit import MemUnit
from memory.scope import ConversationScope

GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"


def fact(subject, predicate, what, polarity="+", **changes):
    memory = Memory(
        memory_id=f"{subject}/{predicate}/{what}/{polarity}",
        user_id="u1",
        kind=Kind.FACT,
        category=Category.FACT,
        type=Type.FACT,
        text="",
        source=Source("c1", "m1", (1,), ""),
        occurred_ms=0,
        recorded_ms=0,
        subject=subject,
        predicate=predicate,
        object=what,
        polarity=polarity,
    )
    return replace(memory, **changes)


def unit_of(entries):
    return MemUnit(
        unit_id="unit",
        scope=ConversationScope("t", "c"),
        user_id="u",
        session_number=1,
        seq_from=1,
        seq_to=len(entries),
        turn_from=1,
        turn_to=len(entries),
        started_ms=1,
        ended_ms=2,
        subject="",
        summary="",
        narrative="",
        participants=(),
        recent_turns=0,
        messages=json.dumps(entries).encode(),
    )


def triples(memories, locale="zh"):
    return [one[:3] for one in relations(memories, locale)]


def test_relations_of_the_plug_in_brains_example_are_those_it_names():
    memories = [
        fact("user", "name", "小朱"),
        fact("user", "family", "女儿灿灿"),
        fact("灿灿", "age", "5岁"),
        fact("灿灿", "like", "画画"),
    ]
    assert triples(memories) == [("小朱", "女儿", "灿灿"), ("灿灿", "年龄", "5岁"), ("灿灿", "喜欢", "画画")]
    assert [one.memory_id for one in relations(memories, "zh")] == [one.memory_id for one in memories[1:]]


@pytest.mark.parametrize(
    ("memories", "locale", "expected"),
    [
        ([fact("user", "family", "女儿灿灿")], "zh", [("用户", "女儿", "灿灿")]),
        ([fact("user", "family", "daughter Mia")], "en", [("user", "daughter", "Mia")]),
        ([fact("user", "like", "tea")], "en", [("user", "likes", "tea")]),
        ([fact("user", "like", "香菜", "-")], "zh", [("用户", "不喜欢", "香菜")]),
        ([fact("user", "like", "fish", "-")], "en", [("user", "dislikes", "fish")]),
        ([fact("user", "disease", "高血压", "-")], "zh", [("用户", "否认患有", "高血压")]),
        ([fact("user", "family", "2个孩子")], "zh", [("用户", "家人", "2个孩子")]),
        ([fact("user", "family", "two kids")], "en", [("user", "has family", "two kids")]),
        ([fact("妈妈", "disease", "高血压")], "zh", [("妈妈", "患有", "高血压")]),
        # A relative with one name goes by it; with two nobody knows which.
        (
            [fact("user", "family", "女儿灿灿"), fact("女儿", "like", "画画")],
            "zh",
            [("用户", "女儿", "灿灿"), ("灿灿", "喜欢", "画画")],
        ),
        (
            [fact("user", "family", "女儿灿灿"), fact("user", "family", "女儿朵朵"), fact("女儿", "like", "画画")],
            "zh",
            [("用户", "女儿", "灿灿"), ("用户", "女儿", "朵朵"), ("女儿", "喜欢", "画画")],
        ),
        # The name told last counts; one that was superseded does not.
        ([fact("user", "name", "小朱", superseded_by="x"), fact("user", "like", "茶")], "zh", [("用户", "喜欢", "茶")]),
        (
            [
                fact("user", "name", "小李", occurred_ms=2),
                fact("user", "name", "小朱", occurred_ms=1),
                fact("user", "like", "茶"),
            ],
            "zh",
            [("小李", "名字", "小朱"), ("小李", "喜欢", "茶")],
        ),
        # What ended is no relation; what callers told keeps their own word.
        ([fact("user", "like", "茶", valid_to_ms=5)], "zh", []),
        ([fact("user", "admires", "Ada")], "en", [("user", "admires", "Ada")]),
        ([fact("user", "admires", "Ada", "-")], "en", [("user", "not admires", "Ada")]),
        ([fact("user", "like", "茶"), fact("user", "like", "茶", occurred_ms=9)], "zh", [("用户", "喜欢", "茶")]),
        ([replace(fact("user", "like", "茶"), kind=Kind.EVENT)], "zh", []),
    ],
)
def test_relations_are_labelled_and_sourced_as_documented(memories, locale, expected):
    assert triples(memories, locale) == expected


@pytest.mark.parametrize(
    "text", ["我对花生过敏，不抽烟", "我叫小朱，今年30岁，住在上海", "I have asthma and take albuterol"]
)
def test_relations_know_every_predicate_that_the_rules_find(text):
    found = [fact(one.subject, one.predicate, one.object, one.polarity) for one in find_facts(text)]
    assert found
    for locale in ("zh", "en"):
        assert not {one.relation for one in relations(found, locale)} & {one.predicate for one in found}


def test_relations_come_from_what_was_said():
    said = ["我叫小朱", "我女儿叫灿灿", "她今年5岁", "她喜欢画画"]
    entries = [{"seq": seq, "role": "user", "content": text, "at": 1} for seq, text in enumerate(said, 1)]
    unit = unit_of(entries)
    dialogue = dialogue_of(unit, "zh")
    derivation = derive(unit, dialogue, extract(dialogue), "rules")
    assert not derivation.dropped
    memories = [one.memory for one in derivation.memories]
    assert triples(memories) == [("小朱", "女儿", "灿灿"), ("灿灿", "年龄", "5岁"), ("灿灿", "喜欢", "画画")]


def test_graph_has_people_and_things_and_shows_what_ended():
    made = graph([fact("user", "family", "女儿灿灿"), fact("灿灿", "like", "画画", valid_to_ms=3)], "zh")
    assert [(node.label, node.kind) for node in made.nodes] == [
        ("用户", "person"),
        ("灿灿", "person"),
        ("画画", "thing"),
    ]
    assert [(edge.relation, edge.valid) for edge in made.edges] == [("女儿", True), ("喜欢", False)]
    assert {edge.source for edge in made.edges} | {edge.target for edge in made.edges} == {
        node.key for node in made.nodes
    }
    chart = mermaid(made)
    assert chart.splitlines() == [
        "graph LR",
        '  n0("用户")',
        '  n1("灿灿")',
        '  n2["画画"]',
        '  n0 -->|"女儿"| n1',
        '  n1 -.->|"喜欢"| n2',
    ]


HOSTILE = st.text(min_size=1, max_size=12) | st.sampled_from(
    ['"]', "a|b", "<b>&", "]]>", "\x00", "`x`", "#quot;", "end\n"]
)


@given(st.lists(st.tuples(HOSTILE, HOSTILE, HOSTILE), max_size=5))
def test_graph_texts_are_well_formed_whatever_the_labels(parts):
    made = graph([fact(*part) for part in parts], "en")
    document = ET.fromstring(graphml(made))  # noqa: S314 - our own text
    inside = document.find(f"{GRAPHML}graph")
    assert len(inside.findall(f"{GRAPHML}node")) == len(made.nodes)
    ids = {node.get("id") for node in inside.findall(f"{GRAPHML}node")}
    assert all({edge.get("source"), edge.get("target")} <= ids for edge in inside.findall(f"{GRAPHML}edge"))
    lines = mermaid(made).splitlines()
    assert len(lines) == 1 + len(made.nodes) + len(made.edges)
    assert all(line.count('"') == 2 for line in lines[1:])
