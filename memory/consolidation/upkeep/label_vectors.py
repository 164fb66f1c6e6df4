"""Vectors of labels, kept from one tidying to the next: embedding them is what tidying costs."""

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memory.ports import Embedder

KEPT_MAX: Final = 10_000
"""Some 15 MB of 384 numbers each."""
_TOGETHER: Final = 64
_DIGEST_BYTES: Final = 16


class LabelVectors:
    """Those of the labels that were asked for last. A label itself is not kept, only a digest that tells it apart."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: OrderedDict[bytes, NDArray[np.float32]] = OrderedDict()

    async def of(self, labels: Sequence[str]) -> NDArray[np.float32]:
        """A row for each label; only those that are not kept are embedded. Raises what the embedder raises."""
        keys = [blake2b(label.encode(), digest_size=_DIGEST_BYTES).digest() for label in labels]
        rows = {key: self._kept[key] for key in keys if key in self._kept}  # others may push them out meanwhile
        new = list({key: label for key, label in zip(keys, labels, strict=True) if key not in rows}.items())
        for start in range(0, len(new), _TOGETHER):
            some = new[start : start + _TOGETHER]
            vectors = await self._embedder.passages([label for _, label in some])
            rows |= {key: vector for (key, _), vector in zip(some, vectors, strict=True)}
        for key, vector in rows.items():
            self._kept[key] = vector
            self._kept.move_to_end(key)
        while len(self._kept) > KEPT_MAX:
            self._kept.popitem(last=False)
        return np.array([rows[key] for key in keys], np.float32)
