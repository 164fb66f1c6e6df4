"""An answer that says more than yes and no yes: when, which side, how many, by its number. What was asked about is so.

A question may take something for known (how long have you had asthma?): whatever does not deny it then
grants it. One that asks whether is granted by an answer that goes on about it and denies nothing.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final

from memory.clinical.asked import Question, asks_of_what_is_said, drawn
from memory.clinical.findings import ALLERGY, DISEASE, SURGERY, Finding
from memory.clinical.not_so import is_after_all_no, is_of_having
from memory.clinical.options import chosen
from memory.clinical.people import USER
from memory.clinical.questions import ASKS_WHETHER, names, operations, what_asks
from memory.clinical.reading import Reading
from memory.clinical.sketch import Sketch
from memory.clinical.taken_for_known import (
    Known,
    asks_for_more,
    asks_how_it_is,
    named_beside,
    takes_for_known,
    what_is_known,
)

ANSWER_MAX: Final = 60
"""Of an answer: a longer one speaks for itself."""
_ASKS_FOR_MORE: Final = re.compile(r"^\W*(?:how|when|which|what|why|where)\b|几|多少|什么时候|哪")
_ASKS: Final = re.compile(r"[?？:：吗么何样]\s*$")
_OF_SOMETHING_ELSE: Final = re.compile(
    r"查(?!出)|检|测|疫苗|接种|家族|家里|亲属|\b(?:tests?|tested|scans?|screen\w*|vaccin\w*|jabs?|family|relatives?"
    r"|parents?)\b"
)
_NEGATIVE: Final = re.compile(
    r"你才|的?是(?:我(?:[爸妈哥姐弟妹爷奶儿女老爱])|他|她)|差点|\bthe one with\b|阴性|正常|排除|怀疑|\bnegative\b"
)
_FOLLOWS_UP: Final = re.compile(
    r"什么(?:时候|牌子|型号)|哪(?:一)?(?:年|侧|边|只)|几|多久|胰岛素"
    r"|\b(?:when|what (?:year|make|kind|type)|how (?:long|many)|which)\b"
)
"""Asks for more of what the sentence before it has asked about."""
_SENTENCES: Final = 2
_DENIES: Final = re.compile(
    r"没|不(?!耐|良)|无|未|非|别|哪有|健康|正常|干净|通畅|排掉|消失|\b(?:no|not|none|nope|nah|never|nothing"
    r"|negative|neither|nil|clear|fine"
    r"|healthy|ok|okay|normal|if|unless|maybe|unsure|think|guess|wondering|dunno|idea|forget|sorry|later|why|what"
    r"|who|waiting|nobody|pending|low|actually|original|knows?|next|schedul\w*|plan\w*|hop(?:e|ing|efully)"
    r"|almost|only|wish|decided"
    r"|instead|but|born|thought"
    r"|turned|ruled|smok\w*|marri\w*|driv\w*|kids|children|pregnant|lost|wrong|just"
    r"|still (?:in|there|have|got))\b"
    r"|n't\b|[?？]|好像|可能|也许|大概|应该|记|忘|知道|以前|小时候|曾|好了|怀疑|排除|阴|疫苗|可以用|说|等|差点|想"
    r"|怕|打算|计划|安排|明年|下个?[月周]|以后|哪来|搞错|本来|才|生的|出生|属|岁"
    r"|\b(?:used to|cured|gone|outgrew|grew out|as a (?:kid|child|baby)|mum|mom|dad|wife|husband|son|daughter)\b"
)
_GOES_ON: Final = re.compile(
    r"(?:19|20)\d\d|\d+年|[一二两三四五六七八九十几]年|去年|前年|上个?月|一直|每[天晚]|左|右|双|两[只侧]|还没取"
    r"|(?:做|装|放|切|割|拿|摘|取|得|查|患|治|喷|植)(?:出|掉)?(?:来)?(?:了|过|的)|确诊"
    r"|\b(?:yes|affirmative|since|diagnosed|years?|yrs?|ago|left|right|both|once|twice|burst|removed|fitted"
    r"|put in|when i was \d+"
    r"|taken out"
    r"|sadly|unfortunately|always|mild|bad|severe)\b"
)
"""In an answer: it goes on about what was asked."""

_NUMBER: Final = re.compile(r"\d+")
_SIDE: Final = re.compile(r"[左右]|\b(?:left|right)\b")


class Which(Enum):
    """What of several things that a question names is granted."""

    ALL = "all"
    ONE = "none unless it is one: else nobody knows which"
    FIRST = "the first: the others are kinds of it"
    EACH = "all, and of several organs what was done to each"


def elaborated(reading: Reading, before: Question) -> Iterator[Finding]:
    """What an answer grants of what was asked about. `reading.answered` has each, as with a yes."""
    said = reading.sketch.lowered
    if len(reading.drawn) > ANSWER_MAX or not set(reading.people.named) <= {USER} or is_after_all_no(said):
        return
    taken = chosen(before.sentences, reading.sketch.lowered)
    asked = _asked(before.sentences[-_SENTENCES:])
    yield from _beside(reading, asked)
    if taken:
        yield from _granted(reading, drawn("、".join(taken)), reading.question.text, Which.EACH)
    elif any(True for _ in reading.groups("DO")):
        yield from _repeated(reading, asked)
    elif asks_how_it_is(asked) or not any(True for _ in reading.groups("YR")):
        yield from _unnamed(reading, asked, " ".join(before.sentences[-_SENTENCES:]))


def _beside(reading: Reading, asked: str) -> Iterator[Finding]:
    """What a question names beside what it asks for: apart from penicillin, are you allergic to anything?"""
    named, known = named_beside(asked, reading.sketch.lowered)
    if named and known is not Known.NO:
        yield from _granted(reading, drawn(named), asked, possible=known is Known.POSSIBLE)


def _unnamed(reading: Reading, asked: str, whole: str) -> Iterator[Finding]:
    """What an answer grants that names nothing of medicine. `whole`: with what asks for more of it."""
    said = reading.sketch.lowered
    known = takes_for_known(whole, said) if asked else Known.NO
    about = what_is_known(asked)
    if known is Known.SURE:
        yield from _granted(reading, drawn(about), asked, Which.FIRST)
    elif _asks_whether(asked) and not _DENIES.search(said) and _GOES_ON.search(said):
        yield from _granted(reading, drawn(what_asks(asked)), asked, Which.ONE)
    elif known is Known.POSSIBLE:
        yield from _granted(reading, drawn(about), asked, Which.ONE, possible=True)


def _asks_whether(asked: str) -> bool:
    return ASKS_WHETHER.search(asked) is not None and _ASKS_FOR_MORE.search(asked) is None


def _names_substance(reading: Reading, asked: str) -> bool:
    """Whether an answer names a substance itself, and not beside the one that is known."""
    return any(True for _ in reading.groups("S")) and not named_beside(asked, reading.sketch.lowered)[0]


def _asked(sentences: Sequence[str]) -> str:
    """The question that names what is asked about: the one before a question for more of the same. Empty for none.

    One for tests, vaccines or relatives does not ask whether somebody has what it names.
    """
    if len(sentences) > 1 and asks_of_what_is_said(sentences[-1]):
        return " ".join(sentences)
    asking = [each for each in sentences if _ASKS.search(each) and not _OF_SOMETHING_ELSE.search(each)]
    if not asking or not _ASKS.search(sentences[-1]):
        return ""
    return asking[0] if _FOLLOWS_UP.search(sentences[-1]) else asking[-1]


def _repeated(reading: Reading, asked: str) -> Iterator[Finding]:
    """Of what was asked about what the answer names again: asthma or COPD? COPD."""
    named = set(names(drawn(asked), "DO"))
    for at, group in reading.groups("DO") if not _NEGATIVE.search(reading.drawn) else ():
        if reading.spoken_against(at) or reading.asks(reading.sketch.clause_at(at)):
            continue
        kind = DISEASE if group.letter == "D" else SURGERY
        for member in group.members:
            if any(each in member.term.name for each in named):
                reading.answered.add((kind, reading.name(member)))
                yield from reading.told(kind, reading.name(member), at)


def _granted(
    reading: Reading, question: Sketch, asked: str, which: Which = Which.ALL, *, possible: bool = False
) -> Iterator[Finding]:
    """What a question names. Of several substances none where one of them is meant, unless it asks for more of it."""
    kinds: Sequence[tuple[str, list[str]]] = (
        (DISEASE, names(question, "D")),
        (SURGERY, operations(question, asked, each=which is Which.EACH)),
        (ALLERGY, names(question, "S") if reading.grammar.asks_allergy.search(asked.lower()) else []),
    )
    named = [(kind, name) for kind, each in kinds for name in each if is_of_having(kind, asked.lower())]
    told = [*_NUMBER.findall(reading.drawn), *_SIDE.findall(reading.sketch.lowered)]
    named = [each for each in named if any(word in each[1] for word in told)] or named
    if which is Which.FIRST:
        named = named[:1]
    for kind, name in named if len(named) == 1 or which is not Which.ONE else ():
        alone = which is Which.ONE and not asks_for_more(asked)
        if kind == ALLERGY and (alone or _names_substance(reading, asked)):
            continue
        reading.answered.add((kind, name))
        yield from reading.told(kind, name, 0, possible=possible)
