"""Cost as growth: what four times the input costs beside the input itself, in CPU time, the least of several runs."""

import gc
import time
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

TIMES: Final = 4
ROUNDS: Final = 5
LINEAR: Final = 8.0
"""Four times the input costs four times as much, or sixteen times; the bound lies between."""
FLOOR_S: Final = 0.05
"""What costs less proves nothing."""


def cpu_seconds(work: Callable[[T], object], given: T) -> float:
    """What one call costs this thread; the garbage of other tests is not collected on its account."""
    gc.disable()
    try:
        began = time.thread_time()
        work(given)
        return time.thread_time() - began
    finally:
        gc.enable()


def assert_grows(work: Callable[[T], object], made: Callable[[int], T], size: int, *, at_most: float = LINEAR) -> None:
    """`work(made(size))` costs at most so many times what `work(made(size // 4))` costs.

    Both are measured in turn until it is seen to hold; AssertionError when it never was. `work` runs on this thread.
    """
    part, whole = made(size // TIMES), made(size)
    shares, costs = [], []
    for _ in range(ROUNDS):
        costs.append(cpu_seconds(work, whole))
        if min(costs) < FLOOR_S:
            return
        shares.append(cpu_seconds(work, part))
        if min(costs) <= at_most * min(shares):
            return
    growth = min(costs) / min(shares)
    raise AssertionError(
        f"{TIMES} times the input costs {growth:.1f} times as much, {at_most:g} at most: "
        f"{min(shares):.3f} s for {size // TIMES}, {min(costs):.3f} s for {size}"
    )
