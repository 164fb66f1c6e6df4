"""What a message says led to what, in so many words: 因为…所以…, because, led to. Pure, linear in the message.

A sentence that asks, supposes or denies a reason gives none: 是不是因为, if, not because.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from memory.language.sentences import split_sentences

_PART: Final = r"[^，,；;。！？!?\n]{2,80}"
_EN: Final = r"[^;.!?\n]{3,160}?"
_END: Final = r"(?=$|[，,；;。！？!?\n])"
_NO_EFFECT: Final = "因为|由于|考虑|想|请|但|可|不|又|还|也|而|并|发现|担心|怕|医生|大夫|检查|查"
"""What begins a clause behind a reason that goes on with it, or asks."""
_SAID: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # The reason first.
        rf"(?:因为|由于)(?P<cause>[^；;。！？!?\n]{{2,120}}?)[，,]?(?:所以|因此|导致)(?P<effect>{_PART})",
        rf"(?:因为|由于)(?P<cause>{_PART})[，,]?(?:才|就)?(?<=[，,才就])(?!{_NO_EFFECT})(?P<effect>{_PART})",
        rf"(?P<cause>{_PART})[，,]?(?:所以|因此|导致|害得)(?P<effect>{_PART})",
        (
            rf"^(?:{_EN}, )?(?:because|as a result of|due to|owing to)(?: of)? (?P<cause>{_EN}), "
            r"(?P<effect>[^;.!?\n]{3,160})"
        ),
        (
            rf"(?P<cause>{_EN})(?:,| and)? (?:so (?=i|we|he|she|they|my|it|now|the)|that'?s why |which is why |"
            r"as a result,? |therefore,? |which (?:led|leads) to |(?:led|leads) to |which (?:caused|causes) |"
            r"(?:caused|causes) (?=me|my|a|an|the|some|more) ?)(?P<effect>[^;.!?\n]{3,160})"
        ),
        # What came of it first.
        rf"(?P<effect>{_PART})[，,]?(?:就是|都是|主要是|可能是)?(?:因为|由于)(?P<cause>{_PART}){_END}",
        (
            rf"(?P<effect>{_EN})(?:,)? (?:because(?: of)?|due to|owing to|as a result of|caused by) "
            r"(?P<cause>[^;.!?\n]{3,160})"
        ),
    )
)
_BEGINS_WITH_SO: Final = re.compile(
    r"^(?:所以|因此|so (?=i|we|my|now)|that'?s why |therefore,? |as a result,? )", re.IGNORECASE
)
_CLAUSE_END: Final = re.compile(r"[，,；;]")
_NONE: Final = re.compile(
    r"[?？]|吗|是不是|会不会|怎么会|如果|要是|假如|万一|除非|不是因为|并非因为|不一定|难道|"
    r"\b(?:if|whether|unless|not because|isn'?t because|maybe because|would|could be|might|so that|so far|"
    r"even though)\b",
    re.IGNORECASE,
)


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
        if _NONE.search(sentence.text):
            before = None
            continue
        found += _within(sentence.text, sentence.start)
        begins = _BEGINS_WITH_SO.match(sentence.text)
        if begins and before is not None:
            first = _CLAUSE_END.search(text, sentence.start + begins.end(), sentence.end)
            effect = (sentence.start + begins.end(), first.start() if first else sentence.end)
            found.append(Cause(before, effect, text[before[0] : effect[1]].strip()))
        before = (sentence.start, sentence.end)
    return found


def _within(sentence: str, start: int) -> Iterator[Cause]:
    """At most one in a sentence: the first form that fits it."""
    for form in _SAID:
        said = form.search(sentence)
        if said:
            cause, effect = said.span("cause"), said.span("effect")
            yield Cause(_moved(cause, start), _moved(effect, start), said.group().strip(" ，,"))
            return


def _moved(span: tuple[int, int], start: int) -> tuple[int, int]:
    return span[0] + start, span[1] + start
