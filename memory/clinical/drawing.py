"""Texts drawn to be read: without what is quoted, and long ones in parts."""

import re
from collections.abc import Iterator
from typing import Final

from memory.clinical.languages import in_use
from memory.clinical.sketch import TEXT_CHARS_MAX, Sketch, sketch_of
from memory.language.apostrophes import spelled

_QUOTED: Final = re.compile(
    r"(?P<known>(?:医生|大夫|护士|主任|诊断|出院|病历|病史|报告|检查|化验|结果|diagnos\w{0,8}|discharge|report"
    r"|records?|doctor|dr\.? \w{1,20}|gp|nurse|consultant"
    r"|copied|pasted|(?:old|new|last|previous) (?:surgery|practice|clinic)|sensitivit)[^。.“\"]{0,12}[:：,，]?\s*)?"
    r"(?:“[^”]{6,200}”|「[^」]{6,200}」|(?<![\w\"])\"(?=\w)[^\"\n]{12,200}(?<=[\w.!?,])\"(?!\w)"
    r"|(?<![\w'])'(?=[A-Z])[^\n]{8,160}?(?<=[\w.!?,])'(?=[\s,.?!]|$))",
    re.IGNORECASE,
)
_QUOTES: Final = re.compile(r"[“「\"']")
_BLANK: Final = " "
_SENTENCE: Final = re.compile(r"[。！!？?\n]|\.\s")


def drawn_of(text: str) -> Sketch:
    """A text as it is read: what stands in quotation marks is not, unless a doctor or a record says it."""
    words = spelled(text)
    quotes = _QUOTES.search(words.text) is not None
    return sketch_of(words, in_use().lexicon, _QUOTED.sub(_blanked, words.text) if quotes else "")


def _blanked(found: re.Match[str]) -> str:
    return found.group() if found["known"] else _BLANK * len(found.group())


def pieces(text: str) -> Iterator[str]:
    """A long text in parts that end where a sentence does."""
    while len(text) > TEXT_CHARS_MAX:
        ends = [found.end() for found in _SENTENCE.finditer(text, TEXT_CHARS_MAX // 2, TEXT_CHARS_MAX)]
        cut = ends[-1] if ends else TEXT_CHARS_MAX
        yield text[:cut]
        text = text[cut:]
    yield text
