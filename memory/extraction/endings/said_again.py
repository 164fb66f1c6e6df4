"""Facts of a life that somebody corrects: 说错了，不是喜欢跑步，是喜欢游泳.

What was wrong is over at once, what is right is held. Nobody is harmed by a taste that is put right too early, so no
person has to decide. But it takes a word that something was said wrongly: 今天不是跑步，是游泳 ends no habit.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from memory.clinical.findings import ALLERGY, APPOINTMENT, MEDICATION
from memory.clinical.languages import in_use
from memory.clinical.sketch import simplified
from memory.extraction.endings.known import Known, denial, own_messages
from memory.model.extraction import Dialogue, FoundFact, Said
from memory.model.predicates import HABIT, JOB, PET, PLAN

CORRECTED: Final = frozenset({"like", "residence", MEDICATION, APPOINTMENT, HABIT, JOB, PET, PLAN})
"""Predicates of facts that are put right so."""
_ZH: Final = r"[\u4e00-\u9fffA-Za-z0-9]"
_EN: Final = r"[A-Za-z][\w' -]"
_TO_BE: Final = r"(?:最?喜欢|最?爱|养(?:的|了)?|住在?|要?去|吃的?|做|学|一[只条个名位]|[只条个名位])*"
_IS: Final = (
    r"(?:it'?s |it is |it was |i'?m |i am |i meant |i mean |but |rather |an? "
    r"|i (?:live|work|take|love|like) (?:in |as an? )?|actually )*"
)
_END_ZH: Final = r"(?=[了啦的]?(?:[，,。！!\s]|$))"
_END_EN: Final = r"(?=[,.;!]|$)"
_PAIRS: Final = (
    re.compile(
        rf"(?<![是又还])不是{_TO_BE}(?P<w>{_ZH}{{1,8}}?)(?:了|啦|的)?[，,。\s]{{0,2}}(?:而|应该|其实|我)*"
        rf"是{_TO_BE}(?P<r>{_ZH}{{1,10}}?){_END_ZH}"
    ),
    re.compile(
        rf"(?<!不)是{_TO_BE}(?P<r>{_ZH}{{1,8}}?)(?:了|啦)?[，,\s]{{0,2}}(?:而)?不是{_TO_BE}(?P<w>{_ZH}{{1,8}}?){_END_ZH}"
    ),
    re.compile(rf"\bnot (?:an? )?(?P<w>{_EN}{{1,24}}?)[,;.] ?{_IS}(?P<r>{_EN}{{1,24}}?){_END_EN}", re.IGNORECASE),
    re.compile(
        rf"(?:\b(?:it'?s|it is|meant|mean|in|love|like|take|an?) )+(?P<r>{_EN}{{1,24}}?), (?:and )?(?:i'?m )?"
        rf"not (?:an? |in )?(?P<w>{_EN}{{1,24}}?){_END_EN}",
        re.IGNORECASE,
    ),
)
"""What was wrong and what is right, in either order."""


class _Pair(NamedTuple):
    wrong: str
    right: str
    quote: str


def may_say_again(dialogue: Dialogue) -> bool:
    """Whether somebody says that they said something wrongly."""
    return any(_is_marked(said.text) for said in own_messages(dialogue))


def said_again(dialogue: Dialogue, found: Sequence[FoundFact], known: Sequence[Known]) -> Iterator[FoundFact]:
    """Denials of what was said wrongly, and what is right where nothing else has found it."""
    held = [each for each in known if each.predicate in CORRECTED]
    allergies = [each.object.casefold() for each in known if each.predicate == ALLERGY]
    for said in own_messages(dialogue) if held else ():
        told = set[Known]()
        for pair in _pairs(said) if _is_marked(said.text) else ():
            wrong = pair.wrong.casefold()
            for each in held:
                of_allergy = each.predicate == MEDICATION and any(wrong in name for name in allergies)
                if each.seq < said.seq and wrong in each.object.casefold() and not (of_allergy or each in told):
                    told.add(each)
                    yield from _put_right(said, pair, each, found)


def _put_right(said: Said, pair: _Pair, wrong: Known, found: Sequence[FoundFact]) -> Iterator[FoundFact]:
    over = denial(said, wrong, pair.quote)
    yield over
    if not any(_says(fact, said, wrong.predicate, pair.right) for fact in found):
        place = wrong.object.casefold().index(pair.wrong.casefold())
        right = wrong.object[:place] + pair.right + wrong.object[place + len(pair.wrong) :]
        yield replace(over, object=right, polarity="+", attributes={})


def _says(fact: FoundFact, said: Said, predicate: str, right: str) -> bool:
    alike = (fact.seq, fact.predicate, fact.polarity) == (said.seq, predicate, "+")
    return alike and right.casefold() in fact.object.casefold()


def _is_marked(text: str) -> bool:
    lowered = simplified(text).lower()
    return any(language.corrections.mark.search(lowered) for language in in_use().all)


def _pairs(said: Said) -> Iterator[_Pair]:
    text = simplified(said.text)
    for words in _PAIRS:
        for found in words.finditer(text):
            wrong, right = found["w"].strip(), found["r"].strip()
            if wrong and right and wrong != right:
                yield _Pair(wrong, right, said.text[found.start() : found.end()].strip())
