"""Facts that hang together by what they name: 24 chains of three, told by a caller among others like them."""

import itertools
import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from tests.contract.lives import ON_EITHER_STORE
from tests.inprocess import World

pytestmark = ON_EITHER_STORE

CHAINS = 24
TOP = 5


class Language(NamedTuple):
    """What chains are made of, and the questions about one, two and three facts of them."""

    people: Sequence[str]
    others: Sequence[str]
    places: Sequence[str]
    cities: Sequence[str]
    predicates: tuple[str, str, str]
    questions: tuple[str, str, str]


def pairs(first: str, second: str, joint: str) -> list[str]:
    """Every one of the first with every one of the second."""
    return [joint.join(each) for each in itertools.product(first.split(), second.split())]


ZH = Language(
    pairs("赵 钱 孙 李 周 吴 郑 王 冯 陈", "建国 秀兰 志强 晓梅 海燕", ""),
    pairs("蒋 沈 韩 杨 朱 秦 许 何 吕 张", "文博 雅琴 立新 春花 大勇", ""),
    pairs("光明 东风 红星 长江 泰山 昆仑 晨曦 启明 宏远 天成", "中学 医院 书店 剧团 茶厂", ""),
    [
        "杭州",
        "苏州",
        "扬州",
        "洛阳",
        "大理",
        "桂林",
        "厦门",
        "青岛",
        "昆明",
        "西宁",
        "开封",
        "承德",
        "绍兴",
        "泉州",
        "敦煌",
        "吉林",
    ],
    ("老师", "单位", "所在城市"),
    ("{}的老师是谁？", "{}的老师在什么单位？", "{}的老师的单位在哪个城市？"),
)
EN = Language(
    pairs("Alan Beth Carl Dora Evan", "Ashdown Birch Coles Dunne Ekman Frost Gale Hobbs Irwin Jarvis", " "),
    pairs("Rita Saul Tess Ugo Vera", "Kemp Lowry Mercer Nolan Orton Pryce Quill Reeve Stroud Tate", " "),
    pairs(
        "Harbour Maple Granite Willow Beacon Cedar Falcon Summit Orchid Lantern", "School Clinic Mill Books Inn", " "
    ),
    [
        "Leeds",
        "Porto",
        "Turin",
        "Lyon",
        "Ghent",
        "Bergen",
        "Graz",
        "Vilnius",
        "Cork",
        "Malmo",
        "Basel",
        "Split",
        "Bilbao",
        "Delft",
        "Aarhus",
        "Tartu",
    ],
    ("teacher", "workplace", "city"),
    ("Who is the teacher of {}?", "Where does the teacher of {} work?", "In which city does the teacher of {} work?"),
)


async def tell(world: World, language: Language) -> list[str]:
    """Chains of three, their facts in no order; returns whom each begins with."""
    dice = random.Random(24)
    people, others, places = (dice.sample(each, CHAINS) for each in (language.people, language.others, language.places))
    facts = []
    for number, (person, other, place) in enumerate(zip(people, others, places, strict=True)):
        ends = ((person, other), (other, place), (place, language.cities[number % 12]))
        facts += [
            {"subject": subject, "predicate": predicate, "object": object_}
            for (subject, object_), predicate in zip(ends, language.predicates, strict=True)
        ]
    dice.shuffle(facts)
    await world.call("UpsertFacts", user_id="u1", triples=facts)
    return people


async def share_found(world: World, language: Language, people: Sequence[str], facts: int, **mode: Any) -> float:
    """Of how many chains the last of so many facts is among the first five."""
    found = 0
    for person in people:
        query = language.questions[facts - 1].format(person)
        answer = await world.call("SearchMemories", user_id="u1", query=query, limit=TOP, kinds=["fact"], **mode)
        known = {person}
        for predicate in language.predicates[:facts]:
            known = {
                each["object"]
                for each in answer["memories"]
                if each["subject"] in known and each["predicate"] == predicate
            }
        found += bool(known)
    return found / len(people)


@pytest.mark.parametrize("language", [ZH, EN], ids=["zh", "en"])
async def test_the_last_fact_of_a_chain_is_found_by_what_the_facts_name(here: World, language: Language) -> None:
    people = await tell(here, language)
    fast = [await share_found(here, language, people, facts) for facts in (1, 2, 3)]
    deep = [await share_found(here, language, people, facts, expand_depth=facts) for facts in (1, 2, 3)]
    print(fast, deep)
    assert deep[0] == 1.0
    assert deep[1] >= 0.95
    assert deep[2] >= 0.85
    assert fast[1] <= 0.2 >= fast[2], "without going deep there is nothing to be found by"


@pytest.mark.parametrize("language", [ZH, EN], ids=["zh", "en"])
async def test_a_way_goes_down_every_chain_by_the_words_that_say_it(here: World, language: Language) -> None:
    for number, person in enumerate(await tell(here, language)):
        city = language.cities[number % 12]
        found = await here.call("FindPath", user_id="u1", source=person, target=city)
        steps = found["paths"][0]["steps"]
        assert [(step["relation"], step["forward"]) for step in steps] == [(each, True) for each in language.predicates]
        labels = {node["id"]: node["label"] for node in found["paths"][0]["nodes"]}
        for step in steps:
            assert labels[step["target"]] in step["quote"]
