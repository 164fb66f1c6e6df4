"""Finding the sessions that are due. Any number of sweepers may run; each entry is taken by one at a time."""

import asyncio
import logging
from dataclasses import dataclass
from typing import Final

from memory.errors import TemporaryError
from memory.model.finalization import Due, FinalizationKey
from memory.ports import Endings, JobQueue

_LOG: Final = logging.getLogger("anamnesis.sweep")
BATCH: Final = 200
_AT_ONCE: Final = 32


@dataclass(frozen=True, slots=True)
class Swept:
    """What one sweep found: entries looked at, sessions sealed, and the lag of the oldest entry in ms."""

    looked_at: int
    sealed: int
    lag_ms: float


class Sweeper:
    """Looks at conversations that come due: seals what has ended, and sees that what waits has a job.

    A taken entry comes due again after `lease_ms`: a sweeper that dies loses nothing. What it has queued is the queue's
    from then on, which sees to it that a job outlives its worker; it is looked at again after `hold_ms`, in case that
    the queue has lost it, or has tried it often enough.
    """

    def __init__(self, sessions: Endings, jobs: JobQueue, *, lease_ms: int, hold_ms: int) -> None:
        self._sessions = sessions
        self._jobs = jobs
        self._lease_ms = lease_ms
        self._hold_ms = hold_ms

    async def sweep(self) -> Swept:
        """Take one batch of what is due, and see to it."""
        due, lag_ms = await self._sessions.take_due(BATCH, self._lease_ms)
        gate = asyncio.Semaphore(_AT_ONCE)
        outcomes = await asyncio.gather(*(self._see_to(entry, gate) for entry in due), return_exceptions=True)
        failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        if failures:  # the entries come due again; one that always fails must not hold up the others
            _LOG.warning("sweep", extra={"failed": len(failures), "first": type(failures[0]).__name__})
        return Swept(len(due), sum(outcome is True for outcome in outcomes), lag_ms)

    async def _see_to(self, due: Due, gate: asyncio.Semaphore) -> bool:
        async with gate:
            outcome = await self._sessions.seal(due.scope, force=False, cause="idle")
            added = [await self._add(FinalizationKey(due.scope, number)) for number in outcome.pending]
            if all(added):
                await self._sessions.settle(due, self._hold_ms if added else outcome.active_ms)
            return outcome.sealed is not None

    async def _add(self, key: FinalizationKey) -> bool:
        try:
            await self._jobs.add_finalization(key)
        except TemporaryError as error:  # it comes due again after lease_ms
            _LOG.warning("finalisation not queued yet", extra={"code": error.code})
            return False
        return True
