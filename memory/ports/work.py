"""The ports of time and of work that goes on after the answer."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import Protocol

from memory.model.finalization import FinalizationKey
from memory.scope import ConversationScope, UserScope


class Clock(Protocol):
    """The time of day, for what is only shown. Order comes from `seq`, deadlines from the session store."""

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        ...


class JobQueue(Protocol):
    """Where the work on ended sessions waits. Adding the same key twice is adding it once."""

    async def add_finalization(self, key: FinalizationKey) -> None:
        """Ask for an ended session to be turned into memory."""
        ...

    async def add_settling(self, scope: UserScope) -> None:
        """Ask for what is staged of a user to be completed, some seconds from now."""
        ...

    async def drop_finalization(self, key: FinalizationKey) -> None:
        """Take it out again, wherever it waits: the session was forgotten. Nothing when it is not there."""
        ...


class Claims(Protocol):
    """Work that one process does at a time."""

    def claim(self, name: str) -> AbstractAsyncContextManager[bool]:
        """Do alone what has this name; False: somebody else does. Lapses with its holder.

        Raises StoreUnavailable, out of the block too: when the claim has lapsed meanwhile.
        """
        ...


class Announcements(Protocol):
    """Word that an ended session has become memory, or has failed, whichever process saw to it."""

    def about(self, scope: ConversationScope) -> AbstractContextManager[asyncio.Event]:
        """An event that is set whenever the state of the conversation's ended sessions may have changed.

        Within the context no change goes by unseen: clear it, look at the state, then wait for it.
        """
        ...


class Background(Protocol):
    """Work that goes on after the answer."""

    def start(self, work: Callable[[], Awaitable[None]], name: str) -> bool:
        """Start it, unless too much is under way (False)."""
        ...
