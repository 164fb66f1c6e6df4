"""multilingual-e5-small run by onnxruntime: one text a call, on one thread.

One text, because the range that activations are quantised to is that of the whole call: with others beside it a text's
vector would depend on them.
"""

import contextlib
import ctypes
import importlib
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import onnxruntime

from memory.errors import InvariantBroken
from memory.model.search import Vector
from memory.providers.e5.graph import INPUT, OUTPUT, POOL, network
from memory.providers.e5.tokeniser import Tokeniser
from memory.providers.e5.weights import Floats, Weights
from memory.providers.shared_vectors import Kind, checked_vector

_SLOW_ON_CPU: Final = "SkipLayerNormFusion"
"""Its fused kernel takes five times what the two operators take that it replaces."""

_FAULTS: Final = tuple(
    kind
    for kind in vars(importlib.import_module("onnxruntime.capi.onnxruntime_pybind11_state")).values()
    if isinstance(kind, type) and issubclass(kind, Exception)
)
"""What the library raises; they have no base of their own."""


class OnnxE5:
    """The model, loaded. `embed` may be called by several threads; it lets go of the interpreter while it runs.

    Both raise InvariantBroken when the library fails.
    """

    name = "onnxruntime"

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._tokeniser = Tokeniser(weights)
        self._places = (
            weights.floats("emb.pos").reshape(weights.positions, -1) + weights.floats("emb.type")[: weights.dimension]
        )
        options: Any = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        with _faults_are_ours():
            self._session: Any = onnxruntime.InferenceSession(
                network(weights), options, providers=["CPUExecutionProvider"], disabled_optimizers=[_SLOW_ON_CPU]
            )
        _give_back()

    def embed(self, kind: Kind, text: str, tokens_max: int) -> Vector:
        """The vector of a text; of one of more tokens the first and the last half of `tokens_max` count."""
        numbers = self._tokeniser.numbers(kind, text)
        limit = min(tokens_max, self._weights.positions) - 2
        if len(numbers) > limit:
            tail = limit // 2
            numbers = numbers[: limit - tail] + numbers[len(numbers) - tail :]
        return checked_vector(self._run([self._weights.begin, *numbers, self._weights.end]), self._weights.dimension)

    def _run(self, numbers: list[int]) -> Floats:
        summed = self._weights.words(numbers) + self._places[: len(numbers)]
        pool = np.full((1, 1, len(numbers)), 1.0 / len(numbers), np.float32)
        with _faults_are_ours():
            pooled: Floats = self._session.run([OUTPUT], {INPUT: summed[None], POOL: pool})[0][0, 0]
        return pooled


@contextlib.contextmanager
def _faults_are_ours() -> Iterator[None]:
    try:
        yield
    except _FAULTS as error:
        raise InvariantBroken(f"onnxruntime failed ({type(error).__name__}: {error})") from error


def _give_back() -> None:
    """Give the memory that only loading needed back to the system, where its library can."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
