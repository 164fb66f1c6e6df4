"""Writing down in a record what is done to it, in the same write: the two cannot come apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from memory.model.change import CHANGES_CHARS_MAX, CHANGES_MAX, Change, Op
from memory.model.memory import Memory

RULES: Final = "rules"
"""Who decides without a model."""
DECAY: Final = "decay"
"""Who archives what has faded, and keeps by rule what lasts."""
_NOTED: Final = (
    "text", "category", "subject", "predicate", "object", "polarity", "attributes", "importance", "strength",
    "occurred_ms", "valid_from_ms", "valid_to_ms", "superseded_by", "archived_ms", "kept_ms",
)  # fmt: skip
"""What a change is of. How often a memory was shown is none."""


@dataclass(frozen=True, slots=True)
class Doing:
    """What is done, by whom, when (ms) and why. `decides`: the review that it decides, by which verdict.

    `of`: the memory from which something is taken over.
    """

    op: Op
    by: str
    at_ms: int
    why: str = ""
    decides: str = ""
    verdict: str = ""
    of: str = ""


def noted(before: Memory, after: Memory, doing: Doing) -> Memory:
    """`after` with what differs from `before` written down; as it is where nothing differs, is decided or confirmed."""
    old, new = _differing(before, after)
    if not (old or new or doing.decides or doing.op is Op.CONFIRMED):
        return after
    earlier, number = list(before.changes), before.changes[-1].number + 1 if before.changes else 1
    last = earlier[-1] if earlier else None
    if last is not None and last.op is doing.op is Op.USED and last.by == doing.by:
        old = dict(last.before)  # one use after the other: what they have come to
        earlier.pop()
    told = Change(number, doing.at_ms, doing.op, doing.by, doing.why, old, new, doing.decides, doing.verdict, doing.of)
    return replace(after, changes=(*_shortened(earlier, told), told))


def _differing(before: Memory, after: Memory) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields that differ, before and after; of attributes those that do."""
    names = [name for name in _NOTED if getattr(before, name) != getattr(after, name)]
    old, new = ({name: getattr(memory, name) for name in names} for memory in (before, after))
    if "attributes" in names:
        old["attributes"] = _other_than(before.attributes, after.attributes)
        new["attributes"] = _other_than(after.attributes, before.attributes)
    return old, new


def _other_than(attributes: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in attributes.items() if others.get(name) != text}


def _shortened(changes: Sequence[Change], another: Change) -> Sequence[Change]:
    """Room for one more, by their number and by their size: the oldest use goes first, else the oldest of all."""
    kept, size = list(changes), _size(another) + sum(map(_size, changes))
    while kept and (len(kept) >= CHANGES_MAX or size > CHANGES_CHARS_MAX):
        gone = next((each for each in kept if each.op is Op.USED), kept[0])
        kept.remove(gone)
        size -= _size(gone)
    return kept


def _size(change: Change) -> int:
    """Characters, about."""
    return len(str(change.before)) + len(str(change.after)) + len(change.why)
