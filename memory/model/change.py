"""A change of a memory: what was done to it, by whom, why, and what it said before. It stands in the record itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

CHANGES_MAX: Final = 50
"""Changes that a record keeps, the newest; uses go before the others."""


CHANGES_CHARS_MAX: Final = 32_000
"""Characters of what they say, about."""


class Op(StrEnum):
    """What was done to a memory."""

    UPDATED = "updated"
    """Somebody changed what is said about it."""
    SUPERSEDED = "superseded"
    """Another took its place."""
    ENDED = "ended"
    """It holds no longer."""
    RENEWED = "renewed"
    """It holds again."""
    USED = "used"
    """An answer rested on it."""
    ARCHIVED = "archived"
    RESTORED = "restored"
    KEPT = "kept"
    """It was fading, and is kept."""
    PROMOTED = "promoted"
    """It never fades from now on."""
    CONFIRMED = "confirmed"
    """A person said that it is so: by ConfirmFacts, of what is true or of what is not."""
    REVIEWED = "reviewed"
    """A question about it was decided, which changed nothing of it itself."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `number`: 1 for the first of the memory; those that are kept no longer leave gaps.

    `by`: who did it: the name of a key, or of what decides by itself. `before` and `after` are the fields that differ,
    as the record has them (times in ms). `decides`: the review that it decided, by this `verdict`. `of`: the memory
    from which something was taken over, by its id.
    """

    number: int
    at_ms: int
    op: Op
    by: str
    why: str = ""
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    decides: str = ""
    verdict: str = ""
    of: str = ""


def change_fields(change: Change) -> dict[str, object]:
    """Plain JSON values; what is empty is left out."""
    every = {name: getattr(change, name) for name in Change.__slots__}
    return {name: value for name, value in every.items() if value or name == "at_ms"}


def change_of(fields: Mapping[str, Any]) -> Change:
    """The inverse of `change_fields`."""
    known = {name: value for name, value in fields.items() if name in Change.__slots__}
    return Change(**{**known, "op": Op(known["op"])})
