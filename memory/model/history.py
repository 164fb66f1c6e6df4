"""Writing down in a record what is done to it, in the same write: the two cannot come apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from memory.model.change import CHANGES_MAX, Change, Op
from memory.model.memory import Memory

RULES: Final = "rules"
"""Who decides without a model."""
DECAY: Final = "decay"
"""Who archives what has faded, and keeps by rule what lasts."""
_NOTED: Final = (
    "category", "text", "subject", "predicate", "object", "polarity", "attributes", "importance", "strength",
    "occurred_ms", "valid_from_ms", "valid_to_ms", "superseded_by", "archived_ms", "kept_ms",
)  # fmt: skip
"""What a change is of. How often a memory was shown is none."""


@dataclass(frozen=True, slots=True)
class Doing:
    """What is done, by whom, when (ms) and why. `decides`: the review that it decides, by which verdict."""

    op: Op
    by: str
    at_ms: int
    why: str = ""
    decides: str = ""
    verdict: str = ""


def noted(before: Memory, after: Memory, doing: Doing) -> Memory:
    """`after` with what differs from `before` written down; as it is where nothing differs and nothing is decided."""
    differing = [name for name in _NOTED if getattr(before, name) != getattr(after, name)]
    if not differing and not doing.decides:
        return after
    number = before.changes[-1].number + 1 if before.changes else 1
    change = Change(
        number,
        doing.at_ms,
        doing.op,
        doing.by,
        doing.why,
        _fields(before, differing),
        _fields(after, differing),
        doing.decides,
        doing.verdict,
    )
    return replace(after, changes=(*_shortened(before.changes), change))


def _fields(memory: Memory, names: Sequence[str]) -> Mapping[str, Any]:
    values = {name: getattr(memory, name) for name in names}
    return {name: dict(value) if isinstance(value, Mapping) else value for name, value in values.items()}


def _shortened(changes: Sequence[Change]) -> Sequence[Change]:
    """Room for one more: the oldest use goes first, else the oldest of all."""
    if len(changes) < CHANGES_MAX:
        return changes
    gone = next((each for each in changes if each.op is Op.USED), changes[0])
    return [each for each in changes if each is not gone]
