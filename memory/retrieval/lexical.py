"""Records that a store does not hold yet, scored beside those it does (docs/scoring.md).

No store can say what BM25 it would give to a record that is not in it, so the formula is repeated here, with the
statistics of the user's own records (what the store matched, by its index texts, and the new ones), and brought to the
store's scale: Weaviate leaves out a constant factor.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from memory.model.search import Candidate, IndexEntry, Numbers, Pool, Probe
from memory.retrieval.walks import beside

K1: Final = 1.2
B: Final = 0.75
Places = np.ndarray[tuple[int], np.dtype[np.intp]]


class Found(NamedTuple):
    """Where words that are asked for were found: in the text of which place, which word, and how often."""

    texts: Places
    words: Places
    often: np.ndarray[tuple[int], np.dtype[Any]]


def joined(pool: Pool, fresh: Sequence[IndexEntry], probe: Probe) -> Pool:
    """A pool with records beside those of the store; without any it stays the very same."""
    if not fresh:
        return pool
    cosine = [np.nan if each.vector is None or probe.vector is None else each.vector @ probe.vector for each in fresh]
    return Pool(
        [*pool.candidates, *map(_candidate, fresh)],
        np.concatenate([pool.lexical, lexical_beside(pool, probe.terms, [each.terms for each in fresh])]),
        np.concatenate([pool.cosine, np.array(cosine, dtype=np.float64)]),
        read=pool.read,
        compared=beside(pool.compared, fresh, len(pool.candidates)) if pool.compared is not None else None,
    )


def lexical_beside(pool: Pool, terms: Sequence[str], texts: Sequence[Sequence[str]]) -> Numbers:
    """What the store would give to `texts` for a query's terms if it held them, nearly."""
    known = [
        (float(score), pool.words[each.memory_id].split())
        for each, score in zip(pool.candidates, pool.lexical, strict=True)
        if each.memory_id in pool.words
    ]
    own = _bm25(set(terms), [*(text for _, text in known), *texts], len(pool.candidates) + len(texts))
    theirs, ours = sum(score for score, _ in known), float(own[: len(known)].sum())
    return own[len(known) :] * (theirs / ours if ours > 0 and theirs > 0 else 1.0)


def bm25(found: Found, lengths: Numbers, records: int) -> Numbers:
    """BM25 of texts of these lengths (in words): for each the sum of `bm25_parts`."""
    return np.bincount(found.texts, bm25_parts(found, lengths, records), len(lengths)).astype(np.float64)


def bm25_parts(found: Found, lengths: Numbers, records: int) -> Numbers:
    """What each word that was found adds, with idf = ln(1 + (N - n + 0.5) / (n + 0.5)) over N records."""
    held = np.bincount(found.words)
    rarity = np.log1p((records - held + 0.5) / (held + 0.5))
    mean = max(1.0, float(lengths.mean())) if len(lengths) else 1.0
    norm = K1 * (1 - B + B * lengths / mean)
    parts: Numbers = rarity[found.words] * found.often * (K1 + 1) / (found.often + norm[found.texts])
    return parts


def _bm25(asked: set[str], texts: Sequence[Sequence[str]], records: int) -> Numbers:
    number = {term: place for place, term in enumerate(asked)}
    hits = [
        (place, number[term], often)
        for place, text in enumerate(texts)
        for term, often in Counter(term for term in text if term in asked).items()
    ]
    columns = np.array(hits, np.intp).reshape(-1, 3).T
    return bm25(Found(*columns), np.array([float(len(text)) for text in texts]), records)


def _candidate(entry: IndexEntry) -> Candidate:
    memory = entry.memory
    return Candidate(
        memory.memory_id,
        str(memory.kind),
        memory.source.unit_id,
        memory.position,
        memory.speaker,
        memory.occurred_ms,
        entry.asks,
        entry.timed,
    )
