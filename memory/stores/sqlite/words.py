"""The words of records as numbers, so that those of all of a user's records are compared with a query's at once.

A record keeps one number of 64 bits for each of its words: 48 bits that stand for the word, and how often it occurs.
They lie beside the record, as its vector does: no list of words spans users, none counts another user's words, and a
record that is erased leaves none behind (docs/decisions/0018).
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from memory.language.terms import number_of
from memory.model.search import Numbers, Said
from memory.retrieval.lexical import Found, bm25_parts

_COUNTED: Final = 16
_OFTEN_MAX: Final = 2**_COUNTED - 1
_NUMBERS: Final = np.dtype("<u8")


def counts(words: Sequence[str]) -> bytes:
    """What is kept of a record's words."""
    each = [number_of(word) << _COUNTED | min(often, _OFTEN_MAX) for word, often in Counter(words).items()]
    return np.array(each, _NUMBERS).tobytes()


class Words:
    """The words of several records, sorted, each with what it adds to its record's BM25.

    That depends on the records and not on what is asked, so a query only sums up what its own words add.
    """

    def __init__(self, kept: Sequence[bytes]) -> None:
        """One value of `counts` for each record; empty for one whose words are not kept."""
        entries = np.frombuffer(b"".join(kept), _NUMBERS)
        records = np.repeat(np.arange(len(kept)), [len(each) // _NUMBERS.itemsize for each in kept])
        order = np.argsort(entries, kind="stable")
        entries, places = entries[order], records[order]
        often = (entries & _OFTEN_MAX).astype(np.float64)
        self._size, self._records = len(kept), places.astype(np.int32)
        self._often = often.astype(np.uint16)
        self._said, words = np.unique(entries >> _COUNTED, return_inverse=True)
        self._begin = np.append(np.searchsorted(words, np.arange(len(self._said))), len(words))
        lengths = np.bincount(places, often, len(kept)).astype(np.float64)
        self._adds = bm25_parts(Found(places, words, often), lengths, len(kept))

    @property
    def nbytes(self) -> int:
        """What it takes of memory."""
        return sum(int(each.nbytes) for each in (self._said, self._begin, self._records, self._often, self._adds))

    def scores(self, asked: Sequence[str]) -> Numbers:
        """BM25 of each record among these for the words asked for; 0 where it has none of them."""
        if not len(self._said):
            return np.zeros(self._size)
        wanted = np.array(list({number_of(word) for word in asked}), _NUMBERS)
        places = self._said.searchsorted(wanted)
        places = places[self._said.take(places, mode="clip") == wanted]
        begin = self._begin[places]
        often = self._begin[places + 1] - begin
        ends = often.cumsum()
        hits = np.arange(ends[-1] if len(ends) else 0) + (begin - ends + often).repeat(often)
        scores = np.bincount(self._records[hits], self._adds[hits], self._size)
        return scores.astype(np.float64, copy=False)  # without a hit they are whole numbers

    def of(self, places: Sequence[int]) -> Said:
        """The words of some of the records, which are numbered as they are named here."""
        numbered = np.full(self._size, -1, np.int32)
        numbered[places] = np.arange(len(places), dtype=np.int32)
        records = numbered[self._records]
        (hits,) = np.nonzero(records >= 0)
        words = self._said[np.searchsorted(self._begin, hits, side="right") - 1]
        return Said(records[hits].astype(np.intp), words, self._often[hits].astype(np.intp))
