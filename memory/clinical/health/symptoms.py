"""Complaints: a symptom of the lexicon, or a part of the body and what is wrong with it; since when, how, where."""

from collections.abc import Iterator
from typing import Final

from memory.clinical.findings import SYMPTOM, Finding
from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.reading import NEAR, Reading
from memory.clinical.sketch import Clause

_OUTCOME: Final = "severe"
"""The tag of reactions that say what became of it, and no complaint."""
_SIDE_NEAR: Final = 8
_CLAUSES_NEAR: Final = 6
"""Clauses of a sentence after a complaint that may say how long it lasts."""


def symptoms(reading: Reading, health: HealthGrammar, told: list[Finding]) -> Iterator[Finding]:
    """What somebody complains of. `told`: what safety has read of it: a reaction to a medicine is none."""
    covered: set[int] = set()
    for words in health.complaints:
        for found in words.finditer(reading.drawn):
            start, end = found.span("x")
            if not covered.isdisjoint(range(start, end)):
                continue
            covered.update(range(start, end))
            denied = bool(found.groupdict().get("no")) or _denied(reading, health, start, end)
            yield from _told(reading, health, reading.sketch.quote(start, end), (start, end), denied=denied)
    for at, group in reading.groups("YR"):
        if at in covered:
            continue
        for member in group.members:
            if member.term.tag == _OUTCOME or _of_a_reaction(reading, at, told):
                continue
            said = reading.sketch.text[member.start : member.end]
            name = reading.name(member) if member.kind == SYMPTOM else said
            denied = _denied(reading, health, at, at + 1)
            yield from _told(reading, health, name, (at, at + 1), denied=denied)


def _denied(reading: Reading, health: HealthGrammar, start: int, end: int) -> bool:
    return health.denied_before.search(reading.prefix(start)) is not None or reading.denied(start, end)


def _told(
    reading: Reading, health: HealthGrammar, text: str, span: tuple[int, int], *, denied: bool
) -> Iterator[Finding]:
    start, end = span
    clause = reading.sketch.clause_at(start)
    if any(words.search(text) for words in health.kind_of) or reading.retracted(start):
        return
    prefix, suffix = reading.prefix(start), reading.suffix(end)
    if health.not_now_before.search(prefix) or health.not_now_after.search(suffix):
        return
    if health.asks_of_it.search(reading.words(clause, clause)):
        return
    over = health.over_after.search(suffix) is not None
    for finding in reading.told(SYMPTOM, text, start, end=end):
        details = () if over or denied else _details(reading, health, clause, start)
        yield finding._replace(denied=denied or over, attributes=details)


def _details(reading: Reading, health: HealthGrammar, clause: Clause, at: int) -> tuple[tuple[str, str], ...]:
    """What stands in its clause, and of what the clause leaves open what the rest of the sentence says."""
    until = clause.end
    for each in reading.sketch.clauses[clause.number + 1 : clause.number + _CLAUSES_NEAR]:
        until = each.end if each.sentence == clause.sentence else until
    own = (max(clause.start, at - NEAR), min(clause.end, at + NEAR))
    whole = (max(clause.began, own[0] - NEAR), min(until, own[1] + NEAR))
    lasting, course = health.lasting, health.course
    found = {
        "duration": reading.said(lasting, *own)
        or reading.said(lasting, *whole)
        or reading.said(lasting, 0, min(len(reading.drawn), 2 * NEAR)),  # told once for all that a message complains of
        "severity": reading.said(health.severity, *own),
        "course": reading.said(course, *own) or reading.said(course, *whole),
        "side": reading.said(health.side, max(clause.start, at - _SIDE_NEAR), min(clause.end, at + _SIDE_NEAR)),
    }
    return tuple((name, said) for name, said in found.items() if said)


def _of_a_reaction(reading: Reading, at: int, told: list[Finding]) -> bool:
    clause = reading.sketch.clause_at(at)
    quote = reading.sketch.quote(clause.start, clause.end)
    return any(finding.reaction and not finding.possible and quote in finding.quote for finding in told)
