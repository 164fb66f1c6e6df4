"""The memories of a user whose words fit some others best, read whole."""

from collections.abc import Sequence

import numpy as np

from memory.model.memory import Memory
from memory.model.search import Filter, Pool, Probe
from memory.ports import MemoryStore
from memory.scope import UserScope


async def fitting(
    memories: MemoryStore, scope: UserScope, words: Sequence[str], wanted: Filter, most: int
) -> list[Memory]:
    """At most so many, each with a word in common, in no order that may be relied on. Raises what the store raises."""
    if not words:
        return []
    ids: list[str] = []

    def nearest(pool: Pool) -> list[str]:
        best = np.argsort(-pool.lexical, kind="stable")[:most]
        ids[:] = [pool.candidates[place].memory_id for place in best[pool.lexical[best] > 0].tolist()]
        return ids

    pool = await memories.pool(scope, Probe(words, None, wanted, nearest=nearest, best=most))
    if not ids:  # a store that reads nothing on the way asks for nothing
        nearest(pool)
    unread = [memory_id for memory_id in ids if memory_id not in pool.read]
    there = await memories.get(scope, unread) if unread else []
    return [*(pool.read[memory_id] for memory_id in ids if memory_id in pool.read), *there]
