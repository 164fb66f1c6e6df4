"""What a tenant may spend on a model in a day (UTC): a hard stop before the request that could pass it.

A request is paid for in advance, at the most it can cost: its tokens and all the output it may have. What it did not
use comes back once the answer says what it used. So the sum never passes the limit, whatever runs at the same time;
near the limit a request may be refused that would just have fitted.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from memory.errors import BudgetExhausted
from memory.model.stats import Spent

_MICROS: Final = 1_000_000
_DAYS_KEPT: Final = 2
"""A request that was paid for before midnight is settled after it, on its own day."""


class Ledger(Protocol):
    """Sums by tenant and day, for as long as the day and the one after it."""

    async def add(self, tenant: str, day: str, tokens: int, micros: int) -> tuple[int, int]:
        """Add (less, when negative) and return the sums after it, as one atomic step."""
        ...

    async def spent(self, tenant: str, day: str) -> tuple[int, int]:
        """The sums as they are."""
        ...


class InMemoryLedger:
    """A ledger of one process; forgotten when it ends."""

    def __init__(self) -> None:
        self._days: dict[str, dict[str, tuple[int, int]]] = {}

    async def add(self, tenant: str, day: str, tokens: int, micros: int) -> tuple[int, int]:
        """Add to a day that is kept; the days before the last two are forgotten."""
        sums = self._days.setdefault(day, {})
        before = sums.get(tenant, (0, 0))
        after = sums[tenant] = (before[0] + tokens, before[1] + micros)
        for old in sorted(self._days)[:-_DAYS_KEPT]:
            del self._days[old]
        return after

    async def spent(self, tenant: str, day: str) -> tuple[int, int]:
        """Nothing on a day on which nothing was added."""
        return self._days.get(day, {}).get(tenant, (0, 0))


@dataclass(frozen=True, slots=True)
class BudgetLimits:
    """Limits of one tenant's UTC day; 0: none. Prices are money per million tokens, in the unit of `money_per_day`."""

    tokens_per_day: int = 0
    money_per_day: float = 0.0
    price_in: float = 0.0
    price_out: float = 0.0

    def shortfall(self, tokens_in: int, tokens_out: int) -> str:
        """Why a request of this size could not be paid for on any day; empty when it could."""
        micros = math.ceil(tokens_in * self.price_in + tokens_out * self.price_out)
        if 0 < self.tokens_per_day < tokens_in + tokens_out:
            return (
                f"budget.tokens_per_day is {self.tokens_per_day}, and one request may take {tokens_in} tokens and "
                f"give {tokens_out}: set it to {tokens_in + tokens_out} or more, or lower mind.part_tokens and "
                "mind.max_output_tokens"
            )
        if 0 < self.money_per_day * _MICROS < micros:
            return (
                f"budget.money_per_day is {self.money_per_day:g}, and one request of {tokens_in} tokens and an answer "
                f"of {tokens_out} may cost {micros / _MICROS:g}: raise it, or check budget.price_in and price_out "
                "(money for a million tokens)"
            )
        return ""


@dataclass(frozen=True, slots=True)
class Reservation:
    """What was paid in advance, and on which account."""

    tenant: str
    day: str
    tokens: int
    micros: int


class Budget:
    """Pays for requests. `today` returns the UTC day as YYYY-MM-DD."""

    def __init__(self, limits: BudgetLimits, ledger: Ledger, today: Callable[[], str]) -> None:
        self._limits = limits
        self._ledger = ledger
        self._today = today

    async def reserve(self, tenant: str, tokens_in: int, tokens_out: int) -> Reservation:
        """Pay for a request at the most it can cost. Raises BudgetExhausted, and then nothing is paid."""
        day, tokens, micros = self._today(), tokens_in + tokens_out, self._micros(tokens_in, tokens_out)
        tokens_sum, micros_sum = await self._ledger.add(tenant, day, tokens, micros)
        limits = self._limits
        spent = (0 < limits.tokens_per_day < tokens_sum, 0 < limits.money_per_day * _MICROS < micros_sum)
        if any(spent):
            await self._ledger.add(tenant, day, -tokens, -micros)
            raise BudgetExhausted(f"the day's {'tokens' if spent[0] else 'money'} for the model would be passed")
        return Reservation(tenant, day, tokens, micros)

    async def settle(self, paid: Reservation, tokens_in: int, tokens_out: int) -> None:
        """Replace what was paid in advance by what was used."""
        micros = self._micros(tokens_in, tokens_out)
        await self._ledger.add(paid.tenant, paid.day, tokens_in + tokens_out - paid.tokens, micros - paid.micros)

    async def spent(self, tenant: str) -> Spent:
        """What was used today, and what is paid in advance (the Spending port)."""
        tokens, micros = await self._ledger.spent(tenant, self._today())
        return Spent(tokens, self._limits.tokens_per_day, micros / _MICROS, self._limits.money_per_day)

    def _micros(self, tokens_in: int, tokens_out: int) -> int:
        return math.ceil(tokens_in * self._limits.price_in + tokens_out * self._limits.price_out)
