"""Whether a word is that of a relative: whose health is told beside one's own, and never as one's own."""

from functools import lru_cache

from memory.clinical.languages import in_use
from memory.clinical.people import OTHER, USER


@lru_cache(maxsize=4096)
def is_relative(subject: str) -> bool:
    """Whether it names a relative of who speaks, with or without my: 我妈, 孩子, my son, mother."""
    if subject in {USER, OTHER}:
        return False
    lowered = subject.lower()
    return any(
        found is not None and found.lastgroup == "relative"
        for grammar in in_use().grammars
        for found in (grammar.people.fullmatch(name) for name in (lowered, f"my {lowered}"))
    )
