"""The start of a session, and what one that comes back starts from."""

import asyncio
import json
import logging
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from memory.consolidation.memunit import final_summary, next_turns
from memory.errors import TemporaryError
from memory.extraction.summary.parsing import without_said
from memory.language.choice import spoken
from memory.model.finalization import SealedJournal
from memory.model.lifecycle import SessionState
from memory.model.memunit import MemUnit
from memory.model.session import Opening, Seed
from memory.ports import MemUnits, SessionStore, TokenCounter
from memory.privacy.placeholders import kinds_in
from memory.scope import ConversationScope
from memory.service.memunits import memunit_at
from memory.service.settings import SessionSettings
from memory.session.context import summary_line_text
from memory.session.journal import decode, header, history_line, session_start, with_tokens
from memory.session.window import count, last_turns

_LOG: Final = logging.getLogger("anamnesis.sessions")
_SEED_ENTRIES_MAX: Final = 2_000
_SHORT_TOKENS: Final = 150
"""Of what was said in a session that comes back whole."""
_SEED_SHARE: Final = 0.2
"""With a summary of a third of the rest, what a session comes back with is half of what was said."""


class LookedBack(NamedTuple):
    """The session before, and what the next one starts from. `degraded` names what was down."""

    number: int
    state: SessionState
    seed: Seed
    forgotten: int
    degraded: tuple[str, ...] = ()


class Opener:
    """Finds what came before, and opens sessions."""

    def __init__(
        self, sessions: SessionStore, store: MemUnits, tokens: TokenCounter, settings: SessionSettings
    ) -> None:
        self._sessions = sessions
        self._store = store
        self._tokens = tokens
        self._settings = settings
        self._following: dict[ConversationScope, asyncio.Event] = {}

    async def open(
        self, scope: ConversationScope, user: str, agent: str, *, resumes: bool = True, timezone: str = ""
    ) -> Seed:
        """Start a session unless one is alive by now; returns what it was seeded with (unless it resumes: numbers)."""
        number, _, seed, forgotten, _ = await self.look_back(scope)
        if not resumes or (user and seed.user_id and user != seed.user_id):
            seed = Seed(base_seq=seed.base_seq, turn_base=seed.turn_base)
        stamp = self._settings.stamped(_contents(seed.entries))
        opening = Opening(number, user, agent, stamp, seed, forgotten, timezone=timezone)
        await self._sessions.open(scope, opening)
        return seed

    async def follow(self, scope: ConversationScope) -> bool:
        """Start the session that follows a living one which is full, as one that comes back; whether it did.

        Nothing of it is lost: its summary and last turns are what the next one starts from, its working state goes on,
        and it is sealed in the same moment. False when it has changed or ended meanwhile, or when another call was
        about it already: that one is waited for.
        """
        if scope in self._following:
            await self._following[scope].wait()
            return False
        self._following[scope] = done = asyncio.Event()
        try:
            return await self._follow(scope)
        finally:
            del self._following[scope]
            done.set()

    async def _follow(self, scope: ConversationScope) -> bool:
        head = (await self._sessions.read(scope, None, profile_stamp=self._settings.stamp)).head
        if head is None:
            return False
        number, _, seed, forgotten, _ = await self.look_back(scope)
        await self._sessions.reschedule(scope, self._settings.lease_ms)  # of what is sealed, should this process die
        alike = self._settings.counted_alike(head.stamp)
        stamp = head.stamp if alike else self._settings.stamped(_contents(seed.entries))
        opening = Opening(number, head.user_id, head.agent, stamp, seed, forgotten, full=head)
        return await self._sessions.open(scope, opening)

    async def look_back(self, scope: ConversationScope) -> LookedBack:
        """The session before: its number (0: none), its state, what the next one starts from.

        A session goes on without its past rather than not at all: while the long-term store is away, only its user and
        its last seq may be known, and `degraded` names what is missing.
        """
        before = await self._sessions.previous(scope)
        if before.journal is not None and _has_dialogue(before.journal):
            state = before.finalization.state if before.finalization else SessionState.ENDING
            return LookedBack(before.number, state, await self._seed_of_journal(before.journal), before.forgotten)
        ended = SessionState.ENDED if before.number else SessionState.NONE
        try:
            unit = await self._store.latest_memunit(scope)
            if unit is not None:
                seed = await self._seed_of_unit(unit)
                return LookedBack(before.number, SessionState.ENDED, seed, before.forgotten)
        except TemporaryError as error:
            _LOG.warning("resume without long-term store: %s", error.code)
            known = Seed(user_id=before.user_id, base_seq=before.last_seq)
            return LookedBack(before.number, ended, known, before.forgotten, ("history",))
        return LookedBack(before.number, ended, Seed(), before.forgotten)

    async def _seed_of_journal(self, journal: SealedJournal) -> Seed:
        start = session_start(journal.records)
        settings = self._settings
        summary = await asyncio.to_thread(final_summary, journal, settings.threshold_tokens, settings.locale)
        return await self._seed(summary, journal.messages, journal.user_id, next_turns(journal), int(start["base_seq"]))

    async def _seed_of_unit(self, unit: MemUnit) -> Seed:
        recent = unit.recent_turns or self._settings.recent_turns
        first, entries = unit, _entries(unit)
        while unit.turn_to - first.turn_from + 1 < recent:
            before = await memunit_at(self._store, unit.scope, first.seq_from - 1)
            if before is None or before.session_number != unit.session_number:
                break
            first, entries = before, _entries(before) + entries
        entries = [await self._recounted(entry) for entry in entries]
        return await self._seed(unit.summary, entries, unit.user_id, unit.recent_turns, first.seq_from - 1)

    async def _recounted(self, entry: bytes) -> bytes:
        """The entry, with the tokens of what it says now: identifiers may have been replaced in it since."""
        if not kinds_in(entry.decode()):
            return entry
        line = history_line(decode(entry).message, self._settings.counting)
        return with_tokens(entry, await self._tokens.count(line))

    async def _seed(self, summary: str, entries: Sequence[bytes], user: str, asked: int, base: int) -> Seed:
        """`asked`: with how many turns a caller wants to go on; 0: as many as there is room for."""
        top, turn_top, _ = header(entries[-1])
        window = last_turns(entries, top, asked or self._settings.recent_turns)[-_SEED_ENTRIES_MAX:]
        spent = count(entries, base)[0]
        shown = summary
        if not asked and spent > _SHORT_TOKENS:
            window = _what_fits(window, spent * _SEED_SHARE)
            shown = without_said(summary, _contents(window))
        locale = spoken(self._settings.locale, _contents(window))
        return Seed(
            summary=shown,
            summary_tokens=await self._tokens.count(summary_line_text(shown, locale)),
            entries=window,
            entry_tokens=count(window, base)[0],
            base_seq=top,
            covers_seq=top if shown == summary else header(window[0])[0] - 1,
            turn_base=turn_top,
            recent_turns=asked or self._settings.recent_turns,
            user_id=user,
            resumed=True,
        )


def _what_fits(window: Sequence[bytes], room: float) -> Sequence[bytes]:
    """The last turns that take no more than these tokens, and one at least."""
    turns = sorted({header(entry)[1] for entry in window}, reverse=True)
    first, taken = turns[0], 0
    for turn in turns:
        taken += sum(tokens for _, own, tokens in map(header, window) if own == turn)
        if taken > room:
            break
        first = turn
    return [entry for entry in window if header(entry)[1] >= first]


def _contents(entries: Sequence[bytes]) -> Iterator[str]:
    """What they say; none is parsed that is not asked for."""
    return (decode(entry).message.content for entry in entries)


def _entries(unit: MemUnit) -> list[bytes]:
    return [json.dumps(each, ensure_ascii=False, separators=(",", ":")).encode() for each in json.loads(unit.messages)]


def _has_dialogue(journal: SealedJournal) -> bool:
    base = int(session_start(journal.records)["base_seq"])
    return any(header(entry)[0] > base for entry in journal.messages[-1:])
