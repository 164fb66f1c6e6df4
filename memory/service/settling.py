"""SettleMemories: what the worker does by itself from time to time, now."""

import asyncio
from collections.abc import Callable

from memory.consolidation.upkeep.settle import Settled, Settler
from memory.errors import TemporaryError
from memory.model.caller import Caller
from memory.model.graph_calls import SettleMemoriesRequest, SettleMemoriesResponse, SettleSteps
from memory.ports import JobQueue
from memory.scope import UserScope
from memory.service.memory_updates import ask_to_settle

AfterSettling = Callable[[Settled], None]
"""Told what was done for a caller."""


class SettlingOperations:
    """Settles here as long as the caller waits; what is left then the worker does."""

    def __init__(self, settler: Settler, jobs: JobQueue, after: AfterSettling = lambda _: None) -> None:
        self._settler = settler
        self._jobs = jobs
        self._after = after

    async def settle(self, caller: Caller, request: SettleMemoriesRequest) -> SettleMemoriesResponse:
        """Settle a user's memories. Raises what the store raises."""
        scope = UserScope(caller.tenant, request.user_id)
        try:
            async with asyncio.timeout(request.wait_ms / 1000):
                settled = await self._settler.settle(scope)
        except TimeoutError:
            await ask_to_settle(self._jobs, scope)
            return SettleMemoriesResponse(state="going_on", steps=None, left=await self._left(scope))
        self._after(settled)
        return SettleMemoriesResponse(state="settled", steps=_steps(settled), left=await self._left(scope))

    async def _left(self, scope: UserScope) -> int | None:
        try:
            return await self._settler.left(scope)
        except TemporaryError:
            return None


def _steps(settled: Settled) -> SettleSteps:
    completed, (checked, merged, suggested, conflicts) = settled
    return SettleSteps(completed=completed, checked=checked, merged=merged, suggested=suggested, conflicts=conflicts)
