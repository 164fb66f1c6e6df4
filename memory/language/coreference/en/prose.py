"""English pronouns in prose: which of the offered names one of them stands for.

A name is chosen only where it is well ahead of every other, also of names that nobody offered as a candidate.
"""

from collections.abc import Sequence
from typing import Final

from memory.language.coreference.en.points import (
    NOBODY_POINTS,
    OUTSIDER_HANDICAP,
    Span,
    points,
    signs_of_all,
)

READ_CHARS_MAX: Final = 2000
"""So many characters before and after a pronoun are read."""
MARGIN_POINTS: Final = 6


def choose_antecedent(text: str, pronoun: tuple[int, int], candidates: Sequence[tuple[int, int]]) -> int | None:
    """The index of the candidate that the pronoun stands for, or None where none is well ahead.

    `pronoun` and `candidates` are (start, end) in `text`. Other names of the text count as rivals. Read are 2,000
    characters on each side of the pronoun; a candidate outside them gives None. Some hundred microseconds.
    """
    base = max(0, pronoun[0] - READ_CHARS_MAX)
    window = text[base : pronoun[1] + READ_CHARS_MAX]
    spans = [Span(start - base, end - base) for start, end in candidates]
    if not spans or any(span.start < 0 or span.end > len(window) for span in spans):
        return None
    worth = [points(signs) for signs in signs_of_all(window, Span(pronoun[0] - base, pronoun[1] - base), spans)]
    offered, others = worth[: len(spans)], worth[len(spans) :]
    best = max(range(len(offered)), key=offered.__getitem__)
    rivals = [score for index, score in enumerate(offered) if index != best]
    rivals.extend(score - OUTSIDER_HANDICAP for score in others)
    return best if offered[best] - max(rivals, default=NOBODY_POINTS) >= MARGIN_POINTS else None
