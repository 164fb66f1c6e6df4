"""Turning one ended session into memory: collect, write, read back, close. Each step may be run again.

It costs what the session is long, in time; in memory it costs next to nothing, as the journal is read in pieces.

A crash anywhere leaves the session ENDING; the next attempt takes a higher fence, writes the same record
under the same id, and closes. An attempt that lost its fence changes nothing any more.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from memory import fences as fence_names
from memory.consolidation.corrections import from_text, to_text
from memory.consolidation.judging import UNJUDGED, Judging
from memory.consolidation.memunit import Made, UnitMaker, UnitSettings
from memory.consolidation.remember import Around, Remembered, Rememberer, told_of
from memory.consolidation.withhold import Covering
from memory.errors import InvariantBroken, Overtaken, TemporaryError
from memory.model.finalization import Finalization, FinalizationKey, SealedJournal
from memory.model.lifecycle import SessionState
from memory.model.memunit import MemUnit
from memory.model.profile import timezone_in
from memory.model.session import Role
from memory.ports import LongTermStore, SessionStore
from memory.scope import Fence, UserScope
from memory.session.journal import decode
from memory.zones import zone_of

_LOG: Final = logging.getLogger("anamnesis.finalise")
REMEMBERED: Final = "remembered"
"""The last step; with a unit's id: that of one unit. A model is not paid twice for what it has read."""
CORRECTED: Final = "corrected"
"""With a unit's id: what a judge said of it is applied."""

_FIRST: Final = 1
"""The fence of the first attempt: nothing can be there yet."""


_PIECE: Final = 500
"""Messages of a journal that are read at once. It may be longer than there is room for."""


class Run(NamedTuple):
    """One attempt, and what it writes MemUnits and memories under: it changes nothing once it has been overtaken."""

    attempt: Finalization
    unit_fences: tuple[Fence, ...]
    memory_fences: tuple[Fence, ...]


class _Place(NamedTuple):
    """A unit that is stored, and of which messages of the journal it is made."""

    unit_id: str
    first: int
    entries: int


class _JournalGone(Exception):  # noqa: N818 - no error: somebody else has closed or erased the session
    """The journal is no longer what it was when the attempt began."""


_REFUND_PAUSES_S: Final = (0.2, 1.0, 3.0)


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
        judging: Judging = UNJUDGED,
    ) -> None:
        """`judging`: what follows for memories from before."""
        self._sessions = sessions
        self._store = store
        self._rememberer = rememberer
        self._units = units
        self._attempts_max = attempts_max
        self._curator, self._corrector = judging

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

        An attempt that a store in trouble cut short, or a later attempt overtook, does not count; one that killed its
        worker does.
        """
        try:
            closed = await self._consolidate(await self._under_fences(attempt))
        except TemporaryError as error:
            await self._refund(attempt)
            if isinstance(error, Overtaken) and not await self._is_current(attempt):
                return False
            raise
        except _JournalGone:
            if await self._is_current(attempt):
                raise InvariantBroken(f"the journal of {attempt.key.finalization_id} is missing") from None
            closed = False
        _LOG.info("finalised", extra={"closed": closed, "attempt": attempt.attempts, "cause": attempt.cause})
        return closed

    async def _refund(self, attempt: Finalization) -> None:
        """Not counted; a store that is slow just now is asked again, or attempts that nobody spent would run out."""
        for pause_s in _REFUND_PAUSES_S:
            try:
                return await self._sessions.refund_attempt(attempt.key, attempt.fence)
            except TemporaryError as error:
                _LOG.warning("attempt not refunded yet", extra={"reason": error.code})
                await asyncio.sleep(pause_s)
        return None

    async def give_up(self, attempt: Finalization, reason: str) -> bool:
        """FAILED, with the reason, once enough attempts have failed: the journal stays until a replay.

        False when more attempts are due, or when this one had lost its fence: it decides nothing any more.
        """
        if attempt.attempts < self._attempts_max:
            return False
        return await self._sessions.give_up(attempt.key, attempt.fence, reason)

    async def _under_fences(self, attempt: Finalization) -> Run:
        """Fences are asked for before the journal is read: what is erased from then on is not written any more."""
        owner = [fence_names.of_owner(attempt.key.scope, attempt.user_id)]
        own = fence_names.of_attempt(attempt.key, attempt.fence)
        return Run(attempt, (*await self._store.fences(owner), own), (*await self._rememberer.fences(owner), own))

    async def _consolidate(self, run: Run) -> bool:
        attempt = run.attempt
        key, fence = attempt.key, attempt.fence
        journal = await self._sessions.sealed_head(key)
        if journal is None:
            raise _JournalGone
        covering = self._rememberer.covering(key.scope.tenant)
        if covering.texts is not None:
            async for entries in self._pieces(attempt, journal.length):
                await asyncio.to_thread(covering.learn, entries)
        places = await self._write(run, covering, journal)
        if not places:
            return await self._sessions.close(key, fence, (), "empty")
        await self._sessions.note_step(key, fence, "written")
        await self._sessions.note_step(key, fence, "verified")
        made = await self._remember_all(run, covering, places)
        await self._sessions.note_step(key, fence, REMEMBERED)
        return await self._sessions.close(key, fence, (*[place.unit_id for place in places], *made), "")

    async def _pieces(self, attempt: Finalization, length: int) -> AsyncIterator[Sequence[bytes]]:
        """The messages of the journal, some at a time."""
        for first in range(0, length, _PIECE):
            yield await self._entries(attempt, first, min(_PIECE, length - first))

    async def _entries(self, attempt: Finalization, first: int, count: int) -> Sequence[bytes]:
        entries = await self._sessions.sealed_messages(attempt.key, first, count)
        if len(entries) < count:  # what is left of it would make other units
            raise _JournalGone
        return entries

    async def _write(self, run: Run, covering: Covering, journal: SealedJournal) -> list[_Place]:
        """Make the units, and store each as it is made: none is held longer."""
        attempt = run.attempt
        maker = UnitMaker(attempt.key, covering.head(journal), self._units)
        await self._sessions.note_step(attempt.key, attempt.fence, "collected")
        places: list[_Place] = []
        async for entries in self._pieces(attempt, journal.length):
            places += await self._stored(run, await asyncio.to_thread(_make, maker, covering, entries))
        places += await self._stored(run, await asyncio.to_thread(maker.end))
        self._rememberer.noted(covering)
        starts = accumulate((place.entries for place in places), initial=maker.seeded)
        return [place._replace(first=first) for place, first in zip(places, starts, strict=False)]

    async def _stored(self, run: Run, made: Sequence[Made]) -> list[_Place]:
        for unit, _ in made:
            if run.attempt.fence == _FIRST or not await self._reads_back(unit):
                await self._store.put_memunit(unit, run.unit_fences)
                if not await self._reads_back(unit):
                    raise InvariantBroken(f"MemUnit {unit.unit_id} does not read back as it was written")
        return [_Place(unit.unit_id, 0, entries) for unit, entries in made]

    async def _reads_back(self, unit: MemUnit) -> bool:
        stored = await self._store.get_memunit(unit.scope, unit.unit_id)
        return stored is not None and stored.content_hash() == unit.content_hash()

    async def _remember_all(self, run: Run, covering: Covering, places: Sequence[_Place]) -> list[str]:
        """Make the memories of every unit, and the profiles that follow; returns the ids of those it reports.

        What attempts before this one have made is looked up once: for each unit, it would cost the square of them.
        """
        attempt, key = run.attempt, run.attempt.key
        if not attempt.user_id:
            return []
        user = UserScope(key.scope.tenant, attempt.user_id)
        before = await self._rememberer.remembered(user, key.scope.conversation) if attempt.fence > _FIRST else {}
        owner = user.under(run.memory_fences)
        reported: list[str] = []
        asks = True
        for place in places:
            made = before.get(place.unit_id, [])
            done = f"{REMEMBERED}:{place.unit_id}"
            if done not in attempt.steps:
                made = await self._remember(run, covering, place, made)
                await self._sessions.note_step(key, attempt.fence, done)
            asks = await self._correct(owner, attempt, place, asks=asks)
            if made:  # the copy says whether a user has memories
                await self._sessions.drop_profile(user)
            reported += [one.memory_id for one in made if one.reported]
        if await self._rememberer.settle_doubts(owner, await self._store.get_profile(user)):
            await self._sessions.drop_profile(user)
        if self._curator is not None:
            used = await self._curator.judge(owner, key.scope, [place.unit_id for place in places])
            if used:  # some of it may stand in each context from now on
                await self._sessions.drop_profile(user)
        await self._rememberer.refresh_profiles(owner, key.scope)
        return reported

    async def _remember(
        self, run: Run, covering: Covering, place: _Place, before: Sequence[Remembered]
    ) -> list[Remembered]:
        attempt = run.attempt
        unit = await self._store.get_memunit(attempt.key.scope, place.unit_id)
        if unit is None:
            raise _JournalGone
        if covering.texts is not None:
            entries = await self._entries(attempt, place.first, place.entries)
            covering = await asyncio.to_thread(covering.of_unit, entries)
        known = [one.memory_id for one in before]
        profile = await self._store.get_profile(UserScope(attempt.key.scope.tenant, attempt.user_id))
        asked = await self._asked(attempt, place.first)
        around = Around(asked, zone_of(timezone_in(profile.preferences)), told_of(profile))
        stored = await self._rememberer.remember(unit, covering, known, run.memory_fences, around)
        return [Remembered.of(memory) for memory in stored]

    async def _correct(self, owner: UserScope, attempt: Finalization, place: _Place, *, asks: bool) -> bool:
        """What a judge says that a unit takes back. It is asked once, and what it said first is what is applied.

        Returns whether the next unit may be asked about: where the judge cannot be asked, or its answer cannot be used,
        the rules have read the units, and that is all.
        """
        done = f"{CORRECTED}:{place.unit_id}"
        if self._corrector is None or done in attempt.steps:
            return asks
        unit = await self._store.get_memunit(attempt.key.scope, place.unit_id)
        if unit is None:
            raise _JournalGone
        kept = await self._sessions.decisions(attempt.key, place.unit_id)
        if kept is None:
            decided = await self._corrector.decide(owner, unit) if asks else None
            if decided is None:
                return False
            kept = await self._sessions.keep_decisions(attempt.key, attempt.fence, place.unit_id, to_text(decided))
        if kept is not None:
            await self._corrector.apply(owner, unit, from_text(kept))
            await self._sessions.note_step(attempt.key, attempt.fence, done)
        return asks

    async def _asked(self, attempt: Finalization, first: int) -> str:
        """What an agent said right before a unit: its first message may be the answer."""
        entries = await self._sessions.sealed_messages(attempt.key, first - 1, 1) if first else ()
        message = decode(entries[0]).message if entries else None
        return message.content if message is not None and message.role is Role.ASSISTANT else ""

    async def _is_current(self, attempt: Finalization) -> bool:
        """Whether the session still waits for this attempt: nobody has erased it, or taken it over."""
        known = await self._sessions.finalization(attempt.key)
        return known is not None and known.state is SessionState.ENDING and known.fence == attempt.fence


def _make(maker: UnitMaker, covering: Covering, entries: Sequence[bytes]) -> list[Made]:
    return maker.add(covering.entries(entries))
