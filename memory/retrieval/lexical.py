"""Records that a store does not hold yet, scored beside those it does (docs/scoring.md).

No store can say what BM25 it would give to a record that is not in it, so the formula is repeated here, with the
statistics of the user's own records (what the store matched, by its index texts, and the new ones), and brought to the
store's scale: FTS5 counts words over all users, and Weaviate leaves out a constant factor.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from memory.model.search import Candidate, IndexEntry, Numbers, Pool, Probe

K1: Final = 1.2
B: Final = 0.75


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


def _bm25(asked: set[str], texts: Sequence[Sequence[str]], records: int) -> Numbers:
    """BM25 of each text, with idf = ln(1 + (N - n + 0.5) / (n + 0.5)) over N records; the others hold no such term."""
    counts = [Counter([term for term in text if term in asked]) for text in texts]
    holding = Counter(term for count in counts for term in count)
    rarity = {term: float(np.log1p((records - held + 0.5) / (held + 0.5))) for term, held in holding.items()}
    mean = max(1.0, float(np.mean([len(text) for text in texts])))
    scores = []
    for count, text in zip(counts, texts, strict=True):
        norm = K1 * (1 - B + B * len(text) / mean)
        scores.append(sum(rarity[term] * often * (K1 + 1) / (often + norm) for term, often in count.items()))
    return np.array(scores, dtype=np.float64)


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
