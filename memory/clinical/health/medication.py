"""Medicines: which are taken, how much and how often, and which are taken no longer."""

from collections.abc import Iterator, Sequence
from typing import Final

from memory.clinical.findings import ALLERGY, MEDICATION, Finding
from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.health.wanted import is_wanted_by_others
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
_WAVERS: Final = pattern(
    r"\b(?:maybe|thinking|thought about|tempted|wonder\w*|perhaps)\b|(?<!不)想(?:停|不吃|断)|要不要|打算|能不能|劝"
)
"""A clause that says of stopping a medicine that it would be possible."""
DRUG: Final = "drug"
"""Of mentions of medicines."""
_WIDE: Final = frozenset({"class"})

Details = tuple[tuple[str, str], ...]


def medication(reading: Reading, health: HealthGrammar, told: list[Finding]) -> Iterator[Finding]:
    """Medicines that are taken, and those that were stopped (denied). `told`: of safety; what is not borne is none."""
    not_borne = {each.text for each in told if each.kind == ALLERGY and not each.possible}
    left, begun = _switched(reading, health)
    told_of: list[tuple[int, Finding]] = []
    for at, group in reading.groups("S"):
        members = [each for each in group.members if each.kind == DRUG]
        if not members or reading.retracted(at) or not not_borne.isdisjoint(reading.names(group)):
            continue
        if is_wanted_by_others(reading.sketch, reading.sketch.clause_at(at), health):
            continue
        if at in left or (at not in begun and _is_stopped(reading, health, at)):
            apart = [] if at in left else reading.before_a_comma(group)
            if apart and health.taken_before.search(reading.prefix(at)):
                told_of += ((at, each) for each in _each(reading, apart, at, details=()))
                members = [each for each in members if each not in apart]
            told_of += ((at, each) for each in _each(reading, members, at, denied=True))
        elif at in begun or _is_taken(reading, health, at, group):
            told_of += ((at, each) for each in _each(reading, members, at, details=_details(reading, health, at)))
    last_stopped = {each.text: at for at, each in told_of if each.denied}
    yield from (each for at, each in told_of if each.denied or at >= last_stopped.get(each.text, 0))


def _each(
    reading: Reading,
    members: Sequence[Mention],
    at: int,
    *,
    denied: bool = False,
    details: Details = (),
) -> Iterator[Finding]:
    each_once = {member.term.name: member for member in reversed(members)}
    for member in reversed(each_once.values()):
        for finding in reading.told(MEDICATION, reading.name(member), at):
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
    clause = reading.sketch.clause_at(at)
    if health.resumed.search(suffix) or _WAVERS.search(reading.words(clause, clause)):
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
    named = any(member.term.tag not in _WIDE for member in group.members)
    if named and not _is_doubtful(reading, health, at):
        return True  # as ConText has it: what nothing speaks against is so
    telegram = len(prefix.strip(EDGE)) <= _TELEGRAM_MAX and len(suffix.strip(EDGE)) <= _TELEGRAM_MAX
    dosed = named and health.dose.match(suffix.lstrip()) is not None and not clause.asked
    return bool(taken and clause.asked and _is_had(health, suffix)) or (
        (telegram and named and health.dose.search(suffix) is not None) or dosed
    )


def _is_doubtful(reading: Reading, health: HealthGrammar, at: int) -> bool:
    """Whether a medicine is a name alone, asked about, proposed, heard of, or said no to."""
    clause = reading.sketch.clause_at(at)
    turned_down = health.no.search(reading.drawn) and reading.answers_about(health.asks_treatment)
    return bool(
        reading.is_name
        or reading.asks(clause)
        or turned_down
        or health.unlikely_before.search(reading.prefix(at))
        or health.only_named.search(reading.words(clause, clause))
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
    before = max(clause.start, at - _DETAILS_NEAR)
    found = {"dose": reading.said(health.dose_now, at + 1, until) or reading.said(health.dose_now, before, until)}
    for name, words in (("dose", health.dose), ("frequency", health.frequency), ("duration", health.lasting)):
        known = [said for said in found.values() if said]
        found[name] = (
            found.get(name)
            or reading.said(words, at + 1, until, beside=known)
            or reading.said(words, before, at, last=True, beside=known)
        )
    return tuple((name, said) for name, said in found.items() if said)
