"""What an answer says of each substance that it names: penicillin no, latex yes; 酒精不会 胶布会; 青霉素没打过."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from memory.clinical.findings import ALLERGY, Finding
from memory.clinical.reading import Reading
from memory.clinical.sketch import Group, pattern

_NO: Final = pattern(
    r"s?(?: allergy)? (?:no|nope|nah)(?=\s*(?:$|[.,;!，。]|(?:but|and|i|i'?m)\b|(?:the )?<S>s? (?:yes|yeah|no|nope)\b))"
    r"|s?(?: allergy)?[,:] (?:no|nope|nah)(?=\s*(?:$|[.;!]))"
    r"|(?:过敏)?(?:的话)?(?:没有?|不会?)(?=[，,。、.！!\s]|$)"
)
"""Right behind a substance. In English a no stands for it only where nothing else follows that it may deny."""
_YES: Final = re.compile(r"s?[,:]? (?:yes|yeah|yep|yup)\b|(?:的话)?会(?=[，,。、.！!\s]|$)")
_UNTRIED: Final = re.compile(
    r"s?,? (?:i )?(?:never (?:had|tried|taken)|haven'?t (?:had|tried|taken))\b"
    r"|(?:这个|那个|我|倒|从来?)*没(?:有)?(?:试|用|打|吃|碰)过"
)
"""It was never had: nobody knows."""
_UNSURE: Final = re.compile(
    r"s?,? (?:i'?m |i )?(?:not sure|no idea|don'?t know|dunno|unsure)\b"
    r"|(?:这个|那个|我|倒|就)*(?:不知道|不清楚|不确定|说不准)"
)


def each_answered(reading: Reading, kind: str, at: int, group: Group) -> Iterable[Finding] | None:
    """What is said right behind a substance of whether it is not borne; None: nothing is, or it is asked for else."""
    if kind != ALLERGY or at in reading.taken:
        return None
    for words in (_YES, _NO, _UNTRIED, _UNSURE):
        if words.match(reading.drawn, at + 1):
            return _said(reading, at, group, words)
    return None


def _said(reading: Reading, at: int, group: Group, words: re.Pattern[str]) -> Iterator[Finding]:
    told = list(reading.told_each(ALLERGY, group, at, possible=words is _UNSURE))
    reading.answered.update((ALLERGY, each.text) for each in told)
    if words is not _UNTRIED:
        yield from (each._replace(denied=words is _NO) for each in told)
