"""Staged to consolidated, of one user: index entries first, so that all is found; then the graph is tidied."""

from typing import NamedTuple

from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.consolidation.upkeep.reindex import Reindexer
from memory.consolidation.upkeep.tidy import Tidied, Tidier
from memory.ports import Clock, LongTermStore, MemoryArchive
from memory.scope import UserScope


class Settled(NamedTuple):
    """How many index entries were completed, and what the graph's tidying came to."""

    completed: int
    tidied: Tidied


class Settler:
    """Both steps. Each may be repeated for nothing."""

    def __init__(self, reindexer: Reindexer, tidier: Tidier) -> None:
        self._reindexer = reindexer
        self._tidier = tidier

    async def complete(self, scope: UserScope) -> int:
        """Complete what is staged or open; returns of how many records. Raises what stores and embedder raise."""
        return await self._reindexer.settle(scope)

    async def complete_all(self) -> int:
        """The same of everybody."""
        return await self._reindexer.settle_all()

    async def left(self, scope: UserScope) -> int:
        """How many records of a user wait for that."""
        return await self._reindexer.left(scope)

    async def tidy(self, scope: UserScope) -> Tidied:
        """Make one what is written alike, and suggest what may be. Raises what the store raises."""
        return await self._tidier.tidy(scope)

    async def settle(self, scope: UserScope) -> Settled:
        """Both."""
        return Settled(await self.complete(scope), await self.tidy(scope))


def settler_of(
    memories: MemoryArchive, units: LongTermStore, rememberer: Rememberer, minds: Minds, clock: Clock
) -> Settler:
    """A settler over these stores."""
    tidier = Tidier(memories, rememberer, minds, clock)
    return Settler(Reindexer(memories, units, minds.embedder), tidier)
