"""Which memories a batch is of."""

from dataclasses import replace

import pytest

from memory.consolidation.batches import left_out
from memory.model.batch import BatchOp, LeftOut
from memory.model.memory import Category, Kind, Memory, Source, Type

FACT = Memory(
    "m", "ann", Kind.FACT, Category.FACT, Type.FACT, "likes tea", Source("c", "", (1,), "tea"), 1, 1, predicate="like"
)
ARCHIVED = replace(FACT, archived_ms=2)
ALLERGY = replace(FACT, category=Category.CORE, predicate="allergy")
PROMOTED = replace(FACT, category=Category.CORE)
LINK = replace(FACT, kind=Kind.LINK, category=Category.SYSTEM)
PROFILE = replace(FACT, kind=Kind.PROFILE, category=Category.CORE)
FORGET, ARCHIVE, RESTORE = BatchOp.FORGET, BatchOp.ARCHIVE, BatchOp.RESTORE


@pytest.mark.parametrize(
    ("memory", "op", "why"),
    [
        (FACT, FORGET, None),
        (FACT, ARCHIVE, None),
        (FACT, RESTORE, LeftOut.SAME),
        (ARCHIVED, FORGET, None),
        (ARCHIVED, ARCHIVE, LeftOut.SAME),
        (ARCHIVED, RESTORE, None),
        (ALLERGY, FORGET, LeftOut.CORE),
        (ALLERGY, ARCHIVE, LeftOut.SAFETY),
        (PROMOTED, ARCHIVE, LeftOut.CORE),
        (LINK, FORGET, None),
        (LINK, ARCHIVE, LeftOut.LINK),
        (PROFILE, FORGET, LeftOut.PROFILE),
        (None, FORGET, LeftOut.UNKNOWN),
    ],
)
def test_each_is_done_or_says_why_not(memory: Memory | None, op: BatchOp, why: LeftOut | None) -> None:
    assert left_out(memory, op, pending=False, core=False) is why
    meant = None if why is LeftOut.CORE else why
    assert left_out(memory, op, pending=False, core=True) is meant


def test_what_a_session_would_bring_back_is_not_forgotten_but_may_be_archived() -> None:
    assert left_out(FACT, FORGET, pending=True, core=True) is LeftOut.PENDING
    assert left_out(FACT, ARCHIVE, pending=True, core=True) is None
    assert left_out(None, ARCHIVE, pending=True, core=True) is LeftOut.PENDING
