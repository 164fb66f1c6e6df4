"""What a user has said that is not in memory yet, as the memories it will become (docs/decisions/0013).

It stands in the journals of sessions that are alive, expired, waiting for their finalisation, or failed. It is read
before the store is searched: what is finalised between the two reads is then in the store.
"""

import asyncio
import contextlib
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from memory.consolidation.derive import Gist, flags, gist
from memory.consolidation.remember import Rememberer
from memory.errors import NotFound, StoreUnavailable, TemporaryError
from memory.limits import TAIL_CONVERSATIONS_MAX
from memory.model.memory import Memory
from memory.model.memunit import MemUnit
from memory.model.search import IndexEntry, Vector
from memory.model.session import Tail
from memory.ports import Background, Embedder, SessionStore
from memory.scope import ConversationScope, UserScope
from memory.service.remembering import Remembering
from memory.session.journal import decode, header

_LOG: Final = logging.getLogger("anamnesis.tail")
NOT_READ: Final = "tail"
LEFT_OUT: Final = "tail_limit"
_TAILS_MAX: Final = 128
_GISTS_MAX: Final = 4_096
_KEY_BYTES: Final = 16
_VECTORS_MAX: Final = 4_096
_EMBEDDED_AT_ONCE: Final = 16


class Pending(NamedTuple):
    """A memory to be: its entry, still without a vector, and what its vector is made of."""

    entry: IndexEntry
    embed: str

    @property
    def memory(self) -> Memory:
        """The memory itself."""
        return self.entry.memory


class Unconsolidated(NamedTuple):
    """Memories to be, of units that are not stored; and what of it was not read (`tail`) or left out (`tail_limit`)."""

    found: Sequence[Pending] = ()
    units: Sequence[MemUnit] = ()
    degraded: tuple[str, ...] = ()


class TailReader:
    """Reads what is not in memory yet. It never fails: what was not read is named."""

    def __init__(
        self, sessions: SessionStore, rememberer: Rememberer, embedder: Embedder | None, background: Background
    ) -> None:
        self._sessions = sessions
        self._rememberer = rememberer
        self._embedder = embedder
        self._background = background
        self._gists: Remembering[bytes, Gist] = Remembering(_GISTS_MAX)
        self._read: Remembering[object, tuple[MemUnit, list[Pending]]] = Remembering(_TAILS_MAX)
        self._vectors: OrderedDict[str, Vector] = OrderedDict()
        self._under_way: set[str] = set()

    async def others(self, scope: UserScope, conversation: str) -> list[str]:
        """The user's conversations but this one that may hold such. One round trip. Raises StoreUnavailable."""
        return [name for name in await self._sessions.unconsolidated(scope) if name != conversation]

    async def read(
        self, scope: UserScope, conversations: Sequence[str] | None, deadline_s: float | None = None
    ) -> Unconsolidated:
        """Read the tail of these conversations (None: of all the user's) within a deadline. One round trip, or two."""
        if conversations is not None and not conversations:
            return Unconsolidated()
        try:
            async with asyncio.timeout(deadline_s):
                named = await self._sessions.unconsolidated(scope) if conversations is None else conversations
                if not named:
                    return Unconsolidated()
                tails = await self._sessions.tails(scope, named[:TAIL_CONVERSATIONS_MAX])
                spoken = [tail for tail in tails if tail.entries]
                read = await asyncio.to_thread(self._all_of, scope, spoken) if spoken else []
        except (TemporaryError, TimeoutError) as error:
            _LOG.info("searched without what is not in memory yet", extra={"reason": type(error).__name__})
            return Unconsolidated(degraded=(NOT_READ,))
        whole = len(named) <= TAIL_CONVERSATIONS_MAX and all(tail.complete for tail in tails)
        found = [one for _, made in read for one in made]
        return Unconsolidated(found, [unit for unit, _ in read], () if whole else (LEFT_OUT,))

    async def holds(self, scope: UserScope, memory_id: str) -> bool:
        """Whether a session that is not finalised holds what this memory is made of. Raises StoreUnavailable."""
        try:
            await self.one(scope, memory_id)
        except NotFound:
            return False
        return True

    async def ids(self, scope: UserScope) -> frozenset[str]:
        """What sessions that are not finalised will be made into, as `holds` says of one. Raises StoreUnavailable."""
        return frozenset(found.memory.memory_id for found in (await self._all(scope)).found)

    async def one(self, scope: UserScope, memory_id: str) -> tuple[Memory, MemUnit]:
        """A memory that is not stored yet, with the unit it is to be of. Raises NotFound, StoreUnavailable."""
        read = await self._all(scope)
        for found in read.found:
            if found.memory.memory_id == memory_id:
                unit = next(unit for unit in read.units if unit.unit_id == found.memory.source.unit_id)
                return found.memory, unit
        raise NotFound("this user has no such memory")

    async def _all(self, scope: UserScope) -> Unconsolidated:
        read = await self.read(scope, None)
        if NOT_READ in read.degraded:
            raise StoreUnavailable("what is not in memory yet cannot be read: try again")
        return read

    async def users_of(self, place: ConversationScope) -> list[str]:
        """Whose conversation it is, and whose the last session was that has ended in it. Raises StoreUnavailable."""
        before, standing = await self._sessions.previous(place), await self._sessions.standing(place)
        living = before.journal.user_id if before.journal else before.user_id
        ended = standing.last_ended.user_id if standing.last_ended else ""
        return [user for user in dict.fromkeys((living, before.user_id, ended)) if user]

    async def vectors(self, found: Sequence[Pending], wait_s: float) -> Mapping[str, Vector]:
        """The vectors that are known of these, by id. Those that are not are made meanwhile; `wait_s` is waited."""
        ids = [one.memory.memory_id for one in found]
        known = (self._vectors, self._under_way)
        new = [one for one in found if not any(one.memory.memory_id in each for each in known)]
        if new and self._embedder is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._start_embedding(self._embedder, new).wait()
        return {memory_id: self._vectors[memory_id] for memory_id in ids if memory_id in self._vectors}

    def _start_embedding(self, embedder: Embedder, new: Sequence[Pending]) -> asyncio.Event:
        """Embed in the background; the event says that it is over, for better or worse."""
        over = asyncio.Event()
        ids = {one.memory.memory_id for one in new}

        async def embed() -> None:
            try:
                await self._embed(embedder, new)
            except TemporaryError as error:  # words find it meanwhile, the next search tries again
                _LOG.info("not embedded", extra={"code": error.code})
            finally:
                self._under_way -= ids
                over.set()

        if self._background.start(embed, "embed-tail"):
            self._under_way |= ids
        else:
            over.set()
        return over

    async def _embed(self, embedder: Embedder, new: Sequence[Pending]) -> None:
        """The newest first. The embedder remembers its vectors, so that finalisation need not make them again."""
        newest = sorted(new, key=lambda one: -one.memory.occurred_ms)
        for start in range(0, len(newest), _EMBEDDED_AT_ONCE):
            part = newest[start : start + _EMBEDDED_AT_ONCE]
            vectors = await embedder.passages([one.embed for one in part])
            self._vectors |= {one.memory.memory_id: vector for one, vector in zip(part, vectors, strict=True)}
            while len(self._vectors) > _VECTORS_MAX:
                self._vectors.popitem(last=False)

    def _all_of(self, scope: UserScope, tails: Sequence[Tail]) -> list[tuple[MemUnit, list[Pending]]]:
        return [self._read.of(_identity(scope, tail), partial(self._pending, scope, tail)) for tail in tails]

    def _pending(self, scope: UserScope, tail: Tail) -> tuple[MemUnit, list[Pending]]:
        unit = _unit(scope, tail)
        made = self._rememberer.passages(unit, self._gist)
        return unit, [Pending(IndexEntry(one.memory, one.terms, None, *flags(one.memory)), one.embed) for one in made]

    def _gist(self, text: str) -> Gist:
        key = hashlib.blake2b(text.encode(), digest_size=_KEY_BYTES).digest()
        return self._gists.of(key, partial(gist, text))


def _identity(scope: UserScope, tail: Tail) -> object:
    """What two readings of the same words have in common: a session's journal only grows, and its number comes once."""
    return (
        scope,
        tail.conversation,
        tail.number,
        header(tail.entries[0])[0],
        header(tail.entries[-1])[0],
        len(tail.entries),
    )


def _unit(scope: UserScope, tail: Tail) -> MemUnit:
    """The unit of a stretch that is not finalised: what passages are made from, and no more."""
    first, last = decode(tail.entries[0]), decode(tail.entries[-1])
    return MemUnit(
        unit_id=f"{tail.conversation}#{tail.number}",
        scope=ConversationScope(scope.tenant, tail.conversation),
        user_id=scope.user,
        session_number=tail.number,
        seq_from=first.seq,
        seq_to=last.seq,
        turn_from=first.turn,
        turn_to=last.turn,
        started_ms=first.at_ms,
        ended_ms=last.at_ms,
        subject="",
        summary="",
        narrative="",
        participants=(),
        recent_turns=0,
        messages=b"[" + b",".join(tail.entries) + b"]",
    )
