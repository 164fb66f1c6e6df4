"""Work that goes on after an answer, bounded in number; and the time of day."""

import asyncio
import gc
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

_LOG: Final = logging.getLogger("anamnesis.background")
_TASKS_MAX: Final = 256


_GC_THRESHOLDS: Final = (50_000, 20, 50)


def settle_memory() -> None:
    """Take what the start has loaded out of the garbage collector's walks, and let it walk less often.

    A request makes no cycles, but hundreds of thousands of modules' objects would be walked again and again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)


class BackgroundTasks:
    """The Background port: asyncio tasks, at most 256 at once."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Callable[[], Awaitable[None]], name: str) -> bool:
        """Start it, unless too much is under way (False). What it raises is logged."""
        if len(self._tasks) >= _TASKS_MAX:
            return False

        async def run() -> None:
            await work()

        task = asyncio.create_task(run(), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return True

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOG.warning("background work failed", extra={"error": type(error).__name__})

    async def drain(self, timeout_s: float) -> None:
        """Let what is under way end, and cancel what does not within the time."""
        if self._tasks:
            _, late = await asyncio.wait(set(self._tasks), timeout=timeout_s)
            for task in late:
                task.cancel()


class SystemClock:
    """The Clock port."""

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return time.time_ns() // 1_000_000
