"""Short answers: what they name is what was asked for, and nothing else."""

import pytest

from memory.clinical.findings import ALLERGY, SURGERY, Finding
from memory.clinical.safety import read_safety
from memory.language.terms import is_uncommon


def told(before: str, text: str) -> list[Finding]:
    return [each for each in read_safety(text, before) if each.kind in {ALLERGY, SURGERY} and not each.denied]


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("What did you have for lunch?", "eggs"),
        ("哪个好吃？", "橘子"),
        ("What's your cat's name?", "Peanut"),
        ("What should I bring to the party?", "shrimp and peanuts"),
        ("What did the doctor prescribe?", "amoxicillin"),
        ("Which antibiotic did you finish last week?", "doxycycline"),
        ("医生给您开了什么药？", "阿莫西林胶囊"),
        ("Pick a code word for your account.", "pineapple"),
        ("请设一个口令", "菠萝菠萝"),
        ("What detergent do you use?", "the lavender one from the corner shop"),
        ("Our records show no allergies. What would you like for breakfast?", "eggs"),
        ("喝点什么？", "牛奶"),
    ],
)
def test_what_answers_another_question_is_no_allergy(before: str, text: str) -> None:
    assert told(before, text) == []


@pytest.mark.parametrize(
    ("before", "text", "name"),
    [
        ("Any allergies?", "shellfish", "shellfish"),
        ("有没有对什么东西过敏", "海鲜", "海鲜"),
        ("請問有藥物過敏嗎？", "有，盤尼西林", "青霉素"),
        ("What makes you sneeze?", "cats", "cats"),
        ("任何不能吃的？", "虾", "虾"),
        ("You said one antibiotic gives you a rash. Which one is it?", "Bactrim", "Bactrim"),
        ("We have no allergies on file for you. Is that right?", "wrong. strawberries", "strawberr"),
        ("What did you have for lunch?", "eggs, and my lips swelled up", "eggs"),
    ],
)
def test_what_answers_a_question_for_what_is_not_borne_is_one(before: str, text: str, name: str) -> None:
    assert any(name in each.text and not each.possible for each in told(before, text)), read_safety(text, before)


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("Do you have any allergies?", "haha no way"),
        ("您有什么过敏吗？", "我问问我妈"),
        ("Are you allergic to any medicines?", "hm good question"),
        ("Do you react to plasters or tape?", "ok one sec"),
        ("您有过敏性鼻炎吗？", "嗯，从小就有"),
        ("您对青霉素过敏吗？", "不过敏，打过好几回了"),
        ("您有药物过敏吗?", "没有,什么药都能吃"),
    ],
)
def test_an_answer_that_names_nothing_is_no_allergy_of_that_name(before: str, text: str) -> None:
    assert told(before, text) == []


def test_a_name_that_no_list_has_is_a_possible_allergy() -> None:
    assert [(each.text, each.possible) for each in told("Any allergies?", "blorvanol")] == [("blorvanol", True)]


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("对虾过敏吗？", "不过敏 最爱吃虾"),
        ("Are you allergic to shellfish?", "no way i love prawns"),
        ("Any reaction to iodine?", "iodine was ok last time no rash"),
        ("Any allergy to nickel, like cheap earrings?", "i wear cheap earrings all the time np"),
        ("Do you have a hip replacement?", "no both hips are my own"),
        ("你有冇做過手術？", "冇啊，冇開過刀，心臟血壓都冇"),
    ],
)
def test_what_is_borne_or_still_there_is_not_told(before: str, text: str) -> None:
    assert told(before, text) == []


@pytest.mark.parametrize(
    ("text", "harmful"),
    [
        (
            "I have high blood pressure and take amlodipine every morning. I am allergic to penicillin, I got hives.",
            "penicillin",
        ),
        ("我有高血压，每天早上吃一片氨氯地平。我对青霉素过敏，打针以后全身起过荨麻疹。", "青霉素"),
        ("我一直吃头孢都起疹子", "头孢"),
    ],
)
def test_harm_belongs_to_what_did_it_and_not_to_what_is_taken(text: str, harmful: str) -> None:
    assert [each.text for each in told("Do you have any lasting diseases or allergies?", text)] == [harmful]


def test_who_likes_what_makes_them_swell_does_not_bear_it() -> None:
    (found,) = told("Are you allergic to shellfish?", "i love prawns but my throat swells up")
    assert "prawns" in found.text
    assert not found.possible


def test_an_everyday_word_makes_no_name() -> None:
    assert [is_uncommon(each) for each in ("", "蟑螂", "化纤的衣服", "我问问我妈", "blorvanol", "good one")] == [
        False, True, True, False, True, False,
    ]  # fmt: skip
