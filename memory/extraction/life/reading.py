"""Facts of a life in a user's message. Linear in its length."""

import re
from collections.abc import Iterator
from typing import Final

from memory.clinical.asked import Question
from memory.clinical.drawing import drawn_of, pieces
from memory.clinical.en import EN
from memory.clinical.findings import Finding
from memory.clinical.grammar import Grammar
from memory.clinical.languages import in_use
from memory.clinical.people import OTHER, USER
from memory.clinical.reading import Reading
from memory.clinical.sketch import Clause
from memory.clinical.zh import ZH
from memory.extraction.life.en.grammar import EN as LIFE_EN
from memory.extraction.life.grammar import Frame, LifeGrammar
from memory.extraction.life.zh.grammar import ZH as LIFE_ZH
from memory.model.predicates import HABIT, JOB, PET

_LIFE: Final[tuple[tuple[Grammar, LifeGrammar], ...]] = ((ZH, LIFE_ZH), (EN, LIFE_EN))
_RESIDENCE: Final = "residence"
_SAYING: Final = "呢 "
"""At the end of a clause without a question mark it asks nothing: 跑步呢."""
_NAME_NEAR: Final = 24
_CAPITALS: Final = re.compile(r"[A-Z][\w'-]+(?:\s(?:upon|on|by|le)?\s?[A-Z][\w'-]+)*")
_OF_TIME: Final = re.compile(
    r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sep|Oct|Nov|Dec|Mon|Tues?|Wednes|Thurs?|Fri|Satur|Sun)\w*\b"
    r"|Spring|Summer|Autumn|Fall|Winter|Christmas|Easter|I\b|A&E|ER|ICU|NHS|Mum|Mom|Dad|Dr|GP|OK"
)
_CLAUSE_MAX: Final = 160
_WIDE_MAX: Final = 60
_VALUE_MAX: Final = 40


def read_life(text: str, before: str = "", about: str = USER) -> list[Finding]:
    """What a message tells of work, home, habits, tastes, pets and plans, each once. Raises nothing.

    `before`: what it answers; `about`: of whom its speaker spoke last.
    """
    found: dict[tuple[str, str, bool, str], Finding] = {}
    question = Question(before)
    for piece in pieces(text):
        drawn = drawn_of(piece)
        if any(grammar.retold.search(drawn.lowered) for grammar in in_use().grammars):
            return []
        for grammar, life in _LIFE:
            if life.written.search(drawn.lowered):
                reading = Reading(drawn, grammar, in_use().grammars, question, about)
                for each in _read(reading, life):
                    found.setdefault((each.kind, each.text.casefold(), each.denied, each.subject), each)
    return [each for each in found.values() if not any(_says_less(each, other) for other in found.values())]


def _says_less(one: Finding, other: Finding) -> bool:
    """Whether another finding says as what somebody works, and where too."""
    alike = (one.kind, one.denied, one.subject) == (other.kind, other.denied, other.subject)
    return one.kind == JOB and alike and one.text != other.text and one.text in other.text


def _read(reading: Reading, life: LifeGrammar) -> Iterator[Finding]:
    for clause in reading.sketch.clauses:
        start = reading.sketch.places[clause.start]
        words = reading.sketch.lowered[start : min(reading.sketch.places[clause.end], start + _CLAUSE_MAX)]
        start += len(words) - len(words := words.lstrip())
        if clause.asked or reading.grammar.asked.search(words.rstrip(_SAYING)) or reading.retracted(clause.end):
            continue
        unsure, doubtful, once = (each.search(words) for each in (life.unsure, life.doubtful, life.once))
        found: list[Finding] = []
        for frame in life.frames:
            if doubtful if frame.planned else once and frame.predicate == HABIT and not frame.denied:
                continue
            until = unsure.start() if unsure and not frame.planned else len(words)
            found += _framed(reading, life, frame, clause, start, words[:until])
        yield from (each for each in found if not any(_contradicts(other, each) for other in found))


def _name(text: str) -> str:
    """The name that a text begins with; nothing where it begins with none, or with the name of a day or month."""
    found = _CAPITALS.match(text)
    return found.group() if found and not _OF_TIME.match(text) else ""


def _contradicts(denial: Finding, claim: Finding) -> bool:
    """Whether one clause says of a thing that it is over: then it does not say that it is so."""
    alike = denial.kind == claim.kind and denial.denied and not claim.denied
    return alike and (denial.text.lower() in claim.text.lower() or claim.text.lower() in denial.text.lower())


def _whose(reading: Reading, life: LifeGrammar, frame: Frame, place: int) -> str:
    subject = reading.people.at(place - 1)  # a dog's breed is nobody, and with whom one lives neither
    return USER if frame.own or (frame.ours and life.household.search(subject)) else subject


def _is_no_value(life: LifeGrammar, frame: Frame, value: str) -> bool:
    """Whether a text is no value of what a frame reads."""
    refused = life.no_value.get(frame.predicate)
    return not 0 < len(value) <= _VALUE_MAX or (refused is not None and refused.search(value.lower()) is not None)


def _is_no_home(life: LifeGrammar, words: str, at: int, end: int) -> bool:
    """Whether somebody is at a place for some days, or no longer."""
    return life.away.match(words, end) is not None or life.not_there.search(words, 0, at) is not None


def _framed(
    reading: Reading, life: LifeGrammar, frame: Frame, clause: Clause, start: int, words: str
) -> Iterator[Finding]:
    if frame.answers and not reading.answers_about(frame.answers):
        return
    if frame.wide:
        words = reading.sketch.lowered[start : start + _WIDE_MAX]
    for match in frame.words.finditer(words):
        at, end = match.span("x")
        said = reading.sketch.text[start + at : start + end]
        if frame.proper:
            said = _name(said)
        value = frame.given or life.begins.sub("", life.edge.sub("", said)).strip()
        if frame.predicate == PET and (name := life.called.search(reading.sketch.text[start + end :][:_NAME_NEAR])):
            value += name["x"] if not value.isascii() else f" {name['x']}"
        if _is_no_value(life, frame, value) or (frame.predicate == _RESIDENCE and _is_no_home(life, words, at, end)):
            continue
        begins = match.start() if frame.ours else match.start() + 1 if frame.proper else at
        subject = _whose(reading, life, frame, reading.sketch.place_of(start + begins))
        if subject != OTHER:
            quote = reading.sketch.quote(clause.start, clause.end)
            yield Finding(frame.predicate, value, quote, subject, denied=frame.denied)
