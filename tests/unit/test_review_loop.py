"""How often a worker has questions decided: at once while there is more, later where something is in the way."""

import asyncio
from typing import Any

import pytest

from gateway.work.loops import ReviewLoop
from memory.errors import BudgetExhausted, ModelUnavailable

LONG_S = 3_600.0


class Runner:
    """Reviews of two tenants: what each run comes to, one after the other; then there is nothing left."""

    tenants = ("a", "b")

    def __init__(self, **outcomes: list[Any]) -> None:
        self.left = outcomes
        self.asked: list[str] = []

    async def run(self, tenant: str) -> bool:
        self.asked.append(tenant)
        outcome = self.left[tenant].pop(0) if self.left[tenant] else False
        if isinstance(outcome, Exception):
            raise outcome
        return bool(outcome)


async def asked_of(runner: Any) -> str:
    """The tenants that were worked on before the loop rested."""
    looping = asyncio.create_task(ReviewLoop(runner, LONG_S).run())
    known = -1
    while known != len(runner.asked):
        known = len(runner.asked)
        for _ in range(20):
            await asyncio.sleep(0)
    looping.cancel()
    await asyncio.gather(looping, return_exceptions=True)
    return "".join(runner.asked)


async def test_reviews_go_on_while_any_tenant_has_more() -> None:
    assert await asked_of(Runner(a=[True, True, False], b=[False])) == "abaa"
    assert await asked_of(Runner(a=[], b=[])) == "ab"


@pytest.mark.parametrize("trouble", [ModelUnavailable("away"), BudgetExhausted("for today")])
async def test_reviews_in_trouble_wait_and_hold_up_no_other_tenant(trouble: Exception) -> None:
    assert await asked_of(Runner(a=[trouble, trouble], b=[True, True])) == "abbb"
