"""The port of who asked for what."""

from collections.abc import Sequence
from typing import Protocol

from memory.model.audit import AuditEntry, AuditFound, AuditWanted


class AuditLog(Protocol):
    """The last requests of each tenant. All methods raise StoreUnavailable, StoreFull or DeadlineExceeded."""

    async def note(self, entries: Sequence[tuple[str, AuditEntry]]) -> None:
        """Keep entries, each with its tenant, in this order. After an error some may be kept twice, none is lost."""
        ...

    async def page(self, tenant: str, wanted: AuditWanted) -> AuditFound:
        """The newest first. May have fewer than asked for where few match; goes on from `after` all the same."""
        ...
