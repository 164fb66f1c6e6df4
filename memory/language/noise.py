"""What people type behind what they say, and which is no part of it: lol, tho, 哈哈, a smiling face."""

import re
import unicodedata
from typing import Final

from memory.language.words import listed

_WORDS: Final = "|".join(
    "".join(f"{re.escape(letter)}+" for letter in word)  # who laughs holds the key: lolll
    for word in sorted({*listed("en", "noise"), *listed("zh", "noise")}, key=len, reverse=True)
)
_OF_PICTURES: Final = frozenset(map(chr, range(0xFE00, 0xFE10)))
_MARKS: Final = "".join(
    each
    for each in map(chr, range(0x300, 0x10000))
    if unicodedata.category(each) in {"Mn", "Mc"} and each not in _OF_PICTURES
)
"""Accents and vowels that stand behind their letter, of which they are a part: e\u0301, ली."""
_END: Final = re.compile(
    rf"(?:(?<![a-z0-9])(?:{_WORDS})(?![a-z0-9])|[^\w{_MARKS}%+)）\]】'’\"”]|[_\ufe0f\u200d])++$", re.IGNORECASE
)
_CHARS_MAX: Final = 64
"""Of an end that is looked at."""


def without_noise(name: str) -> str:
    """A name without the noise behind it, and without what separates them; empty when it is nothing else."""
    head, end = name[:-_CHARS_MAX], name[-_CHARS_MAX:]
    found = _END.search(end)
    return head + end[: found.start()] if found else name
