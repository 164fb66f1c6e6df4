"""What people type behind a name is no part of it."""

import pytest

from memory.clinical.safety import read_safety
from memory.language.noise import without_noise
from tests.facts_told import facts_told, safety_told
from tests.growth import assert_grows


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("im allergic to penicillin lol", ("+", "penicillin")),
        ("not allergic to penicillin lol", ("-", "penicillin")),
        ("im not allergic to ibuprofen tho", ("-", "ibuprofen")),
        ("I'm not allergic to latex btw haha", ("-", "latex")),
        ("i'm not allergic to aspirin 😅", ("-", "aspirin")),
        ("never been allergic to eggs tbh", ("-", "eggs")),
        ("omg im not allergic to shellfish omg", ("-", "shellfish")),
        ("我对青霉素过敏哈哈", ("+", "青霉素")),
        ("我对青霉素不过敏呵呵", ("-", "青霉素")),
        ("我对芒果过敏啦", ("+", "芒果")),
        ("花生过敏😂", ("+", "花生")),
        ("过敏：青霉素哈哈", ("+", "青霉素")),
        ("Allergies: penicillin lol", ("+", "penicillin")),
    ],
)
def test_allergen_is_named_without_the_noise(text: str, told: tuple[str, str]) -> None:
    assert {(sign, name) for sign, kind, name in safety_told(text) if kind == "allergy"} == {told}


@pytest.mark.parametrize(
    "text", ["I'm allergic to zorbalin lol", "I'm allergic to zorbalin 😂😂", "allergic to zorbalin, tho"]
)
def test_name_that_no_lexicon_has_ends_before_the_noise(text: str) -> None:
    (found,) = [each for each in read_safety(text) if each.kind == "allergy"]
    assert found.text == "zorbalin"
    assert found.quote in text


@pytest.mark.parametrize(
    ("before", "answer"),
    [
        ("Do you have any allergies?", "no lol"),
        ("Any drug allergies?", "nope haha"),
        ("您有药物过敏吗？", "没有啦哈哈"),
        ("Any allergies?", "none 😂"),
    ],
)
def test_answer_that_says_none_says_so_whatever_is_typed_behind_it(before: str, answer: str) -> None:
    (found,) = read_safety(answer, before)
    assert (found.kind, found.text, found.denied) == ("allergy", "*", True)


@pytest.mark.parametrize("answer", ["haha", "lol", "哈哈哈", "😂"])
def test_laughing_at_a_question_names_nothing(answer: str) -> None:
    assert read_safety(answer, "What are you allergic to? 您对什么过敏？") == []


def test_medicine_is_named_without_the_noise() -> None:
    assert {fact.object for fact in facts_told("i take penicillin lol") if fact.predicate == "medication"} == {
        "penicillin"
    }


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("penicillin, lol!!", "penicillin"),
        ("青霉素哈哈哈哈😂", "青霉素"),
        ("lol", ""),
        ("🐱", ""),
        ("xanax xx", "xanax"),
        ("nuts lolll", "nuts"),
        ("मूंगफली 😂", "मूंगफली"),
        ("cafe\u0301 lol ❤\ufe0f", "cafe\u0301"),
        ("codeine lmaooo hahahaha", "codeine"),
    ],
)
def test_noise_is_taken_off(typed: str, name: str) -> None:
    assert without_noise(typed) == name


@pytest.mark.parametrize(
    "name",
    [
        "哈密瓜",
        "vitamin b12",
        "amoxicillin (generic)",
        "St John's",
        "thorium",
        "Thomas",
        "醋酸（冰）",
        "70%",
        "ménière’s",
        "taxol",
        "omgalin",
        "though tea",
        "阿昔洛韦",
        "co-trimoxazole",
        "oddity",
        "royalty",
        "cafe\u0301",
        "मूंगफली",
        "นม\u0e4d",
    ],
)
def test_name_that_only_looks_noisy_stays(name: str) -> None:
    assert without_noise(name) == name


@pytest.mark.parametrize(
    "text",
    [
        "im allergic to mondays lol",
        "lol my mum is allergic to penicillin",
        "haha is penicillin safe",
        "what happens if ur allergic to penicillin lol",
        "哈哈我对上班过敏",
        "omg lol what a day",
        "我朋友对芒果过敏哈哈",
        "allergic to lol",
        "你对青霉素过敏吗哈哈",
        "pretty sure im allergic to my ex lol",
        "wish i was allergic to exercise haha",
        "tho i love peanuts",
        "i took penicillin lol and was fine",
    ],
)
def test_jokes_and_others_stay_out_of_the_lists(text: str) -> None:
    assert safety_told(text) == set()


@pytest.mark.parametrize("piece", ["哈", "lol ", "😂", "ha", " "])
def test_taking_noise_off_grows_with_the_text(piece: str) -> None:
    assert_grows(without_noise, lambda chars: (piece * chars)[:chars] + "x", 20_000)
