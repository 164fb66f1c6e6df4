"""What questions ask for, and what they name that an answer may grant."""

import re
from typing import Final

from memory.clinical.asked import NOTES, Question
from memory.clinical.lexicon import Mention
from memory.clinical.operations import stays_inside
from memory.clinical.reading import lasts
from memory.clinical.sketch import Sketch

ASKS_WHETHER: Final = re.compile(
    r"[吗么没][?？\s]*$|有没有|有无|是不是|是否|得过|做过|还是|哪(?:些|个|几[个种]|种|一[个样种])|以下"
    r"|\b(?:which|any) of (?:these|the following|them)\b|\bappl(?:y|ies) to you\b"
    r"|\b(?:do|does|did|have|has|are|is|were|can) (?:you|he|she|they|your \w+)\b|\bany (?:history|known)\b"
    r"|\b(?:is|are|was) (?:the|that|it)\b|^\W*(?:allergic to|ever|got|had|still)\b|\bever (?:been|had|told)\b"
    r"|过敏[?？]|的毛病|的吧[?？]"
    r"|^\W*(?:so |and )*(?:(?:it|that|this)(?:'?s| is)|(?:do )?you (?:take|use|have|get) (?:it|that|this|them)) for\b"
    r"(?! (?:an? |your |his |her )?(?:friend|mum|mom|dad|mother|father|son|daughter|wife|husband|partner|child"
    r"|someone))"
)
MAY_TAKE: Final = re.compile(
    r"\bcan (?:you|he|she|they) (?:take|have|eat|use|tolerate|drink)\b|[能可](?:以)?(?:吃|用|打|喝)"
)
"""Asks whether something may be had: a no says that it does harm, a yes that it does none."""
ASKS_TAKEN: Final = re.compile(
    r"(?:^|[.?!,] ?)(?:and )?(?:any )?(?:regular )?(?:medic\w+|meds)\b[^?]{0,20}\?|allerg\w+(?: or|,"
    r"| and)(?: any)? medic\w+"
    r"|\b(?:what|anything)(?: else)? (?:are )?you (?:\w+ )?(?:tak\w+|on)\b|\bmedications\?"
    r"|(?:在|平时)?[吃用](?:着)?什么药|在吃的药"
)
"""Asks what is taken too: which of the two an answer tells nobody knows."""
NO: Final = re.compile(
    r"^\W*(?:no\b(?!,? but)|please (?:don'?t|no)\b|don'?t\b|nope|nah|not|never|absolutely not|definitely not"
    r"|can'?t|cannot)\b"
    r"|^\W*(?:绝对|千万|可)?(?:不(?!是|知|清|确)|别|没法|吃不了|用不了)"
)
"""An answer that begins with no."""
_SAID_FIRST: Final = re.compile(
    r"不(?!良|耐)|没|无|^\W*(?:系统|记录|如果)|\b(?:no|not|never|without|unless|if)\b|n't\b"
)
"""In a part of a question: it is said before it is asked."""
TAKEN_OUT: Final = re.compile(r"[切割摘]|拿掉|拿了|取掉|\b(?:removed|taken out|out)\b")
"""Says that an organ was removed."""
_DONE: Final = (
    (TAKEN_OUT, ("切除", " removed")),
    (re.compile(r"置换|换[了过的]|\breplaced\b"), ("置换", " replaced")),
    (re.compile(r"移植|\btransplanted\b"), ("移植", " transplanted")),
)
"""What was done to an organ, in Chinese and English."""
_PARTS: Final = re.compile(r"[，,;；:：]")


_OF_AN_ORGAN: Final = re.compile(
    r"\b(?:kidneys?|heart|liver|lungs?|thyroid|stomach|bowels?|eyes?|skin|bladder|prostate|chest|breathing|blood)"
    r"(?:,? (?:or|and) \w+)? (?:problems?|disease|trouble|issues?|conditions?)\b"
    r"|(?:心脏?|肾脏?|肝脏?|肺部?|胃|甲状腺|前列腺|眼睛?|皮肤)(?:功能|方面)?(?:有(?:没有)?|的)?(?:什么)?(?:问题|毛病|疾?病(?!史))"
)
"""Asks after what an organ may have."""
_OF_ALL: Final = re.compile(
    r"\b(?:other|medical|health|chronic|long[- ]term|ongoing|underlying|anything else)\b"
    r"|慢性|基础|其[他它]|别的|什么病|身体|既往|病史"
)
"""Asks for other diseases too."""


def asks_of_an_organ(before: Question) -> bool:
    """Whether it is asked after what one organ may have, and after no other disease: 心脏有什么问题."""
    asked = before.asking
    of_one = _OF_AN_ORGAN.search(asked) is not None and _OF_ALL.search(asked) is None
    return of_one and len(names(before.drawn, "D")) <= 1


def what_asks(asked: str) -> str:
    """Of a question what asks: without what is said first (系统里没有记录，您是否…), or stands in brackets."""
    parts = [part for part in _PARTS.split(NOTES.sub("", asked)) if part.strip()]
    while len(parts) > 1 and _SAID_FIRST.search(parts[0]) and not ASKS_WHETHER.search(parts[0]):
        parts = parts[1:]
    return "，".join(parts)


def operations(question: Sketch, asked: str, *, each: bool = False) -> list[str]:
    """The operations that a question names, and of one organ (or of each) what was done to it, as `asked` says."""
    found, organs = names(question, "OV"), names(question, "G")
    done = next((names for words, names in _DONE if words.search(asked.lower())), None)
    if done is None or not organs or (not each and (found or len(organs) > 1)):
        return found
    return [*found, *(organ + done[organ.isascii()] for organ in organs)]


def members(question: Sketch, letters: str) -> list[Mention]:
    """What a question names of these families, in order."""
    return [each for _, group in question.groups_in(0, len(question.drawn), letters) for each in group.members]


def names(question: Sketch, letters: str) -> list[str]:
    """As `members` their names, each once: of diseases those that last, of devices those that stay inside."""
    groups = (group for _, group in question.groups_in(0, len(question.drawn), letters))
    kept = (each.term for group in groups if group.letter != "D" or lasts(group) for each in group.members)
    named = (each for each in kept if each.tag != "acute")
    return list(dict.fromkeys(each.name for each in named if each.kind != "device" or stays_inside(each.name)))
