"""One writer at a time for each user: Weaviate has no conditional write, so reading and writing back needs a lock.

A lock lapses when its holder seems dead, and a write that timed out may still arrive: so each holder gets a number, its
fence, and what is written under a lower one never counts against what was written under a higher one.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from itertools import count

UserLock = Callable[[str], AbstractAsyncContextManager[int]]
"""A lock by name that holds between processes; it yields a number that is higher for each later holder.

It raises StoreUnavailable when it cannot be had in time."""


class UserLocks:
    """Locks of this process by name, and round each one that of all processes, if there are several."""

    def __init__(self, shared: UserLock | None) -> None:
        self._shared = shared
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}
        self._holders = count(1)

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncIterator[int]:
        """Hold the lock of this name; yields the fence. In this process callers come in their order."""
        lock, waiting = self._locks.get(name, (asyncio.Lock(), 0))
        self._locks[name] = (lock, waiting + 1)
        try:
            async with lock, self._shared(name) if self._shared else nullcontext(next(self._holders)) as fence:
                yield fence
        finally:
            lock, waiting = self._locks.pop(name)
            if waiting > 1:
                self._locks[name] = (lock, waiting - 1)
