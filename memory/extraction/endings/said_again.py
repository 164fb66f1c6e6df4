"""Facts of a life that somebody corrects: 说错了，不是喜欢跑步，是喜欢游泳.

What was wrong is over at once, what is right is held. Nobody is harmed by a taste that is put right too early, so no
person has to decide. But it takes a word that something was said wrongly: 今天不是跑步，是游泳 ends no habit.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from memory.clinical.findings import ALLERGY, ANTICOAGULANT, APPOINTMENT, MEDICATION, TAKEN_BACK
from memory.clinical.languages import in_use
from memory.clinical.sketch import simplified
from memory.extraction.endings.known import Known, denial, own_messages
from memory.model.extraction import Dialogue, FoundFact, Said
from memory.model.predicates import HABIT, JOB, PET, PLAN

CORRECTED: Final = frozenset({"like", "residence", MEDICATION, APPOINTMENT, HABIT, JOB, PET, PLAN})
"""Predicates of facts that are put right so."""
_DRUG: Final = "drug"
_ZH: Final = r"[\u4e00-\u9fffA-Za-z0-9]"
_EN: Final = r"[A-Za-z][\w' -]"
_TO_BE: Final = r"(?:最?喜欢|最?爱|养(?:的|了)?|住在?|要?去|吃的?|做|学|一[只条个名位]|[只条个名位]){0,4}"
_IS: Final = (
    r"(?:it'?s |it is |it was |i'?m |i am |i meant |i mean |but |rather |an? "
    r"|i (?:live|work|take|love|like) (?:in |as an? )?|actually ){0,6}"
)
_END_ZH: Final = r"(?=[了啦的]?(?:[，,。！!\s]|$))"
_END_EN: Final = r"(?=[,.;!]|$)"
_PAIRS: Final = (
    re.compile(
        rf"(?<![是又还])不是{_TO_BE}(?P<w>{_ZH}{{1,8}}?)(?:了|啦|的)?[，,。\s]{{0,2}}(?:而|应该|其实|我)*"
        rf"是{_TO_BE}(?P<r>{_ZH}{{1,10}}?){_END_ZH}"
    ),
    re.compile(
        rf"(?<!不)是{_TO_BE}(?P<r>{_ZH}{{1,8}}?)(?:了"
        rf"|啦)?[，,\s]{{0,2}}(?:而)?不是{_TO_BE}(?P<w>{_ZH}{{1,8}}?){_END_ZH}"
    ),
    re.compile(rf"\bnot (?:an? )?(?P<w>{_EN}{{1,24}}?)[,;.] ?{_IS}(?P<r>{_EN}{{1,24}}?){_END_EN}", re.IGNORECASE),
    re.compile(
        rf"\b(?:(?:it'?s|it is|meant|mean|in|love|like|take|an?) ){{1,4}}+(?P<r>{_EN}{{1,24}}?), (?:and )?(?:i'?m )?"
        rf"not (?:an? |in )?(?P<w>{_EN}{{1,24}}?){_END_EN}",
        re.IGNORECASE,
    ),
)
"""What was wrong and what is right, in either order."""


_NO_THING: Final = re.compile(
    r"(?:我|你|您|他|她|它|咱|自己|这|那|[一二两三四五六七八九十百\d]|上|下|昨|今|明|前|后)"
    r"|(?:me|my|mine|him|his|hers?|them|their|us|our|you|your|it|this|that|last|next|yesterday|today|tomorrow|now"
    r"|\d)\b",
    re.IGNORECASE,
)
"""What begins so is a person, a time or a number."""
_ARTICLE: Final = re.compile(r"^(?:an?|the|my)\s+", re.IGNORECASE)
_LEAST_HAN: Final = 2


class _Pair(NamedTuple):
    wrong: str
    right: str
    quote: str


def may_say_again(dialogue: Dialogue) -> bool:
    """Whether somebody says that they said something wrongly."""
    return any(_is_marked(said.text) for said in own_messages(dialogue))


def said_again(dialogue: Dialogue, found: Sequence[FoundFact], known: Sequence[Known]) -> Iterator[FoundFact]:
    """Denials of what was said wrongly, and what is right where nothing else has found it.

    A message that speaks of somebody else puts nothing right. An anticoagulant is taken back, not ended: a person
    decides, and the right one is held beside it.
    """
    held = [each for each in known if each.predicate in CORRECTED]
    allergies = [each.object.casefold() for each in known if each.predicate == ALLERGY]
    thinners = [each for each in known if each.predicate == ANTICOAGULANT]
    for said in own_messages(dialogue) if held or thinners else ():
        told = set[Known]()
        for pair in _pairs(said) if _is_marked(said.text) and not _names_others(said.text) else ():
            wrong = pair.wrong.casefold()
            for each in (*held, *thinners):
                of_allergy = each.predicate == MEDICATION and any(wrong in name for name in allergies)
                right = _right_of(each, pair)
                if right and each.seq < said.seq and not (of_allergy or each in told):
                    told.add(each)
                    yield from _put_right(said, pair, each, right, found)


def _put_right(said: Said, pair: _Pair, wrong: Known, right: str, found: Sequence[FoundFact]) -> Iterator[FoundFact]:
    over = denial(said, wrong, pair.quote)
    if wrong.predicate == ANTICOAGULANT:
        over = replace(over, attributes={TAKEN_BACK: "true"})
    yield over
    thins = wrong.predicate != ANTICOAGULANT or in_use().lexicon.tag_of(right) == ANTICOAGULANT
    if thins and not any(_says(fact, said, wrong.predicate, right) for fact in found):
        yield replace(over, object=right, polarity="+", attributes={})


def _right_of(held: Known, pair: _Pair) -> str:
    """What is held instead, where the pair is of this; empty: it is not.

    Of a medicine both are medicines, and the whole of what was said; of anything else what was wrong is all that is
    held, or a word of it.
    """
    if held.predicate in {MEDICATION, ANTICOAGULANT}:
        wrong, right, known = _drug(pair.wrong), _drug(pair.right), _drug(held.object)
        return pair.right if wrong and right and wrong == known != right else ""
    if _NO_THING.match(pair.right):
        return ""
    wrong, whole = _ARTICLE.sub("", pair.wrong).casefold(), held.object.casefold()
    right = _ARTICLE.sub("", pair.right)
    if wrong == _ARTICLE.sub("", whole):
        return right
    is_word = re.search(rf"\b{re.escape(wrong)}\b", whole) if wrong.isascii() else _is_end(wrong, whole)
    if not is_word:
        return ""
    place = whole.index(wrong)
    return held.object[:place] + right + held.object[place + len(wrong) :]


def _is_end(wrong: str, whole: str) -> bool:
    return len(wrong) >= _LEAST_HAN and (whole.startswith(wrong) or whole.endswith(wrong))


def _drug(text: str) -> str:
    """The one medicine that a text names, and nothing else; empty: there is none."""
    lexicon, lowered = in_use().lexicon, simplified(text).lower().strip()
    named = lexicon.mentions(lowered)
    if len(named) != 1 or named[0].kind != _DRUG or (named[0].start, named[0].end) != (0, len(lowered)):
        return ""
    return str(lexicon.concept_of(named[0].term))


def _names_others(text: str) -> bool:
    """Whether a relative is spoken of, or somebody who is not named: what a job is called names nobody."""
    lowered = simplified(text).lower()
    people = (found.lastgroup for each in in_use().grammars for found in each.people.finditer(lowered))
    return any(group in {"relative", "pronoun"} for group in people)


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
