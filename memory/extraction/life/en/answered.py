"""Frames of English for what only the question before them explains: new place? Yep, Brightwater."""

import re
from typing import Final

from memory.extraction.life.en.words import PLACE
from memory.extraction.life.grammar import Frame

_YES: Final = r"(?:yes|yep|yeah|yup|i did|i have|we did|we have|correct|right)[,.! ]+"
_NAME: Final = r"(?P<x>[\w'&-]+(?:\s[\w'&-]+){0,3})"
_NO_NAMES: Final = (
    "yes|yep|yeah|yup|no|nope|not|same|still|just|it|they|i|we|my|the|started|starting|began|left|since|last|next|this"
    "|never|finally|only|sort|kind|more|less|better|thanks|thank|haha|lol|oh|well|and|but|so|much|lots|loads|easier|great|good|fine|ok|okay|absolutely|definitely|totally|very|really|loving|love"
)
_NEW_JOB: Final = re.compile(
    r"\bnew (?:place|job|company|employer|firm|role|workplace)\b|\b(?:changed|switched|moved) jobs?\b"
    r"|\bwhere (?:do|are) you work|\bwho do you work for\b|\bi thought you (?:were with|were at|worked)\b"
)
_MOVED: Final = re.compile(
    r"\b(?:have you|did you|you(?:'ve)?) (?:just )?move(?:d)?\b|\bwhere (?:do|are) you liv|\bmoving\?"
)
_WHERE: Final = re.compile(
    r"(?:^|[.!?]\s)where (?:are you|abouts are you|is home|do you live)(?: now| these days)?\s*\?"
)
_AREA: Final = re.compile(r"\b(?:what|which) (?:area|town|city|part of town|part of the country)\b")
_SCHOOL: Final = re.compile(r"\b(?:which|what|new) (?:school|college|uni|university)\b|\bwhere are you studying\b")
_MARRIED: Final = re.compile(r"\b(?:are you|did you get|you got|you'?re) married\b")
_STILL_DRINKS: Final = re.compile(r"\b(?:do you|still|how much do you|are you) (?:\w+ )?drink")
_OFF_NICOTINE: Final = re.compile(
    r"\b(?:do you|are you|still) (?:\w+ )?(?:smok|vap)|\boff nicotine\b|\bgiven up smoking\b"
)

ANSWER_FRAMES: Final = (
    Frame(
        "job",
        re.compile(rf"^(?:{_YES})(?:i'?m |now )?(?:at |with |for |joined |it'?s )?{_NAME}"),
        proper=True,
        answers=_NEW_JOB,
    ),
    Frame(
        "job",
        re.compile(rf"^(?!(?:{_NO_NAMES})\b)(?P<x>[\w'&-]+(?:\s[\w'&-]+)?)$"),
        proper=True,
        answers=_NEW_JOB,
    ),
    Frame("job", re.compile(rf"^(?:at|with|for|it'?s|joined) {_NAME}"), proper=True, answers=_NEW_JOB),
    Frame(
        "residence",
        re.compile(
            rf"^(?:{_YES})?(?:(?:we|i)(?:'ve| have|'re|'m)? )?(?:up |down |over |across |out |back )?(?:to|in) {_NAME}"
        ),
        proper=True,
        answers=_MOVED,
    ),
    Frame("job", re.compile(rf"^(?:{_YES})?(?:at |it'?s |the )?{_NAME}"), proper=True, answers=_SCHOOL),
    Frame(
        "residence",
        re.compile(rf"^(?:in )?(?P<x>{PLACE})[^?]{{0,40}}\b(?:moved|living|live)\b"),
        proper=True,
        wide=True,
        answers=_WHERE,
    ),
    Frame("residence", re.compile(r"^(?:in |it'?s )?(?P<x>[\w'-]+(?:\s[\w'-]+){0,2})$"), proper=True, answers=_AREA),
    Frame(
        "state",
        re.compile(rf"^(?P<x>(?:{_YES})?(?:since|last|on|in|this|a|two|three|\w+day)\b)"),
        given="married",
        answers=_MARRIED,
    ),
    Frame(
        "state",
        re.compile(
            r"^(?P<x>(?:no|nope|none|nothing|never|not)\b[^.!?]{0,30}\b(?:any ?more|now|since|at all|these days|for))"
        ),
        given="quit drinking",
        answers=_STILL_DRINKS,
    ),
    Frame(
        "state",
        re.compile(r"^(?P<x>(?:no|nope|none|nothing|not|since)\b[^.!?]{0,30}\b(?:any ?more|at all|a puff|one puff))"),
        given="quit smoking",
        answers=_OFF_NICOTINE,
    ),
)
