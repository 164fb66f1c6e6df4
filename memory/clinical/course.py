"""What becomes of a medicine that is named: it is not begun yet, was left since, or goes on after all."""

import re
from enum import Enum, auto
from typing import Final

from memory.clinical.reading import NEAR, Reading
from memory.clinical.sketch import pattern
from memory.clinical.states import STILL, is_taken_otherwise

_DAY: Final = (
    r"(?:on (?:mon|tues|wednes|thurs|fri|satur|sun)day|next \w+|tomorrow|soon"
    r"|in (?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)\w*\b)"
)
_TO_COME: Final = re.compile(
    r"(?:\b(?:will|(?:am |'m )?going to|gonna|due to|about to|supposed to|wants? (?:me )?to|wanted (?:me )?to"
    r"|thinking (?:of|about)|plan(?:s|ning)? to|ready to)|'ll) (?:be )?"
    r"(?:start(?:ing)?|begin(?:ning)?|go(?:ing)? on|put(?:ting)? me on|be put on)(?: (?:on|taking|the|my|a|to|take))* $"
    r"|\b(?:(?:haven'?t|have not|hasn'?t|not)(?: (?:even|yet|actually))? (?:started|begun)|yet to (?:start|begin))"
    r"(?: (?:on|taking|the|my|to|take))* $"
    r"|(?:下周|下个?月|明天|后天|过[几两]天|准备|打算|计划|即将|马上要)[^，。！？]{0,4}?(?:开始)?(?:再|去)?"
    r"(?:吃|用|打|服|注射)上?$"
    r"|(?:没有?|不)(?:敢|开始)(?:去)?(?:吃|用|打|服)?$"
    r"|(?:别|不要|不用|不想)(?:再)?(?:给我)(?:开|用|打|吃|配)$"
)
"""Before a medicine: it is to be begun, or not to be given."""
_STARTS: Final = re.compile(r"\b(?:start|starting)(?: (?:on|the|my|taking))* $")
_FROM_THEN: Final = re.compile(rf"^ (?:tablets |injections )?{_DAY}")
_NOT_BEGUN: Final = re.compile(
    r"^[^.;!?]{0,30}?\b(?:(?:haven'?t|have not|hasn'?t|never|didn'?t|did not) (?:yet )?"
    r"(?:started|begun|start|begin|touched|collected)|haven'?t (?:taken|decided)|not (?:yet )?started"
    r"|(?:but|and) (?:i'?m |am )?not (?:yet )?taking (?:it|them))\b"
    r"(?! (?:\w+ ){0,2}(?:today|this|tonight|since|for|lately|last)\b)(?=[\s!?]*$|[,.;]| (?:it|them|that|yet)\b)"
    r"|^[^。！？]{0,8}?[，, ]?(?:但是?|可是?|不过)?我?(?:还|一直|都|也)?没有?(?:敢|开始|来得及)"
    r"(?:吃|用|打|服|拿)?(?:过|呢|上)?(?=$|[，。！])"
    r"|^我?(?:从来?没|从没|从未|一直没)(?:有)?(?:碰|吃|用|打)过"
)
"""Behind it: the same."""
_PRESCRIBED: Final = re.compile(r"(?:开|配|让我?吃|建议(?:我)?吃)(?:了|的|过)?$")
_NOT_TAKEN_YET: Final = re.compile(
    r"^[，, ]?(?:但是?|可是?|不过)?我?(?:还|一直|都|也)*没有?(?:吃|用|打|服|拿)(?:过|呢|上)?(?=$|[，。！])"
)
_ONCE: Final = re.compile(
    r"(?:以前|之前|去年|前[几两]?年|早些年|曾经?|上个?月|前阵子)[^，。！？]{0,8}$|[吃用打服]过[^，。！？]{0,6}$"
)
"""Before it: it was taken once."""
_NO_MORE: Final = re.compile(
    r"^[^。！？]{0,10}?[，, ]?(?:现在|目前|如今|后来)(?:就|也|都|已经)?(?:不|没)(?:再|有)?(?:吃|用|打|服)了?"
    r"(?=$|[，。！ ])"
)
_LEFT: Final = re.compile(
    r"^(?: (?:injections?|tablets?|pills?|course|treatment))?(?: (?:is|are|has|have|now|all|just))* (?:finished|ended)"
    r"(?: now| last \w+| in \w+)?(?=$|[,.])|^,? (?:but )?(?:not any ?more|no longer)(?=\W*$|[,.])"
    r"|^[^，。！？]{0,6}[，, ]?(?:早就?|已经)(?:不|没)(?:再|有)?(?:吃|用|打|服)了?(?=$|[，。！ ])"
    r"|^[^。！？]{0,4}?[吃用]完了?[，, ]?(?:就)?没(?:有)?再?(?:买|吃|开|配|拿)"
    r"|^[^。！？]{0,12}?断了(?:半|[一两几\d]+)个?(?:年|月|周|星期)"
)
"""Behind it: it is not taken any more."""
_NO_LONGER: Final = re.compile(r"\bno longer $")
_WAS_ON: Final = re.compile(r"\b(?:was|were|had been) (?:on|taking)(?: (?:the|my|a|some))* $")
_TILL_THEN: Final = re.compile(
    r"^(?: (?:for|until|till|back|before|after|as|in|when|then|once|but)\b|\W*$|, ?(?:then|but|now)\b)"
)
"""Behind what somebody was on."""
_GOES_ON: Final = re.compile(
    r"\b(?:stopp?e?d?|paused|off|without)\b[^.!?]{0,40}?\b(?:back on (?:it|them)|(?:taking|take|on) (?:it|them) again"
    r"|restarted)\b"
    r"|停[^。！？]{0,12}?(?:接着|继续|重新|又|再)(?:开始)?(?:吃|用|打|服)"
)
"""It was left, and is taken again."""
_MISSED: Final = re.compile(
    r"(?:今天|昨天|昨晚|今早|早上|这[两几]天)[^，。！？]{0,3}没(?:有)?(?:吃|用|打|服)$|(?:没|不)(?:敢|舍得)(?:停|断)(?:掉|用)?$"
    r"|\b(?:didn'?t|did not|forgot to|haven'?t|have not) (?:take|taken|have|had)(?: (?:the|my|any))* $"
)
_MISSED_AFTER: Final = re.compile(
    r"^(?:今天|昨天|昨晚|今早|早上|这[两几]天)[^，。！？]{0,3}没(?:有)?(?:吃|用|打|服)"
    r"|^ (?:yet |either )?(?:today|tonight|this (?:morning|evening)|last night|yesterday"
    r"|for (?:two|2|three|3|a few) days)\b"
)
"""A dose was missed: it is taken."""
_ALL_OTHERS: Final = re.compile(
    r"^(?:以外|之外|外)?[，, ]?(?:其他|别的|其余|其它)的?药?[^，。！？]{0,3}(?:停|不吃|没吃)"
)
_EXCEPT: Final = re.compile(r"除了?(?:我?的)?$")
_SLIP: Final = pattern(
    r"^[，,。 ]+(?:我)?(?:(?:说|打|写|记)错了?|[啊哦噢呃诶哎]+[，, ]?不[是对]|不对)[，,。 ]+"
    r"(?:我)?(?:应该|其实)?(?:吃的)?是?<S>$"
    r"|^[,.;-]? (?:no,? wait|wait,? no|no,? sorry|sorry,? no|sorry,? i mean(?:t)?|i mean(?:t)?|or rather|scratch that)"
    r",? (?:i mean(?:t)? |it'?s |its |i'?m on |that'?s )?<S>$"
)
"""Between a medicine and the one that was meant."""
_YES_OR_NO: Final = pattern(r"<S> (?:yes|no)\b[,;]? (?:but |and )?<S> (?:yes|no)\b")
_NO: Final = re.compile(r"^ no\b")


class Course(Enum):
    """What is said of it; None where nothing of this is."""

    NOT_BEGUN = auto()
    LEFT = auto()
    GOES_ON = auto()


def course_of(reading: Reading, at: int) -> Course | None:
    """Of the medicine that stands there, by the words before it and those behind it, up to the next medicine."""
    prefix, rest = reading.prefix(at), _rest(reading, at)
    sentence = reading.drawn[reading.sketch.clause_at(at).began : at + 1] + rest
    if is_taken_otherwise(reading, at) or _GOES_ON.search(sentence) or _is_missed(prefix, rest):
        return Course.GOES_ON
    if _EXCEPT.search(prefix) and _ALL_OTHERS.search(rest):
        return Course.GOES_ON
    if _is_to_come(prefix, rest):
        return Course.NOT_BEGUN
    return Course.LEFT if _is_left(reading, at, prefix, rest) else None


def _is_missed(prefix: str, rest: str) -> bool:
    """Today, or for some days: in English the day stands behind it."""
    said, when = _MISSED.search(prefix), _MISSED_AFTER.search(rest)
    if said is None:
        return when is not None and not when.group().isascii()
    return when is not None or not said.group().isascii()


def _is_to_come(prefix: str, rest: str) -> bool:
    if _TO_COME.search(prefix) or (_STARTS.search(prefix) and _FROM_THEN.search(rest)) or _NOT_BEGUN.search(rest):
        return True
    return _PRESCRIBED.search(prefix) is not None and _NOT_TAKEN_YET.search(rest) is not None


def _is_left(reading: Reading, at: int, prefix: str, rest: str) -> bool:
    if (_YES_OR_NO.search(reading.drawn) and _NO.search(rest)) or _SLIP.search(rest):
        return True
    if STILL.search(reading.drawn, at, at + NEAR):
        return False
    once = _ONCE.search(prefix) is not None and _NO_MORE.search(rest) is not None
    if _NO_LONGER.search(prefix):
        return True
    was = _WAS_ON.search(prefix) is not None and _TILL_THEN.search(rest) is not None
    return once or was or _LEFT.search(rest) is not None


def _rest(reading: Reading, at: int) -> str:
    """What is said behind it, up to the next medicine."""
    end = min(len(reading.drawn), at + 2 * NEAR)
    return reading.drawn[at + 1 : next((other + 1 for other, _ in reading.sketch.groups_in(at + 1, end, "S")), end)]
