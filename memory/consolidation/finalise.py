"""Turning one ended session into memory: collect, write, read back, close. Each step may be run again.

A crash anywhere leaves the session ENDING; the next attempt takes a higher fence, writes the same record
under the same id, and closes. An attempt that lost its fence changes nothing any more.
"""

import logging
from typing import Final

from memory.consolidation.cover import Covering
from memory.consolidation.memunit import UnitSettings, build
from memory.consolidation.remember import Rememberer
from memory.errors import InvariantBroken, TemporaryError
from memory.model.finalization import Finalization, FinalizationKey, SealedJournal
from memory.model.memunit import MemUnit
from memory.ports import LongTermStore, SessionStore
from memory.scope import UserScope

_LOG: Final = logging.getLogger("anamnesis.finalise")
REMEMBERED: Final = "remembered"
"""The last step; with a unit's id: that of one unit. A model is not paid twice for what it has read."""

_FIRST: Final = 1
"""The fence of the first attempt: nothing can be there yet."""


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
        if attempt is None:
            await self._undo_erased(key)  # an attempt before this one may have died after it wrote
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
            closed = await self._consolidate(attempt.key, attempt, await self._journal(attempt.key))
        except TemporaryError:
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

    async def _journal(self, key: FinalizationKey) -> SealedJournal:
        journal = await self._sessions.sealed(key)
        if journal is None:
            raise InvariantBroken(f"the journal of {key.finalization_id} is missing")
        return journal

    async def _consolidate(self, key: FinalizationKey, attempt: Finalization, journal: SealedJournal) -> bool:
        journal, covering = await self._rememberer.cover(key.scope.tenant, journal)
        units = build(key, journal, self._units)
        if not units:
            return await self._sessions.close(key, attempt.fence, (), "empty")
        await self._sessions.note_step(key, attempt.fence, "collected")
        for unit in units:
            if attempt.fence == _FIRST or not await self._reads_back(unit):
                await self._store.put_memunit(unit)
        await self._sessions.note_step(key, attempt.fence, "written")
        for unit in units:
            if not await self._reads_back(unit):
                raise InvariantBroken(f"MemUnit {unit.unit_id} does not read back as it was written")
        await self._sessions.note_step(key, attempt.fence, "verified")
        made = [memory_id for unit in units for memory_id in await self._remember(unit, covering, attempt)]
        await self._sessions.note_step(key, attempt.fence, REMEMBERED)
        closed = await self._sessions.close(key, attempt.fence, (*[unit.unit_id for unit in units], *made), "")
        if not closed:
            await self._undo_erased(key)
        return closed

    async def _reads_back(self, unit: MemUnit) -> bool:
        stored = await self._store.get_memunit(unit.scope, unit.unit_id)
        return stored is not None and stored.content_hash() == unit.content_hash()

    async def _remember(self, unit: MemUnit, covering: Covering, attempt: Finalization) -> list[str]:
        """Make a unit's memories, unless an attempt before this one did; returns the ids of those it reports."""
        done = f"{REMEMBERED}:{unit.unit_id}"
        if done in attempt.steps:
            memories = await self._rememberer.remembered(unit)
        else:
            memories = await self._rememberer.remember(unit, covering)
            await self._sessions.note_step(attempt.key, attempt.fence, done)
        if memories:  # the copy says whether a user has memories
            await self._sessions.drop_profile(UserScope(unit.scope.tenant, unit.user_id))
        return [memory.memory_id for memory in memories if not memory.position]

    async def _undo_erased(self, key: FinalizationKey) -> None:
        """If the session was erased while an attempt wrote, what it wrote goes too. Units of later sessions stay."""
        user = await self._sessions.erased_of(key)
        if user is None:
            return
        await self._store.erase_session(key.scope, key.number)
        if user:
            scope = UserScope(key.scope.tenant, user)
            units = await self._rememberer.units_in(scope, key.scope.conversation)
            gone = {unit for unit in units if await self._store.get_memunit(key.scope, unit) is None}
            await self._rememberer.erase(scope, lambda memory: memory.source.unit_id in gone)
            await self._rememberer.refresh_profiles(scope, key.scope)
            await self._sessions.erase_profile(scope)
