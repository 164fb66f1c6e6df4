"""Denials without their apostrophes are read as with them; words of their own stay what they are."""

import re

import pytest

from memory.clinical.drawing import drawn_of
from memory.clinical.languages import in_use
from memory.clinical.safety import read_safety
from memory.clinical.sketch import sketch
from memory.extraction.endings.reasons import reason_for
from memory.language.apostrophes import spelled
from tests.facts_told import facts_told, safety_told
from tests.growth import assert_grows

DENIED = [
    "I don't have any asthma",
    "i don't have asthma",
    "haven't got diabetes",
    "no i don't have asthma",
    "my gp says it isn't asthma",
    "i hadn't any asthma as a kid",
    "I didn't have epilepsy",
    "i don't have a penicillin allergy",
    "I don't have any allergies",
    "i haven't had any allergies ever",
    "I'm not allergic to latex and i don't have diabetes",
    "it wasn't lupus",
    "I don't have high blood pressure but i do have diabetes",
    "i haven't had a stroke, i do have asthma",
    "it doesn't hurt, i haven't got a fever",
    "can't have augmentin, came up in hives last time",
]
ALIKE = [
    "I don't know if I have asthma",
    "don't you have asthma?",
    "my mum doesn't have asthma",
    "no, I don't have insurance but I have asthma",
    "i don't have time, i have diabetes",
    "i can't believe i have diabetes",
    "i haven't been taking my asthma inhaler",
    "didn't know asthma makes you cough, i have asthma",
    "my son hasn't got asthma, has he?",
    "won't my asthma get worse?",
    "shouldn't people with asthma avoid aspirin?",
    "isn't asthma hereditary?",
    "i don't want to get diabetes like my dad",
    "don't forget i have diabetes",
    "why don't i have any energy? i have lupus",
    "i don't think it's asthma",
    "weren't you asking about asthma?",
]


def as_facts(text: str) -> list[tuple[str, ...]]:
    return [(fact.polarity, fact.subject, fact.predicate, fact.object) for fact in facts_told(text)]


@pytest.mark.parametrize("text", [*DENIED, *ALIKE])
@pytest.mark.parametrize("mark", ["", "’"])
def test_apostrophe_that_is_left_out_or_curly_changes_nothing(text: str, mark: str) -> None:
    typed = text.replace("n't", f"n{mark}t")
    assert as_facts(typed) == as_facts(text)
    told, typed_told = read_safety(text), read_safety(typed)
    assert [each._replace(quote="") for each in typed_told] == [each._replace(quote="") for each in told]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I dont have any asthma", {("-", "disease", "asthma")}),
        ("no i dont have asthma", {("-", "disease", "asthma")}),
        ("havent got diabetes", {("-", "disease", "diabetes")}),
        ("can't have aspirin, my throat closes up", {("+", "allergy", "aspirin")}),
        ("can't i have aspirin after hives", set()),
        ("I don´t have asthma", {("-", "disease", "asthma")}),
        ("I DONT HAVE ASTHMA", {("-", "disease", "ASTHMA")}),
        ("no, I dont have insurance but I have asthma", {("+", "disease", "asthma")}),
        ("i havent been taking my asthma inhaler", set()),
        ("i dont think its asthma", set()),
        ("i wouldnt say i have asthma exactly", set()),
        ("im not saying i dont have asthma", set()),
        ("it isnt like i have diabetes or anything", set()),
        ("i have asthma, as was my wont i skipped breakfast", {("+", "disease", "asthma")}),
        ("its asthma, well i was ill for years", {("+", "disease", "asthma")}),
    ],
)
def test_denial_without_apostrophe_is_a_denial(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert safety_told(text) == expected


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Ok. I dont have asthma, doc. I havent slept", "I dont have asthma"),
        ("It cant be. Dont worry: I don’t have asthma", "I don’t have asthma"),
    ],
)
def test_quote_is_what_was_typed(text: str, quote: str) -> None:
    (denied,) = [fact for fact in facts_told(text) if fact.predicate == "disease"]
    assert denied.quote == quote
    assert all(fact.quote in text for fact in facts_told(text))


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("I dont have asthma any more, spirometry was normal", True),
        ("The doctor said I dont have asthma, it wasnt that", True),
        ("I dont have asthma. My covid test was negative", False),
        ("Doctor said I havent got a cold. I dont have asthma", False),
    ],
)
def test_reason_is_found_beside_a_left_out_apostrophe(text: str, *, ended: bool) -> None:
    drawn = sketch(text, in_use().lexicon)
    quote = next(each for each in re.split(r"[.,] ?", text) if "asthma" in each)
    assert bool(reason_for(drawn, quote, "asthma", "disease")) == ended


def test_quote_of_a_claim_behind_a_left_out_apostrophe_is_what_was_typed() -> None:
    (found,) = read_safety("I cant sleep and dont eat but i have diabetes. It wont stop")
    assert found.quote == "I cant sleep and dont eat but i have diabetes"


@pytest.mark.parametrize(
    "text",
    [
        "as was his wont",
        "she is wont to cough",
        "the cant of thieves",
        "well, ill be there, its fine, we were late",
        "mail dont@example.com or www.dont.com/cant",
        "n-dont-n",
        "see cant.org",
    ],
)
def test_words_of_their_own_stay(text: str) -> None:
    assert spelled(text).text == text


def test_places_lead_back_to_what_was_said() -> None:
    words = spelled("I dont and cant, 我havent")
    assert words.text == "I don't and can't, 我haven't"
    at = words.text.index("can't")
    assert words.written(at, at + 5) == "cant"
    assert words.text[words.place_of(words.said.index("have")) :] == "haven't"


def test_spelling_grows_with_the_text() -> None:
    assert_grows(spelled, lambda chars: ("my wont dont " * chars)[:chars], 20_000)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("He said 'Asthma is what it was' wont matter, i have diabetes now", "diabetes"),
        ("She said 'Asthma is what it was' wont matter, i'm allergic to penicillin", "penicillin"),
        ('they wrote "it is what it was" wont matter, i dont smoke, i have diabetes now', "diabetes"),
    ],
)
def test_names_stand_where_they_were_said_when_what_is_quoted_is_left_out(text: str, name: str) -> None:
    (found,) = read_safety(text)
    assert found.text == name
    assert found.quote in text


def test_apostrophes_are_put_in_once_before_what_is_quoted_is_left_out() -> None:
    drawn = drawn_of("as was 'His old and only wish' wont to be, I dont mind")
    assert len(drawn.lowered) == len(drawn.text)
    assert drawn.text[-8:] == drawn.lowered[-8:] == "n't mind"
