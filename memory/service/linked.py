"""What hangs together with what a search has found: what is linked to it, and what names the same things."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Final, NamedTuple

from memory.consolidation.fitting import fitting
from memory.errors import TemporaryError
from memory.graph.identity import Classes, merged
from memory.graph.links import Reached, followed
from memory.graph.shared import labels_of, named_too, says_how, things_of
from memory.language.terms import distinct, terms
from memory.limits import LINKS_WALKED_MAX, WALKED_MAX
from memory.model.memory import Kind, Memory
from memory.model.search import Filter
from memory.ports import MemoryStore
from memory.retrieval.deep import FAST
from memory.scope import UserScope
from memory.service.search import Found, MemorySearch, Scored, Wanted, grouped, searched

_BEGUN_FROM: Final = 10
"""The best of a search; what hangs together with the others is not looked for."""
_WEIGHED: Final = 50
"""Of a deep search: what fits less well itself may be led to by what fits better."""
_READ_MAX: Final = 200
"""Memories that may name the same things, by their words; they are read to see whether they do."""
_MERGES_IN_A_ROW_MAX: Final = 6
"""Labels that are one by so many merges between them are seen as one on the way; beyond them, in the graph alone."""
_NAMING: Final = Filter(kinds=(Kind.FACT, Kind.CREATED))
GRAPH: Final = "graph"


Walking = Callable[[int], AbstractContextManager[object]]
"""Entered, with how many steps it may go, while a search goes on from what fits."""


class Way(NamedTuple):
    """How many steps a search goes on, and by which relations of links alone; none named: by all that joins."""

    steps: int
    relations: Sequence[str] = ()


class DeepSearch:
    """Searches that go on from what fits, as far as they are told to; with no step they are what `plain` finds."""

    def __init__(
        self, memories: MemoryStore, plain: MemorySearch, mode: str = FAST, walking: Walking = lambda _: nullcontext()
    ) -> None:
        """`mode`: how deep it goes for who says nothing else. `walking`: entered for each search that goes on."""
        self._linked = LinkFollower(memories)
        self.plain = plain
        self.mode = mode
        self._walking = walking

    async def find(self, scope: UserScope, wanted: Wanted, way: Way) -> Found:
        """What fits, and what hangs together with that. Only what it ends in must pass the filter.

        Raises StoreUnavailable when the store does not answer; links that it does not give are `degraded`.
        """
        if not way.steps:
            return await self.plain.find(scope, wanted)
        with self._walking(way.steps):
            found = await self._deep(scope, wanted, way)
        return found._replace(further=lambda limit: self.find(scope, replace(wanted, limit=limit), way))

    async def _deep(self, scope: UserScope, wanted: Wanted, way: Way) -> Found:
        every = replace(wanted, limit=max(_WEIGHED, wanted.limit), per_conversation=False)
        found = await self.plain.find(scope, replace(every, walks=True))
        open_to_all = Filter(as_of_ms=wanted.filter.as_of_ms)
        fitting = found
        if wanted.filter != open_to_all:
            fitting = await self.plain.find(scope, replace(every, filter=open_to_all))
        return await self._linked.follow(scope, found, fitting, wanted, way)


class LinkFollower:
    """Goes on from what was found. A store that does not answer costs what hangs together, not what was found."""

    def __init__(self, memories: MemoryStore) -> None:
        self._memories = memories

    async def follow(self, scope: UserScope, found: Found, fitting: Found, wanted: Wanted, way: Way) -> Found:
        """What was found, and what stands up to so many steps off the best of what fits, best first.

        `fitting`: what fits the query, also what the filter keeps out: the reason may pass it where the fact does not.
        """
        known = {one.memory.memory_id: one for one in found.results}
        begun = [one for one in fitting.results[:_BEGUN_FROM] if not one.pending]
        try:
            walk = _Walk(self._memories, scope, begun, frozenset(way.relations), wanted.filter.as_of_ms)
            for _ in range(way.steps):
                await walk.step()
        except TemporaryError:
            return found._replace(degraded=(*found.degraded, GRAPH))
        chosen = searched(wanted.filter)
        beside = [
            Scored(memory, walk.reached[key].score, {"linked": walk.reached[key].score}, path=walk.reached[key].path)
            for key, memory in walk.read.items()
            if key not in known and key in walk.reached and chosen.lets_in(memory)
        ]
        ranked = [_by_both(one, walk.reached) for one in found.results] + beside
        ranked.sort(key=lambda one: -one.standing)
        shown = grouped(ranked, wanted)[: wanted.limit]
        return found._replace(results=[one if one.path else one._replace(path=()) for one in shown])


class _Walk:
    """A walk from some memories, step by step."""

    def __init__(
        self,
        memories: MemoryStore,
        scope: UserScope,
        begun: Sequence[Scored],
        relations: Collection[str],
        as_of_ms: int | None,
    ) -> None:
        self._memories = memories
        self._scope = scope
        self._relations = relations
        self._then = Filter(as_of_ms=as_of_ms)
        self._is_now = as_of_ms is None
        self.reached = {one.memory.memory_id: Reached(one.score) for one in begun}
        self.read = {one.memory.memory_id: one.memory for one in begun}
        self._frontier = list(self.reached)

    async def step(self) -> None:
        """One link further, or one thing that two memories name."""
        if not self._frontier:
            return
        named = {} if self._relations else {key: self.read[key] for key in self._frontier if key in self.read}
        held = await self._linking([*self._frontier, *distinct(_things(named))])
        kept = [each for each in held if not self._relations or each.predicate in self._relations]
        better = followed(kept, self.reached, self._frontier)
        if named:
            naming = _with_others(named, Classes(await self._merges(held)))
            await self._see_naming(naming)
            shared = named_too(self.read.values(), self.reached, naming)
            better |= {key: way for key, way in shared.items() if key not in better or way.score > better[key].score}
        self.reached |= better
        self._frontier = sorted(better, key=lambda key: -better[key].score)[:WALKED_MAX]
        await self._see(self._frontier)
        self._frontier = [key for key in self._frontier if key in self.read and self._then.lets_in(self.read[key])]

    async def _linking(self, ends: Sequence[str]) -> list[Memory]:
        there = await self._memories.links(self._scope, ends, LINKS_WALKED_MAX)
        return [each for each in there if (each.holds if self._is_now else self._then.lets_in(each))]

    async def _merges(self, held: Sequence[Memory]) -> list[Memory]:
        """The merges among these, and those that their labels lead to; each round is one more question to the store."""
        found = {each.memory_id: each for each in merged(held)}
        asked = set[str]()
        for _ in range(_MERGES_IN_A_ROW_MAX):
            more = {end for each in found.values() for end in (each.subject, each.object)} - asked
            if not more:
                break
            asked |= more
            found |= {each.memory_id: each for each in merged(await self._linking(sorted(more)))}
        return list(found.values())

    async def _see_naming(self, naming: Mapping[str, Collection[str]]) -> None:
        """Read what may name the same things."""
        words = distinct(term for labels in naming.values() for label in sorted(labels) for term in terms(label))
        found = await fitting(self._memories, self._scope, words, _NAMING, _READ_MAX)
        self.read |= {memory.memory_id: memory for memory in found}

    async def _see(self, memory_ids: Sequence[str]) -> None:
        unread = [memory_id for memory_id in memory_ids if memory_id not in self.read]
        if unread:
            self.read |= {memory.memory_id: memory for memory in await self._memories.get(self._scope, unread)}


def _things(named: Mapping[str, Memory]) -> Iterator[str]:
    for memory in named.values():
        yield from things_of(memory)


def _with_others(named: Mapping[str, Memory], classes: Classes) -> dict[str, set[str]]:
    """The labels that each memory names and that join it to others, and those that are one with them."""
    return {
        key: set[str]().union(*(classes.one_with(label) for label in labels_of(memory) if not says_how(label)))
        for key, memory in named.items()
    }


def _by_both(one: Scored, reached: Mapping[str, Reached]) -> Scored:
    """What was found itself, and is led to by something better: two reasons, either of which may hold."""
    way = reached.get(one.memory.memory_id)
    if way is None or not way.path:
        return one
    score = 1.0 - (1.0 - one.score) * (1.0 - way.score)
    return one._replace(score=score, parts={**one.parts, "linked": way.score}, path=way.path)
