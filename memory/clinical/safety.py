"""Safety facts by rule: what a message says of allergies, background diseases, operations and special states.

Three steps, as clinical language processing takes them: words of medicine are found by lexicon (sketch.py), each is
asserted or not (reading.py: denied, doubted, asked, planned, told of others), and frames join what belongs together: a
substance and what it did, a heading and its list, a question and its short answer. Where a substance and harm stand
together and no frame decides, the finding is `possible`: for a person to confirm.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memory.clinical.advised import avoided
from memory.clinical.allergies import allergies, averse, tested_borne, under_headings
from memory.clinical.answerable import may_mean_more
from memory.clinical.answers import answers
from memory.clinical.asked import Question
from memory.clinical.asserted import TOLD, UNTOLD, UNTOLD_OF_ONESELF
from memory.clinical.attacks import attacks, names_an_attack
from memory.clinical.diseases import diseases
from memory.clinical.doubts import doubts, unread
from memory.clinical.drawing import drawn_of, pieces
from memory.clinical.excepted import all_denied, excepted
from memory.clinical.findings import ALLERGY, DISEASE, SURGERY, Finding, each_once
from memory.clinical.grammar import Grammar
from memory.clinical.languages import in_use
from memory.clinical.likely import FAMILIES, SURE
from memory.clinical.operations import operations, out_again
from memory.clinical.owned import had_by, owned
from memory.clinical.people import USER
from memory.clinical.reactions import harms_of, reactions
from memory.clinical.reading import Reading
from memory.clinical.sketch import Sketch
from memory.clinical.states import nothing_known, states
from memory.clinical.suggested import suggested
from memory.clinical.thinners import thinners_as_taken

_LISTED: Final = frozenset({ALLERGY, DISEASE, SURGERY})
_ENTRY_MAX: Final = 24
"""Letters of an entry of a record: 磺胺过敏, allergic to latex."""
_CLAUSE_MAX: Final = 300
_MUTE: Final = frozenset("RYI")
"""Families that say nothing of safety alone."""
_HEADING: Final = re.compile(r"[:：=】]")
_REFUSED: Final = re.compile(
    r"不耐受|不能再?[吃用打]|别(?:再|给)|再也不|以后不|\bintoleran|\bnever again\b|\bcan(?:no|')t (?:take|have"
    r"|tolerate)\b"
    r"|\b(?:do not|don'?t|dont|never) (?:give|prescribe)\b|\ballerg"
)
"""Said of what it does to a stomach: it is not to be given."""
_ALLERGIC: Final = re.compile(r"allergic to|过敏")


_DIAGNOSED: Final = re.compile(
    r"确诊|被诊断|诊断(?:为|出|是)|查出(?:来)?(?:是|有|了)|就犯|^(?:医生)?(?:说)?就是|\bdiagnosed with\b"
)
"""How a disease is told that somebody was found to have, or that comes back."""


def read_safety(text: str, before: str = "", about: str = USER) -> list[Finding]:
    """What a user's message says, each once. Raises nothing, linear in the text's length.

    `before`: what it answers; `about`: of whom its speaker spoke last.
    """
    found: list[Finding] = []
    question = Question(before)
    for piece in pieces(text):
        drawn = drawn_of(piece)
        told = [grammar for grammar in in_use().grammars if grammar.telling.search(drawn.drawn)]
        mute = all(group.letter in _MUTE for group in drawn.groups.values()) and not names_an_attack(drawn)
        if not told and mute and not (before and may_mean_more(question)):
            continue
        for grammar in _written(drawn, before):
            reading = Reading(drawn, grammar, in_use().grammars, question, about)
            here = [*_weighed(reading, list(safety_frames(reading))), *_unread(reading)]
            here = thinners_as_taken(reading, here)
            here = _with_suggested(reading, here)
            here, borne = had_by(reading, owned(reading, here)), tested_borne(reading)
            here = [each for each in here if each.denied or each.kind != ALLERGY or each.text not in borne]
            if here and any(each.retold.search(drawn.lowered) for each in reading.written):
                here = list(_told_beside(reading, here))
            found += here
    return each_once(found)


def _weighed(reading: Reading, found: Sequence[Finding]) -> Iterator[Finding]:
    """What is found of the user, by how the whole text sounds: firm, or for a person to confirm.

    A substance beside harm becomes firm only where it is all that the text could report, and is no medicine (what a
    medicine does to a stomach is seldom an allergy), or where the words around it sound like one.
    """
    alone = sum(map(_is_weighed, found)) == 1
    for each in found:
        if not _is_weighed(each) or (each.kind, each.text) in reading.answered:
            yield each
        elif each.possible:
            may_be = each.kind != ALLERGY or (alone and not _is_medicine(reading, each.text)) or _is_sure(reading, each)
            is_open = (
                reading.is_name
                or each.text in reading.left_open
                or _is_disliked(reading, each)
                or _was_there_before(reading, each)
            )
            firm = may_be and not is_open and reading.sounds.doubt < TOLD
            yield each._replace(possible=not firm)
        else:
            yield each._replace(possible=reading.sounds.doubt > _doubt_max(reading, each))


def _with_suggested(reading: Reading, found: Sequence[Finding]) -> list[Finding]:
    """What is found and what is likely beside it; a no to all allergies holds where none is told behind it, or harm."""
    no_more = all_denied(reading, found)
    kept = [*(each for each in found if each not in no_more), *suggested(reading, found)]
    told = (each for each in kept if each.kind == ALLERGY and not each.denied)
    whose = {
        each.subject for each in told if each.reaction or not each.possible or (ALLERGY, each.text) in reading.answered
    }
    return [*kept, *(each for each in no_more if each.subject not in whose)]


def _unread(reading: Reading) -> Iterator[Finding]:
    """What no frame has read: an operation is firm where the words around it sound like one."""
    for each in unread(reading):
        yield each._replace(possible=each.kind != SURGERY or not _is_sure(reading, each))


def _is_weighed(finding: Finding) -> bool:
    return finding.kind in _LISTED and not finding.denied and finding.subject == USER


def _doubt_max(reading: Reading, finding: Finding) -> float:
    """From what doubt on it is possible only."""
    if _is_entry(reading, finding):
        return UNTOLD_OF_ONESELF if any(map(reading.asks, reading.sketch.clauses)) else 1.0
    if _is_diagnosed(reading, finding):
        return 1.0
    surely = any(says(reading, finding) for says in (_is_asked_for, _is_said_of_oneself, _is_called_so))
    return UNTOLD_OF_ONESELF if surely else UNTOLD


def _is_called_so(reading: Reading, finding: Finding) -> bool:
    """Whether it is called an allergy by its name, and nobody else is named, and nothing asked."""
    called = finding.kind == ALLERGY and _ALLERGIC.search(finding.quote.lower()) is not None
    alone = called and set(reading.people.named) <= {USER}
    return alone and not any(map(reading.asks, reading.sketch.clauses))


def _is_diagnosed(reading: Reading, finding: Finding) -> bool:
    """Whether it is told as a diagnosis, or as what comes back, and nobody else is named."""
    short = finding.kind == DISEASE and len(finding.quote) <= _CLAUSE_MAX
    told = short and _DIAGNOSED.search(finding.quote.lower()) is not None
    return told and set(reading.people.named) <= {USER} and not any(map(reading.asks, reading.sketch.clauses))


def _is_asked_for(reading: Reading, finding: Finding) -> bool:
    """Whether it is of the kind that the question asks for."""
    grammar = reading.grammar
    asks = {ALLERGY: grammar.asks_allergy, DISEASE: grammar.asks_disease, SURGERY: grammar.asks_operation}
    return reading.answers_about(asks[finding.kind])


def _is_disliked(reading: Reading, finding: Finding) -> bool:
    """Whether harm may be no more than disgust, or food that was bad."""
    grammar = reading.grammar
    disgusts = grammar.disgust.search(finding.reaction.lower()) is not None
    return disgusts and grammar.disliked.search(reading.sketch.lowered) is not None


def _was_there_before(reading: Reading, finding: Finding) -> bool:
    """Whether harm is told before its substance: then it may not have come of it."""
    said = reading.sketch.lowered
    named = finding.text.lower() if finding.text.lower() in said else finding.quote.lower()
    return bool(finding.reaction) and 0 <= said.find(finding.reaction.lower()) < said.find(named)


def _told_beside(reading: Reading, found: Sequence[Finding]) -> Iterator[Finding]:
    """Of a text that asks for something to be written or translated, what sounds as if it were so all the same."""
    for each in found:
        if _is_weighed(each) and _is_said_of_oneself(reading, each) and reading.sounds.doubt < UNTOLD:
            yield each._replace(possible=True)


def _is_entry(reading: Reading, finding: Finding) -> bool:
    """Whether it is what a text begins with, as in a record, and nobody else is named in it."""
    first = reading.sketch.clauses[0] if reading.sketch.clauses else None
    if first is None or finding.kind != ALLERGY or finding.reaction or len(finding.quote) > _ENTRY_MAX:
        return False
    begins = reading.sketch.quote(first.start, first.end) == finding.quote
    return begins and set(reading.people.named) <= {USER}


def _is_said_of_oneself(reading: Reading, finding: Finding) -> bool:
    """Whether its words, as far as they are a clause that somebody says, name their speaker and nobody else."""
    if len(finding.quote) > _CLAUSE_MAX:
        return False
    named = {found.lastgroup for found in reading.grammar.people.finditer(finding.quote.lower())}
    return named == {"own"}


def _is_sure(reading: Reading, finding: Finding) -> bool:
    """Whether the words around an allergy or an operation sound like one."""
    if finding.text in reading.left_open:
        return False
    if finding.kind == ALLERGY and _is_medicine(reading, finding.text):
        harms = harms_of(reading)
        if harms and not any(harm.strong for harm in harms) and not _REFUSED.search(reading.sketch.lowered):
            return False  # what a medicine does to a stomach
    named = (at for at, group in reading.groups(FAMILIES[finding.kind]) if finding.text in reading.names(group))
    return any(reading.sounds.of(finding.kind, at) > SURE for at in named)


def _is_medicine(reading: Reading, name: str) -> bool:
    members = (member for _, group in reading.groups("S") for member in group.members)
    return any(member.kind == "drug" and reading.name(member) == name for member in members)


def _written(drawn: Sketch, before: str) -> list[Grammar]:
    """In which languages a text is written: by what stands beside words of medicine, or by those where nothing does."""
    grammars = in_use().grammars
    beside = [
        each for each in grammars if each.written.search(drawn.drawn) or (drawn.groups and each.written.search(before))
    ]
    said = beside or [each for each in grammars if each.written.search(drawn.lowered)]
    return said or [each for each in grammars if before and each.written.search(before)]


def safety_frames(reading: Reading) -> Iterator[Finding]:
    """What one language says of safety.

    Each frame is tried where something of it is there at all: that is most of the speed.
    """
    grammar, drawn = reading.grammar, reading.drawn
    letters = {group.letter for group in reading.sketch.groups.values()}
    if _HEADING.search(drawn):
        yield from under_headings(reading)
    if not letters.isdisjoint("OV"):
        yield from out_again(reading)
    yield from answers(reading)
    allergic = grammar.allergic.search(drawn) is not None
    if allergic or "S" in letters:
        yield from allergies(reading)
    if "S" in letters:
        yield from excepted(reading)
        yield from avoided(reading)
        yield from reactions(reading)
        yield from averse(reading)
    if not letters.isdisjoint("GDOV") or grammar.cut.search(drawn):
        yield from operations(reading)
    yield from diseases(reading)
    if not letters.isdisjoint("RY"):
        yield from attacks(reading)
    yield from states(reading)
    yield from doubts(reading)
    yield from nothing_known(reading)
