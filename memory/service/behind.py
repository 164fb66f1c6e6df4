"""What is written down behind answers: all that has come meanwhile in one write."""

from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from memory.ports import Background

_WAITING_MAX: Final = 10_000

K = TypeVar("K")
V = TypeVar("V")


class Behind(Generic[K, V]):
    """Values that wait to be written, the last one of each key. One write is under way at a time."""

    def __init__(self, write: Callable[[dict[K, V]], Awaitable[None]], background: Background, name: str) -> None:
        self._write = write
        self._background = background
        self._name = name
        self._waiting: dict[K, V] = {}
        self._writing = False

    def put(self, key: K, value: V) -> None:
        """Have it written. Lost is what a write that fails had taken, and what comes while very many wait."""
        if key in self._waiting or len(self._waiting) < _WAITING_MAX:
            self._waiting[key] = value
        if not self._writing:
            self._writing = self._background.start(self._empty, self._name)

    async def _empty(self) -> None:
        try:
            while self._waiting:
                waiting, self._waiting = self._waiting, {}
                await self._write(waiting)
        finally:
            self._writing = False
