"""What an audit of the graph found: conflicts in linear time, names of two people, signs and powers, roles turned."""

from dataclasses import replace
from datetime import datetime

import pytest

from memory.graph.conflicts import BESIDE_MAX, conflicts
from memory.graph.created import Creation, created, normal
from memory.graph.described import decided, ranked
from memory.graph.identity import DIFFERENT, SAME, Telling, apart, joined, verdict
from memory.graph.likeness import Verdict, alike
from memory.graph.triples import graph
from memory.model.change import Change, Op
from memory.model.memory import Memory, Type
from memory.scope import UserScope

SCOPE = UserScope("t", "u")
NOW = datetime.fromisoformat("2026-01-02T10:00:00+08:00")


def told(subject: str, topic: str, thing: str = "", kind: Type = Type.FACT, **fields: object) -> Memory:
    return created(SCOPE, Creation(subject, kind, topic, 1, object=thing, **fields))  # type: ignore[arg-type]


def compared(monkeypatch: pytest.MonkeyPatch, memories: list[Memory]) -> int:
    """How many pairs are looked at."""
    looked = 0

    def count(one: Memory, other: Memory) -> bool:
        nonlocal looked
        looked += 1
        return True

    monkeypatch.setattr("memory.graph.conflicts._may_meet", count)
    conflicts(memories)
    return looked


def test_events_without_an_object_are_not_compared_with_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    events = [told("我", f"事{number}", kind=Type.EVENT) for number in range(2_000)]
    assert compared(monkeypatch, events) == 0


def test_of_many_that_may_conflict_the_last_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    liked = [told("我", ("喜欢", "讨厌")[number % 2], "狗", attributes={"n": str(number)}) for number in range(400)]
    assert len(liked) < compared(monkeypatch, liked) <= len(liked) * BESIDE_MAX
    homes = [told("我", "住处", f"城{number}") for number in range(400)]
    assert 0 < len(conflicts(homes)) <= len(homes) * BESIDE_MAX


def people(*memories: Memory) -> set[frozenset[str]]:
    """Each person by all their names."""
    return {frozenset((node.label, *node.aliases)) for node in graph(memories, "zh").nodes if node.kind == "person"}


def names(*each: str) -> set[frozenset[str]]:
    return {frozenset(one.split()) for one in each}


def test_name_of_two_people_makes_them_no_one() -> None:
    rel = Type.RELATION
    shared = [told("小朱", "别名", "老师", rel), told("老王", "别名", "老师", rel)]
    assert people(*shared) == names("小朱", "老师", "老王")
    mine = [told("我", "别名", "小李", rel), told("小王", "别名", "小李", rel), told("小王", "喜欢", "榴莲")]
    (edge,) = [each for each in graph(mine, "zh").edges if each.relation == "喜欢"]
    assert edge.source == "person:小王"
    alone = [told("小朱", "别名", "老师", rel), told("老王", "别名", "王哥", rel)]
    assert people(*alone) == names("小朱 老师", "老王 王哥")
    one = [told("小明", "别名", "明明", rel), told("王小明", "别名", "明明", rel), told("小明", "别名", "王小明", rel)]
    assert people(*one) == names("小明 明明 王小明")


def test_place_is_no_person() -> None:
    assert people(told("我", "住在", "北京", Type.RELATION)) == names("用户")


@pytest.mark.parametrize(
    ("one", "other"), [("细菌10⁵", "细菌105"), ("10⁹/L", "109/L"), ("1½片", "11⁄2片"), ("2⁻³", "2-3")]
)
def test_power_and_fraction_are_not_their_digits(one: str, other: str) -> None:
    assert normal(one) != normal(other)
    assert normal("kg/m²") == normal("kg/m2")


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        ("t-5", "t5", Verdict.MAYBE),
        ("score-1", "score 1", Verdict.MAYBE),
        ("od-2.50", "od 2.50", Verdict.MAYBE),
        ("covid-19", "covid19", Verdict.SAME),
        ("vitamin b-12", "vitamin b12", Verdict.SAME),
        ("CT 检查", "CT检查", Verdict.SAME),
    ],
)
def test_minus_makes_nothing_one_by_itself(one: str, other: str, verdict: Verdict) -> None:
    assert alike(one, other).verdict is verdict


@pytest.mark.parametrize(
    ("subject", "topic", "thing", "description", "meant"),
    [
        ("小王", "打了", "小李", "小王打了小李", True),
        ("小王", "打了", "小李", "小李打了小王", False),
        ("小王", "打了", "小李", "小李被小王打了", True),
        ("我", "借钱给", "小王", "我借钱给小王", True),
        ("我", "借钱给", "小王", "小王借钱给我", False),
        ("I", "lent money to", "Bob", "I lent Bob money", True),
        ("I", "lent money to", "Bob", "Bob lent me money", False),
        ("I", "moved to Berlin", "", "I moved to Berlin", True),
        ("I", "moved to Berlin", "", "I moved from Berlin", False),
        ("我", "买了", "红色的车", "我买了红色的车", True),
        ("我", "买了", "红色的车", "我买了蓝色的车", False),
        ("我", "朋友", "小明", "小明是我的朋友", True),
        ("我", "吃了", "小米粥", "小米粥我吃了", True),
        ("I", "upset by", "Tom", "Tom upset me", True),
        ("小王", "结婚", "小李", "小李和小王结婚", True),
        ("我", "买了", "红色的鞋", "我买了红色白色的鞋", True),
    ],
)
def test_description_means_who_did_it_to_whom(
    subject: str, topic: str, thing: str, description: str, *, meant: bool
) -> None:
    memory = told(subject, topic, thing, Type.EVENT)
    assert (decided(ranked(description, [memory], NOW)) is memory) == meant


@pytest.mark.parametrize(("same_ms", "different_ms", "is_one"), [(1, 2, False), (2, 1, True), (1, 1, False)])
def test_of_two_verdicts_told_at_once_the_later_stands(same_ms: int, different_ms: int, *, is_one: bool) -> None:
    both = [
        verdict(SCOPE, SAME, "thing:心情", "thing:情绪", Telling(same_ms)),
        verdict(SCOPE, DIFFERENT, "thing:心情", "thing:情绪", Telling(different_ms)),
    ]
    for records in (both, both[::-1]):
        assert bool(joined(records)) == is_one
        assert bool(apart(records)) != is_one


def test_dated_events_alone_are_of_their_days() -> None:
    had = told("我", "手术", "阑尾切除", Type.EVENT, happened_ms=1)
    denied = told("我", "手术", "阑尾切除", Type.EVENT, polarity="-", happened_ms=9 * 86_400_000_000)
    assert len(conflicts([had, denied])) == 1, "nobody said when it was not"


def test_value_that_was_told_often_hides_none_before_it() -> None:
    homes = [told("我", "住处", "巴黎", happened_ms=1)]
    homes += [
        told("我", "住处", "伦敦", happened_ms=number, attributes={"n": str(number)})
        for number in range(2, BESIDE_MAX + 9)
    ]
    assert any(homes[0].memory_id == each.earlier and homes[-1].memory_id == each.later for each in conflicts(homes))


def test_friend_who_is_called_like_a_place_is_a_person_and_names_go_round() -> None:
    rel = Type.RELATION
    assert people(told("我", "朋友", "Georgia", rel)) == names("用户", "Georgia")
    round_about = [
        told("Bob", "alias", "Robert", rel),
        told("Rob", "alias", "Bob", rel),
        told("Robert", "alias", "Bob", rel),
    ]
    assert people(*round_about) == names("Bob Rob Robert")


@pytest.mark.parametrize("again_ms", [None, 5])
def test_a_verdict_that_was_told_again_is_later_than_one_told_between(again_ms: int | None) -> None:
    same = verdict(SCOPE, SAME, "thing:心情", "thing:情绪", Telling(1))
    if again_ms:
        same = replace(same, changes=(Change(1, again_ms, Op.RENEWED, "nurse"),))
    different = verdict(SCOPE, DIFFERENT, "thing:心情", "thing:情绪", Telling(3))
    assert (bool(joined([same, different])), bool(apart([same, different]))) == (bool(again_ms), not again_ms)
