"""Whom there is something new of: each is tidied, also after one who cannot be; what is new meanwhile comes next.

Whom settling failed for is come back to.
"""

from typing import Any

import pytest

from gateway.observe.metrics import Metrics
from gateway.work.worker import SettlingRunner
from memory.consolidation.upkeep.tidy import Tidied
from memory.errors import StoreUnavailable
from memory.scope import UserScope

A, B = UserScope("t", "a"), UserScope("t", "b")


class Settling:
    """The settler: fails for A as often as it is told, and hears of news while it works on B."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.asked: list[UserScope] = []
        self.runner: Any = None

    async def tidy(self, scope: UserScope) -> Tidied:
        self.asked.append(scope)
        if scope == A and self.failures:
            self.failures -= 1
            raise StoreUnavailable("not now")
        if scope == B and self.asked.count(B) == 1:
            self.runner.note(B)
        return Tidied(merged=1, suggested=2)

    async def complete(self, scope: UserScope) -> int:
        self.asked.append(scope)
        if scope == A and self.failures:
            self.failures -= 1
            raise StoreUnavailable("not now")
        return 1


async def test_one_who_cannot_be_tidied_stops_nobody_and_news_are_not_lost() -> None:
    settler: Any = Settling(failures=1)
    metrics = Metrics()
    runner = settler.runner = SettlingRunner(settler, metrics)
    runner.note(A)
    runner.note(B)
    await runner.tidy_all()
    assert settler.asked == [A, B]
    await runner.tidy_all()
    assert sorted(map(str, settler.asked[2:])) == sorted(map(str, [A, B]))
    await runner.tidy_all()
    assert len(settler.asked) == 4
    assert (metrics.total("merged"), metrics.total("suggested")) == (3, 6)


async def test_whom_settling_failed_for_is_come_back_to_until_it_is_done() -> None:
    settler: Any = Settling(failures=2)
    runner = SettlingRunner(settler, Metrics())
    await runner.settle(B)
    with pytest.raises(StoreUnavailable):
        await runner.settle(A)
    for _ in range(3):
        await runner.settle_behind()
    assert settler.asked == [B, A, A, A]
