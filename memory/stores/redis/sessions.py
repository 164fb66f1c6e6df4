"""The living sessions on Redis: the ports LivingSessions and ProfileCopies over one multiplexed connection.

Reads are one write of MULTI/HMGET/LRANGE/EXEC plus a GET of the profile's copy; writes are one script each.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any, Final

from memory.errors import FieldError, InvalidInput, InvariantBroken
from memory.limits import SESSION_STATES_MAX
from memory.model.session import (
    Append,
    Appended,
    Checkpointed,
    CheckpointWrite,
    Given,
    HistoryPage,
    Opening,
    ProfileCopy,
    Reading,
    SessionDetails,
    SessionHead,
)
from memory.scope import ConversationScope, UserScope
from memory.session.given import encode_given
from memory.stores.redis import scripts, states, tails
from memory.stores.redis.connection import require
from memory.stores.redis.heads import head_of, untorn
from memory.stores.redis.keys import (
    DEADLINES,
    ConversationKeys,
    conversation_key,
    given_key,
    journal_key,
    profile_key,
    sealed_prefixes,
    session_key,
)
from memory.stores.redis.outcomes import appended
from memory.stores.redis.profiles import ProfileCopies
from memory.stores.redis.wire import Command, Commands, pack

_MULTI: Final = ("MULTI",)
_EXEC: Final = ("EXEC",)
_TORN_TRIES_MAX: Final = 8
_READS_REMEMBERED: Final = 4_096
_LONG_WINDOW_TOKENS: Final = 32_000
"""Some 128 kB of text: what takes Redis and the reader of its replies about a millisecond."""
_SAID: Final = "said"
_LISTED: Final = 10
"""Where among the arguments of an append it stands whether the conversation is on its user's list."""
_OWN_FIELDS: Final = 7
"""Of a session's hash, beside entities and slots: head, summary, bytes, zone, tools, intent, pending action."""


@dataclass(frozen=True, slots=True)
class SessionTimes:
    """How long things stay, in milliseconds (see config.yaml, section `session`)."""

    ttl_ms: int
    max_age_ms: int
    journal_ttl_ms: int
    idempotency_ttl_ms: int
    lease_ms: int
    profile_ttl_ms: int
    profile_kept_ms: int

    @property
    def first_look_ms(self) -> int:
        """When a session that has just begun may have ended."""
        return min(self.ttl_ms, self.max_age_ms)

    @property
    def listed_ms(self) -> int:
        """How long something of a conversation may be here after its session has begun."""
        return self.max_age_ms + self.journal_ttl_ms


class RedisSessions:
    """Reads and writes of living sessions."""

    def __init__(self, connection: Commands, times: SessionTimes, large: Commands | None = None) -> None:
        """`large`: for replies that may be long; else they go over the same connection."""
        self._redis = connection
        self._large = large or connection
        self._long: OrderedDict[ConversationScope, None] = OrderedDict()
        self._times = times
        self._profiles = ProfileCopies(connection, times.profile_ttl_ms, times.profile_kept_ms)

    async def read(
        self,
        scope: ConversationScope,
        user: str | None,
        *,
        whole: bool = False,
        profile_stamp: bytes,
    ) -> Reading:
        """Read a conversation's head and window, and of the user the profile's copy and the list, in one round trip.

        The commands travel together but not as a transaction, which would cost half as much again. The head
        names the first and last seq of its window, so a write that came between is seen: what is newer than
        the head is left out, and a window that a checkpoint moved away is read again.
        """
        if whole:
            return await self._read_whole(scope, user, profile_stamp)
        commands, replies = _packed_read(scope, user)
        redis = self._large if scope in self._long else self._redis
        for _ in range(_TORN_TRIES_MAX):
            fields, live, said, *about = await redis.run_packed(commands, replies)
            head = head_of(require(fields))
            window = untorn(head, require(live))
            if window is not None:
                if head is not None and head.window_tokens > _LONG_WINDOW_TOKENS:
                    self._note_long(scope)
                return Reading(head, window, (), (), *self._about(scope, about, profile_stamp), require(said) or b"")
        raise InvariantBroken("the journal and the head of a session do not match")

    def _note_long(self, scope: ConversationScope) -> None:
        """Its next read takes the way of the long ones; the first one could not know."""
        self._long[scope] = None
        self._long.move_to_end(scope)
        if len(self._long) > _READS_REMEMBERED:
            self._long.popitem(last=False)

    async def _read_whole(self, scope: ConversationScope, user: str | None, profile_stamp: bytes) -> Reading:
        keys = ConversationKeys.of(scope)
        group: list[Command] = [
            _MULTI,
            ("HMGET", keys.session, "head", "summary", "zone", "tools"),
            ("LRANGE", keys.live, 0, -1),
            ("LRANGE", keys.archive, 0, -1),
            ("LRANGE", keys.records, 0, -1),
            ("HGET", keys.conversation, _SAID),
            _EXEC,
        ]
        if user:
            named = UserScope(scope.tenant, user)
            group += (("GET", profile_key(named)), tails.listing(named))
        replies = await self._large.run(*group)
        head, live, archive, records, said = require(replies[6])
        about = self._about(scope, replies[7:], profile_stamp)
        return Reading(head_of(head), live, archive, records, *about, said or b"")

    def _about(
        self, scope: ConversationScope, replies: list[Any], profile_stamp: bytes
    ) -> tuple[ProfileCopy | None, list[str] | None]:
        """What came along of the user: the profile's copy, and the other conversations."""
        if not replies:
            return None, None
        profile = self._profiles.believed(require(replies[0]), profile_stamp)
        return profile, tails.names(require(replies[1]), scope.conversation)

    async def said(
        self, scope: UserScope, conversations: Sequence[str], profile_stamp: bytes
    ) -> tuple[list[bytes], ProfileCopy | None]:
        """One HGET for each conversation and a GET, all in one write."""
        named = (ConversationScope(scope.tenant, name) for name in conversations)
        commands: list[Command] = [("HGET", conversation_key(each), _SAID) for each in named]
        *said, profile = await self._redis.run(*commands, ("GET", profile_key(scope)))
        return [require(reply) or b"" for reply in said], self._profiles.believed(require(profile), profile_stamp)

    async def latest(self, scope: ConversationScope, count: int) -> list[bytes]:
        """LRANGE."""
        (reply,) = await self._redis.run(("LRANGE", journal_key(scope), -count, -1))
        found: list[bytes] = require(reply)
        return found

    async def page(self, scope: ConversationScope, place: int, bytes_max: int) -> HistoryPage | None:
        """One script."""
        keys = ConversationKeys.of(scope)
        reply = await scripts.PAGE.run(self._large, (keys.session, keys.archive, keys.live), (place, bytes_max))
        if not reply:
            return None
        started, base, after, entries = reply
        return HistoryPage(int(started), int(base), int(after) if int(after) >= 0 else None, entries)

    async def details(self, scope: ConversationScope, agent: str) -> SessionDetails | None:
        """Read the whole working state; of the agent slots only the asking agent's leaves this method."""
        keys = ConversationKeys.of(scope)
        replies = await self._large.run(
            _MULTI, ("HGETALL", keys.session), ("LRANGE", keys.live, 0, -1), ("PTTL", keys.session), _EXEC
        )
        fields, live, ttl_ms = require(replies[-1])
        named = _pairs(require(fields))
        head = head_of([named.get("head"), named.get("summary"), named.get("zone")])
        if head is None:
            return None
        pending = named.get("pending")
        return SessionDetails(
            head=head,
            live=live,
            expires_in_ms=max(0, ttl_ms),
            entities=states.entities(named),
            slots=states.slots(named, agent),
            current_intent=named.get("intent", b"").decode(),
            pending_action=json.loads(pending) if pending else None,
        )

    async def append(self, scope: ConversationScope, append: Append) -> Appended | None:
        """One script: idempotency, revision, user, append, counters, TTL."""
        keys, times = ConversationKeys.of(scope), self._times
        args: list[str | bytes | int] = [
            append.digest if append.idempotency_key else "",
            "" if append.if_rev is None else append.if_rev,
            append.user_id,
            append.agent,
            append.stamp,
            times.ttl_ms,
            times.idempotency_ttl_ms,
            times.journal_ttl_ms,
            f"{append.turns_max}|{append.bytes_max}",
            SESSION_STATES_MAX + _OWN_FIELDS,
            0,
            len(append.messages),
            append.said,
            append.timezone,
            f"{append.tools_tokens}|{encode_basestring(append.tools)}" if append.tools else "",
        ]
        for message in append.messages:
            args += (1 if message.starts_turn else 0, message.tokens, message.fragment)
        if append.state is not None:
            args += states.changes(append.state, append.agent)
        named = keys.of_write(append.idempotency_key)
        reply = await scripts.APPEND.run(self._redis, named, tuple(args))
        if reply[0] == b"adopting":  # listed first: what is on no list could not be forgotten after a crash
            await self._enlist(scope, append.user_id)
            args[_LISTED] = 1
            reply = await scripts.APPEND.run(self._redis, named, tuple(args))
        return appended(reply)

    async def open(self, scope: ConversationScope, opening: Opening) -> bool:
        """Schedule the deadline and list the conversation with its user, start the session, schedule again.

        The first so that a crash leaves nothing unswept; the second because a sweeper that looked between the
        two saw nothing alive, and may have dropped the entry.
        """
        keys = ConversationKeys.of(scope)
        seed = opening.seed
        await asyncio.gather(
            self.reschedule(scope, self._times.first_look_ms), self._enlist(scope, opening.user_id or seed.user_id)
        )
        reply = await scripts.OPEN.run(
            self._redis,
            (
                keys.session,
                keys.live,
                keys.archive,
                keys.records,
                keys.conversation,
                *sealed_prefixes(keys.tag),
                keys.forgotten,
            ),
            (
                opening.expected_no if opening.full is None else _seen(opening.expected_no, opening.full),
                opening.user_id or seed.user_id,
                opening.agent,
                opening.stamp,
                self._times.ttl_ms,
                self._times.journal_ttl_ms,
                encode_basestring(seed.summary),
                seed.summary_tokens,
                seed.base_seq,
                seed.turn_base,
                1 if seed.resumed else 0,
                seed.recent_turns,
                seed.entry_tokens,
                len(seed.entries),
                opening.expected_forgotten,
                seed.covers_seq,
                opening.timezone,
                *seed.entries,
            ),
        )
        if reply[0] != b"ok":
            return False
        await self.reschedule(scope, self._times.first_look_ms)
        return True

    async def _enlist(self, scope: ConversationScope, user: str) -> None:
        if user:
            await tails.begin(self._redis, UserScope(scope.tenant, user), scope.conversation, self._times.listed_ms)

    async def expires_in_ms(self, scope: ConversationScope) -> int:
        """PTTL of the session's hash; 0 when there is none."""
        (reply,) = await self._redis.run(("PTTL", ConversationKeys.of(scope).session))
        return max(0, int(require(reply)))

    async def checkpoint(self, scope: ConversationScope, write: CheckpointWrite) -> Checkpointed | None:
        """One script: record the checkpoint, move what leaves the window to the archive, release the lease."""
        keys = ConversationKeys.of(scope)
        reply = await scripts.CHECKPOINT.run(
            self._redis,
            (keys.session, keys.live, keys.archive, keys.records, keys.lease),
            (
                write.expected_checkpoint,
                "" if write.covers_seq is None else write.covers_seq,
                write.recent_turns,
                encode_basestring(write.summary),
                write.summary_tokens,
                self._times.ttl_ms,
                self._times.journal_ttl_ms,
                write.expected_no,
            ),
        )
        status, *rest = reply
        if status == b"range":
            message = f"must be between {int(rest[0])} (covered already) and {int(rest[1])} (all there is)"
            raise InvalidInput(f"covers_seq {message}", fields=(FieldError("covers_seq", message),))
        if status != b"ok":
            return None
        return Checkpointed(rest[0].decode(), int(rest[1]), int(rest[2]), int(rest[3]))

    async def lease_checkpoint(self, scope: ConversationScope) -> bool:
        """SET NX with a time limit."""
        key = ConversationKeys.of(scope).lease
        (reply,) = await self._redis.run(("SET", key, "1", "NX", "PX", self._times.lease_ms))
        return require(reply) is not None

    async def record(self, scope: ConversationScope, user: str, kind: str, fields_json: bytes) -> None:
        """One script: take the next seq and add the record, if the session is alive and no other user's."""
        keys = ConversationKeys.of(scope)
        args = (kind, fields_json, self._times.ttl_ms, user)
        await scripts.RECORD.run(self._redis, (keys.session, keys.records), args)

    async def note_given(self, given: Mapping[ConversationScope, Given]) -> None:
        """A SET for each, all in one write."""
        commands: list[Command] = [
            ("SET", given_key(scope), encode_given(each), "PX", self._times.ttl_ms) for scope, each in given.items()
        ]
        for reply in await self._redis.run(*commands):
            require(reply)

    async def reschedule(self, scope: ConversationScope, delay_ms: int) -> None:
        """One script on the deadline set."""
        await scripts.SCHEDULE.run(self._redis, (DEADLINES,), (str(scope), delay_ms))

    async def forgotten(self, scope: UserScope) -> int:
        """GET."""
        return await self._profiles.forgotten(scope)

    async def put_profile(
        self, scope: UserScope, copy: ProfileCopy, stamp: bytes, forgotten: int, dropped: str = ""
    ) -> None:
        """Store a copy of a profile unless a newer one is there, or something of the user was forgotten since."""
        await self._profiles.put(scope, copy, stamp, forgotten, dropped)

    async def drop_profile(self, scope: UserScope) -> str:
        """Believe the copy of a profile no longer."""
        return await self._profiles.drop(scope)

    async def kept_profile(self, scope: UserScope) -> ProfileCopy | None:
        """The last copy of a profile in which something was known."""
        return await self._profiles.kept(scope)

    async def erase_profile(self, scope: UserScope) -> None:
        """Remove every copy of a profile."""
        await self._profiles.erase(scope)


@lru_cache(maxsize=_READS_REMEMBERED)
def _packed_read(scope: ConversationScope, user: str | None) -> tuple[bytes, int]:
    """The commands of a read on the wire, and how many replies they have."""
    session, live, conversation = session_key(scope), journal_key(scope), conversation_key(scope)
    commands = (
        f"*6\r\n$5\r\nHMGET\r\n${len(session)}\r\n{session}\r\n$4\r\nhead\r\n$7\r\nsummary\r\n$4\r\nzone\r\n"
        f"$5\r\ntools\r\n"
        f"*4\r\n$6\r\nLRANGE\r\n${len(live)}\r\n{live}\r\n$1\r\n0\r\n$2\r\n-1\r\n"
        f"*3\r\n$4\r\nHGET\r\n${len(conversation)}\r\n{conversation}\r\n$4\r\nsaid\r\n"
    ).encode("ascii")
    if not user:
        return commands, 3
    named = UserScope(scope.tenant, user)
    return commands + pack(("GET", profile_key(named))) + pack(tails.listing(named)), 5


def _seen(number: int, head: SessionHead) -> str:
    """A living session as `open` is told of it."""
    return f"{number}|{head.rev}|{head.seq}"


def _pairs(reply: list[bytes]) -> dict[str, bytes]:
    return {reply[index].decode(): reply[index + 1] for index in range(0, len(reply), 2)}
