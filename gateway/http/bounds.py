"""What connections may take: time, memory, and their number."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gateway.http.answers import LARGE_BYTES

_STANDSTILL_S: Final = 1.0
_LEAST_MOVED_BYTES: Final = 16_384


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long a connection waits for its peer, in seconds."""

    header_s: float
    body_s: float
    keepalive_s: float
    send_s: float
    """How long a peer may take nothing of its answer."""


class ConnectionLimit:
    """How many connections there may be. `count` is told how many this process has, and returns that of all.

    One peer address may have `of_peer` of this process's; None: as many as there may be.
    """

    def __init__(self, most: int, of_peer: int | None, count: Callable[[int], float]) -> None:
        self._most = most
        self._of_peer = of_peer
        self._count = count
        self._open = 0
        self._peers: Counter[str] = Counter()
        self._waiting: asyncio.Event | None = None

    def join(self, peer: str) -> bool:
        """Count a connection; False when it is one too many (and counted until it leaves)."""
        self._open += 1
        self._peers[peer] += 1
        few = self._of_peer is None or self._peers[peer] <= self._of_peer
        return self._count(self._open) <= self._most and few

    def leave(self, peer: str) -> None:
        """Count a connection no longer."""
        self._open -= 1
        self._peers[peer] -= 1
        if not self._peers[peer]:
            del self._peers[peer]
        self._count(self._open)
        if self._waiting is not None and not self._open:
            self._waiting.set()

    async def emptied(self) -> None:
        """Return when no connection of this process is open."""
        self._waiting = asyncio.Event()
        if self._open:
            await self._waiting.wait()


class HeldBytes:
    """Bytes that are kept for peers: of large requests that are not answered, of answers that are not taken."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0
        self._freed: list[asyncio.Future[None]] = []

    def has_room(self, size: int) -> bool:
        """Whether so many more may be kept: alone, any number, or it would never be its turn."""
        return not self._held or self._held + size <= self._most

    @property
    def pressed(self) -> bool:
        """More than half of what may be is kept: peers that do not move are not waited for."""
        return 2 * self._held > self._most

    def add(self, size: int) -> None:
        """Count so many more; below 0: fewer."""
        self._held += size
        if size < 0 and self._freed:
            freed, self._freed = self._freed, []
            for waiter in freed:
                if not waiter.done():
                    waiter.set_result(None)

    async def await_room(self, size: int, seconds: float) -> bool:
        """Wait for room for so many bytes; False when there is none in time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.has_room(size):
                    waiter = asyncio.get_running_loop().create_future()
                    self._freed.append(waiter)
                    await waiter
        return self.has_room(size)


class Hold:
    """What is kept of them for one connection, and how its peer moves. All of it is given back by `count(0)`."""

    __slots__ = ("_held", "_left", "_moved_at", "bytes")

    def __init__(self, held: HeldBytes) -> None:
        self._held = held
        self._left: int | None = None
        self._moved_at = 0.0
        self.bytes = 0

    def count(self, size: int) -> None:
        """Keep so many bytes now."""
        if size != self.bytes:
            self._held.add(size - self.bytes)
            self.bytes = size
        if not size:
            self._left = None

    def has_room(self, size: int) -> bool:
        """Keep so many bytes of a request, which grows; False when there is no room. Small ones find room always."""
        if size <= LARGE_BYTES:
            return True
        if not self._held.has_room(size - self.bytes):
            return False
        self.count(size)
        return True

    def moves(self, left: int, now: float) -> tuple[bool, bool]:
        """A peer has so much left to send or to take: whether it has moved, and whether memory is too short to wait.

        Then it must move 16 KB a second.
        """
        pressed = self._held.pressed
        moved = self._left is None or self._left - left >= (_LEAST_MOVED_BYTES if pressed else 1)
        if moved:
            self._left, self._moved_at = left, now
        return moved, pressed and now - self._moved_at >= _STANDSTILL_S
