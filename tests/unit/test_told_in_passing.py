"""What a nurse's dialogues showed: a part of a name as an answer, weeks beside labour, whose it was after all."""

import pytest

from memory.clinical.corrections.reading import corrections
from memory.clinical.health.reading import read_health
from memory.clinical.safety import read_safety
from memory.extraction.facts.reading import find_facts


def listed(text: str, before: str = "") -> set[str]:
    """What is told of the user, and surely."""
    found = read_safety(text, before)
    return {each.text for each in found if not each.possible and not each.denied and each.subject == "user"}


LIST_EN = "Do you have high blood pressure, diabetes or heart problems?"
LIST_ZH = "您有高血压、糖尿病或者心脏病吗？"


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        (LIST_EN, "Just the blood pressure", {"hypertension"}),
        (LIST_EN, "Just a headache", set()),
        (LIST_EN, "just the one time", set()),
        ("Do you have a headache?", "Just the blood pressure", set()),
        (LIST_ZH, "只有血压", {"高血压"}),
        (LIST_ZH, "就有点紧张", set()),
        ("您有糖尿病、糖尿病肾病吗？", "只有糖尿病", {"糖尿病"}),
    ],
)
def test_part_of_a_name_answers_which(before: str, text: str, expected: set[str]) -> None:
    assert listed(text, before) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我现在34周，破水了", {"怀孕"}),
        ("38周见红", {"怀孕"}),
        ("吃药2周，见红", set()),
        ("停药后6周，见红了", set()),
        ("I'm 34 weeks and my waters just broke", {"pregnant"}),
        ("I'm 34 weeks into this job and my head hurts", set()),
    ],
)
def test_weeks_beside_labour_are_of_a_pregnancy(text: str, expected: set[str]) -> None:
    assert listed(text) == expected


def test_how_far_along_is_answered_by_weeks() -> None:
    assert listed("39 weeks", "How far along are you?") == {"pregnant"}
    assert listed("39 weeks", "How many weeks have you had the cough?") == set()


def test_whose_it_was_after_all() -> None:
    asked = "Any operations?"
    assert listed("had my tonsils out when I was 6... actually that was my brother", asked) == set()
    assert listed("had my tonsils out when I was 6, my brother too", asked) == {"tonsillectomy (tonsils out)"}


@pytest.mark.parametrize("text", ["我有甲亢，不是，是甲减", "甲亢，等等，不是，应该是甲减", "我有甲亢…啊不是，是甲减"])
def test_no_between_two_names_takes_the_first_back(text: str) -> None:
    (found,) = corrections(text)
    assert [[name for _, name in each] for each in (found.wrong, found.right)] == [["甲亢"], ["甲减"]]


def test_what_lips_swell_to_is_no_allergen() -> None:
    found = read_safety("昨天吃了芒果嘴肿成香肠hhh")
    assert [each.text for each in found] == ["芒果"]


@pytest.mark.parametrize("text", ["had my tonsils out when I was 6", "I've been fat since I was 12"])
def test_age_of_long_ago_is_none(text: str) -> None:
    assert not [fact for fact in find_facts(text) if fact.predicate == "age"]


def test_whose_body_it_was_says_whose_allergy_it_is() -> None:
    found = read_safety("my sister is allergic to penicillin. amoxicillin gave me a rash")
    assert {(each.subject, each.text) for each in found} == {("my sister", "penicillin"), ("user", "amoxicillin")}
    (found,) = read_safety("my wife is fine. amoxicillin gave my son a rash")
    assert found.subject == "my son"


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        ("Any allergies?", "no. well, penicillin", "penicillin"),
        ("Any allergies?", "nope. oh wait penicillin", "penicillin"),
        ("有过敏吗？", "没有 哦对了青霉素", "青霉素"),
    ],
)
def test_what_comes_to_mind_behind_a_no_is_not_denied(before: str, text: str, expected: str) -> None:
    assert [(each.denied, each.text) for each in read_safety(text, before)] == [(False, expected)]


def test_medicine_beside_one_that_was_stopped_is_taken() -> None:
    for text, taken, stopped in (
        ("我在吃华法林 布洛芬停了", "华法林", "布洛芬"),
        ("在吃胰岛素 二甲双胍停了", "胰岛素", "二甲双胍"),
        ("im on warfarin and stopped aspirin", "warfarin", "aspirin"),
        ("im on warfarin, aspirin stopped", "warfarin", "aspirin"),
    ):
        found = {each.text: each.denied for each in read_health(text) if each.kind == "medication"}
        assert found == {taken: False, stopped: True}, text
    assert listed("我在吃华法林 布洛芬停了") == {"华法林"}
    assert all(each.denied for each in read_health("阿司匹林 布洛芬都停了") if each.kind == "medication")


@pytest.mark.parametrize("text", ["我怀孕9周了 之前流产过一次", "我现在怀孕9周 去年流产过"])
def test_earlier_miscarriage_denies_no_pregnancy(text: str) -> None:
    assert listed(text) == {"怀孕"}
    assert listed("我怀孕9周流产了") == set()


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        ("Are you breastfeeding?", "yes", {"breast-feeding"}),
        ("您在哺乳期吗？", "是的", {"哺乳期"}),
        ("Are you breastfeeding?", "no", set()),
        ("", "im 14 weeks with number 2", {"pregnant"}),
        ("Any allergies?", "vancomycin turned me red like a lobster", {"vancomycin"}),
        ("Any allergies?", "When i was 7 they gave me amoxicillin and i swelled up", {"amoxicillin"}),
        ("", "我老窦心脏有起搏器", set()),
        ("家里人有什么病？", "我爹肝癌走的", set()),
    ],
)
def test_said_as_people_say_it(before: str, text: str, expected: set[str]) -> None:
    assert listed(text, before) == expected


def test_dose_of_before_is_no_age() -> None:
    assert not [fact for fact in find_facts("prednisone was 10 now 5") if fact.predicate == "age"]
