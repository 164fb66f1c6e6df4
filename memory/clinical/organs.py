"""An organ as an answer to what was done: which one, and with which operation."""

import re
from collections.abc import Iterator
from typing import Final

from memory.clinical.asked import Question
from memory.clinical.findings import SURGERY, Finding
from memory.clinical.questions import names
from memory.clinical.reading import Reading

_LISTED: Final = re.compile(r"^\s*(?:[+&/、,，]|\b(?:and|n|plus)\b|和|还有|跟)")
"""Between an organ and an operation: each is one of a list."""
_SIDE: Final = re.compile(r"\b(?:left|right|both|upper|lower)(?: side)? $")
"""Before an organ: which one it is."""
_HURT: Final = re.compile(
    r"^(?:的|这么|严重|受)*(?:过|了)?[扭摔砸压撞烧烫划割]?(?:伤害|伤(?!口|疤))"
    r"|^ (?:injur\w+|hurts?|burn[ts]?|sprain\w*)\b"
)
"""Right behind an organ: what happened to it."""
_LOOKED_AT: Final = re.compile(r"查过?|造影|[拍照]过?片|\b(?:scan|x-?ray|ultrasound|mri|ct|checked|examined)\b")
"""Said of an organ: a picture of it was made."""


def on_an_organ(reading: Reading, before: Question, at: int) -> Iterator[Finding]:
    """An organ as an answer to what was done: with the operation that the question names, and none beside another.

    An organ that was only hurt (手指伤害), or looked at (查过冠脉CT), is no answer.
    """
    clause = reading.sketch.clause_at(at)
    if _HURT.match(reading.suffix(at + 1)) or _LOOKED_AT.search(reading.drawn[clause.start : clause.end]):
        return
    beside = (place for place, _ in reading.sketch.groups_in(clause.start, clause.end, "OV"))
    if any(not _LISTED.search(reading.drawn[min(at, place) + 1 : max(at, place)]) for place in beside):
        return
    side = _SIDE.search(reading.prefix(at))
    asked, said = names(before.drawn, "O"), reading.sketch.quote(at - len(side[0]) if side else at, at + 1)
    name = f"{asked[0]} ({said})" if len(asked) == 1 else said
    reading.taken.add(at)
    reading.answered.add((SURGERY, name))
    yield from reading.told(SURGERY, name, at)
