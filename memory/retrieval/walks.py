"""What the best of a search have in common with each other: a step from them by words, and one by meaning.

A question whose answer stands in several messages names one of them well and the others badly; they share rarer words
with it, or say much the same. Of the records that fit best, the first are where a walk begins, each with a share p of
the squares of how much better they fit than the last of them. A word that w records have as their own hands what it is
given to each of them in parts of 1/w, and gets from a record with d such words p/d of its share:

    words_i = sum over words of i: 1/w * sum over beginnings b with the word: p_b / d_b
    meaning_i = sum over the first beginnings b: p_b * max(0, cosine of i and b, less the mean of all compared)

Both are z-scores times a weight (docs/scoring.md). What fits best with them is where the walk begins once more: what it
adds that time counts, instead of what it added first. What asks hands on nothing and gets nothing by its words; words
of every tenth record, or of one alone, neither. Measured against other weights and lengths: docs/decisions/0042.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.language.terms import number_of
from memory.model.search import Candidate, Compared, IndexEntry, Numbers, Said, Vector
from memory.retrieval.relevance import z_scores

WORDS_WALK, MEANING_WALK = 0.75, 0.3
WORDS_WALK_ALONE: Final = 0.6
"""Where nothing is compared by meaning."""
COMPARED_MAX: Final = 400
"""Records that are compared with each other: the best of a search."""
_TIMES: Final = 2
_BEGUN_FROM: Final = 20
_BEGUN_FROM_BY_MEANING: Final = 10
_COMMON: Final = 0.1
_FLOOR: Final = 0.1
_OWN_TWICE: Final = 2
"""A passage's index text has its own words twice and its neighbours' once (`memory.language.terms.in_context`)."""


class _Words(NamedTuple):
    """What records have in common: a row for each word of each of them. `held`: by how many, for each word."""

    records: NDArray[np.intp]
    words: NDArray[np.intp]
    held: NDArray[np.intp]

    def walked(self, begun: NDArray[np.intp], share: Numbers, count: int) -> Numbers:
        """What each of so many records is given."""
        begins = np.zeros(count)
        begins[begun] = share
        given = begins / np.maximum(1, np.bincount(self.records, minlength=count))
        handed = np.bincount(self.words, given[self.records], len(self.held)) / np.maximum(1, self.held)
        return np.bincount(self.records, handed[self.words], count).astype(np.float64)


class _Meanings(NamedTuple):
    """Vectors less their mean, of length 1, a row for each record; zeros for one that has none."""

    rows: NDArray[np.float32]

    def walked(self, begun: NDArray[np.intp], share: Numbers) -> Numbers:
        """What each record is given."""
        near: Numbers = np.maximum(self.rows @ self.rows[begun].T, 0) @ share
        return near


def walks(compared: Compared, candidates: Sequence[Candidate], fit: Numbers) -> dict[str, Numbers]:
    """What walks add to each of the records that are compared; `candidates` and `fit` (S) are theirs."""
    words, meanings = _words(compared.said, candidates), _meanings(compared.vectors)
    by_words = WORDS_WALK if meanings is not None else WORDS_WALK_ALONE
    parts, standing, near = dict[str, Numbers](), fit, slice(_BEGUN_FROM_BY_MEANING)
    for _ in range(_TIMES):
        begun = np.argsort(-standing, kind="stable")[:_BEGUN_FROM]
        share = (standing[begun] - standing[begun].min() + _FLOOR) ** 2
        share /= share.sum()
        parts["words_walk"] = by_words * z_scores(words.walked(begun, share, len(candidates)))
        if meanings is not None:
            parts["meaning_walk"] = MEANING_WALK * z_scores(meanings.walked(begun[near], share[near]))
        standing = fit + np.add.reduce(list(parts.values()))
    return parts


def _words(said: Said, candidates: Sequence[Candidate]) -> _Words:
    passage = np.array([bool(each.position and each.unit_id) for each in candidates], bool)
    asks = np.array([each.asks for each in candidates], bool)
    own = ((said.often >= _OWN_TWICE) | ~passage[said.records]) & ~asks[said.records]
    records, (_, words) = said.records[own], np.unique(said.words[own], return_inverse=True)
    held = np.bincount(words)
    joins = (held > 1) & (held <= max(2.0, _COMMON * len(candidates)))
    return _Words(records[joins[words]], words[joins[words]], held)


def _meanings(vectors: NDArray[np.float32]) -> _Meanings | None:
    have = ~np.isnan(vectors[:, 0]) if vectors.shape[1] else np.zeros(0, bool)
    if not have.any():
        return None
    known = vectors if have.all() else np.where(have[:, None], vectors, np.float32(0))
    centred = known - np.add.reduce(known) / np.float32(np.count_nonzero(have))
    lengths = np.sqrt(np.einsum("ij,ij->i", centred, centred))
    weights = np.where(have, 1 / np.maximum(lengths, np.finfo(np.float32).eps), np.float32(0))
    return _Meanings(centred * weights[:, None].astype(np.float32))


def compared_of(places: Sequence[int], texts: Sequence[tuple[str, Vector | None]]) -> Compared:
    """Of records by their places, each with its index text and its vector."""
    width = next((len(vector) for _, vector in texts if vector is not None), 0)
    vectors = np.full((len(texts), width), np.nan, np.float32)
    for row, (_, vector) in enumerate(texts):
        if vector is not None:
            vectors[row] = vector
    return Compared(places, _said([text.split() for text, _ in texts]), vectors)


def beside(compared: Compared, fresh: Sequence[IndexEntry], first: int) -> Compared:
    """With records that the store does not hold yet, whose places begin at `first`."""
    new = _said([entry.terms for entry in fresh])
    blank = np.full((len(fresh), compared.vectors.shape[1]), np.nan, np.float32)
    for row, entry in enumerate(fresh):
        if entry.vector is not None and blank.shape[1]:
            blank[row] = entry.vector
    known = compared.said
    return Compared(
        [*compared.places, *range(first, first + len(fresh))],
        Said(
            np.concatenate([known.records, len(compared.places) + new.records]),
            np.concatenate([known.words, new.words]),
            np.concatenate([known.often, new.often]),
        ),
        np.concatenate([compared.vectors, blank]),
    )


def _said(texts: Sequence[Sequence[str]]) -> Said:
    rows = [(row, number_of(term), often) for row, text in enumerate(texts) for term, often in Counter(text).items()]
    records, words, often = np.array(rows, np.uint64).reshape(-1, 3).T
    return Said(records.astype(np.intp), words, often.astype(np.intp))
