"""What the best of a search have in common with each other: a step from them by words, and one by meaning.

A question whose answer stands in several messages names one of them well and the others badly; they share rarer words
with it, or say much the same. Of the records that fit best, the first are where a walk begins, each with a share p of
all that they fit better than the last of them. A word that w records have as their own hands what it is given to each
of them in parts of 1/w, and gets from a record with d such words p/d of its share:

    words_i = sum over words of i: 1/w * sum over beginnings b with the word: p_b / d_b
    meaning_i = sum over the first beginnings b: p_b * max(0, cosine of i and b, less the mean of all compared)

Both are z-scores times a weight (docs/scoring.md). What asks hands on nothing and gets nothing by its words; words of
every tenth record, or of one alone, neither. Measured against other weights and lengths: docs/decisions/0042.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memory.language.terms import number_of
from memory.model.search import Candidate, Compared, IndexEntry, Numbers, Said, Vector
from memory.retrieval.relevance import z_scores

WORDS_WALK, MEANING_WALK = 0.3, 0.3
COMPARED_MAX: Final = 400
"""Records that are compared with each other: the best of a search."""
_BEGUN_FROM: Final = 20
_BEGUN_FROM_BY_MEANING: Final = 10
_COMMON: Final = 0.1
_FLOOR: Final = 0.1
_OWN_TWICE: Final = 2
"""A passage's index text has its own words twice and its neighbours' once (`memory.language.terms.in_context`)."""


def walks(compared: Compared, candidates: Sequence[Candidate], fit: Numbers) -> dict[str, Numbers]:
    """What walks add to each of the records that are compared; `candidates` and `fit` (S) are theirs."""
    order = np.argsort(-fit, kind="stable")[:_BEGUN_FROM]
    share = fit[order] - fit[order].min() + _FLOOR
    share /= share.sum()
    parts = {"words_walk": WORDS_WALK * z_scores(_by_words(compared.said, candidates, order, share))}
    if not np.isnan(compared.vectors).all():
        near = slice(_BEGUN_FROM_BY_MEANING)
        parts["meaning_walk"] = MEANING_WALK * z_scores(_by_meaning(compared.vectors, order[near], share[near]))
    return parts


def _by_words(said: Said, candidates: Sequence[Candidate], begun: NDArray[np.intp], share: Numbers) -> Numbers:
    passage = np.array([bool(each.position and each.unit_id) for each in candidates], bool)
    asks = np.array([each.asks for each in candidates], bool)
    own = ((said.often >= _OWN_TWICE) | ~passage[said.records]) & ~asks[said.records]
    records, (_, words) = said.records[own], np.unique(said.words[own], return_inverse=True)
    held = np.bincount(words)
    joins = (held > 1) & (held <= max(2.0, _COMMON * len(candidates)))
    records, words = records[joins[words]], words[joins[words]]
    begins = np.zeros(len(candidates))
    begins[begun] = share
    given = begins / np.maximum(1, np.bincount(records, minlength=len(candidates)))
    handed = np.bincount(words, given[records], len(held)) / np.maximum(1, held)
    return np.bincount(records, handed[words], len(candidates)).astype(np.float64)


def _by_meaning(vectors: NDArray[np.float32], begun: NDArray[np.intp], share: Numbers) -> Numbers:
    """Cosines of v - m and b - m for vectors of length 1 and their mean m, by one product with all b and m."""
    have = ~np.isnan(vectors[:, 0])
    known = vectors if have.all() else np.where(have[:, None], vectors, np.float32(0))
    mean = np.add.reduce(known) / np.float32(np.count_nonzero(have))
    products = known @ np.vstack([known[begun], mean]).T
    to_mean, square = products[:, -1], mean @ mean
    lengths = np.sqrt(np.maximum(1 - 2 * to_mean + square, np.finfo(np.float32).eps))
    centred = products[:, :-1] - to_mean[:, None] - to_mean[begun] + square
    alike = np.maximum(centred / (lengths[:, None] * lengths[begun]), 0) @ share
    near: Numbers = np.where(have, alike, 0.0)
    return near


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
