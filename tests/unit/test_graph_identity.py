"""Which labels are one thing: guards, verdicts, aliases, conflicts."""

import pytest

from memory.graph.conflicts import conflicts
from memory.graph.created import Creation, created
from memory.graph.identity import DIFFERENT, SAME, Telling, guard, joined, node_id, verdict, verdict_id, without_labels
from memory.graph.triples import graph
from memory.model.memory import Memory, Type
from memory.scope import UserScope

U1 = UserScope("t1", "u1")


def made(subject: str, topic: str, object_: str = "", kind: Type = Type.FACT, polarity: str = "+") -> Memory:
    return created(U1, Creation(subject, kind, topic, 1_000, object=object_, polarity=polarity), stage="")


@pytest.mark.parametrize(
    ("one", "other", "against"),
    [
        ("喜欢", "不喜欢", "denial"),
        ("happy", "not happy", "denial"),
        ("高血压", "低血压", "opposites"),
        ("高血压", "血压", "degree"),
        ("high blood sugar", "blood sugar", "degree"),
        ("左膝疼", "右膝疼", "opposites"),
        ("left knee pain", "right knee pain", "opposites"),
        ("hypertension", "hypotension", "opposites"),
        ("hyperthyroidism", "hypothyroidism", "opposites"),
        ("饭前吃药", "饭后吃药", "opposites"),
        ("外公", "外婆", "opposites"),
        ("第3次化疗", "第4次化疗", "numbers"),
        ("三楼", "四楼", "numbers"),
        ("2 tablets", "3 tablets", "numbers"),
        ("十五楼", "五十楼", "numbers"),
        ("twelve weeks", "eleven weeks", "numbers"),
        ("一" * 10_000, "二" * 10_000, "numbers"),
        ("阿莫西林", "头孢克肟", "medical_terms"),
        ("ibuprofen", "naproxen", "medical_terms"),
        ("糖尿病", "高血压", "medical_terms"),
        ("10mg", "10mcg", "numbers"),
        ("able to walk", "unable to walk", "opposites"),
        ("杭州", "苏州", "places"),
        ("boston", "chicago", "places"),
    ],
)
def test_what_must_not_be_one_is_not(one: str, other: str, against: str) -> None:
    assert guard(one, other) == guard(other, one) == against


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("非洛地平", "波依定"),
        ("心情", "情绪"), ("跑步", "慢跑锻炼"), ("3楼", "三楼"), ("第15次化疗", "第十五次化疗"),
        ("twelve weeks", "12 weeks"), ("my flat", "the apartment"), ("Tea", "tea"),
        ("对乙酰氨基酚", "扑热息痛"),
    ],
)  # fmt: skip
def test_what_may_be_one_may_be_said_to_be(one: str, other: str) -> None:
    assert guard(one, other) == guard(other, one) == ""


def test_two_labels_are_one_node_as_long_as_the_verdict_holds() -> None:
    told = [
        made("我", "心情", "不好"),
        made("我", "情绪", "低落"),
        made("心情", "取决于", "天气"),
        made("情绪", "影响", "睡眠"),
    ]
    one = verdict(U1, SAME, "thing:心情", "thing:情绪", Telling(1))
    apart, merged = graph(told, "zh"), graph(told, "zh", joined([one]))
    assert {node.label for node in apart.nodes} - {node.label for node in merged.nodes} == {"情绪"}
    (node,) = [node for node in merged.nodes if node.label == "心情"]
    assert node.aliases == ("情绪",)
    assert ("thing:心情", "影响", "thing:睡眠") in {(edge.source, edge.relation, edge.target) for edge in merged.edges}
    assert joined([one, verdict(U1, DIFFERENT, "thing:心情", "thing:天气", Telling(1))]) == [("心情", "情绪")]


def test_chains_of_verdicts_make_one_node_however_they_are_told() -> None:
    told = [made(name, "在", f"处{number}") for number, name in enumerate("甲乙丙丁")]
    pairs = [("甲", "乙"), ("丙", "丁"), ("乙", "丙")]
    for order in (pairs, pairs[::-1], [pair[::-1] for pair in pairs]):
        merged = graph(told, "zh", order)
        assert sum(len(node.aliases) == 3 for node in merged.nodes) == 1
    assert len(graph(told, "zh", [("甲", "无")]).nodes) == 8, "a node that is not there is passed over"


def test_a_verdict_is_the_same_whichever_is_named_first() -> None:
    assert verdict_id(U1, SAME, "thing:a", "thing:b") == verdict_id(U1, SAME, "thing:b", "thing:a")
    assert verdict_id(U1, SAME, "thing:a", "thing:b") != verdict_id(U1, DIFFERENT, "thing:a", "thing:b")


def test_an_id_is_one_users_alone_whatever_its_node_is_called() -> None:
    others = UserScope("t1", "u2"), UserScope("t2", "u1")
    assert len({node_id(scope, "thing:青霉素") for scope in (U1, *others)}) == 3
    assert node_id(U1, "thing:青霉素") != node_id(U1, "thing:阿司匹林")
    assert node_id(U1, "thing:ＡＩ") == node_id(U1, "person:ai"), "it looks the same, and who it is may turn out later"
    memory = made("我", "心情", "不好")
    assert node_id(U1, memory.memory_id) == memory.memory_id


def test_people_are_one_by_an_alias_that_was_told() -> None:
    told = [
        made("小明", "别名", "明明", Type.RELATION),
        made("我", "朋友", "小明", Type.RELATION),
        made("明明", "考试", "满分"),
    ]
    nodes = {node.label: node for node in graph(told, "zh").nodes}
    assert nodes["小明"].aliases == ("明明",)
    assert nodes["小明"].kind == "person"
    assert "明明" not in nodes


def test_a_verdict_goes_with_the_last_memory_that_says_its_label() -> None:
    told = [made("我", "心情", "不好"), made("心情", "取决于", "天气"), made("情绪", "影响", "睡眠")]
    one = verdict(U1, SAME, "thing:心情", "thing:情绪", Telling(1))
    assert without_labels([*told, one], {told[0].memory_id}) == []
    assert without_labels([*told, one], {told[2].memory_id}) == [one.memory_id]


def test_opposites_and_two_values_are_conflicts_and_nothing_else_is() -> None:
    likes, hates = made("我", "喜欢", "下雨天"), made("我", "讨厌", "下雨天")
    said, denied = made("我", "养", "猫"), made("我", "养", "猫", polarity="-")
    first, second = made("我", "居住地", "杭州"), made("我", "居住地", "苏州")
    others = [
        made("小明", "讨厌", "下雨天"),
        made("我", "喜欢", "晴天"),
        made("我", "去过", "杭州"),
        made("我", "去过", "苏州"),
    ]
    does, does_not = made("我", "like", "rain"), made("我", "doesn't like", "rain")
    plays, plays_not = made("我", "喜欢打篮球"), made("我", "讨厌打篮球")
    others += [made("小明", "doesn't like", "snow"), made("我", "喜欢打网球")]
    found = conflicts([likes, hates, said, denied, first, second, does, does_not, plays, plays_not, *others])
    pairs = {frozenset((each.earlier, each.later)): each.kind for each in found}
    assert pairs == {
        frozenset((likes.memory_id, hates.memory_id)): "opposite",
        frozenset((said.memory_id, denied.memory_id)): "opposite",
        frozenset((first.memory_id, second.memory_id)): "values",
        frozenset((does.memory_id, does_not.memory_id)): "opposite",
        frozenset((plays.memory_id, plays_not.memory_id)): "opposite",
    }
