"""One writer at a time for each user: Weaviate has no conditional write, so reading and writing back needs a lock.

A lock lapses when its holder seems dead, and a write that timed out may still arrive: so each holder gets a number, its
fence, and what is written under a lower one never counts against what was written under a higher one.

What a write rests on may have been forgotten before its holder had the lock. Fences (memory/fences.py) say so.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count
from typing import Protocol

from memory.errors import Overtaken
from memory.scope import Fence


class UserLock(Protocol):
    """Locks and fences by name that hold between processes."""

    def __call__(self, name: str) -> AbstractAsyncContextManager[int]:
        """Hold a lock; it yields a number that is higher for each later holder.

        Raises StoreUnavailable when it cannot be had in time, and out of its block when it has lapsed.
        """
        ...

    async def standing(self, names: Sequence[str]) -> tuple[Fence, ...]:
        """Fences as they stand."""
        ...

    async def require(self, fences: Sequence[Fence]) -> None:
        """Raise Overtaken when a fence stands above what is given; one that stands below is raised to it."""
        ...

    async def advance(self, names: Sequence[str]) -> None:
        """Raise fences by one."""
        ...


class OwnLocks:
    """The UserLock port of one process, for a store that no other process writes to."""

    def __init__(self) -> None:
        self._holders = count(1)
        self._fences: dict[str, int] = {}

    @asynccontextmanager
    async def __call__(self, name: str) -> AsyncIterator[int]:  # noqa: ARG002 - UserLocks has it locked already
        """Nobody else is there."""
        yield next(self._holders)

    async def standing(self, names: Sequence[str]) -> tuple[Fence, ...]:
        """Fences as they stand."""
        return tuple(Fence(name, self._fences.get(name, 0)) for name in names)

    async def require(self, fences: Sequence[Fence]) -> None:
        """Raises Overtaken."""
        for fence in fences:
            if self._fences.get(fence.name, 0) > fence.number:
                raise Overtaken
            if fence.number:
                self._fences[fence.name] = fence.number

    async def advance(self, names: Sequence[str]) -> None:
        """Raise fences by one."""
        for name in names:
            self._fences[name] = self._fences.get(name, 0) + 1


class UserLocks:
    """Locks of this process by name, and round each one that of all processes; and the fences that writes stand under.

    Who forgets raises a fence under the lock that writers hold: they look at it before they write, and once more
    after it, should their lock have lapsed.
    """

    def __init__(self, shared: UserLock | None) -> None:
        self._shared = shared or OwnLocks()
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}
        self.standing = self._shared.standing
        self.require = self._shared.require

    @asynccontextmanager
    async def hold(self, name: str, fences: Sequence[Fence] = ()) -> AsyncIterator[int]:
        """Hold the lock of this name under fences; yields a holder's number. In this process callers come in order.

        Raises Overtaken when one of the fences has been raised.
        """
        lock, waiting = self._locks.get(name, (asyncio.Lock(), 0))
        self._locks[name] = (lock, waiting + 1)
        try:
            async with lock, self._shared(name) as number:
                await self.require(fences)
                yield number
        finally:
            lock, waiting = self._locks.pop(name)
            if waiting > 1:
                self._locks[name] = (lock, waiting - 1)

    @asynccontextmanager
    async def forgetting(self, name: str, fences: Sequence[str]) -> AsyncIterator[None]:
        """Hold the lock and raise fences: whoever waits for the lock with what he has read before writes no more."""
        async with self.hold(name):
            await self._shared.advance(fences)
            yield

    @asynccontextmanager
    async def undone_by(self, undo: Callable[[], Awaitable[object]], fences: Sequence[Fence]) -> AsyncIterator[None]:
        """Round a write: when a fence has been raised by its end, undo it and raise Overtaken."""
        yield
        try:
            await self.require(fences)
        except Overtaken:
            await undo()
            raise
