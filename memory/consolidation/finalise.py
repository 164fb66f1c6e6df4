"""Turning one ended session into memory: collect, write, read back, close. Each step may be run again.

A crash anywhere leaves the session ENDING; the next attempt takes a higher fence, writes the same record
under the same id, and closes. An attempt that lost its fence changes nothing any more.
"""

import logging
from dataclasses import dataclass
from typing import Final

from memory import fences as fence_names
from memory.consolidation.cover import Covering
from memory.consolidation.memunit import UnitSettings, build
from memory.consolidation.remember import Rememberer
from memory.errors import InvariantBroken, Overtaken, TemporaryError
from memory.model.finalization import Finalization, FinalizationKey, SealedJournal
from memory.model.lifecycle import SessionState
from memory.model.memunit import MemUnit
from memory.ports import LongTermStore, SessionStore
from memory.scope import Fence, UserScope

_LOG: Final = logging.getLogger("anamnesis.finalise")
REMEMBERED: Final = "remembered"
"""The last step; with a unit's id: that of one unit. A model is not paid twice for what it has read."""

_FIRST: Final = 1
"""The fence of the first attempt: nothing can be there yet."""


@dataclass(frozen=True, slots=True)
class Run:
    """One attempt, and what it writes MemUnits and memories under: it changes nothing once it has been overtaken."""

    attempt: Finalization
    unit_fences: tuple[Fence, ...]
    memory_fences: tuple[Fence, ...]


class Finaliser:
    """Runs one attempt at a finalisation. Raises what the stores raise; the caller retries."""

    def __init__(
        self,
        sessions: SessionStore,
        store: LongTermStore,
        *,
        rememberer: Rememberer,
        units: UnitSettings,
        attempts_max: int,
    ) -> None:
        self._sessions = sessions
        self._store = store
        self._rememberer = rememberer
        self._units = units
        self._attempts_max = attempts_max

    async def run(self, key: FinalizationKey) -> bool:
        """One attempt from its start: `begin` and `complete`."""
        attempt = await self.begin(key)
        return attempt is not None and await self.complete(attempt)

    async def begin(self, key: FinalizationKey) -> Finalization | None:
        """Take the next fence and count the attempt. None when there is nothing (left) to do.

        Gives up when every attempt before this one took its worker down with it.
        """
        attempt = await self._sessions.start_attempt(key)
        if attempt is None or attempt.attempts <= self._attempts_max:
            return attempt
        reason = f"gave up: {self._attempts_max} attempts ended without a word"
        await self._sessions.give_up(key, attempt.fence, reason)
        return None

    async def complete(self, attempt: Finalization) -> bool:
        """Do the work of an attempt. True when it closed the session; False when it had lost its fence.

        An attempt that a store in trouble cut short does not count; one that killed its worker does.
        """
        try:
            run = Run(attempt, *await self._fences(attempt))
            closed = await self._consolidate(attempt.key, run, await self._journal(attempt))
        except TemporaryError as error:
            if isinstance(error, Overtaken) and not await self._is_current(attempt):
                return False
            await self._sessions.refund_attempt(attempt.key, attempt.fence)
            raise
        _LOG.info("finalised", extra={"closed": closed, "attempt": attempt.attempts, "cause": attempt.cause})
        return closed

    async def give_up(self, attempt: Finalization, reason: str) -> bool:
        """FAILED, with the reason, once enough attempts have failed: the journal stays until a replay.

        False when more attempts are due, or when this one had lost its fence: it decides nothing any more.
        """
        if attempt.attempts < self._attempts_max:
            return False
        return await self._sessions.give_up(attempt.key, attempt.fence, reason)

    async def _fences(self, attempt: Finalization) -> tuple[tuple[Fence, ...], tuple[Fence, ...]]:
        """What the attempt writes MemUnits and memories under: asked for before the journal is read."""
        owner = [fence_names.of_owner(attempt.key.scope, attempt.user_id)]
        own = fence_names.of_attempt(attempt.key, attempt.fence)
        return (*await self._store.fences(owner), own), (*await self._rememberer.fences(owner), own)

    async def _journal(self, attempt: Finalization) -> SealedJournal:
        journal = await self._sessions.sealed(attempt.key)
        if journal is None:
            if not await self._is_current(attempt):
                raise Overtaken
            raise InvariantBroken(f"the journal of {attempt.key.finalization_id} is missing")
        return journal

    async def _is_current(self, attempt: Finalization) -> bool:
        """Whether the session still waits for this attempt: it was not forgotten, and no later one has taken over."""
        known = await self._sessions.finalization(attempt.key)
        return known is not None and known.state is SessionState.ENDING and known.fence == attempt.fence

    async def _consolidate(self, key: FinalizationKey, run: Run, journal: SealedJournal) -> bool:
        attempt = run.attempt
        journal, covering = await self._rememberer.cover(key.scope.tenant, journal)
        units = build(key, journal, self._units)
        if not units:
            return await self._sessions.close(key, attempt.fence, (), "empty")
        await self._sessions.note_step(key, attempt.fence, "collected")
        for unit in units:
            if attempt.fence == _FIRST or not await self._reads_back(unit):
                await self._store.put_memunit(unit, run.unit_fences)
        await self._sessions.note_step(key, attempt.fence, "written")
        for unit in units:
            if not await self._reads_back(unit):
                raise InvariantBroken(f"MemUnit {unit.unit_id} does not read back as it was written")
        await self._sessions.note_step(key, attempt.fence, "verified")
        made = [memory_id for unit in units for memory_id in await self._remember(unit, covering, run)]
        await self._sessions.note_step(key, attempt.fence, REMEMBERED)
        return await self._sessions.close(key, attempt.fence, (*[unit.unit_id for unit in units], *made), "")

    async def _reads_back(self, unit: MemUnit) -> bool:
        stored = await self._store.get_memunit(unit.scope, unit.unit_id)
        return stored is not None and stored.content_hash() == unit.content_hash()

    async def _remember(self, unit: MemUnit, covering: Covering, run: Run) -> list[str]:
        """Make a unit's memories, unless an attempt before this one did; returns the ids of those it reports."""
        attempt = run.attempt
        done = f"{REMEMBERED}:{unit.unit_id}"
        if done in attempt.steps:
            memories = await self._rememberer.remembered(unit)
        else:
            memories = await self._rememberer.remember(unit, covering, run.memory_fences)
            await self._sessions.note_step(attempt.key, attempt.fence, done)
        if memories:  # the copy says whether a user has memories
            await self._sessions.drop_profile(UserScope(unit.scope.tenant, unit.user_id))
        return [memory.memory_id for memory in memories if not memory.position]
