"""What a nurse's dialogues showed: a part of a name as an answer, weeks beside labour, whose it was after all."""

import pytest

from memory.clinical.corrections.reading import corrections
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
