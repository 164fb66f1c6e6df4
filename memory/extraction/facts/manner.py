"""How much somebody likes a thing, and under which condition: what is said of a like beside that it is one."""

import re
from collections.abc import Sequence
from typing import Final

from memory.extraction.facts.en import manner as en
from memory.extraction.facts.zh import manner as zh
from memory.model.predicates import LIKE

_WAYS: Final[dict[str, Sequence[re.Pattern[str]]]] = {
    "degree": (*zh.DEGREE, *en.DEGREE),
    "condition": (*zh.CONDITION, *en.CONDITION),
}


def manner_of(predicate: str, quote: str) -> dict[str, str]:
    """Attributes `degree` and `condition` of a like, in its own words, those that its quote says. Linear in it."""
    if predicate != LIKE:
        return {}
    found = {}
    for name, ways in _WAYS.items():
        said = next((match[name].strip() for way in ways if (match := way.search(quote))), "")
        if said:
            found[name] = said
    return found
