"""The end of sessions on Redis: deadlines, seals, attempts. Completes `memory.ports.SessionStore`."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memory.errors import StoreFull
from memory.model.finalization import (
    Due,
    Finalization,
    FinalizationKey,
    Forgotten,
    Previous,
    SealedJournal,
    SealOutcome,
    Standing,
)
from memory.model.lifecycle import SessionState
from memory.model.session import Tail
from memory.scope import ConversationScope, UserScope
from memory.session.journal import decode_checkpoints
from memory.stores.redis import scripts, tails, unfinished
from memory.stores.redis.announcements import announcement
from memory.stores.redis.connection import require
from memory.stores.redis.heads import head_of
from memory.stores.redis.keys import (
    DEADLINES,
    UNFINISHED,
    ConversationKeys,
    SealedKeys,
    begun_key,
    conversation_number,
    conversations_key,
    given_key,
    sealed_prefixes,
)
from memory.stores.redis.sessions import RedisSessions
from memory.stores.redis.unfinished import finalization_of, waits

_REPLAY_DELAY_MS: Final = 10_000
_DECIDED: Final = "decided:"
_REVISION_CHARS: Final = 16
_RECORDS: Final = 200
"""Of a journal, that are read at once."""
_FORGOTTEN_MS: Final = 30 * 86_400_000
"""Longer than anybody may sleep between what he reads of a conversation and the session that he starts with it."""


class RedisSessionStore(RedisSessions):
    """Every port of sessions: `memory.ports.SessionStore`."""

    async def seal(
        self,
        scope: ConversationScope,
        *,
        force: bool,
        cause: str,
        summary: str = "",
        recent_turns: int = 0,
        turns_min: int = 0,
    ) -> SealOutcome:
        """One script; what waits is then listed among the unfinished (again, if it was)."""
        keys = ConversationKeys.of(scope)
        sealed, pending, active = await scripts.SEAL.run(
            self._redis,
            (keys.session, keys.live, keys.archive, keys.records, keys.conversation, *sealed_prefixes(keys.tag)),
            (
                1 if force else 0,
                cause,
                self._times.max_age_ms,
                self._times.journal_ttl_ms,
                summary,
                recent_turns,
                turns_min,
            ),
        )
        numbers = tuple(int(number) for number in pending.split(b",") if number)
        for number in numbers:
            await self._list_unfinished(FinalizationKey(scope, number))
        return SealOutcome(int(sealed) if sealed else None, numbers, int(active) if active else None)

    async def erase(self, scope: UserScope, conversation: str) -> Forgotten:
        """One script, then the lists that are in other slots. What is kept of idempotency keys names nobody."""
        place = ConversationScope(scope.tenant, conversation)
        nothing_left, forgotten = await self._forget(scope, place, dry=False)
        replies = await self._redis.run(
            ("ZREM", conversations_key(scope), conversation),
            ("SREM", begun_key(scope), conversation_number(conversation)),
            *([("ZREM", DEADLINES, str(place))] if nothing_left else []),
            *(("ZREM", UNFINISHED, str(key)) for key in forgotten.ended),
        )
        for reply in replies:
            require(reply)
        await self._redis.run(announcement(place))
        return forgotten

    async def erasable(self, scope: UserScope, conversation: str) -> int:
        """The script of `erase`, which only counts."""
        _, forgotten = await self._forget(scope, ConversationScope(scope.tenant, conversation), dry=True)
        return forgotten.sessions

    async def _forget(self, scope: UserScope, place: ConversationScope, *, dry: bool) -> tuple[bool, Forgotten]:
        keys = ConversationKeys.of(place)
        named = (keys.session, keys.live, keys.archive, keys.records, keys.conversation)
        nothing_left, gone, *numbers = await scripts.ERASE.run(
            self._redis,
            (*named, *sealed_prefixes(keys.tag), keys.lease, keys.forgotten, given_key(place)),
            (scope.user, self._times.journal_ttl_ms, _FORGOTTEN_MS, int(dry)),
        )
        ended = tuple(FinalizationKey(place, int(number)) for number in numbers)
        return bool(nothing_left), Forgotten(int(gone), ended)

    async def listed(self, scope: UserScope) -> list[str]:
        """One command."""
        (members,) = await self._redis.run(("ZRANGE", conversations_key(scope), 0, -1))
        return tails.names(require(members))

    async def living(self, scope: UserScope) -> list[str]:
        """The user's own list, then whose each conversation is by now."""
        own = [ConversationScope(scope.tenant, name) for name in await self.listed(scope)]
        if not own:
            return []
        keys = [ConversationKeys.of(one) for one in own]
        ended = await self._redis.run(*(("HGET", key.conversation, "user") for key in keys))
        heads = await self._redis.run(*(("HMGET", key.session, "head", "summary", "zone") for key in keys))
        users = [_user(head, user) for head, user in zip(heads, ended, strict=True)]
        return [one.conversation for one, user in zip(own, users, strict=True) if user == scope.user]

    async def unconsolidated(self, scope: UserScope) -> list[str]:
        """One command."""
        (listed,) = await self._redis.run(tails.listing(scope))
        return tails.names(require(listed))

    async def tails(self, scope: UserScope, conversations: Sequence[str]) -> list[Tail]:
        """One script for each conversation, all in one write."""
        return await tails.tails(self._redis, scope, conversations, self._times.listed_ms)

    async def _list_unfinished(self, key: FinalizationKey) -> None:
        await unfinished.enlist(self._redis, key)
        await self._delist_when_ended(key)  # it may have ended since it was found pending

    async def previous(self, scope: ConversationScope) -> Previous:
        """Two round trips at most: the conversation's own record, then the journal it points at."""
        keys = ConversationKeys.of(scope)
        replies = await self._large.run(
            ("HMGET", keys.conversation, "no", "user", "top", "ended"),
            ("LRANGE", keys.archive, 0, -1),
            ("LRANGE", keys.live, 0, -1),
            ("LRANGE", keys.records, 0, -1),
            ("GET", keys.forgotten),
        )
        (number, user, top, ended), archive, live, records, forgotten = map(require, replies)
        before = Previous(int(number or 0), (user or b"").decode(), int(top or 0), int(forgotten or 0))
        if records:
            return replace(before, journal=SealedJournal(None, before.user_id, (*archive, *live), records))
        if not ended:
            return before
        key = FinalizationKey(scope, int(ended))
        return replace(before, finalization=await self.finalization(key), journal=await self.sealed(key))

    async def standing(self, scope: ConversationScope) -> Standing:
        """Two round trips: what is there, then the last finalisation."""
        keys = ConversationKeys.of(scope)
        replies = await self._redis.run(
            ("HMGET", keys.conversation, "no", "ended", "pending", "failed"),
            ("EXISTS", keys.session),
            ("EXISTS", keys.live, keys.archive, keys.records),
        )
        (number, ended, *waiting), alive, journal = map(require, replies)
        key = FinalizationKey(scope, int(ended)) if ended else None
        last_ended = await self.finalization(key) if key else None
        keys_waiting = _keys_of(scope, b",".join(each or b"" for each in waiting))
        return Standing(int(number or 0), bool(alive), bool(journal and not alive), last_ended, keys_waiting)

    async def revision(self, scope: ConversationScope) -> str:
        """Of the living session's counters, of the others' numbers by what became of them, and of what lies there.

        The last tells nothing but that a session has expired: until it is sealed its journal is all that there is.
        """
        keys = ConversationKeys.of(scope)
        replies = await self._redis.run(
            ("HGET", keys.session, "head"),
            ("HMGET", keys.conversation, "no", "user", "ended", "pending", "failed", "closed"),
            ("EXISTS", keys.live, keys.archive, keys.records),
        )
        stands = repr([require(reply) for reply in replies])
        return hashlib.sha256(stands.encode()).hexdigest()[:_REVISION_CHARS]

    async def sealed(self, key: FinalizationKey) -> SealedJournal | None:
        """The three lists and the finalisation in one round trip."""
        keys = SealedKeys.of(key)
        replies = await self._large.run(
            ("LRANGE", keys.archive, 0, -1),
            ("LRANGE", keys.live, 0, -1),
            ("LRANGE", keys.records, 0, -1),
            ("HGETALL", keys.finalization),
        )
        archive, live, records, fields = map(require, replies)
        if not records:
            return None
        finalization = finalization_of(key, fields)
        user = finalization.user_id if finalization else ""
        return SealedJournal(finalization, user, (*archive, *live), records)

    async def sealed_head(self, key: FinalizationKey) -> SealedJournal | None:
        """One round trip, and one for each two hundred records that came after the last checkpoint."""
        keys = SealedKeys.of(key)
        replies = await self._redis.run(
            ("LLEN", keys.archive),
            ("LLEN", keys.live),
            ("LRANGE", keys.records, 0, 0),
            ("HGETALL", keys.finalization),
        )
        archived, live, records, fields = map(require, replies)
        if not records:
            return None
        finalization = finalization_of(key, fields)
        user = finalization.user_id if finalization else ""
        return SealedJournal(finalization, user, (), (*records, *await self._last_records(keys)), archived + live)

    async def _last_records(self, keys: SealedKeys) -> list[bytes]:
        """Those from the last checkpoint on; none when there is no checkpoint."""
        found: list[bytes] = []
        while not decode_checkpoints(found):
            end = -1 - len(found)
            (reply,) = await self._redis.run(("LRANGE", keys.records, end - _RECORDS + 1, end))
            if not require(reply):
                return []
            found = [*require(reply), *found]
        return found

    async def sealed_messages(self, key: FinalizationKey, first: int, count: int) -> Sequence[bytes]:
        """One round trip for what is in the archive, one for what is in the window."""
        keys = SealedKeys.of(key)
        replies = await self._large.run(("LLEN", keys.archive), ("LRANGE", keys.archive, first, first + count - 1))
        archived, found = map(require, replies)
        if len(found) == count:
            return list(found)
        begin = max(0, first - archived)
        (live,) = await self._large.run(("LRANGE", keys.live, begin, begin + count - len(found) - 1))
        return [*found, *require(live)]

    async def finalization(self, key: FinalizationKey) -> Finalization | None:
        """HGETALL."""
        (reply,) = await self._redis.run(("HGETALL", SealedKeys.of(key).finalization))
        return finalization_of(key, require(reply))

    async def start_attempt(self, key: FinalizationKey) -> Finalization | None:
        """One script: fence + 1, attempts + 1."""
        fence = await scripts.START_ATTEMPT.run(self._redis, (SealedKeys.of(key).finalization,), ())
        if not fence:
            await self._delist_when_ended(key)  # an attempt before this one may have died just before doing so
            return None
        return await self.finalization(key)

    async def refund_attempt(self, key: FinalizationKey, fence: int) -> None:
        """One script."""
        await scripts.REFUND_ATTEMPT.run(self._redis, (SealedKeys.of(key).finalization,), (fence,))

    async def note_step(self, key: FinalizationKey, fence: int, step: str) -> None:
        """One script, under the fence."""
        await scripts.NOTE_STEP.run(self._redis, (SealedKeys.of(key).finalization,), (fence, step))

    async def decisions(self, key: FinalizationKey, unit_id: str) -> str | None:
        """HGET."""
        (reply,) = await self._redis.run(("HGET", SealedKeys.of(key).finalization, f"{_DECIDED}{unit_id}"))
        found = require(reply)
        return None if found is None else found.decode()

    async def keep_decisions(self, key: FinalizationKey, fence: int, unit_id: str, text: str) -> str | None:
        """One script, under the fence."""
        args = (fence, f"{_DECIDED}{unit_id}", text)
        kept = await scripts.KEEP_DECISIONS.run(self._redis, (SealedKeys.of(key).finalization,), args)
        return None if kept is None else kept.decode()

    async def close(self, key: FinalizationKey, fence: int, memory_ids: Sequence[str], skipped: str) -> bool:
        """One script; a close that repeats itself after a lost reply is told False, and the state says ENDED.

        The list of the unfinished is in another slot, so it follows; whoever comes by again mends it.
        """
        args = (fence, key.number, json.dumps(list(memory_ids)), skipped, self._times.journal_ttl_ms)
        closed = bool(await scripts.CLOSE.run(self._redis, _script_keys(key), args))
        await self._delist_when_ended(key)
        return closed

    async def _delist_when_ended(self, key: FinalizationKey) -> None:
        known = await self.finalization(key)
        if not waits(known):
            await unfinished.delist(self._redis, (key,))
            await self._redis.run(announcement(key.scope))
            if known is not None and known.user_id:
                await self.tails(UserScope(key.scope.tenant, known.user_id), (key.scope.conversation,))

    async def give_up(self, key: FinalizationKey, fence: int, reason: str) -> bool:
        """One script; the entry stays among the unfinished, and the conversation on its user's list."""
        given_up = bool(await scripts.GIVE_UP.run(self._redis, _script_keys(key), (fence, key.number, reason)))
        await self._redis.run(announcement(key.scope))
        known = await self.finalization(key)
        if known is not None and known.state is SessionState.FAILED and known.user_id:
            user = UserScope(key.scope.tenant, known.user_id)
            await tails.enlist(self._redis, user, key.scope.conversation, tails.FAILED_LISTED_MS)
        return given_up

    async def replay(self, key: FinalizationKey) -> bool:
        """One script, between two deadlines: see `open`."""
        await self.reschedule(key.scope, _REPLAY_DELAY_MS)
        args = (key.number, self._times.journal_ttl_ms)
        replayed = bool(await scripts.REPLAY.run(self._redis, _script_keys(key), args))
        await self.reschedule(key.scope, _REPLAY_DELAY_MS)
        return replayed

    async def failed(self, scope: ConversationScope) -> list[FinalizationKey]:
        """HGET: the conversation's own record names them."""
        (reply,) = await self._redis.run(("HGET", ConversationKeys.of(scope).conversation, "failed"))
        return _keys_of(scope, require(reply) or b"")

    async def unfinished(
        self, tenant: str, limit: int, after: FinalizationKey | None = None, state: SessionState | None = None
    ) -> list[Finalization]:
        """Walks the list once."""
        return await unfinished.listed(self._redis, tenant, limit, after, state)

    async def take_due(self, limit: int, lease_ms: int) -> tuple[list[Due], float]:
        """One script on the deadline set."""
        lag, score, *members = await scripts.TAKE_DUE.run(self._redis, (DEADLINES,), (limit, lease_ms))
        due = [Due(ConversationScope.parse(member.decode()), float(score)) for member in members]
        return due, float(lag)

    async def has_room(self) -> bool:
        """Whether Redis takes writes: False when it has reached its maxmemory."""
        try:
            await scripts.ROOM.run(self._redis, (DEADLINES,), ())
        except StoreFull:
            return False
        return True

    async def settle(self, due: Due, delay_ms: int | None) -> None:
        """One script on the deadline set."""
        delay = "" if delay_ms is None else delay_ms
        await scripts.SETTLE.run(self._redis, (DEADLINES,), (str(due.scope), f"{due.score:.0f}", delay))


def _keys_of(scope: ConversationScope, numbers: bytes) -> list[FinalizationKey]:
    """Sessions by their numbers, joined by commas; the oldest first."""
    return [FinalizationKey(scope, number) for number in sorted({int(each) for each in numbers.split(b",") if each})]


def _script_keys(key: FinalizationKey) -> tuple[str, ...]:
    sealed = SealedKeys.of(key)
    conversation = ConversationKeys.of(key.scope).conversation
    return (sealed.finalization, conversation, sealed.live, sealed.archive, sealed.records)


def _user(head: object, ended: object) -> str:
    """Whose a conversation is: by its living session, else by its last."""
    alive = head_of(require(head))
    return alive.user_id if alive is not None else (require(ended) or b"").decode()
