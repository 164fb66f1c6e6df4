"""A worker's sign of life, and what it means when there is none."""

import asyncio
import contextlib
import os
import socket
import uuid
from collections.abc import Callable, Sequence
from typing import Any, Final

from gateway.observe.health import DEGRADED, OK, Component
from memory.errors import TemporaryError
from memory.stores.redis.workers import Heard, RedisWorkers

_INTERVAL_S: Final = 3.0
DEAD_AFTER_S: Final = 12.0
"""Three beats and a slow moment."""
START_S: Final = 15.0
"""So long a worker may take to start."""
_NO_WORKER: Final = (
    "sessions that end do not become memory: start `anamnesis worker` on this Redis, or a gateway with its own worker "
    "(finalization.enabled, without --no-worker)"
)


class Heart:
    """Beats as long as its worker works; what it says is `tell()`, a few fields without names of anybody."""

    def __init__(self, workers: RedisWorkers, tell: Callable[[], dict[str, Any]]) -> None:
        self._workers = workers
        self._tell = tell
        self._worker = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"

    async def run(self) -> None:
        """Beat until cancelled, and say farewell then. Trouble with Redis is waited out."""
        try:
            while True:
                with contextlib.suppress(TemporaryError):  # whoever looks finds the last beat older and older
                    await self._workers.beat(self._worker, self._tell())
                await asyncio.sleep(_INTERVAL_S)
        finally:
            with contextlib.suppress(TemporaryError):
                await self._workers.leave(self._worker)


def living(heard: Sequence[Heard]) -> list[Heard]:
    """Those that were heard of a moment ago."""
    return [each for each in heard if each.age_s <= DEAD_AFTER_S]


def worker_component(state: str, heard: Sequence[Heard], up_s: float) -> Component:
    """What is to be said of the workers of this Redis. `state`: of this gateway's own (jobs.WORKER_STATES).

    `up_s`: since when there is somebody to listen. A worker that starts beside the gateway is not missed at once.
    """
    found: Component = {"status": OK, "state": state, "workers": len(living(heard))}
    if heard:
        found["heartbeat_age_s"] = round(heard[0].age_s, 1)
    if state == "failed":
        return found | {"status": DEGRADED, "reason": "it failed and starts again; the log says why"}
    if not heard and up_s < START_S:
        return found
    reason = silence(heard)
    return found | {"status": DEGRADED, "reason": reason} if reason else found


def silence(heard: Sequence[Heard]) -> str:
    """Why nobody turns sessions into memory; empty when somebody does."""
    if living(heard):
        return ""
    if heard:
        return f"the last worker was last heard of {heard[0].age_s:.0f} s ago; {_NO_WORKER}"
    return f"no worker was heard of within an hour; {_NO_WORKER}"
