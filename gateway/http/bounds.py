"""What connections may take: time, and their number."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long a connection waits for its peer, in seconds."""

    header_s: float
    body_s: float
    keepalive_s: float


class ConnectionLimit:
    """How many connections there may be. `count` is told how many this process has, and returns that of all."""

    def __init__(self, most: int, count: Callable[[int], float]) -> None:
        self._most = most
        self._count = count
        self._open = 0
        self._waiting: asyncio.Event | None = None

    def join(self) -> bool:
        """Count a connection; False when it is one too many (and counted until it leaves)."""
        self._open += 1
        return self._count(self._open) <= self._most

    def leave(self) -> None:
        """Count a connection no longer."""
        self._open -= 1
        self._count(self._open)
        if self._waiting is not None and not self._open:
            self._waiting.set()

    async def emptied(self) -> None:
        """Return when no connection of this process is open."""
        self._waiting = asyncio.Event()
        if self._open:
            await self._waiting.wait()
