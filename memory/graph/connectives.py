"""What a message says led to what, in so many words: 因为…所以…, because, led to. Pure, linear in the message.

A sentence that asks, supposes, doubts or denies gives none, nor one that tells of an end or joins more than two things:
few are read, and those are right.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from memory.language.conditions import IF_ZH
from memory.language.sentences import split_sentences

_PART: Final = r"[^，,；;。！？!?\n]{2,80}"
_EN: Final = r"[^,;.!?\n]{3,160}?"
_REST: Final = r"[^,;.!?\n]{3,160}"
_END: Final = r"(?=$|[，,；;。！？!?\n])"
_NO_EFFECT: Final = (
    "因为|由于|考虑|想|请|但|可|不|又|还|也|而|并|发现|担心|怕|医生|大夫|检查|查|我有|以前|既往|本来|一直"
)
"""What begins a clause behind a reason that goes on with it, asks, or tells of what was there before."""
_SAID: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # The reason first.
        rf"(?:因为|由于)(?P<cause>[^；;。！？!?\n]{{2,120}}?)[，,]?(?:所以|因此|导致)(?P<effect>{_PART})",
        rf"(?:因为|由于)(?P<cause>{_PART})[，,]?(?:才|就)?(?<=[，,才就])(?!{_NO_EFFECT})(?P<effect>{_PART})",
        rf"(?P<cause>{_PART})[，,]?(?:所以|因此|导致|害得)(?P<effect>{_PART})",
        rf"^(?:because|as a result of|due to|owing to)(?: of)? (?P<cause>{_EN}), (?P<effect>{_REST})",
        (
            rf"(?P<cause>{_EN})(?:,| and)? (?:so (?=i|we|he|she|they|my|it|now|the)|that'?s why |which is why |"
            r"as a result,? |therefore,? |which (?:led|leads) to |(?:led|leads) to |which (?:caused|causes) |"
            rf"(?:caused|causes) (?=me|my|a|an|the|some|more) ?)(?P<effect>{_REST})"
        ),
        # What came of it first.
        rf"(?P<effect>{_PART})[，,]?(?:就是|都是|主要是)?(?:因为|由于)(?P<cause>{_PART}){_END}",
        rf"(?P<effect>{_EN}),? (?:because(?: of)?|due to|owing to|as a result of|caused by) (?P<cause>{_REST})",
    )
)
_JOINS: Final = re.compile(
    r"因为|由于|所以|因此|导致|害得|\b(?:because|due to|owing to|as a result|(?:led|leads) to|caused?s?|therefore)\b|"
    r",? so (?=i\b|we\b|he\b|she\b|they\b|my\b|it\b|now\b|the\b)|that'?s why|which is why",
    re.IGNORECASE,
)
_REASON: Final = frozenset({"因为", "由于"})
_RESULT: Final = frozenset({"所以", "因此", "导致"})
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_BEGINS_WITH_SO: Final = re.compile(
    r"^(?:所以|因此|so (?=i|we|my|now)|that'?s why |therefore,? |as a result,? )", re.IGNORECASE
)
_CLAUSE_END: Final = re.compile(r"[，,；;]|\b(?:and|but|which|who|although|though)\b", re.IGNORECASE)
_COMPLAINT: Final = re.compile(
    r"没睡[好着]|睡不[着好]|睡得不好|吃不下|不舒服|不开心|没胃口|没力气|没精神|消化不良|受不了|喘不[上过]气|非常|无力|"
    r"\b(?:couldn'?t|can'?t|cannot|could not|didn'?t|did not) (?:sleep|breathe|eat)\b|"
    r"\b(?:don'?t|not) feel(?:ing)? well\b",
    re.IGNORECASE,
)
"""Complaints that have the form of a denial."""
_NONE: Final = re.compile(
    rf"[?？]|吗|是不是|会不会|怎么会|如果|要不|{IF_ZH}|假如|万一|除非|不一定|难道|可能|也许|大概|或许|怀疑|似乎|好像|估计|"
    r"[不没无非未]|停|戒|好了|消失|痊愈|"
    r"\b(?:if|whether|unless|maybe|perhaps|possibly|probably|doubt|think|thought|guess|suspect|suppose|would|could|"
    r"might|may|so that|so far|even though|not|no|never|none|without|nothing|neither|nor|stopped|stop|quit|"
    r"gone|went away|cleared|better|used to|denies|denied|ruled out)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
"""What asks, supposes, doubts, denies or tells of an end: a sentence with one of these gives no reason."""


class Cause(NamedTuple):
    """Two stretches of a message, from and to, of which the first led to the second; and the words that say so."""

    cause: tuple[int, int]
    effect: tuple[int, int]
    quote: str


def causes(text: str) -> list[Cause]:
    """What a message says led to what, in its order."""
    found: list[Cause] = []
    before: tuple[int, int] | None = None
    for sentence in split_sentences(text):
        if _NONE.search(_COMPLAINT.sub("…", sentence.text)):
            before = None
            continue
        found += _within(sentence.text, sentence.start)
        begins = _BEGINS_WITH_SO.match(sentence.text)
        if begins and before is not None and len(_JOINS.findall(sentence.text)) <= 1:
            effect = _first((begins.end(), len(sentence.text)), sentence.text)
            end = sentence.start + effect[1]
            found.append(Cause(before, _moved(effect, sentence.start), text[before[0] : end].strip()))
        joins = _JOINS.search(sentence.text)
        before = None if joins or _CLAUSE_END.search(sentence.text) else (sentence.start, sentence.end)
    return found


def _within(sentence: str, start: int) -> Iterator[Cause]:
    """One of a sentence that joins two things, no more: the first form that fits it, its stretches cut to a clause."""
    joins = _JOINS.findall(sentence)
    paired = len(joins) == 2 and joins[0] in _REASON and joins[1] in _RESULT  # noqa: PLR2004 - 因为…所以…
    if len(joins) != 1 and not paired:
        return
    for form in _SAID:
        said = form.search(sentence)
        if said:
            chinese = _HAN.search(said.group("cause")) is not None
            cause, effect = said.span("cause"), said.span("effect")
            if not chinese:
                first, second = sorted((cause, effect))
                if _CLAUSE_END.search(sentence, *first):  # of several things nobody can tell which is meant
                    return
                second = _first(second, sentence)
                cause, effect = (first, second) if cause == first else (second, first)
            quote = sentence[min(cause[0], effect[0]) : max(cause[1], effect[1])]
            whole = said.group() if chinese or quote in said.group() else quote
            yield Cause(_moved(cause, start), _moved(effect, start), whole.strip(" ，,"))
            return


def _first(span: tuple[int, int], text: str) -> tuple[int, int]:
    """A stretch up to the end of its first clause."""
    end = _CLAUSE_END.search(text, *span)
    return (span[0], end.start()) if end else span


def _moved(span: tuple[int, int], start: int) -> tuple[int, int]:
    return span[0] + start, span[1] + start
