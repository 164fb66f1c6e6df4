"""ListConversations, GetTimeline, WatchConversation: looks at conversations, which change nothing."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Final, NamedTuple

from memory.errors import NotFound
from memory.model.brain import is_brain
from memory.model.caller import Caller
from memory.model.conversation_calls import (
    ConversationChanged,
    ConversationItem,
    GetTimelineRequest,
    GetTimelineResponse,
    ListConversationsRequest,
    ListConversationsResponse,
    TimelineEntry,
    WatchConversationRequest,
)
from memory.model.finalization import Finalization, FinalizationKey
from memory.model.lifecycle import SessionState
from memory.model.memunit import MemUnit
from memory.model.session import Mode, SessionHead
from memory.ports import Clock, MemUnits, SessionStore
from memory.scope import ConversationScope, UserScope
from memory.session.given import given_context
from memory.session.journal import decode_checkpoints, header
from memory.session.times import rfc3339

_CHECKPOINT: Final = "checkpoint"
_SESSION: Final = "session"
_UNIT: Final = "memunit"
_UNITS_LOOKED_AT: Final = 1_000
_OF_EVERY_RECORD: Final = ("seq", "kind", "at")


class Conversations:
    """What there is of conversations, wherever it is: alive, on its way into memory, or there."""

    def __init__(self, sessions: SessionStore, units: MemUnits, clock: Clock) -> None:
        self._sessions = sessions
        self._units = units
        self._clock = clock

    async def page(self, caller: Caller, request: ListConversationsRequest) -> ListConversationsResponse:
        """A page of a user's conversations."""
        scope = UserScope(caller.tenant, request.user_id)
        names = await self.names(scope)
        behind = [name for name in names if name > request.cursor]
        here = behind[: request.limit]
        looked = await asyncio.gather(*(self._known(ConversationScope(scope.tenant, name), scope) for name in here))
        items = [each.item() for each in looked if each is not None and request.state in {None, each.state}]
        cursor = here[-1] if len(behind) > len(here) else ""
        return ListConversationsResponse(items=items, cursor=cursor, total=len(names))

    async def names(self, scope: UserScope) -> list[str]:
        """A user's conversations in the order of their ids."""
        living, ended = await asyncio.gather(self._sessions.living(scope), self._units.conversations(scope))
        return sorted(each for each in {*living, *ended} if not is_brain(each))

    async def timeline(self, caller: Caller, request: GetTimelineRequest) -> GetTimelineResponse:
        """What was said and done, from a place on. Raises NotFound when there is no such conversation of theirs."""
        place, owner = _named(caller, request)
        revision = await self._sessions.revision(place)
        known = await self._require(place, owner)
        found = await self._remembered(place, owner, request.after_seq, request.limit)
        said = {each.seq for each in found if each.type == "message"}
        async for part in self._waiting(place, owner):
            found += [each for each in part if each.seq > request.after_seq and each.seq not in said]
            said.update(each.seq for each in part if each.type == "message")
        found.sort(key=lambda each: (each.seq, each.type == _UNIT))
        counted = [each.seq for each in found if each.type != _UNIT]
        last = counted[request.limit - 1] if len(counted) > request.limit else None
        shown = [each for each in found if last is None or each.seq <= last]
        return GetTimelineResponse(
            conversation_id=place.conversation,
            head=known.item(),
            revision=revision,
            entries=shown,
            next_after_seq=last,
        )

    async def changed(self, caller: Caller, request: WatchConversationRequest) -> ConversationChanged | None:
        """How a conversation stands; None: as of the revision `since`. Raises NotFound where `timeline` does.

        Of a revision that is known only whether it still is, is asked, in one round trip; and not whose it is: who says
        that he was told of it must have been.
        """
        place, owner = _named(caller, request)
        revision = await self._sessions.revision(place)
        if revision == request.since:
            return None
        known = await self._require(place, owner)
        left_ms = await self._sessions.expires_in_ms(place) if known.head else 0
        return known.changed(revision, rfc3339(self._clock.now_ms() + left_ms) if left_ms else None)

    async def _require(self, place: ConversationScope, owner: UserScope | None) -> "_Known":
        known = await self._known(place, owner)
        if known is None:
            raise NotFound("there is no such conversation, or it is another user's")
        return known

    async def _remembered(
        self, place: ConversationScope, owner: UserScope | None, after: int, limit: int
    ) -> list[TimelineEntry]:
        """What MemUnits hold behind a place, until there is more than a page."""
        found: list[TimelineEntry] = []
        while sum(each.type == "message" for each in found) <= limit:
            unit = await self._units.memunit_from(place, after + 1)
            if unit is None:
                break
            if _is_of(unit.user_id, owner):
                found += [each for each in _entries(json.loads(unit.messages)) if each.seq > after]
                found.append(_end_of(unit))
            after = unit.seq_to
        return found

    async def _waiting(self, place: ConversationScope, owner: UserScope | None) -> AsyncIterator[list[TimelineEntry]]:
        """What is not in memory yet: of sessions that ended, and of the one that lives."""
        for key in (await self._sessions.standing(place)).waiting:
            sealed = await self._sessions.sealed(key)
            if sealed is not None and _is_of(sealed.user_id, owner):
                yield _journal(sealed.messages, sealed.records)
        reading = await self._sessions.read(place, None, whole=True, profile_stamp=b"")
        if reading.head is not None:
            if _is_of(reading.head.user_id, owner):
                yield _journal([*reading.archive, *reading.live], reading.records)
            return
        before = await self._sessions.previous(place)  # of one that has expired, and is not sealed yet
        journal = before.journal if before.finalization is None else None
        if journal is not None and _is_of(journal.user_id, owner):
            yield _journal(journal.messages, journal.records)

    async def _known(self, place: ConversationScope, owner: UserScope | None) -> "_Known | None":
        """How a conversation stands, as far as it is this user's; None when nothing of it is."""
        standing, unit = await asyncio.gather(self._sessions.standing(place), self._own_unit(place, owner))
        if standing.alive:
            reading = await self._sessions.read(place, None, profile_stamp=b"")
            if reading.head is not None and _is_of(reading.head.user_id, owner):
                return _Known(place, unit, SessionState.ACTIVE, reading.head, reading.live)
        if standing.expired:
            before = await self._sessions.previous(place)
            if _is_of(before.user_id, owner):
                said = before.journal.messages[-1:] if before.journal else ()
                return _Known(place, unit, SessionState.ENDING, said=said)
        ended = [await self._sessions.finalization(key) for key in standing.waiting]
        last = [each for each in (*ended, standing.last_ended) if each is not None and _is_of(each.user_id, owner)]
        if last:
            latest = max(last, key=lambda each: each.key.number)
            said = () if latest.state is SessionState.ENDED else await self._said_last(latest.key)
            return _Known(place, unit, latest.state, said=said, last=latest)
        return _Known(place, unit, SessionState.ENDED) if unit else None

    async def _said_last(self, key: FinalizationKey) -> Sequence[bytes]:
        """The last message of a session that waits to become memory."""
        sealed = await self._sessions.sealed_head(key)
        return await self._sessions.sealed_messages(key, sealed.length - 1, 1) if sealed and sealed.length else ()

    async def _own_unit(self, place: ConversationScope, owner: UserScope | None) -> MemUnit | None:
        """The last MemUnit of a conversation, of this user where one is named."""
        unit = await self._units.latest_memunit(place)
        if unit is None or _is_of(unit.user_id, owner) or owner is None:
            return unit
        own = await self._units.own_memunits(owner, place.conversation, "", _UNITS_LOOKED_AT)
        return max(own, key=lambda each: each.seq_to, default=None)


class _Known(NamedTuple):
    """How a conversation stands. `head` is that of a living session, `last` is the one that ended last.

    `said`: the last messages of the one or the other, until they are in memory.
    """

    place: ConversationScope
    unit: MemUnit | None
    state: SessionState
    head: SessionHead | None = None
    said: Sequence[bytes] = ()
    last: Finalization | None = None

    @property
    def reached(self) -> tuple[int, int]:
        """Number of the last message, and of its turn."""
        if self.said:
            return header(self.said[-1])[:2]
        return (self.unit.seq_to, self.unit.turn_to) if self.unit else (0, 0)

    @property
    def mode(self) -> Mode | None:
        """Of a living one: what a bot is given."""
        if self.head is None:
            return None
        return Mode.SUMMARY_N if self.head.checkpoint_id else Mode.FULL_HISTORY

    @property
    def updated_at(self) -> str | None:
        """When something was last said or done."""
        ended_ms = self.last.sealed_ms if self.last else self.unit.ended_ms if self.unit else None
        at_ms = self.head.updated_ms if self.head else ended_ms
        return None if at_ms is None else rfc3339(at_ms)

    def item(self) -> ConversationItem:
        """With what it came to."""
        return self._living(self.head) if self.head else self._ended()

    def changed(self, revision: str, expires_at: str | None) -> ConversationChanged:
        """Without a word of what was said."""
        seq, turns = self.reached
        return ConversationChanged(
            conversation_id=self.place.conversation,
            revision=revision,
            state=self.state,
            rev=self.head.rev if self.head else None,
            seq=seq,
            turn_count=turns,
            mode=self.mode,
            updated_at=self.updated_at,
            expires_at=expires_at,
            finalization_id=self.last.key.finalization_id if self.last else None,
        )

    def _living(self, head: SessionHead) -> ConversationItem:
        seq, turn = self.reached
        return ConversationItem(
            conversation_id=self.place.conversation,
            state=self.state,
            turns=turn,
            messages=seq,
            started_at=rfc3339(head.started_ms),
            updated_at=self.updated_at,
            mode=self.mode,
            tokens=head.window_tokens + head.summary_tokens,
            summary=json.loads(head.summary_json) or None,
        )

    def _ended(self) -> ConversationItem:
        unit, last = self.unit, self.last
        seq, turn = self.reached
        return ConversationItem(
            conversation_id=self.place.conversation,
            state=self.state,
            turns=turn,
            messages=seq,
            started_at=rfc3339(unit.started_ms) if unit else None,
            updated_at=self.updated_at,
            subject=(unit.subject or None) if unit else None,
            summary=(unit.summary or None) if unit else None,
            finalization_id=last.key.finalization_id if last else None,
            reason=(last.reason or None) if last else None,
        )


def _named(
    caller: Caller, request: GetTimelineRequest | WatchConversationRequest
) -> tuple[ConversationScope, UserScope | None]:
    owner = UserScope(caller.tenant, request.user_id) if request.user_id is not None else None
    return ConversationScope(caller.tenant, request.conversation_id), owner


def _is_of(user: str, owner: UserScope | None) -> bool:
    return owner is None or user == owner.user


def _journal(messages: Sequence[bytes], records: Sequence[bytes]) -> list[TimelineEntry]:
    """A session's own messages and records: what it began with is of the one before."""
    base = next((fields["base_seq"] for fields in map(json.loads, records[:1]) if "base_seq" in fields), 0)
    own = [json.loads(each) for each in messages if header(each)[0] > base]
    return [*_entries(own), *_done(records)]


def _entries(messages: Sequence[dict[str, Any]]) -> Iterator[TimelineEntry]:
    for each in messages:
        yield TimelineEntry(
            type="message",
            seq=each["seq"],
            at=rfc3339(each["at"]),
            turn=each["turn"],
            role=each["role"],
            name=each.get("name"),
            agent_code=each.get("agent"),
            content=each["content"],
            tokens=each["tok"],
            occurred_at=each.get("occurred_at"),
            given=given_context(each["given"]) if "given" in each else None,
        )


def _done(records: Sequence[bytes]) -> Iterator[TimelineEntry]:
    for each in decode_checkpoints(records):
        yield TimelineEntry(
            type=_CHECKPOINT,
            seq=each.seq,
            at=rfc3339(each.at_ms),
            tokens=each.summary_tokens,
            checkpoint_id=each.checkpoint_id,
            covers_seq=each.covers_seq,
            recent_turns=each.recent_turns,
            summary=each.summary,
        )
    for fields in map(json.loads, records):
        if fields["kind"] not in {_CHECKPOINT, _SESSION}:
            noted = {name: value for name, value in fields.items() if name not in _OF_EVERY_RECORD}
            yield TimelineEntry(type=fields["kind"], seq=fields["seq"], at=rfc3339(fields["at"]), noted=noted)


def _end_of(unit: MemUnit) -> TimelineEntry:
    return TimelineEntry(
        type=_UNIT,
        seq=unit.seq_to,
        at=rfc3339(unit.ended_ms),
        unit_id=unit.unit_id,
        subject=unit.subject or None,
        summary=unit.summary or None,
    )
