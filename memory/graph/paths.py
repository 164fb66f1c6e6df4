"""Ways between two nodes of a graph: over what memories say, and over what links join. Pure."""

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import count
from typing import Final, NamedTuple

from memory.graph.triples import Edge, Graph
from memory.model.memory import Memory

BEGUN_MAX: Final = 20_000
"""Ways that are begun for one question by a step that comes no nearer to its goal."""


class Step(NamedTuple):
    """One step of a way, by the memory or the link that says it; not `forward`: it is gone from its end.

    Source and target are the nodes of a triple; the memories that a link joins; or a node and a memory that names it.
    """

    source: str
    relation: str
    target: str
    forward: bool
    memory_id: str = ""
    link_id: str = ""


class Way(NamedTuple):
    """A way: the keys of the nodes and ids of the memories that it goes through, and its steps."""

    places: Sequence[str]
    steps: Sequence[Step]


class Found(NamedTuple):
    """Ways, the shortest first; `truncated`: not all that could be were looked at."""

    ways: Sequence[Way]
    truncated: bool


_Begun = tuple[int, int, int, int, int, tuple[str, ...]]
"""How many steps a way has at least, how many of its nodes join everything, how far off it ends, a number that tells
it from the others; its steps so far, and its places."""


class Web:
    """Nodes and memories side by side: a memory stands between the two nodes of its triple, links between memories."""

    def __init__(
        self, graph: Graph, links: Iterable[Memory], aside: Collection[str] = (), crossed: Collection[str] | None = None
    ) -> None:
        """What holds of it.

        `aside`: nodes that join everything, the user's and what only says how something is; a way round is better.
        `crossed`: the relations of memories that are gone through from node to node (None: any); into one and out of
        one by a link is always gone.
        """
        self._aside = frozenset(aside)
        self._crossed = crossed
        self._beside: dict[str, set[str]] = defaultdict(set)
        self._edges: dict[str, Edge] = {}
        self._links: dict[tuple[str, str], Memory] = {}
        for edge in graph.edges:
            if edge.valid:
                self._edges[edge.memory_id] = edge
                self._join(edge.source, edge.memory_id)
                self._join(edge.memory_id, edge.target)
        for link in (each for each in links if each.holds):
            self._links.setdefault((link.subject, link.object), link)
            self._join(link.subject, link.object)

    def ways(self, start: str, goal: str, *, steps_max: int, ways_max: int) -> Found:
        """The shortest ways between two nodes, by their keys, or memories, by their ids.

        Each place is gone through as often as there are ways wanted, so that a hub costs no more than what is at it.
        Of ways that come no nearer to the goal BEGUN_MAX are begun, so that a hub of more hides no way through it.
        """
        numbers, begun, off, truncated = count(), 0, self._off(goal), False
        passed: dict[str, int] = defaultdict(int)
        found: list[Way] = []
        queue: list[_Begun] = [(0, 0, 0, next(numbers), 0, (start,))] if start in off and start != goal else []
        while queue and len(found) < ways_max:
            _, aside, _, _, cost, places = heapq.heappop(queue)
            here = places[-1]
            if here == goal:
                found.append(Way(places, self._steps(places)))
                continue
            passed[here] += 1
            if passed[here] > ways_max:
                continue
            nearest = sorted(
                (each for each in self._beside.get(here, ()) if each in off), key=lambda each: (off[each], each)
            )
            for beyond in nearest:
                if beyond in places or not self._may_be_gone(places, beyond):
                    continue
                steps = cost + len(self._gone(places, beyond, at_end=beyond == goal))
                least = steps + off[beyond] // 2  # of two places, one at least is gone through without a step
                if least <= steps_max:
                    aloof = off[beyond] >= off[here]
                    if aloof and begun == BEGUN_MAX:
                        truncated = True
                        break
                    begun += aloof
                    through = aside + (beyond in self._aside and beyond != goal)
                    heapq.heappush(queue, (least, through, off[beyond], next(numbers), steps, (*places, beyond)))
        return Found(found, truncated=truncated or bool(queue))

    def _off(self, goal: str) -> dict[str, int]:
        """How many places each place is off the goal."""
        off, frontier = {goal: 0}, [goal]
        while frontier:
            beyond = [far for near in frontier for far in self._beside.get(near, ()) if far not in off]
            off |= dict.fromkeys(beyond, off[frontier[0]] + 1)
            frontier = list(dict.fromkeys(beyond))
        return off

    def _join(self, one: str, other: str) -> None:
        self._beside[one].add(other)
        self._beside[other].add(one)

    def _link(self, one: str, other: str) -> Memory | None:
        return self._links.get((one, other)) or self._links.get((other, one))

    def _may_be_gone(self, places: Sequence[str], beyond: str) -> bool:
        """Whether the way may go on: from node to node through a memory only by the relations that are wanted."""
        if self._crossed is None or self._link(places[-1], beyond) is not None:
            return True
        if len(places) == 1 or not self._gone(places, beyond):
            return True
        return self._edges[places[-1]].relation in self._crossed

    def _gone(self, places: Sequence[str], beyond: str, *, at_end: bool = False) -> list[Step]:
        """The steps that going on to there adds to a way.

        A link is one, a memory that is gone through from node to node too. What stands behind a link is about the
        object of its triple: between these two there is no step. Into the other end of it there is one, and also
        between any node and a memory that a way begins or ends at.
        """
        here = places[-1]
        link = self._link(here, beyond)
        if link is not None:
            forward = link.subject == here
            joining = Step(here, link.predicate, beyond, forward, link_id=link.memory_id)
            return [*self._entered(places), joining]
        if here not in self._edges or not self._is_end(here, beyond):
            edge = self._edges[beyond]
            return [Step(here, edge.relation, beyond, edge.source == here, memory_id=beyond)] if at_end else []
        edge = self._edges[here]
        if len(places) > 1 and self._is_end(here, places[-2]):
            return [Step(places[-2], edge.relation, beyond, edge.source == places[-2], memory_id=here)]
        if len(places) > 1 and beyond == edge.target:
            return []
        return [Step(here, edge.relation, beyond, edge.target == beyond, memory_id=here)]

    def _entered(self, places: Sequence[str]) -> list[Step]:
        """The step into the memory that a way stands at, where it came from the end that the memory is not about."""
        edge = self._edges.get(places[-1])
        if edge is None or len(places) == 1 or places[-2] != edge.source:
            return []
        return [Step(edge.source, edge.relation, places[-1], forward=True, memory_id=places[-1])]

    def _is_end(self, memory_id: str, place: str) -> bool:
        """Whether a place is a node of a memory's triple."""
        edge = self._edges.get(memory_id)
        return edge is not None and place in {edge.source, edge.target}

    def _steps(self, places: Sequence[str]) -> list[Step]:
        """All of a way."""
        steps: list[Step] = []
        for at in range(1, len(places)):
            steps += self._gone(places[:at], places[at], at_end=at == len(places) - 1)
        return steps
