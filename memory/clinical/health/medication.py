"""Medicines: which are taken, how much and how often, and which are taken no longer."""

from collections.abc import Iterator
from typing import Final

from memory.clinical.findings import ALLERGY, MEDICATION, Finding
from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.lexicon import Mention
from memory.clinical.reading import EDGE, Reading
from memory.clinical.sketch import Group, pattern

_DETAILS_NEAR: Final = 40
"""Letters behind a medicine in which its dose stands."""
_STOPPED_NEAR: Final = 5
"""Clauses behind a medicine in which it may be stopped, unless another one is named."""
_TELEGRAM_MAX: Final = 3
_ANSWER_LEAD_MAX: Final = 5
"""Letters of a clause that may stand before the medicine that it answers with: yes, 就是."""
_ANSWER_REST_MAX: Final = 8
_TURNED_DOWN: Final = pattern(r"<RY>|[不没别停伤]|\b(?:no|not|never|upsets?|makes?|made|gave|gives|didn'?t|doesn'?t)\b")
"""Behind the medicine of an answer: it is not taken."""
_DRUG: Final = "drug"
_WIDE: Final = frozenset({"class"})

Details = tuple[tuple[str, str], ...]


def medication(reading: Reading, health: HealthGrammar, told: list[Finding]) -> Iterator[Finding]:
    """Medicines that are taken, and those that were stopped (denied). `told`: of safety; what is not borne is none."""
    not_borne = {each.text for each in told if each.kind == ALLERGY and not each.possible}
    left, begun = _switched(reading, health)
    for at, group in reading.groups("S"):
        members = [each for each in group.members if each.kind == _DRUG]
        if not members or reading.retracted(at) or not not_borne.isdisjoint(reading.names(group)):
            continue
        if at in left or (at not in begun and _is_stopped(reading, health, at)):
            yield from _each(reading, members, at, denied=True)
        elif at in begun or _is_taken(reading, health, at, group):
            yield from _each(reading, members, at, details=_details(reading, health, at))


def _each(
    reading: Reading,
    members: list[Mention],
    at: int,
    *,
    denied: bool = False,
    details: Details = (),
) -> Iterator[Finding]:
    for name in dict.fromkeys(map(reading.name, members)):
        for finding in reading.told(MEDICATION, name, at):
            yield finding._replace(denied=denied, attributes=details)


def _switched(reading: Reading, health: HealthGrammar) -> tuple[set[int], set[int]]:
    """Where the medicines stand that were left for another, and those."""
    left: set[int] = set()
    begun: set[int] = set()
    for words in health.switched:
        for found in words.finditer(reading.drawn):
            parts = found.groupdict()
            places = {name: found.start(name) for name in ("x", "y") if parts.get(name)}
            clause = reading.sketch.clause_at(found.start())
            planned = health.not_taken_before.search(reading.drawn[clause.start : min(places.values())])
            if planned or reading.asks(clause) or places.get("y") in left or places.get("x") in begun:
                continue
            left |= {places["x"]} if "x" in places else set()
            begun |= {places["y"]} if "y" in places else set()
    return left, begun


def _is_stopped(reading: Reading, health: HealthGrammar, at: int) -> bool:
    prefix, suffix = reading.prefix(at), reading.suffix(at + 1)
    if health.not_taken_before.search(prefix) or health.not_taken_after.search(suffix):
        return False
    if health.stopped_before.search(prefix) or health.stopped_after.search(suffix):
        return True
    for each in reading.sketch.clauses[reading.sketch.clause_at(at).number + 1 :][:_STOPPED_NEAR]:
        if health.stopped_alone.search(reading.words(each, each)) is not None and not reading.asks(each):
            return True
        if any(True for _ in reading.sketch.groups_in(each.start, each.end, "S")):
            return False
    return False


def _is_taken(reading: Reading, health: HealthGrammar, at: int, group: Group) -> bool:
    clause = reading.sketch.clause_at(at)
    prefix, suffix = reading.prefix(at), reading.suffix(at + 1)
    if health.not_taken_before.search(prefix) or health.not_taken_after.search(suffix):
        return False
    if health.never_before.search(prefix) or reading.denied(at, at + 1):
        return False
    taken = health.taken_before.search(prefix) or health.taken_after.search(suffix) or health.dose_now.search(suffix)
    if taken and not clause.asked:
        return True
    if _answers(reading, health, at):
        return True
    telegram = len(prefix.strip(EDGE)) <= _TELEGRAM_MAX and len(suffix.strip(EDGE)) <= _TELEGRAM_MAX
    named = any(member.term.tag not in _WIDE for member in group.members)
    dosed = named and health.dose.match(suffix.lstrip()) is not None and not clause.asked
    return bool(taken and clause.asked and _is_had(health, suffix)) or (
        (telegram and named and health.dose.search(suffix) is not None) or dosed
    )


def _answers(reading: Reading, health: HealthGrammar, at: int) -> bool:
    """Whether it is what a message says to the question for what is taken, in its first two clauses."""
    clause = reading.sketch.clause_at(at)
    if clause.number > 1 or clause.asked or len(reading.prefix(at).strip(EDGE)) > _ANSWER_LEAD_MAX:
        return False
    suffix = reading.suffix(at + 1)
    alone = len(suffix.strip(EDGE)) <= _ANSWER_REST_MAX and not _TURNED_DOWN.search(suffix)
    return (alone or health.taken_after.search(suffix) is not None) and reading.answers_about(health.asks_treatment)


def _is_had(health: HealthGrammar, suffix: str) -> bool:
    """In a question: whether it tells that the medicine is taken, and asks something else."""
    return health.taken_after.search(suffix) is not None


def _details(reading: Reading, health: HealthGrammar, at: int) -> Details:
    """Dose, frequency, and since when: behind it, up to the next medicine; a dose also right before it."""
    drawn, clause = reading.drawn, reading.sketch.clause_at(at)
    until = min(len(drawn), at + _DETAILS_NEAR)
    for other, _ in reading.sketch.groups_in(at + 1, until, "S"):
        until = other
        break
    line = drawn.find("\n", at, until)
    until = until if line < 0 else line
    found = {"dose": reading.said(health.dose_now, at + 1, until)}
    for name, words in (("dose", health.dose), ("frequency", health.frequency), ("duration", health.lasting)):
        known = [said for said in found.values() if said]
        found[name] = (
            found.get(name)
            or reading.said(words, at + 1, until, beside=known)
            or reading.said(words, max(clause.start, at - _DETAILS_NEAR), at, last=True, beside=known)
        )
    return tuple((name, said) for name, said in found.items() if said)
