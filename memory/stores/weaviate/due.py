"""When memories of all users are to be forgotten. Weaviate cannot ask across tenants, so this index stands outside.

It may say a time too early, never too late: the store checks each record before it calls it due, and mends the entry.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from memory.model.memory import Memory
from memory.model.search import DueMemory
from memory.ports import Fades
from memory.scope import UserScope


class DueIndex(Protocol):
    """Times by (user, memory). Writing the same again changes nothing."""

    async def put(self, scope: UserScope, memory_id: str, forget_ms: int | None) -> None:
        """Set the time; None takes the entry out."""
        ...

    async def due(self, now_ms: int, limit: int) -> list[DueMemory]:
        """Entries whose time has come, the earliest first."""
        ...

    async def drop(self, scope: UserScope, memory_ids: Sequence[str]) -> None:
        """Take entries out; those that are not there are passed over."""
        ...


class Moved(NamedTuple):
    """When changed memories come due: those that do so sooner than before, and the others."""

    sooner: Sequence[tuple[str, int | None]]
    later: Sequence[tuple[str, int | None]]


def due_anew(before: Sequence[Memory], changed: Sequence[Memory], fades: Fades) -> Moved:
    """The times of what was changed. Sooner ones go to the index before it; the others after it, also as they were.

    Those that stand there may be of other settings.
    """
    sooner: list[tuple[str, int | None]] = []
    later: list[tuple[str, int | None]] = []
    for old, new in zip(map(fades, before), changed, strict=True):
        forget_ms = fades(new)
        is_sooner = forget_ms is not None and (old is None or forget_ms < old)
        (sooner if is_sooner else later).append((new.memory_id, forget_ms))
    return Moved(sooner, later)
