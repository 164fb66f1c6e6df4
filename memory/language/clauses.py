"""Clauses: the pieces of a text between its marks, on which rules of one clause work."""

import re
from typing import Final, NamedTuple

# Nobody writes such a clause; cut there, the rules stay linear in the length of any text.
_CLAUSE_CHARS_MAX: Final = 300


class Clause(NamedTuple):
    """A piece of a sentence without inner commas, and the punctuation that closes it."""

    text: str
    closing: str

    @property
    def asked(self) -> bool:
        """Whether a question mark closes it."""
        return "?" in self.closing or "？" in self.closing


def cut(border: re.Pattern[str], text: str) -> list[Clause]:
    """Pieces of a text between borders, without white space around them; empty pieces are left out."""
    clauses: list[Clause] = []
    start = 0
    for found in border.finditer(text):
        _add(clauses, text[start : found.start()], found.group())
        start = found.end()
    _add(clauses, text[start:], "")
    return clauses


def _add(clauses: list[Clause], piece: str, closing: str) -> None:
    stripped = piece.strip()
    while len(stripped) > _CLAUSE_CHARS_MAX:
        clauses.append(Clause(stripped[:_CLAUSE_CHARS_MAX].strip(), ""))
        stripped = stripped[_CLAUSE_CHARS_MAX:].strip()
    if stripped:
        clauses.append(Clause(stripped, closing))
    elif clauses and closing:
        clauses[-1] = Clause(clauses[-1].text, clauses[-1].closing + closing)
