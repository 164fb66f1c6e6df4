"""Turning one ended session into memory: collect, write, read back, close. Each step may be run again.

A crash anywhere leaves the session ENDING; the next attempt takes a higher fence, writes the same record
under the same id, and closes. An attempt that lost its fence changes nothing any more.
"""

import logging
from typing import Final

from memory.consolidation.memunit import build
from memory.errors import InvariantBroken, TemporaryError
from memory.model.finalization import Finalization, FinalizationKey, SealedJournal
from memory.ports import LongTermStore, SessionStore

_LOG: Final = logging.getLogger("anamnesis.finalise")


class Finaliser:
    """Runs one attempt at a finalisation. Raises what the stores raise; the caller retries."""

    def __init__(
        self,
        sessions: SessionStore,
        store: LongTermStore,
        *,
        threshold_tokens: float,
        locale: str,
        attempts_max: int,
    ) -> None:
        self._sessions = sessions
        self._store = store
        self._threshold_tokens = threshold_tokens
        self._locale = locale
        self._attempts_max = attempts_max

    async def run(self, key: FinalizationKey) -> bool:
        """One attempt. True when this call closed the session; False when there was nothing (left) to do.

        An attempt that a store in trouble cut short does not count; one that killed its worker does.
        """
        attempt = await self._sessions.start_attempt(key)
        if attempt is None:
            return False
        if attempt.attempts > self._attempts_max:  # each attempt before took its worker down with it
            reason = f"gave up: {self._attempts_max} attempts ended without a word"
            await self._sessions.give_up(key, attempt.fence, reason)
            return False
        try:
            closed = await self._consolidate(key, attempt, await self._journal(key))
        except TemporaryError:
            await self._sessions.refund_attempt(key, attempt.fence)
            raise
        _LOG.info("finalised", extra={"closed": closed, "attempt": attempt.attempts, "cause": attempt.cause})
        return closed

    async def _journal(self, key: FinalizationKey) -> SealedJournal:
        journal = await self._sessions.sealed(key)
        if journal is None:
            raise InvariantBroken(f"the journal of {key.finalization_id} is missing")
        return journal

    async def give_up(self, key: FinalizationKey, reason: str) -> bool:
        """FAILED, with the reason, once enough attempts have failed: the journal stays until a replay."""
        known = await self._sessions.finalization(key)
        if known is None or known.attempts < self._attempts_max:
            return False
        return await self._sessions.give_up(key, known.fence, reason)

    async def _consolidate(self, key: FinalizationKey, attempt: Finalization, journal: SealedJournal) -> bool:
        unit = build(key, journal, self._threshold_tokens, self._locale)
        if unit is None:
            return await self._sessions.close(key, attempt.fence, (), "empty")
        await self._sessions.note_step(key, attempt.fence, "collected")
        await self._store.put_memunit(unit)
        await self._sessions.note_step(key, attempt.fence, "written")
        stored = await self._store.get_memunit(key.scope, unit.unit_id)
        if stored is None or stored.content_hash() != unit.content_hash():
            raise InvariantBroken(f"MemUnit {unit.unit_id} does not read back as it was written")
        await self._sessions.note_step(key, attempt.fence, "verified")
        return await self._sessions.close(key, attempt.fence, (unit.unit_id,), "")
