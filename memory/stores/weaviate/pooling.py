"""The pool of a search: a user's records in order, with the server's BM25 and cosine of each.

Up to three queries at once. The final score is made of the parts elsewhere, the same for every store; Weaviate's own
hybrid search normalises over what it happens to fetch, so its scores cannot be compared.
"""

import asyncio
from typing import Any, Final

import numpy as np

from memory.model.search import Candidate, Pool, Probe, Vector
from memory.stores.weaviate import hits
from memory.stores.weaviate.driver import CollectionAsync, Filter
from memory.stores.weaviate.objects import cut
from memory.stores.weaviate.records import to_candidate, where
from memory.stores.weaviate.schema import SCORED, WORDS

POOL_MAX: Final = 5_000
"""Records of a pool. Of more, those that the words and the vector rank first."""
_BY_ID: Final = 1_000
EMPTY: Final = Pool([], np.zeros(0), np.zeros(0))


async def pool(part: CollectionAsync, probe: Probe) -> Pool:
    """The records that the probe's filter lets in, ordered by unit and position."""
    wanted = where(probe.filter)
    matched, (listed, cosine), number = await asyncio.gather(
        _lexical(part, wanted, " ".join(probe.terms), with_words=probe.with_words),
        _cosines(part, wanted, probe.vector),
        _number(part, wanted) if probe.vector is not None else _unknown(),
    )
    lexical = {each.memory_id: each.score for each in matched}
    if len(listed) != number:  # some have no vector, or there are more than a pool holds
        listed |= await _listed(part, wanted, POOL_MAX + 1)
    if len(listed) > POOL_MAX:
        listed = await _first(part, listed, _by_rank(lexical, cosine))
    ordered = sorted(listed.values(), key=lambda each: (each.unit_id, each.position, each.memory_id))
    return Pool(
        ordered,
        np.array([lexical.get(each.memory_id, 0.0) for each in ordered], dtype=np.float64),
        np.array([cosine.get(each.memory_id, np.nan) for each in ordered], dtype=np.float64),
        {each.memory_id: each.text for each in matched} if probe.with_words else {},
    )


async def _listed(part: CollectionAsync, wanted: Any, limit: int) -> dict[str, Candidate]:
    found = await hits.listed(part, wanted, limit, SCORED)
    return {each.memory_id: to_candidate(each.memory_id, each.text) for each in found}


async def _lexical(part: CollectionAsync, wanted: Any, words: str, *, with_words: bool) -> list[hits.Hit]:
    if not words.strip():
        return []
    return await hits.by_words(part, words, WORDS, wanted, POOL_MAX, with_text=with_words)


async def _number(part: CollectionAsync, wanted: Any) -> int:
    return (await part.aggregate.over_all(filters=wanted, total_count=True)).total_count or 0


async def _unknown() -> int:
    return -1


async def _cosines(
    part: CollectionAsync, wanted: Any, vector: Vector | None
) -> tuple[dict[str, Candidate], dict[str, float]]:
    """The records that have a vector, and their cosines."""
    if vector is None:
        return {}, {}
    found = await hits.by_vector(part, vector, wanted, POOL_MAX, SCORED)
    listed = {each.memory_id: to_candidate(each.memory_id, each.text) for each in found}
    return listed, {each.memory_id: 1.0 - each.distance for each in found}


def _by_rank(lexical: dict[str, float], cosine: dict[str, float]) -> list[str]:
    """The ids of both lists, the first of each, then the second of each, and so on; each id once."""
    ranks: dict[str, int] = {}
    for found in (lexical, cosine):
        for rank, memory_id in enumerate(found):
            ranks[memory_id] = min(rank, ranks.get(memory_id, rank))
    return sorted(ranks, key=lambda memory_id: ranks[memory_id])


async def _first(part: CollectionAsync, listed: dict[str, Candidate], ranked: list[str]) -> dict[str, Candidate]:
    """As many as a pool holds: what ranks first, then what else was listed."""
    chosen = list(dict.fromkeys([*ranked, *listed]))[:POOL_MAX]
    unread = [memory_id for memory_id in chosen if memory_id not in listed]
    known = dict(listed)
    for ids in cut(unread, _BY_ID):
        known |= await _listed(part, Filter.by_id().contains_any(list(ids)), len(ids))
    return {memory_id: known[memory_id] for memory_id in chosen if memory_id in known}
