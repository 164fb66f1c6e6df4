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


class Words:
    """The words of several records, sorted, so that those a query asks for are found without looking at the others."""

    def __init__(self, kept: Sequence[bytes]) -> None:
        """One value of `counts` for each record; empty for one whose words are not kept."""
        entries = np.frombuffer(b"".join(kept), _NUMBERS)
        records = np.repeat(np.arange(len(kept), dtype=np.int32), [len(each) // _NUMBERS.itemsize for each in kept])
        often = (entries & _OFTEN_MAX).astype(np.float32)
        order = np.argsort(entries, kind="stable")
        self._said, self._records, self._often = entries[order] >> _COUNTED, records[order], often[order]
        self._lengths = np.bincount(records, often, len(kept)).astype(np.float64)

    @property
    def nbytes(self) -> int:
        """What it takes of memory."""
        return self._said.nbytes + self._records.nbytes + self._often.nbytes + self._lengths.nbytes

    def scores(self, asked: Sequence[str]) -> Numbers:
        """BM25 of each record among these for the words asked for, one at least; 0 where it has none of them."""
        wanted = np.array(sorted({_number(word) for word in asked}), _NUMBERS)
        begin, end = np.searchsorted(self._said, wanted, "left"), np.searchsorted(self._said, wanted, "right")
        held = end - begin
        words = np.repeat(np.arange(len(wanted)), held)
        hits = np.arange(len(words)) + np.repeat(begin - np.cumsum(held) + held, held)
        return bm25(Found(self._records[hits], words, self._often[hits]), self._lengths, len(self._lengths))
