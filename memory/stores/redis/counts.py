"""What was counted of tenants: a JSON text each, and one set of whose is to be counted."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from memory.model.finalization import FinalizationKey
from memory.model.lifecycle import SessionState
from memory.model.stats import SessionCounts, TenantCounts, count_fields, counts_of
from memory.scope import ConversationScope
from memory.stores.redis.connection import require
from memory.stores.redis.keys import DEADLINES, TO_COUNT, UNFINISHED, SealedKeys, counts_key, session_key
from memory.stores.redis.memories import RedisLocks
from memory.stores.redis.wire import Command, Commands, with_scores

_KEPT_MS: Final = 30 * 86_400_000
_TOGETHER: Final = 500


class RedisCounts:
    """The Counts port."""

    def __init__(self, connection: Commands) -> None:
        self._redis = connection
        self._locks = RedisLocks(connection)

    async def latest(self, tenant: str) -> TenantCounts | None:
        """GET."""
        (text,) = await self._all(("GET", counts_key(tenant)))
        return None if text is None else counts_of(json.loads(text))

    async def ask(self, tenant: str) -> None:
        """SADD."""
        await self._all(("SADD", TO_COUNT, tenant))

    async def asked(self) -> Sequence[str]:
        """SMEMBERS."""
        (found,) = await self._all(("SMEMBERS", TO_COUNT))
        return sorted(each.decode() for each in found)

    @asynccontextmanager
    async def claim(self, tenant: str) -> AsyncIterator[bool]:
        """A lock that is renewed while its holder lives."""
        async with self._locks.claim(f"count:{tenant}") as mine:
            (asked,) = await self._all(("SISMEMBER", TO_COUNT, tenant))
            yield mine and bool(asked)

    async def keep(self, tenant: str, counts: TenantCounts) -> None:
        """SET, then SREM: cut off in between, it is counted again."""
        await self._all(("SET", counts_key(tenant), json.dumps(count_fields(counts)), "PX", _KEPT_MS))
        await self.let_go(tenant)

    async def let_go(self, tenant: str) -> None:
        """SREM."""
        await self._all(("SREM", TO_COUNT, tenant))

    async def sessions(self, tenant: str) -> SessionCounts:
        """Walks the deadlines and the list of what is unfinished: each has those of all tenants."""
        states = [state async for state in self._unfinished(tenant)]
        return SessionCounts(
            alive=await self._alive(tenant),
            ending=states.count(SessionState.ENDING),
            failed=states.count(SessionState.FAILED),
        )

    async def _alive(self, tenant: str) -> int:
        """SCAN may name one twice, when what it walks grows or shrinks."""
        alive: set[str] = set()
        cursor: Any = 0
        while True:
            (reply,) = await self._all(("ZSCAN", DEADLINES, cursor, "COUNT", _TOGETHER))
            cursor, members = reply
            names = [session_key(place) for place in map(_place, with_scores(members)) if place.tenant == tenant]
            there = await self._all(*(("EXISTS", name) for name in names)) if names else ()
            alive.update(name for name, is_there in zip(names, there, strict=True) if is_there)
            if int(cursor) == 0:
                return len(alive)

    async def _unfinished(self, tenant: str) -> AsyncIterator[SessionState]:
        (found,) = await self._all(("ZRANGE", UNFINISHED, 0, -1))
        keys = [key for key in (FinalizationKey.parse(text.decode()) for text in found) if key.scope.tenant == tenant]
        for start in range(0, len(keys), _TOGETHER):
            some = keys[start : start + _TOGETHER]
            for state in await self._all(*(("HGET", SealedKeys.of(key).finalization, "state") for key in some)):
                if state is not None:
                    yield SessionState(state.decode())

    async def _all(self, *commands: Command) -> list[Any]:
        return [require(reply) for reply in await self._redis.run(*commands)]


def _place(entry: tuple[bytes, bytes]) -> ConversationScope:
    return ConversationScope.parse(entry[0].decode())
