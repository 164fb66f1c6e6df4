"""The words of records as numbers, so that those of all of a user's records are compared with a query's at once.

A record keeps one number of 64 bits for each of its words: 48 bits that stand for the word, and how often it occurs.
They lie beside the record, as its vector does: no list of words spans users, none counts another user's words, and a
record that is erased leaves none behind (docs/decisions/0018).
"""

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

import numpy as np

from memory.model.search import Numbers
from memory.retrieval.lexical import Found, bm25

_BYTES: Final = 6
_COUNTED: Final = 16
_OFTEN_MAX: Final = 2**_COUNTED - 1
_NUMBERS: Final = np.dtype("<u8")


def _number(word: str) -> int:
    return int.from_bytes(blake2b(word.encode(), digest_size=_BYTES).digest(), "little")


def counts(words: Sequence[str]) -> bytes:
    """What is kept of a record's words."""
    each = [_number(word) << _COUNTED | min(often, _OFTEN_MAX) for word, often in Counter(words).items()]
    return np.array(each, _NUMBERS).tobytes()


def scores(kept: Sequence[bytes], asked: Sequence[str]) -> Numbers:
    """BM25 of each record among these for the words asked for, one at least; 0 where it has none of them."""
    entries = np.frombuffer(b"".join(kept), _NUMBERS)
    records = np.repeat(np.arange(len(kept)), [len(each) // _NUMBERS.itemsize for each in kept])
    said, often = entries >> _COUNTED, (entries & _OFTEN_MAX).astype(np.float64)
    wanted = np.unique(np.array([_number(word) for word in asked], _NUMBERS))
    words = np.minimum(np.searchsorted(wanted, said), len(wanted) - 1)
    hits = np.flatnonzero(wanted[words] == said)
    lengths = np.bincount(records, often, len(kept)).astype(np.float64)
    return bm25(Found(records[hits], words[hits], often[hits]), lengths, len(kept))
