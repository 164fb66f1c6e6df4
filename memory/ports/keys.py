"""The port of who may ask."""

from collections.abc import Sequence
from typing import Protocol

from memory.model.keys import Key


class KeyRing(Protocol):
    """The API keys there are."""

    @property
    def open(self) -> bool:
        """True: there are none, and everybody on this machine may do all."""
        ...

    @property
    def tenants(self) -> Sequence[str]:
        """Those who may ask."""
        ...

    def of(self, tenant: str) -> Sequence[Key]:
        """A tenant's, also those that were revoked, by their names."""
        ...
