"""What a stretch of dialogue is about: a whole phrase of whoever tells it."""

import re
from collections.abc import Iterable
from typing import Final

from memory.language.sentences import split_sentences
from memory.language.speech import is_bare_answer, is_small_talk
from memory.language.vocabulary import kinds_of

_CLAUSE_END: Final = re.compile(r"[，,、：:;；]+\s{0,4}|\s[-–—]+\s")
_MARKS: Final = " \t\r\n，,。.;；:：!！~～、…"
_SOUNDS: Final = "嗯哦好啊行恩噢哎唉呃"
_CHARS_MIN: Final = 4
_MORE: Final = "…"


def subject_of(texts: Iterable[str], chars_max: int) -> str:
    """The first sentence that says more than a courtesy or a bare answer, in whole clauses of up to `chars_max`.

    A clause that is longer alone is cut, and says so. Where nothing says more, the first text that says anything.
    """
    first = ""
    for text in texts:
        for sentence in split_sentences(text):
            phrase = _cut(_without_greeting(sentence.text), chars_max)
            first = first or _cut(sentence.text, chars_max)
            if len(phrase) >= _CHARS_MIN and not is_bare_answer(phrase):
                return phrase
    return first


def _without_greeting(sentence: str) -> str:
    """From the first clause on that is no courtesy; empty when all are."""
    start = 0
    for end in [*(found.span() for found in _CLAUSE_END.finditer(sentence)), (len(sentence), len(sentence))]:
        clause = sentence[start : end[0]].strip(_MARKS)
        sign = len(clause) == 1 and clause not in _SOUNDS  # 女，28岁
        if sign or (clause and not is_small_talk(clause, kinds_of(clause))):
            return sentence[start:]
        start = end[1]
    return ""


def _cut(phrase: str, chars_max: int) -> str:
    """As many whole clauses as fit; the first one cut where even it does not."""
    phrase = phrase.strip(_MARKS)
    if len(phrase) <= chars_max:
        return phrase
    borders = [found.start() for found in _CLAUSE_END.finditer(phrase) if _CHARS_MIN <= found.start() <= chars_max]
    if borders:
        return phrase[: borders[-1]]
    short = phrase[: chars_max - len(_MORE)]
    words = short.rpartition(" ")[0] if short.isascii() else short
    return (words or short) + _MORE
