"""Whose an allergy is after all: sulfa, no wait, sulfa's my sister, mine is mango; 磺胺是我妹妹，我是芒果."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from memory.clinical.findings import ALLERGY, DISEASE, Finding
from memory.clinical.kin import KIN_EN, KIN_ZH
from memory.clinical.languages import in_use
from memory.clinical.people import USER
from memory.clinical.reading import Reading
from memory.clinical.sameness import is_of_one
from memory.clinical.sketch import pattern, sketch

_IS_OF: Final = pattern(
    rf"(?P<x><S>)(?:过敏)?的?(?:那个)?(?:也)?是(?P<kin>我(?:们)?(?:家)?(?:的)?(?:{KIN_ZH}))(?:的|过敏|不是我)*"
    r"(?=[，,。.！!\s我]|$)"
    rf"|(?P<x2><S>)(?:'?s| is| are| was)?(?: actually)? (?P<kin2>my (?:{KIN_EN}))(?:'s)?"
    r"(?=\W*(?:$|[,.;!]|not me\b|mine\b|i'?m\b))"
)
"""A substance, and the relative whose it is said to be."""
_OF_ONES_OWN: Final = ("是我", " my ")
"""No text without one of these says so: most are not looked at."""
_MINE: Final = pattern(r"(?:我(?:自己)?的?是|\bmine(?:'s| is| was)?|\bi'?m)(?: the| allergic to)? ?(?P<x><S>)")
"""Behind it: what the speaker does not bear."""
_HAS_IT: Final = pattern(
    rf"(?P<x><D>)(?:呢|的话)?是?(?P<kin>(?:我(?:们)?(?:家)?(?:的)?)?(?:{KIN_ZH}))(?:才)?(?:有|得(?:过|了)?|的)(?=[，,。.！!\s]|$)"
    rf"|(?P<x2><D>)'?s? (?:is |was )?(?P<kin2>my (?:{KIN_EN}))(?:'s|s)?(?= (?:not me|has it|had it)\b|\W*(?:$|[,.;!]))"
)
"""A disease, and the relative who is said to have it: 青光眼是我妹有."""
_SAID: Final = re.compile(r"过敏|\ball?erg")
"""An allergy is spoken of."""


def owned(reading: Reading, found: Sequence[Finding]) -> list[Finding]:
    """What is found, with whose it is said to be; and what who says so does not bear themselves."""
    theirs = list(_IS_OF.finditer(reading.drawn)) if any(word in reading.drawn for word in _OF_ONES_OWN) else []
    mine = _MINE.search(reading.drawn, theirs[0].end()) if theirs else None
    of_allergies = mine or _SAID.search(reading.drawn) or reading.answers_about(reading.grammar.asks_allergy)
    if not theirs or not of_allergies:
        return list(found)
    owners = {name: said["kin"] or said["kin2"] for said in theirs for name in _names(reading, said)}
    kept = [_given_to(each, owners) if each.kind == ALLERGY and each.subject == USER else each for each in found]
    for name, owner in owners.items():
        if not any(each.kind == ALLERGY and is_of_one(each.text, name) for each in kept):
            kept += (each._replace(subject=owner) for each in reading.told(ALLERGY, name, 0))
        kept += (each._replace(subject=USER, denied=True) for each in reading.told(ALLERGY, name, 0))
    return [*kept, *_own(reading, theirs[0].end(), owners)]


def had_by(reading: Reading, found: Sequence[Finding]) -> list[Finding]:
    """What is found, where a disease is said to be a relative's: that one's."""
    owners = {
        name: said["kin"] or said["kin2"] for said in _HAS_IT.finditer(reading.drawn) for name in _names(reading, said)
    }
    if not owners:
        return list(found)
    kept = [each for each in found if each.kind != DISEASE or each.text not in owners]
    told = [(owner, each) for name, owner in owners.items() for each in reading.told(DISEASE, name, 0)]
    return [*kept, *(each._replace(subject=owner, denied=False) for owner, each in told)]


def says_whose(text: str) -> bool:
    """Whether a message says of an allergy that it is a relative's."""
    return _IS_OF.search(sketch(text, in_use().lexicon).drawn) is not None


def _given_to(finding: Finding, owners: Mapping[str, str]) -> Finding:
    owner = next((who for name, who in owners.items() if is_of_one(finding.text, name)), USER)
    return finding._replace(subject=owner)


def _own(reading: Reading, begin: int, owners: Mapping[str, str]) -> Iterator[Finding]:
    for said in _MINE.finditer(reading.drawn, begin):
        for name in _names(reading, said):
            if name not in owners:
                yield from (each._replace(subject=USER) for each in reading.told(ALLERGY, name, said.start("x")))


def _names(reading: Reading, said: re.Match[str]) -> Iterable[str]:
    places = said.groupdict()
    at = said.start("x") if places.get("x") else said.start("x2")
    return reading.names(reading.sketch.groups[at])
