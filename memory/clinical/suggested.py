"""What a message may well tell though no rule has read it so: it is possible, for a person to ask.

By how its words of medicine stand (likely.py), and by a medicine that nearly nobody takes but for one disease.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import chain, islice
from typing import Final

from memory.clinical.doubts import is_own
from memory.clinical.findings import ALLERGY, ANYTHING, DISEASE, SURGERY, Finding
from memory.clinical.likely import FAMILIES, MAY_BE
from memory.clinical.operations import is_operable
from memory.clinical.people import USER
from memory.clinical.reactions import Harm, Works, harms_of, is_remedy, is_taken_for, near
from memory.clinical.reading import Reading
from memory.clinical.sameness import is_of_one
from memory.clinical.sketch import Group

_MOST: Final = 8
"""Suggestions of one text: nobody would ask more."""
_STILL_THERE: Final = re.compile(r"(?:都|也)?(?:还在|还没|没[切动做])|'?s? (?:is |are )?(?:still|never)\b")
"""Right behind an organ: nothing was done to it."""
_TEXT_MAX: Final = 60
"""Letters of a clause that is told as an operation."""


def suggested(reading: Reading, found: Sequence[Finding]) -> Iterator[Finding]:
    """The first few possible findings of the user's that the rules have neither read nor denied.

    `found`: what they have read.
    """
    known = [each for each in found if each.subject == USER]
    for each in islice(chain(_likely(reading), _taken_for(reading)), _MOST):
        if each.subject == USER and not any(_says(one, each) for one in known):
            yield each


def _says(known: Finding, suggestion: Finding) -> bool:
    """Whether a suggestion is no news: the same is read, or denied; an operation is told in the same words."""
    if known.kind != suggestion.kind:
        return False
    if known.kind == SURGERY and suggestion.text in known.quote:
        return True
    return known.text == ANYTHING or is_of_one(known.text, suggestion.text)


def _likely(reading: Reading) -> Iterator[Finding]:
    for at, group in reading.groups(FAMILIES[SURGERY]):
        if _may_be_done(reading, at, group) and reading.likely.of(SURGERY, at) > MAY_BE:
            for name in _told_as(reading, at, group):
                yield from reading.told(SURGERY, name, at, possible=True)
    harms: Sequence[Harm] | None = None
    works: Works | None = None
    for at, group in reading.groups(FAMILIES[ALLERGY]):
        if _may_harm(reading, at, group) and reading.likely.of(ALLERGY, at) > MAY_BE:
            harms = harms_of(reading) if harms is None else harms
            works = works or Works.of(reading)
            if not any(
                works.explain(reading, each) or is_taken_for(reading, at, group, each) for each in near(harms, at)
            ):
                for name in reading.names(group):
                    yield from reading.told(ALLERGY, name, at, possible=True)


def _may_be_done(reading: Reading, at: int, group: Group) -> bool:
    """Whether nothing speaks against an operation; a frame may have read what stays in somebody since."""
    if reading.spoken_against(at) or reading.asks(reading.sketch.clause_at(at)):
        return False
    if group.letter == "D" and not is_operable(reading, group):
        return False
    suffix, planned = reading.suffix(at + 1), reading.grammar.planned
    return not (planned.search(reading.prefix(at)) or planned.search(suffix) or _STILL_THERE.match(suffix))


def _may_harm(reading: Reading, at: int, group: Group) -> bool:
    """Whether nothing speaks against an allergy."""
    if at in reading.taken or reading.spoken_against(at) or reading.asks(reading.sketch.clause_at(at)):
        return False
    return not (reading.may_be_had(at) or reading.is_borne(at) or is_remedy(group))


def _told_as(reading: Reading, at: int, group: Group) -> Iterable[str]:
    """The names of the words; of an organ, a device or a disease what is said of it, if that is short."""
    if group.letter == "O":
        return reading.names(group)
    clause = reading.sketch.clause_at(at)
    said = reading.sketch.quote(clause.start, clause.end)
    return [said] if len(said) <= _TEXT_MAX else reading.names(group)


def _taken_for(reading: Reading) -> Iterator[Finding]:
    """Diseases for which the user takes something: 我降压药吃完了."""
    for at, group in reading.groups("S"):
        diseases = list(filter(None, (_indications().get(each.term.name) for each in group.members)))
        if not diseases or reading.denied(at, at + 1) or reading.retracted(at) or reading.doubted(at, at + 1):
            continue
        clause = reading.sketch.clause_at(at)
        if not reading.asks(clause) and is_own(reading, clause, at):
            for disease in diseases:
                yield from reading.told(DISEASE, disease, at, possible=True)


@cache
def _indications() -> Mapping[str, str]:
    """By the name of a medicine the disease for which it is taken."""
    text = resources.files("memory.language.words").joinpath("taken_for.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return dict(rows)
