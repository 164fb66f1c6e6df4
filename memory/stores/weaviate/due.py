"""When memories of all users are to be forgotten. Weaviate cannot ask across tenants, so this index stands outside.

It may say a time too early, never too late: the store checks each record before it calls it due, and mends the entry.
"""

from collections.abc import Sequence
from typing import Protocol

from memory.model.search import DueMemory
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
