"""What thins the blood, listed and ended as the medicines are: one reading of a sentence for both."""

from collections.abc import Mapping, Sequence

from memory.clinical.course import Course, course_of
from memory.clinical.findings import ANTICOAGULANT, Finding
from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.health.medication import medication
from memory.clinical.languages import in_use
from memory.clinical.reading import Reading


def thinners_as_taken(reading: Reading, found: Sequence[Finding]) -> list[Finding]:
    """What is found, in order; what thins the blood is taken, or no more (denied), as it is read among the medicines.

    What is prescribed and not begun is possible.
    """
    thinners = {
        reading.name(member): at
        for at, group in reading.groups("S")
        for member in group.members
        if member.term.tag == ANTICOAGULANT
    }
    if not thinners:
        return list(found)
    health = next(health for _, grammar, health, _ in in_use().all if grammar is reading.grammar)
    medicines = {each.text: each for each in medication(reading, health, list(found)) if each.text in thinners}
    switched = any(each.denied for each in medicines.values())
    kept: list[Finding] = []
    for each in found:
        if each.kind != ANTICOAGULANT:
            kept.append(each)
        elif each.text not in medicines:
            kept.append(each._replace(possible=_is_not_begun(reading, each, thinners) or each.possible))
        else:
            medicine = medicines.pop(each.text)
            left = medicine.denied and _is_said_left(reading, health, thinners[each.text])
            kept.append(_thinner(medicine) if left or each.denied else each)
    more = (each for each in medicines.values() if switched or _is_told(reading, health, thinners[each.text]))
    return kept + [_thinner(each) for each in more]


def _thinner(medicine: Finding) -> Finding:
    return medicine._replace(kind=ANTICOAGULANT, attributes=())


def _is_told(reading: Reading, health: HealthGrammar, at: int) -> bool:
    """Whether it is said of a medicine that it is taken, and not only named."""
    told = health.taken_before.search(reading.prefix(at)) or health.taken_after.search(reading.suffix(at + 1))
    return told is not None or course_of(reading, at) is Course.GOES_ON


def _is_said_left(reading: Reading, health: HealthGrammar, at: int) -> bool:
    """Whether it is said in its own clause that it is not taken any more."""
    said = health.stopped_before.search(reading.prefix(at)) or health.stopped_after.search(reading.suffix(at + 1))
    return said is not None or course_of(reading, at) is Course.LEFT


def _is_not_begun(reading: Reading, each: Finding, thinners: Mapping[str, int]) -> bool:
    is_one = each.kind == ANTICOAGULANT and each.text in thinners
    return is_one and course_of(reading, thinners[each.text]) is Course.NOT_BEGUN
