"""Index generations: what a store's index entries were made with. Only entries of one generation can be compared."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.errors import SetupError


@dataclass(frozen=True, slots=True)
class Generation:
    """Embedding space (empty: no vectors) and version of the keyword terms; `ready`: once it had every record."""

    space: str
    terms: int
    ready: bool = True

    def is_same(self, other: "Generation") -> bool:
        """Whether entries of both can be compared."""
        return (self.space, self.terms) == (other.space, other.terms)

    def __str__(self) -> str:
        return f"{self.space or 'no vectors'}, terms version {self.terms}{'' if self.ready else ' (not complete)'}"


def not_there(where: str, wanted: Generation, found: Sequence[Generation]) -> SetupError:
    """Why a store that has memories cannot be used with these settings, and what to do."""
    having = "; ".join(map(str, found)) or "nothing"
    return SetupError(
        f"the memories in {where} are indexed for: {having}. The settings ask for: {wanted}; vectors of two models "
        "can't be compared. Run `anamnesis reindex` with these settings (gateways with the old ones may go on "
        "meanwhile), or set embeddings back"
    )
