"""One writer at a time for each user: Weaviate has no conditional write, so reading and writing back needs a lock."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext

UserLock = Callable[[str], AbstractAsyncContextManager[None]]
"""A lock by name that holds between processes. It raises StoreUnavailable when it cannot be had in time."""


class UserLocks:
    """Locks of this process by name, and round each one that of all processes, if there are several."""

    def __init__(self, shared: UserLock | None) -> None:
        self._shared = shared
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncIterator[None]:
        """Hold the lock of this name. In this process callers come in their order."""
        lock, waiting = self._locks.get(name, (asyncio.Lock(), 0))
        self._locks[name] = (lock, waiting + 1)
        try:
            async with lock, self._shared(name) if self._shared else nullcontext():
                yield
        finally:
            lock, waiting = self._locks.pop(name)
            if waiting > 1:
                self._locks[name] = (lock, waiting - 1)
