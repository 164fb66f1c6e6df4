"""A question whether something is taken, and an answer that says yes or no to it: are you on warfarin? Yes."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from memory.clinical.asked import Question, drawn
from memory.clinical.lexicon import Mention
from memory.clinical.sketch import Sketch, pattern

_ASKS: Final = pattern(
    r"\b(?:do|does|are|is|have|has) (?:you|he|she|they|your \w+)(?: been)?"
    r"(?: (?:still|currently|also|now|already|regularly|normally|usually))*"
    r" (?:take|taking|on|using|use|injecting|inject)(?: (?:any|the|a|your|an|regular|daily))* (?:\w+ )?<S>"
    r"|(?:吃|用|服用?|打|注射|口服)着?(?!过)[\u4e00-\u9fff]{0,4}<S>[^，。！？?]{0,6}(?:吗|么|没有?|吧|呢|嘛|[?？])"
    r"|<S>[\u4e00-\u9fff]{0,3}(?:还|在|有)+(?:吃|用|服用?|打|注射)(?:着|的)?(?:吗|么|没有?|吧|呢|嘛|[?？])"
)
_ASKS_ELSE: Final = re.compile(
    r"\b(?:allerg\w+|react\w*|can you|could you|want|should|ever)\b|过敏|[吃用服打]过"
    r"|[能可想要会该](?:以|不[能可想要会该])?(?:再|继续|先)?[吃用服打]"
)
"""It is asked whether it was had once, may be had, or does harm."""
_YES: Final = re.compile(
    r"^\W*(?:(?:oh|well|um+|er+)\W+)?(?:(?:yes|yeah|yep|yup|yea|ya|yh|aye|y|i do|i am|still (?:do|am)|every \w+|daily"
    r"|once|twice|sometimes|occasionally|now and then|on and off|most days|since|for (?:years|\d+)|correct|indeed"
    r"|when i need)\b"
    r"|在[吃用打服]|[吃用打服](?:着|的|了|呢|啊|$)|有(?:的|啊|在|[吃用打服]|时候?|$|[，。,！! ])"
    r"|(?:是|对|恩+)(?:的|啊|$|[，。,！! ])|嗯+|一直|天天|每[天晚日]|偶尔|还(?:在|吃|用|打)|经常|长期"
    r"|照常?[吃用打服]|断断续续)"
)
_NO: Final = re.compile(
    r"^\W*(?:(?:oh|well|um+|er+)\W+)?(?:(?:no|nope|nah|not|never|i don'?t|don'?t|i'?m not|stopped|used to)\b"
    r"|没|不(?!清|知|记|确|太清|止|光|仅)|无|早就?(?:不|停)|已经(?:不|停)|停|从没|从来没|从不)"
)
_LEFT: Final = re.compile(
    r"\b(?:stopped|stop|quit|came off|come off|gave (?:it )?up|finished|no longer|not any ?more|used to|off (?:it|them)"
    r"|took me off)\b|停(?!一停|[一两几]天|了[一两几三]天)|不[吃用打服]了|没(?:再|有再)?[吃用打服]|断了(?!过)|以前|之前"
)
_GOES_ON: Final = re.compile(
    r"\b(?:again|back on|restarted|still)\b|又(?:开始)?[吃用打服]|(?:接着|继续)[吃用打服]|没停|没断|还在"
)
_UNSURE: Final = re.compile(
    r"\b(?:not sure|don'?t know|dunno|no idea|think so|maybe|might|supposed to)\b"
    r"|不清楚|不知道|不确定|记不|好像|可能|打算|准备|应该是?"
)
_TAKES_BACK: Final = re.compile(r"\b(?:wait|actually|sorry|but)\b|不对|不是|但|只")


class Taking(NamedTuple):
    """What a question names, and what the answer says of it."""

    members: Sequence[Mention]
    takes: bool
    left: bool
    """It was taken, and is no more."""


def answered_whether_taken(answer: Sketch, before: Question) -> Taking | None:
    """What an answer to such a question says; None where it says neither, is unsure, or names something itself."""
    asked = next((each for each in reversed(before.sentences) if each.strip()), "")
    said = answer.lowered
    if not asked or _ASKS_ELSE.search(asked) or _UNSURE.search(said) or "?" in said or "？" in said:
        return None
    question = drawn(asked)
    if _ASKS.search(question.drawn) is None:
        return None
    members = [each for _, group in question.groups_in(0, len(question.drawn), "S") for each in group.members]
    if any(True for _ in answer.groups_in(0, len(answer.drawn), "S")):
        return None
    left = _LEFT.search(said) is not None and _GOES_ON.search(said) is None
    no = _NO.match(said)
    yes = _YES.match(said) or (_GOES_ON.search(said) if no is None else None)
    if not (yes or no) or (no and not left and _TAKES_BACK.search(said)):
        return None
    return Taking(members, takes=yes is not None and not left, left=left)
