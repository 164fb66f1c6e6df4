"""Whether a search follows links: when it is told to, or when its words ask what led to what."""

import re
from functools import cache
from typing import Final, NamedTuple

from memory.language.words import listed

FAST: Final = "fast"
DEEP: Final = "deep"


class Depth(NamedTuple):
    """How far links are followed, and why."""

    links: int
    why: str


def depth_of(mode: str, query: str, links: int) -> Depth:
    """How deep a search of this mode (fast, auto, deep) goes for a query; `links`: when it follows any, how many."""
    if mode == FAST:
        return Depth(0, "the mode is fast")
    if mode == DEEP:
        return Depth(links, "the mode is deep")
    found = _words().search(query)
    if found is None:
        return Depth(0, "nothing in the query asks what belongs together")
    return Depth(links, f"the query says: {found[0]}")


@cache
def _words() -> re.Pattern[str]:
    english = "|".join(map(re.escape, sorted(listed("en", "linked"), key=len, reverse=True)))
    chinese = "|".join(map(re.escape, sorted(listed("zh", "linked"), key=len, reverse=True)))
    return re.compile(rf"\b(?:{english})\b|{chinese}", re.IGNORECASE)
