"""What is linked to what a search has found."""

from collections.abc import Mapping, Sequence
from typing import Final

from memory.errors import TemporaryError
from memory.graph.links import Reached, followed, holds
from memory.limits import WALKED_MAX
from memory.ports import MemoryStore
from memory.scope import UserScope
from memory.service.search import Found, Scored, Wanted, searched

_BEGUN_FROM: Final = 10
"""The best of a search; links of the others are not followed."""
GRAPH: Final = "graph"


class LinkFollower:
    """Follows links. A store that does not answer costs what is linked, not what was found."""

    def __init__(self, memories: MemoryStore) -> None:
        self._memories = memories

    async def follow(
        self, scope: UserScope, found: Found, wanted: Wanted, links: int, relations: Sequence[str] | None
    ) -> Found:
        """What was found, and what stands up to so many links off the best of it, best first."""
        begun = {one.memory.memory_id: Reached(one.score) for one in found.results[:_BEGUN_FROM] if not one.pending}
        try:
            reached = await self._reached(scope, begun, links, frozenset(relations or ()))
            known = {one.memory.memory_id: one for one in found.results}
            unread = [memory_id for memory_id in reached if memory_id not in known]
            read = {each.memory_id: each for each in await self._memories.get(scope, unread)} if unread else {}
        except TemporaryError:
            return found._replace(degraded=(*found.degraded, GRAPH))
        chosen = searched(wanted.filter)
        beside = [
            Scored(memory, reached[key].score, {"linked": reached[key].score}, path=reached[key].path)
            for key, memory in read.items()
            if chosen.lets_in(memory)
        ]
        ranked = [_by_the_better_way(one, reached) for one in found.results] + beside
        ranked.sort(key=lambda one: -one.score)
        return found._replace(results=ranked[: wanted.limit])

    async def _reached(
        self, scope: UserScope, begun: Mapping[str, Reached], links: int, relations: frozenset[str]
    ) -> dict[str, Reached]:
        reached, frontier = dict(begun), list(begun)
        for _ in range(links):
            if not frontier:
                break
            there = await self._memories.links(scope, frontier)
            kept = [each for each in there if holds(each) and (not relations or each.predicate in relations)]
            better = followed(kept, reached, frontier)
            reached |= better
            frontier = sorted(better, key=lambda key: -better[key].score)[:WALKED_MAX]
        return reached


def _by_the_better_way(one: Scored, reached: Mapping[str, Reached]) -> Scored:
    """What was found itself, but stands nearer to something better: as that leads to it."""
    way = reached.get(one.memory.memory_id)
    if way is None or not way.path:
        return one._replace(path=())
    return Scored(one.memory, way.score, {**one.parts, "linked": way.score}, cosine=one.cosine, path=way.path)
