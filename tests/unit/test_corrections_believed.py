"""What a judge is believed: of whom, what holds instead, and as which facts. Only what was said; a dose for a dose."""

from dataclasses import replace

import pytest

from memory.clinical.findings import ENDED, TAKEN_BACK
from memory.consolidation.corrections import Decision, believed, facts_by, from_text, to_text
from memory.model.extraction import Correction, Said
from memory.model.memory import Category, Kind, Memory, Source, Type

MEMORY = Memory(
    memory_id="m", user_id="u", kind=Kind.FACT, category=Category.FACT, type=Type.FACT, text="aspirin 81 mg",
    source=Source("before", "unit", (1,), "aspirin 81 mg"), occurred_ms=1, recorded_ms=1, subject="user",
    predicate="medication", object="aspirin 81 mg",
)  # fmt: skip
SAID = "no aspirin since May"


def decided(memory: Memory, said: str, right: str = "", speaker: str = "user", *speakers: str) -> list[Decision]:
    message = Said(3, speaker, own=True, text=said, at_ms=2)
    decisions, refused = believed([Correction(0, 3, said, right)], [memory], [message], frozenset(speakers), "a judge")
    assert len(decisions) + refused.total() == 1
    return decisions


@pytest.mark.parametrize(
    ("held", "said", "right", "becomes"),
    [
        ("sertraline 100 mg", "we went up to 150 mg", "150 mg", "sertraline 150 mg"),
        ("舍曲林 50mg", "上周减到25mg了", "25mg", "舍曲林 25mg"),
        ("sertraline 100 mg", "stopped it 3 weeks ago", "3", ""),
        ("sertraline 100 mg", "now it is 5 ml of something", "5 ml", ""),
        ("aspirin 81 mg", "now I take 2 a day", "2", ""),
        ("vitamin B12", "three of them, 3 a day", "3", ""),
        ("insulin glargine U100", "it is 20 units now", "20 units", ""),
        ("布洛芬每天3次", "现在一次2片", "2片", ""),
        ("aspirin 81 mg", "it is clopidogrel now", "clopidogrel", "clopidogrel"),
        ("aspirin 81 mg", "it is clopidogrel now", "Clopidogrel", "clopidogrel"),
        ("aspirin 81 mg", "it is clopidogrel now", "warfarin", ""),
        ("aspirin", "no aspirin any more", "aspirin", ""),
    ],
)
def test_what_holds_instead_is_what_was_said(held: str, said: str, right: str, becomes: str) -> None:
    (decision,) = decided(replace(MEMORY, object=held), said, right)
    assert (decision.quote, decision.right) == (said, becomes)


@pytest.mark.parametrize(
    ("subject", "speaker", "speakers", "believes"),
    [
        ("user", "user", (), True),
        ("user", "Ann", (), False),  # also where nobody is known to have spoken as the user
        ("Ann", "Ann", ("Ann", "Bob"), True),
        ("Ann", "Bob", ("Ann", "Bob"), False),
        ("mother", "Bob", ("Ann", "Bob"), True),
    ],
)
def test_who_may_take_back_what_is_held_of_whom(
    subject: str, speaker: str, speakers: tuple[str, ...], *, believes: bool
) -> None:
    assert bool(decided(replace(MEMORY, subject=subject), SAID, "", speaker, *speakers)) is believes


@pytest.mark.parametrize(
    ("predicate", "asks", "found"),
    [
        ("medication", False, [("medication", "-", {ENDED: "true"}), ("medication", "+", {})]),
        ("allergy", True, [("allergy", "-", {TAKEN_BACK: "true"}), ("possible_allergy", "+", {})]),
        ("possible_allergy", True, [("allergy", "-", {TAKEN_BACK: "true"}), ("possible_allergy", "+", {})]),
    ],
)
def test_of_safety_the_denial_asks_and_what_holds_instead_is_only_possible(
    predicate: str, found: list[tuple[str, str, dict[str, str]]], *, asks: bool
) -> None:
    memory, said = replace(MEMORY, object="aspirin", predicate=predicate), f"{SAID}, it is ibuprofen"
    decision = Decision("m", 3, said, 2, "a judge", right="ibuprofen", asks=asks)
    message = Said(3, "user", own=True, text=said, at_ms=2)
    facts = list(facts_by(decision, memory, message))
    assert [(each.predicate, each.polarity, each.attributes) for each in facts] == found
    assert [each.object for each in facts] == ["aspirin", "ibuprofen"]
    assert {(each.seq, each.subject, each.quote, each.mind) for each in facts} == {(3, "user", said, "a judge")}


def test_decisions_are_kept_word_for_word() -> None:
    decisions = [
        Decision("m", 3, '引号"和,逗号', 2, "a judge", right="", asks=True),
        Decision("n", 4, "x", 5, "b", "y"),
    ]
    assert from_text(to_text(decisions)) == decisions
