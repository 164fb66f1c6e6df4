"""Counting: of one user while they wait, of all users of a tenant behind the requests."""

import logging
from datetime import tzinfo
from typing import Final

from memory.consolidation.upkeep.users import UserLister
from memory.errors import TemporaryError
from memory.model.search import Filter
from memory.model.stats import Tally, TenantCounts
from memory.ports import Clock, Counts, MemoryStore
from memory.scope import UserScope

_ALL: Final = Filter(with_past=True, with_archived=True)
_TOGETHER: Final = 200
_LOG: Final = logging.getLogger("anamnesis.counting")


class MemoryCounter:
    """Counts memories. Any number of them may run: each tenant is counted by one."""

    def __init__(self, counts: Counts, memories: MemoryStore, lister: UserLister, clock: Clock, zone: tzinfo) -> None:
        """`zone`: of the clock that says on which day something was recorded."""
        self._counts = counts
        self._memories = memories
        self._lister = lister
        self._clock = clock
        self._zone = zone

    def tally(self) -> Tally:
        """One that has counted nothing yet."""
        return Tally(self._clock.now_ms(), self._zone)

    async def add(self, scope: UserScope, tally: Tally) -> None:
        """Count all of a user. Costs what they have."""
        more, cursor = True, ""
        while more:
            page = await self._memories.page(scope, _ALL, cursor, _TOGETHER)
            for memory in page.memories:
                tally.add(memory)
            more, cursor = page.cursor != "", page.cursor

    async def run(self) -> bool:
        """Count the tenants for whom it is asked; whether any was. Raises what the stores raise: those wait then.

        Nobody is counted while those are not listed who were there before there was a list of users. Who cannot be
        counted at all is asked for no more; nobody waits for another.
        """
        asked = await self._counts.asked()
        if not asked or not await self._lister.is_made():
            return False
        worked = [await self._one(tenant) for tenant in asked]
        for trouble in worked:
            if isinstance(trouble, TemporaryError):
                raise trouble
        return any(worked)

    async def _one(self, tenant: str) -> bool | TemporaryError:
        async with self._counts.claim(tenant) as mine:
            if not mine:
                return False
            try:
                await self._counts.keep(tenant, await self._count(tenant))
            except TemporaryError as error:
                return error
            except Exception:  # noqa: BLE001 - the border: one tenant must not hold up the others, nor end the worker
                _LOG.exception("a tenant's memories cannot be counted")
                await self._counts.let_go(tenant)
                return False
            return True

    async def _count(self, tenant: str) -> TenantCounts:
        began_ms, tally = self._clock.now_ms(), self.tally()
        async for user in self._lister.everybody(tenant):
            await self.add(UserScope(tenant, user), tally)
        sessions = await self._counts.sessions(tenant)
        now_ms = self._clock.now_ms()
        return TenantCounts(now_ms, max(0, now_ms - began_ms), tally.counts(), sessions)
