"""How long a complaint lasts, where only the answer to that question says it: 这种情况多久了？两三个月."""

import re
from typing import Final

from memory.clinical.drawing import drawn_of
from memory.clinical.languages import in_use

_ASKS: Final = re.compile(
    r"多久|多长时间|几天了?|多少天"
    r"|(?:什么时候|啥时候|哪天|几号)(?:开始|起|出现|发现)|\bhow long\b"
    r"|\bhow many (?:days|weeks|hours)\b"
    r"|\bsince when\b|\bwhen did (?:it|this|that|these|they|the|your)\b"
)
_OF_SOMETHING_ELSE: Final = re.compile(
    r"[吃服用喝打戒停](?:了|过|药)?(?:有)?多(?:久|长)|怀孕|月经|末次|结婚|手术|术后|复查|疗程"
    r"|\b(?:tak(?:e|ing)|on (?:it|them)|been on|using|pregnan\w+|period|smok\w+|married|surgery|operation|quit)\b"
)
"""Asks how long something is taken or over."""
_ANSWER_MAX: Final = 40
"""Letters of an answer that says no more."""


def told_how_long(text: str, before: str) -> str:
    """How long what was complained of before lasts, as it was said; empty if that is not asked or not said."""
    asked = before.lower()
    if len(text) > _ANSWER_MAX or not _ASKS.search(asked) or _OF_SOMETHING_ELSE.search(asked):
        return ""
    drawn = drawn_of(text)
    for health in in_use().healths:
        for found in health.lasting.finditer(drawn.drawn):
            return drawn.quote(*found.span("x"))
    return ""
