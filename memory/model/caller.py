"""Who asks."""

from dataclasses import dataclass

from memory.model.memory import CALLER


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the tenant, the scopes and the name come from the API key, never from a body."""

    tenant: str
    scopes: frozenset[str]
    name: str = ""

    @property
    def by(self) -> str:
        """Who is named where something was changed."""
        return self.name or CALLER
