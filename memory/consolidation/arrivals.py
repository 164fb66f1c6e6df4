"""Facts that come in, or back, many at a time: which of them meet something that is held already."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence

from memory.consolidation.supersession import meeting, rivals
from memory.model.memory import Memory
from memory.ports import MemoryStore
from memory.scope import UserScope


async def arriving(memories: MemoryStore, scope: UserScope, facts: Sequence[Memory]) -> list[Memory]:
    """Those that replace another, contradict it or are replaced by it; in their order.

    What is held of a subject and predicate is read once, however many facts are of it. Raises what the store raises.
    """
    alike: dict[tuple[str, ...], list[Memory]] = defaultdict(list)
    for fact in facts:
        if fact.archived_ms is None and fact.holds:
            alike[fact.subject, *rivals(fact.predicate)].append(fact)
    found: set[str] = set()
    for (subject, *predicates), new in alike.items():
        there = [each for name in predicates for each in await memories.facts(scope, subject, name)]
        found |= {each.memory_id for each in await asyncio.to_thread(meeting, new, there)}
    return [fact for fact in facts if fact.memory_id in found]
