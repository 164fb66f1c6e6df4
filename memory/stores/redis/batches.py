"""Batches: a hash, a list of ids and a hash of failures each, by tenant; and one set of what there is to do.

A batch is put among what there is to do before it begins, so that none can begin and be lost: whoever finds one there
that has not begun leaves it for a minute.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

from memory.model.batch import PREVIEWED_MS, Batch, BatchKey, BatchOp, BatchState, Confirmed, Failures, LeftOut
from memory.scope import UserScope
from memory.stores.redis import scripts
from memory.stores.redis.connection import require
from memory.stores.redis.keys import OPEN_BATCHES, BatchKeys, batches_key
from memory.stores.redis.memories import LockTaken, RedisLocks
from memory.stores.redis.wire import Command, Commands, with_scores

_KEPT_MS: Final = 7 * 86_400_000
_BEGINS_WITHIN_MS: Final = 60_000
_TOGETHER: Final = 1_000
_BEGUN_MAX: Final = 1_000
_OPEN_MAX: Final = 100
_FIELDS: Final = ("user", "op", "total", "created", "core", "standing", "by", "why", "done", "failed", "started",
                  "ended", "erasure", "stops")  # fmt: skip


class RedisBatches:
    """The Batches port."""

    def __init__(self, connection: Commands) -> None:
        self._redis = connection
        self._locks = RedisLocks(connection)

    async def plan(self, batch: Batch, memory_ids: Sequence[str]) -> None:
        """The ids first: a batch that can be begun has them all."""
        keys = BatchKeys.of(batch.key)
        for start in range(0, len(memory_ids), _TOGETHER):
            await self._all(
                ("RPUSH", keys.memory_ids, *memory_ids[start : start + _TOGETHER]),
                ("PEXPIRE", keys.memory_ids, PREVIEWED_MS),
            )
        says = ("user", batch.user, "op", batch.op, "total", batch.total, "created", batch.created_ms)
        await self._all(
            ("ZADD", keys.every, batch.created_ms, batch.key.job_id),
            ("ZREMRANGEBYSCORE", keys.every, "-inf", batch.created_ms - _KEPT_MS - PREVIEWED_MS),
            ("PEXPIRE", keys.every, _KEPT_MS + PREVIEWED_MS),
            ("HSET", keys.batch, *says, "core", int(batch.include_core), "standing", batch.state),
            ("PEXPIRE", keys.batch, PREVIEWED_MS),
        )

    async def start(self, key: BatchKey, confirmed: Confirmed, at_ms: int) -> Batch | None:
        """One script."""
        await self._all(("ZADD", OPEN_BATCHES, "GT", at_ms, str(key)))
        user, count, by, why = confirmed
        await scripts.START_BATCH.run(self._redis, BatchKeys.of(key), (user, count, by, why, _KEPT_MS))
        return await self.get(key)

    async def get(self, key: BatchKey) -> Batch | None:
        """HMGET."""
        return (await self._several([key]))[0]

    async def begun(self, tenant: str) -> list[Batch]:
        """ZREVRANGE, and HMGET for each."""
        found = await self._several(await self._keys(tenant, _BEGUN_MAX))
        return [batch for batch in found if batch is not None and batch.is_begun]

    async def memory_ids(self, key: BatchKey, first: int, number: int) -> list[str]:
        """LRANGE."""
        command = ("LRANGE", BatchKeys.of(key).memory_ids, first, first + number - 1)
        return [found.decode() for found in (await self._all(command))[0]]

    async def failures(self, key: BatchKey) -> Failures:
        """HGETALL."""
        (found,) = await self._all(("HGETALL", BatchKeys.of(key).failures))
        pairs = zip(found[::2], found[1::2], strict=True)
        return {memory_id.decode(): LeftOut(why.decode()) for memory_id, why in pairs}

    async def cancel(self, key: BatchKey, at_ms: int) -> Batch | None:
        """One script."""
        await scripts.CANCEL_BATCH.run(self._redis, BatchKeys.of(key), (at_ms,))
        return await self.get(key)

    async def open(self, now_ms: int) -> list[BatchKey]:
        """ZRANGE, and HMGET for each; what there is nothing to do of is taken out, but not what may begin yet."""
        (found,) = await self._all(("ZRANGE", OPEN_BATCHES, 0, _OPEN_MAX - 1, "WITHSCORES"))
        put_ms = {BatchKey.parse(name.decode()): float(score) for name, score in with_scores(found)}
        batches = await self._several(list(put_ms)) if put_ms else []
        there = [key for key, batch in zip(put_ms, batches, strict=True) if batch is not None and batch.state.is_open]
        late = now_ms - _BEGINS_WITHIN_MS
        over = [str(key) for key in put_ms if key not in there and put_ms[key] < late]
        if over:
            await scripts.LEAVE_BATCHES.run(self._redis, (OPEN_BATCHES,), (late, *over))
        return there

    @asynccontextmanager
    async def claim(self, key: BatchKey) -> AsyncIterator[Batch | None]:
        """A lock that is renewed while its holder lives."""
        async with AsyncExitStack() as holding:
            try:
                await holding.enter_async_context(self._locks(f"batch:{key}", wait_s=0))
                batch = await self.get(key)
            except LockTaken:
                batch = None
            yield batch if batch is not None and batch.state.is_open else None

    async def begin(self, key: BatchKey, erasure_id: str, at_ms: int) -> Batch | None:
        """One script."""
        await scripts.BEGIN_BATCH.run(self._redis, BatchKeys.of(key), (erasure_id, at_ms, _KEPT_MS))
        return await self.get(key)

    async def advance(self, key: BatchKey, done: int, failures: Failures) -> Batch | None:
        """One script."""
        pairs = [part for pair in failures.items() for part in pair]
        await scripts.ADVANCE_BATCH.run(self._redis, BatchKeys.of(key), (done, _KEPT_MS, *pairs))
        return await self.get(key)

    async def end(self, key: BatchKey, state: BatchState, at_ms: int) -> None:
        """One script; the ids go."""
        await scripts.END_BATCH.run(self._redis, BatchKeys.of(key), (state, at_ms, _KEPT_MS))
        await self._all(("ZREM", OPEN_BATCHES, str(key)))

    async def drop(self, scope: UserScope) -> None:
        """Looks at each of the tenant's."""
        keys = await self._keys(scope.tenant, 0)
        for batch in await self._several(keys) if keys else ():
            if batch is not None and batch.user == scope.user:
                names = BatchKeys.of(batch.key)
                await self._all(
                    ("DEL", names.batch, names.memory_ids, names.failures), ("ZREM", names.every, batch.key.job_id)
                )

    async def _keys(self, tenant: str, number: int) -> list[BatchKey]:
        """The newest so many; 0: all."""
        (found,) = await self._all(("ZREVRANGE", batches_key(tenant), 0, number - 1))
        return [BatchKey(tenant, job_id.decode()) for job_id in found]

    async def _several(self, keys: Sequence[BatchKey]) -> list[Batch | None]:
        commands: list[Command] = [("HMGET", BatchKeys.of(key).batch, *_FIELDS) for key in keys]
        replies = await self._all(*commands) if commands else []
        return [_batch(key, fields) for key, fields in zip(keys, replies, strict=True)]

    async def _all(self, *commands: Command) -> list[Any]:
        return [require(reply) for reply in await self._redis.run(*commands)]


def _batch(key: BatchKey, fields: Sequence[bytes | None]) -> Batch | None:
    said = dict(zip(_FIELDS, (None if each is None else each.decode() for each in fields), strict=True))
    user, op, state = said["user"], said["op"], said["standing"]
    if user is None or op is None or state is None:
        return None
    return Batch(
        key,
        user,
        BatchOp(op),
        int(said["total"] or 0),
        int(said["created"] or 0),
        said["core"] == "1",
        BatchState(state),
        by=said["by"] or "",
        why=said["why"] or "",
        done=int(said["done"] or 0),
        failed=int(said["failed"] or 0),
        started_ms=_ms(said["started"]),
        ended_ms=_ms(said["ended"]),
        erasure_id=said["erasure"] or "",
        stops=said["stops"] == "1",
    )


def _ms(said: str | None) -> int | None:
    return int(said) if said else None
