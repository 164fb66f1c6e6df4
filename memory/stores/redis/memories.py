"""What a memory store without them borrows from Redis: locks, sums, and an index of when memories are due."""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from memory.errors import Overtaken, StoreUnavailable, TemporaryError
from memory.model.review import Cause, OpenReview, Question, ReviewPlace
from memory.model.search import DueMemory
from memory.scope import Fence, UserScope
from memory.stores.redis import scripts
from memory.stores.redis.connection import require
from memory.stores.redis.keys import DUE_MADE_WITH, DUE_MEMORIES, FENCE, fence_key, ledger_key, lock_key, reviews_key
from memory.stores.redis.wire import Commands, with_scores

_LEASE_MS: Final = 15_000
_RENEWALS_A_LEASE: Final = 3
_LEDGER_MS: Final = 3 * 86_400_000
_FENCE_MS: Final = 30 * 86_400_000
_LAPSED: Final = "a lock has lapsed under its holder: another may have written meanwhile"
_WAIT_S: Final = 20.0
_POLL_S: Final = 0.02


class LockTaken(StoreUnavailable):
    """Somebody else holds the lock."""


class RedisFences:
    """Fences that hold over all processes: numbers by name, each for longer than anybody who writes may sleep."""

    def __init__(self, connection: Commands) -> None:
        self._redis = connection

    async def standing(self, names: Sequence[str]) -> tuple[Fence, ...]:
        """GET for each."""
        replies = await self._redis.run(*(("GET", fence_key(name)) for name in names))
        return tuple(Fence(name, int(require(reply) or 0)) for name, reply in zip(names, replies, strict=True))

    async def require(self, fences: Sequence[Fence]) -> None:
        """One script for each. Raises Overtaken when one has been raised."""
        for fence in fences:
            if not await scripts.REQUIRE_FENCE.run(self._redis, (fence_key(fence.name),), (fence.number, _FENCE_MS)):
                raise Overtaken

    async def advance(self, names: Sequence[str]) -> None:
        """One script for each: whoever read before it writes no more."""
        for name in names:
            await scripts.RAISE_FENCE.run(self._redis, (fence_key(name),), (_FENCE_MS,))


class RedisLocks(RedisFences):
    """One writer at a time for each name, over all processes. A lock whose holder has died lapses after 15 s.

    A holder that lives renews it, however long its work takes. One whose lock has lapsed all the same (it was paused,
    or Redis could not be reached for so long, or lost it) is told: its block is cut short.
    """

    @asynccontextmanager
    async def __call__(self, name: str, wait_s: float = _WAIT_S) -> AsyncIterator[int]:
        """Hold the lock; yields a number higher than that of every holder before (as long as Redis keeps its data).

        Raises LockTaken when it cannot be had in time, and StoreUnavailable, out of the block, when it has lapsed
        meanwhile.
        """
        key, token, loop = lock_key(name), uuid.uuid4().hex, asyncio.get_running_loop()
        lapse = asyncio.timeout_at(await self._take(key, token, wait_s) + _lease_s())
        renewing = asyncio.create_task(self._renew(key, token, lapse))
        try:
            async with lapse:
                (number,) = await self._redis.run(("INCR", FENCE))  # once it is held: on a cluster it is elsewhere
                yield int(require(number))
        except TimeoutError as error:
            if not lapse.expired():
                raise  # the block's own
            raise StoreUnavailable(_LAPSED) from error
        finally:
            renewing.cancel()
            await scripts.UNLOCK.run(self._redis, (key,), (token,))
        if loop.time() > (lapse.when() or 0):  # the block had ended before it could be told
            raise StoreUnavailable(_LAPSED)

    @asynccontextmanager
    async def claim(self, name: str) -> AsyncIterator[bool]:
        """Hold the lock if nobody else does (the Claims port)."""
        async with contextlib.AsyncExitStack() as holding:
            try:
                await holding.enter_async_context(self(name, wait_s=0))
            except LockTaken:
                mine = False
            else:
                mine = True
            yield mine

    async def _take(self, key: str, token: str, wait_s: float) -> float:
        """Have it; returns when it was asked for: the lease is counted from there."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + wait_s
        while True:
            asked_at = loop.time()
            (taken,) = await self._redis.run(("SET", key, token, "NX", "PX", _LEASE_MS))
            if require(taken) is not None:
                return asked_at
            if asked_at > deadline:
                raise LockTaken("another process writes this user's memories")
            await asyncio.sleep(_POLL_S)

    async def _renew(self, key: str, token: str, lapse: asyncio.Timeout) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_lease_s() / _RENEWALS_A_LEASE)
            asked_at = loop.time()
            with contextlib.suppress(TemporaryError):
                held = await scripts.RENEW_LOCK.run(self._redis, (key,), (token, _LEASE_MS))
                lapse.reschedule(asked_at + _lease_s() if held else asked_at)
                if not held:
                    return


def _lease_s() -> float:
    return _LEASE_MS / 1000


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

    async def spent(self, tenant: str, day: str) -> tuple[int, int]:
        """HMGET."""
        (found,) = await self._redis.run(("HMGET", ledger_key(tenant, day), "tokens", "micros"))
        tokens, micros = require(found)
        return int(tokens or 0), int(micros or 0)


class RedisDueIndex:
    """When memories of all users leave, in one sorted set, and what they ask, in one for each tenant and question."""

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

    async def made_with(self) -> str:
        """With which settings the times were made (the LeavingTimes port): flushed with them, they are made anew."""
        found: bytes | None = require((await self._redis.run(("GET", DUE_MADE_WITH)))[0])
        return (found or b"").decode()

    async def are_made_with(self, settings: str) -> None:
        """All are made with these now."""
        require((await self._redis.run(("SET", DUE_MADE_WITH, settings)))[0])

    async def ask(self, scope: UserScope, memory_id: str, question: Question | None) -> None:
        """Set what a memory asks; None: nothing."""
        member = f"{memory_id}/{scope.user}"
        commands: list[tuple[str | int, ...]] = [
            ("ZREM", reviews_key(scope.tenant, cause), member)
            for cause in Cause
            if question is None or question.cause is not cause
        ]
        if question is not None:
            commands.append(("ZADD", reviews_key(scope.tenant, question.cause), question.opened_ms, member))
        for reply in await self._redis.run(*commands):
            require(reply)

    async def reviews(self, tenant: str, cause: Cause, now_ms: int, after: ReviewPlace, limit: int) -> list[OpenReview]:
        """Those that ask this now, in order: members of one time are sorted by themselves."""
        found: list[OpenReview] = []
        key, skip = reviews_key(tenant, cause), 0
        while len(found) < limit:
            page = ("LIMIT", skip, limit)
            command = ("ZRANGE", key, after.opened_ms, now_ms, "BYSCORE", *page, "WITHSCORES")
            read = [
                OpenReview(int(float(score)), *member.decode().split("/"))
                for member, score in with_scores(require((await self._redis.run(command))[0]))
            ]
            found += [each for each in read if (each.opened_ms, each.memory_id) > after]
            skip += len(read)
            if len(read) < limit:
                break
        return found[:limit]

    async def count_reviews(self, tenant: str, cause: Cause, now_ms: int) -> int:
        """ZCOUNT."""
        return int(require((await self._redis.run(("ZCOUNT", reviews_key(tenant, cause), "-inf", now_ms)))[0]))

    async def drop(self, scope: UserScope, memory_ids: Sequence[str]) -> None:
        """Take memories out of all of them."""
        if memory_ids:
            due = (f"{scope}/{memory_id}" for memory_id in memory_ids)
            asking = [f"{memory_id}/{scope.user}" for memory_id in memory_ids]
            questions = (("ZREM", reviews_key(scope.tenant, cause), *asking) for cause in Cause)
            for reply in await self._redis.run(("ZREM", DUE_MEMORIES, *due), *questions):
                require(reply)
