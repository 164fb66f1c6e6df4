"""Apostrophes as they should stand: put in where who types leaves them out (dont), straight where they are curly.

Rules read "don't". Only words with a not in them are mended, as one letter turns them round; what is a word of its own
(well, ill, its, were) is left as it is.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, NamedTuple

from memory.language.words import listed

STRAIGHT: Final = {ord(letter): "'" for letter in "’‘ʼ´`"}
"""One character for one."""
_OWN_AFTER: Final = {
    word: frozenset(before.split())
    for word, _, before in (line.partition(";") for line in listed("en", "contractions"))
}
"""By contraction: the words behind which it is a word of its own: as was his wont, thieves' cant."""
_WORD: Final = re.compile(
    rf"(?<![a-z0-9_'’@./-])(?:{'|'.join(_OWN_AFTER)})(?![a-z0-9_'’@/-]|\.[a-z])", re.ASCII | re.IGNORECASE
)
_LATIN: Final = re.compile(r"[A-Za-z]")
_BEFORE_MAX: Final = 24
_LAST_WORD: Final = re.compile(r"([a-z]+)['’]?\s+$", re.ASCII)


class Spelled(NamedTuple):
    """Words as they were said, and the same with apostrophes. `added`: where in `text` those stand that were put in."""

    said: str
    text: str
    added: Sequence[int]

    def written(self, start: int, end: int) -> str:
        """A stretch of `text` as it was said."""
        return self.said[start - bisect_left(self.added, start) : end - bisect_left(self.added, end)]

    def place_of(self, at: int) -> int:
        """Where in `text` a place of what was said is."""
        for place in self.added:
            if place > at:
                break
            at += 1
        return at


def spelled(text: str) -> Spelled:
    """Put in the apostrophes that are left out of what is denied. Linear in the text's length."""
    if not _LATIN.search(text):
        return Spelled(text, text, ())
    parts, added, at = list[str](), list[int](), 0
    for found in _WORD.finditer(text):
        if not _is_own_word(text, found):
            end = found.end() - 1
            added.append(end + len(added))
            parts += (text[at:end], "'")
            at = end
    return Spelled(text, "".join((*parts, text[at:])), added)


def _is_own_word(text: str, found: re.Match[str]) -> bool:
    behind = _OWN_AFTER[found.group().lower()]
    before = _LAST_WORD.search(text[max(0, found.start() - _BEFORE_MAX) : found.start()].lower()) if behind else None
    return before is not None and before[1] in behind
