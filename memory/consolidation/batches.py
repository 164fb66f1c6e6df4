"""Which memories a batch is of. Pure."""

from typing import Final

from memory.consolidation.derive import is_guarded
from memory.model.batch import BatchOp, LeftOut
from memory.model.memory import Category, Kind, Memory

_LASTING: Final = {Category.CORE, Category.SYSTEM}


def left_out(memory: Memory | None, op: BatchOp, pending: bool, *, core: bool) -> LeftOut | None:  # noqa: FBT001
    """Why nothing is done to a memory (None: the user has none); None where it is done.

    `pending`: a session that is not finalised will be made into it. `core`: what never fades is meant too.
    """
    if memory is None:
        return LeftOut.PENDING if pending else LeftOut.UNKNOWN
    forgets = op is BatchOp.FORGET
    reasons = {
        LeftOut.PROFILE: memory.kind is Kind.PROFILE,
        LeftOut.PENDING: forgets and pending,
        LeftOut.LINK: not forgets and memory.kind is Kind.LINK,
        LeftOut.SAFETY: not forgets and is_guarded(memory),
        LeftOut.SAME: not forgets and (memory.archived_ms is not None) == (op is BatchOp.ARCHIVE),
        LeftOut.CORE: not core and memory.category in _LASTING and memory.kind is not Kind.LINK,
    }
    return next((reason for reason, is_so in reasons.items() if is_so), None)
