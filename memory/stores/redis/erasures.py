"""What is known of erasures, and writing the append-only file of a Redis of ours anew.

What is deleted from Redis stands in its append-only file until that is written anew. A rewrite counts for the erasures
that were asked for before it began; one takes them all. What is asked for and what is done stands in Redis itself, so
a gateway that is started again finishes what the one before had not.
"""

import asyncio
import uuid
from collections.abc import Callable
from typing import Final

from memory.ports import ErasedFiles, ErasureRecord
from memory.stores.redis import scripts
from memory.stores.redis.connection import require
from memory.stores.redis.keys import ERASURE_COUNTS, OPEN_ERASURES, erasure_key
from memory.stores.redis.wire import Commands

_RECORD_MS: Final = 30 * 86_400_000
_DIED_MS: Final = 60_000
"""An erasure that has been open for so long is one whose process has died; asking once more does no harm."""
_POLL_S: Final = 0.05
_REWRITE_S: Final = 600.0
_ASKED: Final = "asked"
_DONE: Final = "done"


class AppendOnlyFile:
    """The ErasedFiles port over the Redis that this gateway runs. `old_files_gone` removes what a rewrite leaves."""

    def __init__(self, connection: Commands, old_files_gone: Callable[[], bool]) -> None:
        self._redis = connection
        self._old_files_gone = old_files_gone

    async def asked(self) -> int:
        """One script, that also asks for erasures whose process died on the way."""
        return int(await scripts.ADOPT_ERASURES.run(self._redis, (OPEN_ERASURES, ERASURE_COUNTS), (_DIED_MS,)))

    async def cleaned(self) -> int:
        """ZSCORE."""
        (done,) = await self._redis.run(("ZSCORE", ERASURE_COUNTS, _DONE))
        return int(float(require(done) or 0))

    async def clean(self) -> None:
        """BGREWRITEAOF, unless nothing is asked for; returns when it has ended, or when one was under way already."""
        asked = await self.asked()
        if await self.cleaned() >= asked:
            return
        (begun,) = await self._redis.run(("BGREWRITEAOF",))
        ended_well = await self._ended_well()
        if not isinstance(begun, Exception) and ended_well and await self._old_gone():
            (noted,) = await self._redis.run(("ZADD", ERASURE_COUNTS, "GT", asked, _DONE))
            require(noted)

    async def _ended_well(self) -> bool:
        """Wait until no rewrite is under way; whether the last one worked."""
        deadline = asyncio.get_running_loop().time() + _REWRITE_S
        while asyncio.get_running_loop().time() < deadline:
            (reply,) = await self._redis.run(("INFO", "persistence"))
            found = dict(line.split(":", 1) for line in require(reply).decode().splitlines() if ":" in line)
            if found.get("aof_rewrite_in_progress") == found.get("aof_rewrite_scheduled") == "0":
                return found.get("aof_last_bgrewrite_status") == "ok"
            await asyncio.sleep(_POLL_S)
        return False

    async def _old_gone(self) -> bool:
        """The server deletes its old files on another thread, a moment after the rewrite."""
        deadline = asyncio.get_running_loop().time() + 1.0
        while not await asyncio.to_thread(self._old_files_gone):
            if asyncio.get_running_loop().time() > deadline:
                return False
            await asyncio.sleep(_POLL_S)
        return True


class RedisErasures:
    """The ErasureLog port. `files`: None when the Redis is not ours."""

    def __init__(self, connection: Commands, files: ErasedFiles | None = None) -> None:
        self._redis = connection
        self.files = files

    async def begin(self) -> str:
        """One script."""
        erasure_id = str(uuid.uuid4())
        if self.files is not None:
            await scripts.BEGIN_ERASURE.run(self._redis, (OPEN_ERASURES,), (erasure_id,))
        return erasure_id

    async def end(self, erasure_id: str, tenant: str, store_files: int | None) -> ErasureRecord:
        """One script."""
        args = (erasure_id, tenant, _number(store_files), _RECORD_MS, int(self.files is not None))
        keys = (OPEN_ERASURES, ERASURE_COUNTS, erasure_key(erasure_id))
        number, at_ms = await scripts.END_ERASURE.run(self._redis, keys, args)
        return ErasureRecord(int(at_ms), int(number) if number else None, store_files)

    async def record(self, erasure_id: str, tenant: str) -> ErasureRecord | None:
        """HMGET."""
        command = ("HMGET", erasure_key(erasure_id), "tenant", "at", "session_files", "store_files")
        owner, at_ms, session_files, store_files = require((await self._redis.run(command))[0])
        if owner is None or owner.decode() != tenant:
            return None
        files = (int(number) if number else None for number in (session_files, store_files))
        return ErasureRecord(int(at_ms), *files)


def _number(number: int | None) -> str:
    return "" if number is None else str(number)
