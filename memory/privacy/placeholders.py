"""What stands in a text for an identifier: `[mobile]`, `[mobile_1]` or `[mobile:MFRGG...]`.

All three say the kind in plain ASCII, in whatever language the text is, hold no character at which sentences are cut,
and become a few words for the search. A mark is never looked into again: what is replaced twice is replaced once.
"""

import re
from collections import Counter
from collections.abc import Callable
from typing import Final

from memory.privacy.policy import KINDS

_KINDS: Final = "|".join(KINDS)
_SEALED_CHARS_MIN: Final = 28
"""Of what authenticates a pseudonym (16 bytes) and one byte more, in base32."""
MARK: Final = re.compile(rf"\[({_KINDS})(?::([A-Z2-7]{{{_SEALED_CHARS_MIN},}})|_([0-9]{{1,9}}))?\]")
"""Groups: the kind; the body of a pseudonym; the number of a placeholder."""
_BLANK: Final = "\ue000"


def redacted(kind: str) -> str:
    """Something of this kind, and nobody can say what."""
    return f"[{kind}]"


def numbered(kind: str, number: int) -> str:
    """Something of this kind, told from others of it within one dialogue."""
    return f"[{kind}_{number}]"


def pseudonym(kind: str, body: str) -> str:
    """Something of this kind that the key of its tenant takes back."""
    return f"[{kind}:{body}]"


def is_mark(text: str) -> bool:
    """Whether a text is one mark and nothing else."""
    return MARK.fullmatch(text) is not None


def is_nobody(text: str) -> bool:
    """Whether a text is a mark that may stand for several people or things."""
    match = MARK.fullmatch(text)
    return match is not None and match[2] is None


def tells_nobody(text: str) -> bool:
    """Whether a text has a mark that may stand for several people or things: two such texts may mean two."""
    return "[" in text and any(match[2] is None for match in MARK.finditer(text))


def may_be_others(one: str, other: str) -> bool:
    """Whether two texts may speak of two people or things: their marks differ, or may stand for anybody's."""
    here, there = ([match[0] for match in MARK.finditer(text)] for text in (one, other))
    return here != there or tells_nobody(one)


def without_marks(text: str) -> str:
    """The text at the same length, its marks made of a character that is in no identifier."""
    return MARK.sub(lambda match: _BLANK * len(match[0]), text) if "[" in text else text


def revealed(text: str, value: Callable[[str, str], str | None]) -> str:
    """The text with what its pseudonyms stand for, by (kind, body); one that stands for nothing known stays."""

    def back(match: re.Match[str]) -> str:
        found = value(match[1], match[2]) if match[2] else None
        return match[0] if found is None else found

    return MARK.sub(back, text)


def kinds_in(text: str) -> Counter[str]:
    """How many marks of each kind a text has."""
    return Counter(match[1] for match in MARK.finditer(text))
