"""The port of what is counted of tenants: behind the requests, as it takes as long as there is much."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from memory.model.stats import SessionCounts, TenantCounts


class Counts(Protocol):
    """What was counted last, and whose is to be counted. All methods raise StoreUnavailable or DeadlineExceeded."""

    async def latest(self, tenant: str) -> TenantCounts | None:
        """What was counted last of a tenant; None: nothing yet, or nothing for a month."""
        ...

    async def ask(self, tenant: str) -> None:
        """Have a tenant's counted. Asked twice it is counted once."""
        ...

    async def asked(self) -> Sequence[str]:
        """The tenants whose are to be counted."""
        ...

    def claim(self, tenant: str) -> AbstractAsyncContextManager[bool]:
        """Count a tenant alone; False: somebody else does, or it is done. Lapses with its holder."""
        ...

    async def let_go(self, tenant: str) -> None:
        """Nobody asks for it any more, though it was not counted."""
        ...

    async def keep(self, tenant: str, counts: TenantCounts) -> None:
        """This was counted: nobody asks for it any more."""
        ...

    async def sessions(self, tenant: str) -> SessionCounts:
        """Count the sessions of a tenant. Costs what there is of all tenants."""
        ...
