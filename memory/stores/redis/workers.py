"""Which workers live: each says so every few seconds, by the clock of the Redis that all share."""

import json
from dataclasses import dataclass
from typing import Any, Final

from memory.stores.redis import scripts
from memory.stores.redis.connection import require
from memory.stores.redis.keys import WORKERS
from memory.stores.redis.wire import Commands

_KEPT_MS: Final = 3_600_000
"""So long a worker that has died without a word is told of."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What a worker last said, and how long ago."""

    worker: str
    age_s: float
    told: dict[str, Any]


class RedisWorkers:
    """Heartbeats of all workers of a Redis, in one hash that goes an hour after the last of them."""

    def __init__(self, connection: Commands) -> None:
        self._redis = connection

    async def beat(self, worker: str, told: dict[str, Any]) -> None:
        """Say that this worker lives. Raises TemporaryError."""
        text = json.dumps(told, ensure_ascii=False)
        await scripts.BEAT.run(self._redis, (WORKERS,), (worker, text, _KEPT_MS))

    async def leave(self, worker: str) -> None:
        """Say that this worker ends in order: nobody misses it. Raises TemporaryError."""
        require((await self._redis.run(("HDEL", WORKERS, worker)))[0])

    async def heard(self) -> list[Heard]:
        """All that were heard of within the last hour, the latest first. Raises TemporaryError."""
        time, found = map(require, await self._redis.run(("TIME",), ("HGETALL", WORKERS)))
        now_ms = int(time[0]) * 1000 + int(time[1]) // 1000
        pairs = zip(found[::2], found[1::2], strict=True)
        return sorted((_heard(worker, text, now_ms) for worker, text in pairs), key=lambda each: each.age_s)


def _heard(worker: bytes, text: bytes, now_ms: int) -> Heard:
    beat_ms, _, told = text.decode().partition(" ")
    return Heard(worker.decode(), max(0, now_ms - int(beat_ms)) / 1000, json.loads(told))
