"""When memories of all users are to be forgotten, and what they ask.

Weaviate cannot ask across tenants, so this index stands outside.

It may say a time too early, never too late: the store checks each record before it calls it due, and mends the entry.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from memory.model.memory import Memory
from memory.model.review import Cause, OpenReview, Question, ReviewPlace
from memory.model.search import DueMemory
from memory.ports import Asks, Fades
from memory.scope import UserScope


class DueIndex(Protocol):
    """Times by (user, memory). Writing the same again changes nothing."""

    async def put(self, scope: UserScope, memory_id: str, forget_ms: int | None) -> None:
        """Set the time; None takes the entry out."""
        ...

    async def due(self, now_ms: int, limit: int) -> list[DueMemory]:
        """Entries whose time has come, the earliest first."""
        ...

    async def ask(self, scope: UserScope, memory_id: str, question: Question | None) -> None:
        """Set what a memory asks; None: nothing."""
        ...

    async def reviews(self, tenant: str, cause: Cause, now_ms: int, after: ReviewPlace, limit: int) -> list[OpenReview]:
        """As MemoryStore.reviews."""
        ...

    async def count_reviews(self, tenant: str, cause: Cause, now_ms: int) -> int:
        """As MemoryStore.count_reviews."""
        ...

    async def drop(self, scope: UserScope, memory_ids: Sequence[str]) -> None:
        """Take entries out; those that are not there are passed over."""
        ...


class Anew(NamedTuple):
    """When memories come due, and what they ask, by their ids."""

    times: Sequence[tuple[str, int | None]]
    questions: Sequence[tuple[str, Question | None]]


class Moved(NamedTuple):
    """What goes to the index before changed memories are written, and what after that."""

    sooner: Anew
    later: Anew


def due_anew(before: Sequence[Memory], changed: Sequence[Memory], fades: Fades, asks: Asks) -> Moved:
    """What changed memories come to. Sooner times and questions go to the index before them; the others after them.

    Also as they were: those that stand there may be of other settings.
    """
    sooner: list[tuple[str, int | None]] = []
    later: list[tuple[str, int | None]] = []
    for old, new in zip(map(fades, before), changed, strict=True):
        forget_ms = fades(new)
        is_sooner = forget_ms is not None and (old is None or forget_ms < old)
        (sooner if is_sooner else later).append((new.memory_id, forget_ms))
    questions = [(new.memory_id, asks(new)) for new in changed]
    asked, silent = [each for each in questions if each[1]], [each for each in questions if not each[1]]
    return Moved(Anew(sooner, asked), Anew(later, silent))
