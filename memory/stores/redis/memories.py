"""What a memory store without them borrows from Redis: locks, sums, and an index of when memories are due."""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from memory.errors import StoreUnavailable, TemporaryError
from memory.model.search import DueMemory
from memory.scope import UserScope
from memory.stores.redis import scripts
from memory.stores.redis.connection import require
from memory.stores.redis.keys import DUE_MEMORIES, FENCE, ledger_key, lock_key
from memory.stores.redis.wire import Commands

_LEASE_MS: Final = 15_000
_RENEWALS_A_LEASE: Final = 3
_LEDGER_MS: Final = 3 * 86_400_000
_WAIT_S: Final = 20.0
_POLL_S: Final = 0.02


class RedisLocks:
    """One writer at a time for each name, over all processes. A lock whose holder has died lapses after 15 s.

    A holder that lives renews it, however long its work takes.
    """

    def __init__(self, connection: Commands) -> None:
        self._redis = connection

    @asynccontextmanager
    async def __call__(self, name: str) -> AsyncIterator[int]:
        """Hold the lock; yields a number higher than that of every holder before (as long as Redis keeps its data).

        Raises StoreUnavailable when it cannot be had in time.
        """
        key, token = lock_key(name), uuid.uuid4().hex
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _WAIT_S
        while True:
            (taken,) = await self._redis.run(("SET", key, token, "NX", "PX", _LEASE_MS))
            if require(taken) is not None:
                break
            if loop.time() > deadline:
                raise StoreUnavailable("another process writes this user's memories")
            await asyncio.sleep(_POLL_S)
        renewing = asyncio.create_task(self._renew(key, token))
        try:
            (fence,) = await self._redis.run(("INCR", FENCE))  # once it is held: on a cluster the two are on two nodes
            yield int(require(fence))
        finally:
            renewing.cancel()
            await scripts.UNLOCK.run(self._redis, (key,), (token,))

    async def _renew(self, key: str, token: str) -> None:
        while True:
            await asyncio.sleep(_LEASE_MS / 1000 / _RENEWALS_A_LEASE)
            with contextlib.suppress(TemporaryError):
                await scripts.RENEW_LOCK.run(self._redis, (key,), (token, _LEASE_MS))


class RedisLedger:
    """What a tenant has used of its model budget in a day, over all processes."""

    def __init__(self, connection: Commands) -> None:
        self._redis = connection

    async def add(self, tenant: str, day: str, tokens: int, micros: int) -> tuple[int, int]:
        """Add (or with negative numbers give back); returns the day's sums."""
        key = ledger_key(tenant, day)
        sums = await self._redis.run(
            ("HINCRBY", key, "tokens", tokens), ("HINCRBY", key, "micros", micros), ("PEXPIRE", key, _LEDGER_MS)
        )
        return int(require(sums[0])), int(require(sums[1]))


class RedisDueIndex:
    """When memories of all users leave: one sorted set, scored by the time."""

    def __init__(self, connection: Commands) -> None:
        self._redis = connection

    async def put(self, scope: UserScope, memory_id: str, forget_ms: int | None) -> None:
        """Set the time of a memory; None takes it out."""
        member = f"{scope}/{memory_id}"
        command = ("ZREM", DUE_MEMORIES, member) if forget_ms is None else ("ZADD", DUE_MEMORIES, forget_ms, member)
        require((await self._redis.run(command))[0])

    async def due(self, now_ms: int, limit: int) -> list[DueMemory]:
        """Those whose time has come, the earliest first."""
        command = ("ZRANGE", DUE_MEMORIES, "-inf", now_ms, "BYSCORE", "LIMIT", 0, limit)
        members = require((await self._redis.run(command))[0])
        return [DueMemory(*member.decode().split("/")) for member in members]

    async def drop(self, scope: UserScope, memory_ids: Sequence[str]) -> None:
        """Take memories out."""
        if memory_ids:
            members = (f"{scope}/{memory_id}" for memory_id in memory_ids)
            require((await self._redis.run(("ZREM", DUE_MEMORIES, *members)))[0])
