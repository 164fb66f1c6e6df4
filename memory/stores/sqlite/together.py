"""What many callers ask for at the same time, done in one go: a way to a thread and back costs more than a row."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Generic, TypeVar

W = TypeVar("W")


class _Batch(Generic[W]):
    def __init__(self) -> None:
        self.works: Final[list[W]] = []
        self.done: asyncio.Task[list[Any]]


class Together(Generic[W]):
    """Runs what is asked for while it is busy as one batch, once it is free.

    `run` gives for each of a batch, in order, what it gave or the error of its own; what `run` raises is of all.
    """

    def __init__(self, name: str, run: Callable[[Sequence[W]], Awaitable[list[Any]]]) -> None:
        self._name, self._run = name, run
        self._next: _Batch[W] | None = None
        self._one_at_a_time = asyncio.Lock()

    async def do(self, work: W) -> Any:
        """What it gave. Who goes away takes nobody's work along."""
        batch = self._next
        if batch is None:
            batch = self._next = _Batch()
            batch.done = asyncio.create_task(self._do_all(batch), name=self._name)
        place = len(batch.works)
        batch.works.append(work)
        result = (await asyncio.shield(batch.done))[place]
        if isinstance(result, Exception):
            raise result
        return result

    async def _do_all(self, batch: _Batch[W]) -> list[Any]:
        async with self._one_at_a_time:
            self._next = None  # what comes from here on is of the next one
            return await self._run(batch.works)
