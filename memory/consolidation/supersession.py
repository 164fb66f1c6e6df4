"""Of facts that can't hold at once, which one does: pure, and the same whichever of them is stored first."""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from memory.clinical.findings import ANYTHING, CONTRADICTS, DISEASE, ENDED, MEDICATION, TAKEN_BACK, TEST, VITAL
from memory.clinical.lasting import disease_lasts
from memory.clinical.people import USER
from memory.clinical.sameness import Name, is_of_one, is_part, name_of, told_as
from memory.extraction.endings.known import Known
from memory.model.change import Change, Op
from memory.model.history import Doing, noted
from memory.model.memory import CALLER, Memory
from memory.model.predicates import JOB, ends, is_single
from memory.session.safety import LIST_OF, POSSIBLE_PREFIX

_MEASURED: Final = frozenset({TEST, VITAL})
_TOLD: Final = r"is|was|are|came|went|dropped|fell|rose|down|up|now|at|has|have|of|back"
_MEASURE: Final = re.compile(
    r"[\u3400-\u9fffa-z0-9-]*[\u3400-\u9fffa-z](?= (?:[^a-z]|(?:" + _TOLD + r")\b))"
    r"|[a-z]+(?: (?!(?:" + _TOLD + r")\b)[a-z]+){1,2}(?= (?:\d|(?:" + _TOLD + r")\b))"
)
"""The name that a value begins with: 转氨酶, blood pressure."""
_DIGIT: Final = re.compile(r"\d")
"""Of two pictures of one kind each may be of another part: only numbers take each other's place by their name."""


def rivals(predicate: str) -> tuple[str, ...]:
    """The predicates whose facts may end one of this: its own, and of safety also the one that is to be confirmed."""
    kind = predicate.removeprefix(POSSIBLE_PREFIX)
    return (kind, POSSIBLE_PREFIX + kind) if kind in LIST_OF else (predicate,)


def in_order(one: Memory, other: Memory) -> tuple[Memory, Memory]:
    """Two facts, the one that was said first before the other; what was doubted before what is sure of the same."""
    if _settles(one, other) or _settles(other, one):
        return (one, other) if _settles(one, other) else (other, one)
    return (one, other) if _when(one) <= _when(other) else (other, one)


def _settles(doubted: Memory, sure: Memory) -> bool:
    """Whether the one says for sure what the other only has as possible."""
    return doubted.predicate == POSSIBLE_PREFIX + sure.predicate and sure.polarity == "+" and is_same(doubted, sure)


def contradicts(claim: Memory, denial: Memory) -> bool:
    """Whether somebody denied later what is held of their safety all the same: a person has to decide."""
    of_safety = claim.predicate == denial.predicate and claim.predicate in LIST_OF
    alike = denial.object != ANYTHING and is_of_one(claim.object, denial.object)
    open_still = claim.holds and denial.holds and TAKEN_BACK not in denial.attributes and denial.mind != CALLER
    return of_safety and alike and open_still and (claim.polarity, denial.polarity) == ("+", "-")


def contradicting(denial: Memory, *, claim: Memory) -> Memory:
    """The denial with what it denies."""
    attributes = {**denial.attributes, CONTRADICTS: claim.memory_id}
    after = replace(denial, attributes=attributes, category=claim.category)
    return noted(denial, after, Doing(Op.UPDATED, denial.mind, denial.recorded_ms))


def unasked(denial: Memory) -> Memory:
    """The denial once what it denies is held no longer: nothing is asked of it, and nothing names that."""
    attributes = _lasting(denial.attributes)
    changes = [each for each in denial.changes if CONTRADICTS not in each.after.get("attributes", {})]
    return replace(denial, attributes=attributes, changes=tuple(changes))


def moot_denials(facts: Iterable[Memory], told: Iterable[Known]) -> list[Memory]:
    """Of facts of safety the denials that ask about a claim which is held nowhere any more.

    `told`: what callers have put into the profile's lists.
    """
    every = list(facts)
    held = [
        (each.subject, each.predicate.removeprefix(POSSIBLE_PREFIX), each.object) for each in every if _claims(each)
    ]
    held += [(USER, each.predicate, each.object) for each in told]
    claims: dict[tuple[str, str, str], list[Name]] = {}
    for subject, predicate, what in held:
        name = name_of(what)
        for known_by in name.known_by:
            claims.setdefault((subject, predicate, known_by), []).append(name)

    def is_of_a_claim(denial: Memory) -> bool:
        name = name_of(denial.object)
        alike = (claims.get((denial.subject, denial.predicate, known_by), ()) for known_by in name.known_by)
        return any(name.is_of_one(claim) for each in alike for claim in each)

    asking = [each for each in every if not {CONTRADICTS, TAKEN_BACK}.isdisjoint(each.attributes)]
    return [each for each in asking if not is_of_a_claim(each)]


def _claims(fact: Memory) -> bool:
    return fact.holds and fact.polarity == "+"


def heirs_of(every: Iterable[Memory], gone: Container[str]) -> list[Memory]:
    """Those that took something over from one of these, or from an heir of one; each after those it took from."""
    memories = {each.memory_id: each for each in every if each.memory_id not in gone}
    took = {name: {one.of for one in each.changes if one.of} - {name} for name, each in memories.items()}
    takers: dict[str, list[str]] = {}
    for name, of in took.items():
        for one in of:
            takers.setdefault(one, []).append(name)
    heirs = [name for name, of in took.items() if any(one in gone for one in of)]
    known = set(heirs)
    for heir in heirs:
        new = [each for each in takers.get(heir, ()) if each not in known]
        known.update(new)
        heirs += new
    return [memories[each] for each in _in_turn(heirs, took, takers)]


def _in_turn(
    heirs: Sequence[str], took: Mapping[str, AbstractSet[str]], takers: Mapping[str, Sequence[str]]
) -> list[str]:
    """Heirs, each after those it took from; last those who took from each other."""
    among = set(heirs)
    waits_for = {each: len(took[each] & among) for each in heirs}
    ordered = [each for each in heirs if not waits_for[each]]
    for heir in ordered:
        for taker in takers.get(heir, ()):
            waits_for[taker] -= 1
            if not waits_for[taker]:
                ordered.append(taker)
    return [*ordered, *(each for each in heirs if waits_for[each])]


def taken_anew(memory: Memory, there: Mapping[str, Memory]) -> Memory:
    """The memory with what it took over taken over anew from those that are there, as they are now."""
    renewed = max((place for place, each in enumerate(memory.changes) if each.op is Op.RENEWED), default=-1)
    before = _past(memory.changes[: renewed + 1], there)
    since = memory.changes[renewed + 1 :]
    valid_from, attributes = memory.valid_from_ms, dict(memory.attributes)
    for each in reversed([each for each in since if each.of]):
        valid_from = each.before.get("valid_from_ms", valid_from)
        for name in each.after.get("attributes", {}):
            attributes.pop(name, None)
        attributes |= each.before.get("attributes", {})
    made = replace(memory, valid_from_ms=valid_from, attributes=attributes)
    changes: list[Change] = []
    for each in since:
        if not each.of:
            changes.append(each)
        elif each.of in there:
            bare = replace(made, changes=())
            taking = Doing(each.op, each.by, each.at_ms, of=each.of)
            made = noted(bare, _since(bare, old=there[each.of]), taking)
            changes += [replace(one, number=each.number) for one in made.changes]
    return replace(made, changes=(*before, *changes))


def _past(changes: Iterable[Change], there: Container[str]) -> list[Change]:
    """Changes before it was told again, which undid them: what was taken over from one that is gone stays in none."""
    kept: list[Change] = []
    gone = False
    for each in changes:
        if each.of and each.of not in there:
            gone = True
        elif gone and each.op is Op.RENEWED:
            before = {name: value for name, value in each.before.items() if name not in {"attributes", "valid_from_ms"}}
            kept.append(replace(each, before=before))
        else:
            kept.append(each)
    return kept


def is_same(one: Memory, other: Memory) -> bool:
    """Whether two facts say the same."""
    return one.polarity == other.polarity and one.object.casefold() == other.object.casefold()


def meeting(facts: Iterable[Memory], there: Sequence[Memory]) -> list[Memory]:
    """Of facts of one subject and its rival predicates those of which one replaces or contradicts another there.

    Where a predicate has many values at once only those that say the same can meet, or the opposite: so it is linear.
    """
    same: dict[str, list[Memory]] = {}
    by_polarity: dict[str, list[Memory]] = {}
    for other in there:
        same.setdefault(other.object.casefold(), []).append(other)
        by_polarity.setdefault(other.polarity, []).append(other)

    def near(fact: Memory) -> Iterable[Memory]:
        if is_single(fact.predicate) or fact.predicate in _MEASURED or len(rivals(fact.predicate)) > 1:
            return there
        opposite = (each for polarity, those in by_polarity.items() if polarity != fact.polarity for each in those)
        return (*same.get(fact.object.casefold(), ()), *opposite)

    return [fact for fact in facts if any(_meets(fact, other) for other in near(fact))]


def _meets(one: Memory, other: Memory) -> bool:
    old, later = in_order(one, other)
    return one.memory_id != other.memory_id and (replaces(old, later) or contradicts(old, later))


def replaces(old: Memory, later: Memory) -> bool:
    """Whether of two facts of one subject only the later one holds.

    What a caller has told of somebody's safety ends what was said of the same thing before it, whatever that was; and
    only a claim ends it: that somebody denies it later is not enough. What somebody took back of their safety they
    still hold, until a person decides.
    """
    if later.mind == CALLER and later.predicate in LIST_OF:
        return old.object.casefold() == later.object.casefold()
    if old.predicate != later.predicate or (TAKEN_BACK in later.attributes and old.polarity != later.polarity):
        return _settles(old, later)
    if old.polarity == later.polarity:
        apart = old.polarity == "+" and (old.predicate != JOB or not _is_told_together(old, later))
        return (is_single(old.predicate) and apart) or is_same(old, later) or _is_measured_again(old, later)
    if old.polarity == "+":
        return _denies(old, later)
    if old.mind == CALLER and old.predicate in LIST_OF:
        return old.object.casefold() == later.object.casefold()
    return _ends_by_itself(old) and _is_about(old, later)


def _denies(claim: Memory, denial: Memory) -> bool:
    """Whether a denial ends what was claimed. Of safety a plain no ends nothing: a person decides."""
    if denial.attributes.get(ENDED) and claim.mind != CALLER:
        by_another_name = claim.predicate == MEDICATION and not _is_told_together(claim, denial)
        return claim.object.casefold() == denial.object.casefold() or (
            by_another_name and told_as(claim.object) == told_as(denial.object)
        )
    told = claim.predicate in LIST_OF and (claim.mind == CALLER or _lasts(claim))
    return not told and _ends_by_itself(claim) and _is_about(claim, denial)


def _ends_by_itself(fact: Memory) -> bool:
    return ends(fact.predicate) or (fact.predicate == DISEASE and not _lasts(fact))


def _lasts(fact: Memory) -> bool:
    return fact.predicate != DISEASE or disease_lasts(fact.object)


def _is_about(one: Memory, other: Memory) -> bool:
    """Whether two facts of one predicate are of the same: of safety one thing, else one the other with more words."""
    return (is_of_one if one.predicate in LIST_OF else is_part)(one.object, other.object)


def _is_told_together(one: Memory, other: Memory) -> bool:
    """Whether one message says both: for whom somebody works, and as what."""
    return (one.source.conversation, one.source.seqs) == (other.source.conversation, other.source.seqs)


def _is_measured_again(old: Memory, later: Memory) -> bool:
    """Whether both are values of one measure: a later blood pressure is the one that holds."""
    if old.predicate not in _MEASURED or old.polarity == "-":
        return False
    first, second = (_measure(each) for each in (old, later))
    return bool(first and second) and _is_one_measure(first, second)


def _measure(value: Memory) -> str:
    """What it is a value of, where that is known."""
    found = _MEASURE.match(value.object.casefold())
    named = value.attributes.get("name", "").casefold() if _DIGIT.search(value.object) else ""
    return named or (found.group() if found else "")


def _is_one_measure(one: str, other: str) -> bool:
    """Also where a Chinese name is cut short: 糖化, 糖化血红蛋白."""
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) > 1 and not short.isascii() and long.startswith(short))


def _when(memory: Memory) -> tuple[int, int, bool, str]:
    """What says that something is over comes behind what the same message claims."""
    return memory.occurred_ms, max(memory.source.seqs, default=0), ENDED in memory.attributes, memory.memory_id


def replaced(memory: Memory, *, old: Memory, by: Memory, same: bool) -> Memory:
    """Either of two of which one replaces the other."""
    if memory.memory_id == old.memory_id:
        return noted(memory, _ended(memory, by=by, same=same), Doing(Op.SUPERSEDED, by.mind, by.recorded_ms))
    return noted(memory, _since(memory, old=old), Doing(Op.UPDATED, by.mind, by.recorded_ms, of=old.memory_id))


def _ended(memory: Memory, *, by: Memory, same: bool) -> Memory:
    valid_to = memory.valid_to_ms if same else by.valid_from_ms
    return replace(memory, superseded_by=by.memory_id, valid_to_ms=valid_to)


def held_again(memory: Memory, *, told: Memory) -> Memory:
    """One that was ended, told again."""
    again = replace(
        memory,
        occurred_ms=told.occurred_ms,
        valid_from_ms=told.valid_from_ms,
        valid_to_ms=None,
        superseded_by="",
        archived_ms=None,
        attributes=told.attributes,
        source=told.source,
    )
    return noted(memory, again, Doing(Op.RENEWED, told.mind, told.recorded_ms))


def without(memory: Memory, *, by: Memory) -> Memory:
    """As it was before that one, which is erased, replaced it: nothing of it stays."""
    if memory.superseded_by != by.memory_id:
        return memory
    told = [each for each in memory.changes if each.after.get("superseded_by") == by.memory_id]
    if told:
        valid_to = told[-1].before.get("valid_to_ms", memory.valid_to_ms)
    else:  # of a program that noted no changes
        ended_by_it = not is_same(memory, by) and memory.valid_to_ms == by.valid_from_ms
        valid_to = None if ended_by_it else memory.valid_to_ms
    changes = tuple(each for each in memory.changes if each not in told and each.op is not Op.REVIEWED)
    return replace(memory, superseded_by="", valid_to_ms=valid_to, changes=changes)


def _lasting(attributes: Mapping[str, str]) -> dict[str, str]:
    """What is said of the same thing by whoever says it again: not that it is open."""
    return {name: value for name, value in attributes.items() if name not in {TAKEN_BACK, CONTRADICTS}}


def _since(memory: Memory, *, old: Memory) -> Memory:
    starts = [moment for moment in (memory.valid_from_ms, old.valid_from_ms) if moment is not None]
    attributes = {**_lasting(old.attributes), **memory.attributes} if is_same(memory, old) else memory.attributes
    return replace(memory, valid_from_ms=min(starts, default=None), attributes=attributes)
