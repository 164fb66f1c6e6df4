"""Waiting for what must come. A deadline stands only where one is promised: how fast a machine is, no test asserts."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from tests.deadlines import LATE_S

PATIENCE_S: Final = 600.0
"""What is not promised by then hangs."""
POLL_S: Final = 0.02


def wait_until(condition: Callable[[], Any], what: str = "", *, within_s: float = PATIENCE_S) -> Any:
    """Ask again and again, and return the first true answer. Raises AssertionError once it is late."""
    deadline = _Deadline(what or str(condition), within_s)
    while not (answer := condition()):
        deadline.check()
        time.sleep(POLL_S)
    return answer


async def eventually(condition: Callable[[], Awaitable[Any]], what: str, *, within_s: float = PATIENCE_S) -> Any:
    """`wait_until` for a condition that is asked on the event loop."""
    deadline = _Deadline(what, within_s)
    while not (answer := await condition()):
        deadline.check()
        await asyncio.sleep(POLL_S)
    return answer


class _Deadline:
    def __init__(self, what: str, within_s: float) -> None:
        self._what, self._within_s = what, within_s
        self._at = time.monotonic() + within_s + LATE_S

    def check(self) -> None:
        assert time.monotonic() < self._at, f"not within {self._within_s:g} s: {self._what}"
