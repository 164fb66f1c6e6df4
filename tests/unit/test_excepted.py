"""What a nurse's reading found: exceptions from a denial, pregnancies left open, and whose it is beside "I think"."""

import pytest

from memory.clinical.allergies import not_allergic
from memory.clinical.asked import Question
from memory.clinical.drawing import drawn_of
from memory.clinical.findings import ALLERGY, MEDICATION, PREGNANCY, SYMPTOM, Finding
from memory.clinical.health.reading import read_health
from memory.clinical.languages import in_use
from memory.clinical.reading import Reading
from memory.clinical.safety import read_safety
from memory.extraction.facts.reading import find_facts


def told(text: str, before: str = "") -> dict[str, bool]:
    """What is not borne, and whether it is only possible; `*`: nothing is known."""
    found = read_safety(text, before)
    return {each.text: each.possible for each in found if each.kind == ALLERGY}


@pytest.mark.parametrize(
    ("before", "text", "name"),
    [
        ("有没有药物过敏？", "没有，除了青霉素", "青霉素"),
        ("有没有药物过敏？", "除了头孢都没有", "头孢"),
        ("您有过敏吗？", "没有过敏，除了花粉", "花粉"),
        ("除了青霉素,还有别的药过敏吗?", "没了 就青霉素", "青霉素"),
        ("", "没有药物过敏，除了青霉素", "青霉素"),
        ("", "我没有过敏，除了头孢我什么药都能吃", "头孢"),
        ("", "除了青霉素我都不过敏", "青霉素"),
        ("Any allergies?", "Not really, just penicillin", "penicillin"),
        ("Any allergies?", "No, only latex", "latex"),
        ("Any allergies?", "None apart from penicillin", "penicillin"),
        ("", "No known allergies except penicillin.", "penicillin"),
    ],
)
def test_what_is_left_out_of_a_denial_is_not_borne(before: str, text: str, name: str) -> None:
    assert told(text, before) == {name: False}


@pytest.mark.parametrize(
    ("before", "text", "name"),
    [
        ("有过敏吗？", "药物没有过敏的，就是造影剂那次起了点疹子，医生说可能是过敏", "造影剂"),
        ("", "没有药物过敏，就是青霉素不确定", "青霉素"),
        ("Any allergies or medications?", "No, just penicillin", "penicillin"),
        ("", "I'm fine with everything except shellfish", "shellfish"),
    ],
)
def test_what_is_left_out_with_doubt_is_possible(before: str, text: str, name: str) -> None:
    assert told(text, before) == {name: True}


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("Any allergies?", "No, just taking penicillin for my throat"),
        ("Any allergies?", "No, only ibuprofen now and then"),
        ("有没有药物过敏？", "没有，就吃点维生素"),
        ("any allergies", "no allergies, but penicillin makes my mum sick"),
    ],
)
def test_what_is_taken_or_is_somebody_elses_is_not_left_out(before: str, text: str) -> None:
    assert told(text, before) == {"*": False}


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("Any allergies?", "I don't take any medication apart from levothyroxine"),
        ("Any allergies?", "I only take levothyroxine"),
        ("有没有药物过敏？", "我只吃优甲乐"),
        ("Any allergies in the family?", "No, just penicillin"),
    ],
)
def test_all_that_somebody_takes_or_a_family_does_not_bear_is_none_of_theirs(before: str, text: str) -> None:
    assert told(text, before) == {}


def test_what_is_left_out_of_a_denial_is_not_denied() -> None:
    drawn = drawn_of("除了青霉素我都不过敏")
    nothing = Question("")
    (reading,) = [Reading(drawn, each, in_use().grammars, nothing) for each in in_use().grammars if not each.asks_first]
    assert list(not_allergic(reading)) == []


def pregnancy(text: str, before: str = "") -> Finding | None:
    return next((each for each in read_safety(text, before) if each.kind == PREGNANCY), None)


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("怀孕了吗？", "之前以为怀上了，验了没有"),
        ("", "以为怀孕了，结果验孕棒一条杠"),
        ("", "My wife says I'm pregnant with ideas."),
        ("Are you breastfeeding?", "maybe later"),
        ("Are you breastfeeding at the moment?", "yes still bfing my 4 month old"),
        ("您目前有没有怀孕或者哺乳？", "嗯，还在喂奶"),
        ("您怀孕了吗？", "不可能，我结扎了"),
        ("", "I'm 12 weeks with my new knee and it is swollen"),
    ],
)
def test_what_is_no_pregnancy(before: str, text: str) -> None:
    assert pregnancy(text, before) is None


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("Are you pregnant?", "Could be, I'm 9 days late"),
        ("Are you pregnant?", "Maybe"),
        ("Are you pregnant or breastfeeding?", "Not sure, period is late"),
        ("有没有怀孕的可能？", "有可能，推迟9天了"),
        ("怀孕了吗？", "可能吧"),
    ],
)
def test_a_pregnancy_that_an_answer_leaves_open_is_possible(before: str, text: str) -> None:
    found = pregnancy(text, before)
    assert found is not None
    assert found.possible


def test_how_far_somebody_is_tells_of_a_pregnancy() -> None:
    found = pregnancy("Hi, I'm 29 weeks with my second and my feet are really swollen")
    assert found is not None
    assert not found.possible


def test_how_far_somebody_is_is_not_how_long_a_complaint_lasts() -> None:
    (swollen,) = [
        each
        for each in read_health("I'm 29 weeks with my second and my feet are really swollen today")
        if each.kind == SYMPTOM
    ]
    assert dict(swollen.attributes).get("duration") != "29 weeks"


def test_no_part_of_a_word_is_a_part_of_the_body() -> None:
    said = "I had a new hip on the left side four years ago my late husband had the bypass"
    assert [each.text for each in read_health(said) if each.kind == SYMPTOM] == []


@pytest.mark.parametrize("text", ["二甲双胍去年就不吃了", "氯吡格雷三个月前就不吃了", "瑞格列奈年初就停了"])
def test_what_was_stopped_then_is_taken_no_longer(text: str) -> None:
    assert [each.denied for each in read_health(text) if each.kind == MEDICATION] == [True]


def test_a_guess_does_not_make_it_the_speakers() -> None:
    (hers,) = [each for each in read_safety("我记得是青霉素", "她对什么过敏？", "我妈") if each.kind == ALLERGY]
    assert hers.subject == "我妈"
    (mine,) = [each for each in read_safety("Penicillin, I think", "Any allergies?", "my mum") if each.kind == ALLERGY]
    assert mine.subject == "my mum"
    (own,) = [
        each for each in read_safety("My mum is fine, I think I'm allergic to penicillin") if each.kind == ALLERGY
    ]
    assert own.subject == "user"


def test_an_age_behind_my_is_somebody_elses() -> None:
    assert [each.object for each in find_facts("My 3 year old has come out in hives") if each.predicate == "age"] == []
    assert [each.object for each in find_facts("I'm 33 years old") if each.predicate == "age"] == ["33"]
