"""Questions for more of the same, and answers that come late: what a message answers was asked further back."""

import re
from collections.abc import Sequence
from typing import Final

from memory.clinical.asked import Question, drawn
from memory.clinical.kin import says_he_or_she
from memory.clinical.languages import in_use
from memory.clinical.questions import NO, names
from memory.clinical.sketch import LETTERS
from memory.clinical.spoken import names_a_relative
from memory.clinical.yes_or_no import begins_as_answer

_ASKS_ON: Final = re.compile(
    r"(?:^|[.!?。！？…,，\n])\W*(?:and|ok(?:ay)?|right|alright)?[ ,]*(?:(?:is|was) (?:that|there) (?:it|all|everything"
    r"|anything else|any (?:others?|more))|any(?:thing|one)? (?:else|others?|more)(?: ones?)?"
    r"(?: (?:that )?you (?:know of|can think of))?|what else|no others?|others)\W*$"
    r"|(?:^|[.!?。！？…,，\n])\W*(?:那|嗯|好的?)?[，, ]*(?:就(?:这些|这个|这一个|这样)|还有|别的|其[他它]的?"
    r"|除此(?:之外|以外))(?:还有)?(?:别的|其[他它]的?|什么|啥|哪些)*(?:有)?[吗么嘛呢没]*\W*$"
)
"""A sentence that asks for more of what was asked for before it, and names nothing."""
_ASKS_ON_MAX: Final = 80
"""Letters of a message that asks so, with what it acknowledges."""
_LATE: Final = re.compile(
    r"\W*(?:(?:oh|ooh|ah|wait|sorry|hang on|actually)\b[ ,.…-]*)+(?:yeah|yes|sorry|wait)?[ ,.]*(?:and|also|plus)\b"
    r"|\W*(?:no|nope|nah)[.,; ]+(?:and|also|plus)\b"
    r"|.*\b(?:i forgot(?: to (?:say|mention|tell)\b.*)?|should(?:'ve| have) (?:said|mentioned)\b.*)\W*$"
    r"|\W*(?:[哦噢喔啊诶哎]|对了|哦?对|等等|等下)+[，, ]*(?:还有(?!点|些|时)|另外|也(?=对))"
    r"|.*(?:忘[了记]?(?:说|讲|提)|漏(?:说)?了)"
)
"""Begins as what goes on from an earlier answer, or says that it was forgotten there."""
_FILLERS: Final = re.compile(
    r"\b(?:oh|ooh|ah|wait|sorry|hang on|actually|yeah|yes|no|nope|nah|and|also|plus|i|forgot|to|say|mention"
    r"|tell|you|should"
    r"|have|said|mentioned|'ve|my|the|an?|too|as well|there's|probably|maybe)\b"
    r"|[哦噢喔啊诶哎对了等下忘记说讲提漏还有另外也是的我过敏和跟]"
)
"""What stands beside names that are no more than added."""
_OTHER_BUSINESS: Final = re.compile(
    r"\b(?:prescri\w+|appointment|book(?:ed|ing)?|ready|send|sent|email|take|collect|order\w*|deliver\w*)\b"
    r"|处方|预约|挂号|取药|开药|下单|快递"
)
"""Said before it: the question is about that."""
_OF_TAKING: Final = re.compile(
    r"\b(?:take|taking|took|tablets?|medicines?|medication|meds|eat|ate|breakfast|lunch|dinner|feel\w*"
    r"|hurts?)\b|吃|喝|药|饭|感觉|哪里疼"
)
"""Asks for what is taken, eaten or felt: a name answers that."""
_NAMES: Final = re.compile(f"[{''.join(LETTERS.values())}]")
_MARKS: Final = " \t\n,，.。!！…、;；-"
_LATE_MAX: Final = 40
"""Letters of an answer that comes late."""
_NO_MORE: Final = re.compile(r"\W*(?:没[有了啦得]?|无|就|只|that'?s|just that|thats|nothing|none|all)(?![a-z])")
ASKED_MAX: Final = 8
"""Messages that are looked back over."""
_NAMED: Final = "SDOGV"


def is_open(text: str, question: str) -> bool:
    """Whether what a message answers may stand further back than the last thing that was said."""
    return (bool(question) and _asks_on(question)) or _is_late(text)


def answered_by(text: str, asked: Sequence[str]) -> str:
    """What a message answers. `asked`: what stood before each message up to this one, oldest first, empty for nothing.

    A question for more is the one before it again, unless it is only answered by yes or no; what names nothing that
    the last question asks for, and comes late, answers the latest one that asked for such things.
    """
    question = asked[-1] if asked else ""
    if not question:
        return ""
    if _asks_on(question):
        earlier = next((each for each in reversed(asked[:-1]) if each and not _asks_on(each)), "")
        return earlier if earlier and _says_more(text, earlier) else question
    if not _is_late(text) or not _is_bare(text) or _is_of_something_else(question):
        return question
    named = {group.letter for group in drawn(text).groups.values()}
    lately = [each for each in reversed(asked) if each]
    return next((each for each in lately if not named.isdisjoint(_asked_for(each))), question) if named else question


def _is_bare(text: str) -> bool:
    """Whether a message says no more than names."""
    words = drawn(text)
    return bool(words.groups) and not _FILLERS.sub("", _NAMES.sub("", words.drawn)).strip(_MARKS)


def _is_of_something_else(question: str) -> bool:
    """Whether the last question is of what is taken or eaten, or of somebody else: then it is answered."""
    asking = question.lower()
    return _OF_TAKING.search(asking) is not None or says_he_or_she(asking) or names_a_relative(asking)


def _asks_on(question: str) -> bool:
    """Whether all that a message says is that it asks for more."""
    asked = question.lower()
    if len(asked) > _ASKS_ON_MAX or _OTHER_BUSINESS.search(asked) or not _ASKS_ON.search(asked):
        return False
    asking = Question(question)
    return asking.asking in {"", asking.sentences[-1]}


def _says_more(text: str, earlier: str) -> bool:
    """Whether an answer adds to an earlier one: a yes does where that question named nothing to say yes to."""
    if NO.search(text.lower()) or _NO_MORE.match(text.lower()):
        return False
    if "S" in _asked_for(earlier) and in_use().lexicon.mentions(text.lower()):
        return _is_bare(text)
    return not begins_as_answer(text) or not names(drawn(earlier), _NAMED)


def _is_late(text: str) -> bool:
    return len(text) <= _LATE_MAX and _LATE.match(text.lower()) is not None


def _asked_for(question: str) -> str:
    """The families of what a question asks for, of what everybody is asked for."""
    asking = Question(question).asking
    return "".join(
        letters
        for grammar in in_use().grammars
        for asks, letters in (
            (grammar.asks_allergy, "S"),
            (grammar.asks_thinner, "S"),
            (grammar.asks_disease, "D"),
            (grammar.asks_operation, "OGV"),
        )
        if asks.search(asking)
    )
