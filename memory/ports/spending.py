"""The port of what a tenant's models cost."""

from typing import Protocol

from memory.model.stats import Spent


class Spending(Protocol):
    """What was used of a tenant's budget for models. Raises StoreUnavailable or DeadlineExceeded."""

    async def spent(self, tenant: str) -> Spent:
        """Today, with what is paid in advance for requests that are under way."""
        ...
