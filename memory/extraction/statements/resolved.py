"""A message with its pronouns replaced, sentence by sentence, and the way back to the words that were said."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from memory.language.coreference.resolving import Resolution, Utterance, resolve
from memory.language.sentences import split_sentences

CONTEXT_UTTERANCES: Final = 5
_USER: Final = "user"
_SILENT: Final = Utterance("assistant", "")
_CHINESE: Final = re.compile(r"[\u3400-\u9fff]")
_THIRD_ZH: Final = re.compile(r"(?<![其排利吉维雷伐耳犹])[他她它](?!乡|日|国|杀|处|物|者|汀|定|滨|克莫|唑|啶|列)")
_THIRD_EN: Final = re.compile(
    r"\b(?:he|she|him|hers?|his|they|them|their|it|its)\b(?!['’]s (?:raining|snowing|late))", re.IGNORECASE
)
_NOTHING_MEANT: Final = re.compile(
    r"管他|去他|随他|由他|任他|他妈的|\bit(?:['’]s| is| was| takes?| seems| rains?| snows?)\b"
    r"(?= (?:been|a |an |the |so |too |very |really |great|good|nice|hard|easy|"
    r"time|important|raining|cold|hot|me\b|that|like|just|not))",
    re.IGNORECASE,
)
# "to climb the Great Wall, but when I got there"
_NAMES_A_PLACE: Final = re.compile(r"\b(?:in|to|at|from|near|the|visit|climb|see|reach)\s[A-Z][a-z]+.*\bthere\b")
_MANY: Final = re.compile(r"[他她它]们")
_OF_THINGS: Final = frozenset({"it", "its", "they", "them", "their"})
_CLAUSE_END: Final = re.compile(r"[，,；;。.！!？?]")
_SEEN_CHARS: Final = 40


class Piece(NamedTuple):
    """A sentence as it was said and as it stands alone; not `clear` if somebody in it is still only pointed at."""

    said: str
    text: str
    start: int
    clear: bool


class Resolved(NamedTuple):
    """A message as sentences."""

    said: str
    pieces: Sequence[Piece]

    @property
    def text(self) -> str:
        """The message with every sentence in its resolved form."""
        whole, end = "", 0
        for piece in self.pieces:
            whole += self.said[end : piece.start] + piece.text
            end = piece.start + len(piece.said)
        return whole + self.said[end:]

    def quoted(self, quote: str) -> str:
        """Words of the resolved text as they were said; empty if they do not stand in it."""
        if quote in self.said:
            return quote
        for piece in self.pieces:
            at = piece.text.find(quote)
            if at >= 0:
                return _back(piece, at, at + len(quote))
        return ""


def resolve_message(text: str, before: Sequence[Utterance], user_name: str = "") -> Resolved:
    """Resolve each sentence of a user's message against what was said before, its own earlier sentences included."""
    heard = list(before)
    alone = all(utterance.speaker == _USER for utterance in before)
    pieces = []
    for sentence in split_sentences(text):
        resolution = _resolve(sentence.text, heard, user_name, alone=alone)
        if resolution.reason.startswith("there.") and _NAMES_A_PLACE.search(sentence.text):
            resolution = Resolution(sentence.text, changed=False, reason="antecedent_in_query")
        clear = resolution.changed or _is_clear(sentence.text, heard, user_name)
        pieces.append(Piece(sentence.text, resolution.text, sentence.start, clear))
        heard.append(Utterance(_USER, resolution.text))
    return Resolved(text, pieces)


def _resolve(sentence: str, heard: Sequence[Utterance], user_name: str, *, alone: bool) -> Resolution:
    """The resolver trusts the last utterance where speakers are told apart: here they are, though only one spoke."""
    resolution = resolve(sentence, heard[-CONTEXT_UTTERANCES:], user_name)
    if resolution.changed or not heard or not alone:
        return resolution
    return resolve(sentence, [_SILENT, *heard[1 - CONTEXT_UTTERANCES :]], user_name)


def _is_clear(sentence: str, heard: Sequence[Utterance], user_name: str) -> bool:
    """Whether a sentence that nothing was put into names everybody it speaks of."""
    pattern = _THIRD_ZH if _CHINESE.search(sentence) else _THIRD_EN
    meant = _NOTHING_MEANT.sub(lambda idiom: " " * len(idiom.group()), sentence)
    third = pattern.search(meant)
    if not third:
        return True
    if not _CHINESE.search(sentence):
        # "I measured my waist, and it is 104 cm": what a later clause points at stands in its own sentence.
        return third.group().lower() in _OF_THINGS and _CLAUSE_END.search(sentence[: third.start()]) is not None
    end = _CLAUSE_END.search(sentence, third.end())
    shown = sentence[: end.start() if end else len(sentence)][-_SEEN_CHARS:]
    alone = [Utterance("", "")]
    return any(
        resolve(query, heard[-CONTEXT_UTTERANCES:] or alone, user_name).reason == "antecedent_in_query"
        for query in dict.fromkeys((shown, _MANY.sub("它", shown)))
    )


def _back(piece: Piece, start: int, end: int) -> str:
    """The said words for a span of a resolved sentence, of which one stretch was replaced."""
    head = _shared(piece.said, piece.text)
    tail = _shared(piece.said[head:][::-1], piece.text[head:][::-1])
    grown = len(piece.text) - len(piece.said)
    changed_end = len(piece.text) - tail
    first = start if start <= head else max(head, start - grown)
    last = end if end <= head else len(piece.said) - tail if end <= changed_end else end - grown
    return piece.said[first:last]


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
