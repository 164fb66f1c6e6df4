"""GetGraph, FindPath, GetUserGraph: what is known of a user as a graph, made of the records each time."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from memory.clinical.people import USER
from memory.consolidation.pages import all_of
from memory.errors import FieldError, NotFound
from memory.graph.conflicts import conflicts
from memory.graph.created import normal
from memory.graph.drawing import dot, graphml, mermaid
from memory.graph.identity import is_verdict, joined, label_of, merged, node_id, suggested
from memory.graph.paths import Found, Way, Web
from memory.graph.shared import says_how
from memory.graph.triples import Graph, Node, graph
from memory.graph.view import (
    View,
    around,
    by_kinds,
    by_relations,
    drawn,
    evidence,
    holding,
    known_as,
    page,
    places,
    subjects_of,
    whole,
)
from memory.language.choice import spoken
from memory.language.terms import distinct
from memory.limits import GRAPH_RECORDS_MAX
from memory.model.brain_calls import GetUserGraphRequest, GetUserGraphResponse, GraphEdge, GraphNode
from memory.model.caller import Caller
from memory.model.graph_view_calls import (
    ConflictAnswer,
    FindPathRequest,
    FindPathResponse,
    FoundPath,
    GetGraphRequest,
    GetGraphResponse,
    MergeAnswer,
    PathStep,
    SuggestionAnswer,
    WholeEdge,
    WholeLink,
    WholeNode,
)
from memory.model.memory import Kind, Memory
from memory.model.search import Filter
from memory.ports import Clock, MemoryStore
from memory.scope import UserScope
from memory.session.times import moment_ms, rfc3339

_TOLD: Final = (Kind.FACT, Kind.CREATED)
_BESIDE: Final = (Kind.EVENT, Kind.EPISODE)
_READ_AT_ONCE: Final = 500
_DRAWN: Final[Mapping[str, Callable[[Graph], str]]] = {"mermaid": mermaid, "graphml": graphml, "dot": dot}


class _Read(NamedTuple):
    """The records of a user's graph, by id, and whether there are more. `beside`: linked events and messages."""

    told: Mapping[str, Memory]
    links: Sequence[Memory]
    verdicts: Sequence[Memory]
    truncated: bool
    beside: Mapping[str, Memory]

    def but_replaced(self) -> "_Read":
        """Without what something else took the place of."""
        links = [each for each in self.links if not each.superseded_by]
        verdicts = [each for each in self.verdicts if not each.superseded_by]
        told, beside = (
            {memory_id: each for memory_id, each in known.items() if not each.superseded_by}
            for known in (self.told, self.beside)
        )
        return self._replace(told=told, links=links, verdicts=verdicts, beside=beside)


class GraphReader:
    """Makes graphs. They cost what the user has, and are made on a thread."""

    def __init__(self, memories: MemoryStore, locale: str, clock: Clock) -> None:
        self._memories = memories
        self._locale = locale
        self._clock = clock

    async def get(self, caller: Caller, request: GetGraphRequest) -> GetGraphResponse:
        """A page of the graph, or of what stands round something. Raises NotFound for what is not in it."""
        scope = UserScope(caller.tenant, request.user_id)
        read = await self._read(scope, request.as_of, past=not {"past", "evidence"}.isdisjoint(request.include))
        return await asyncio.to_thread(self._page, scope, read, request)

    async def path(self, caller: Caller, request: FindPathRequest) -> FindPathResponse:
        """The shortest ways between two. Raises NotFound for what is not in the graph."""
        scope = UserScope(caller.tenant, request.user_id)
        read = await self._read(scope, request.as_of)
        return await asyncio.to_thread(self._ways, scope, read, request)

    async def of_user(self, caller: Caller, request: GetUserGraphRequest) -> GetUserGraphResponse:
        """What is known of a user as nodes and edges, each with the memory that says it; as text when asked."""
        scope = UserScope(caller.tenant, request.user_id)
        read = await self._read(scope, None)
        part = await asyncio.to_thread(lambda: page(self._view(read._replace(links=())), request.cursor, request.limit))
        draw = _DRAWN.get(request.format)
        return GetUserGraphResponse(
            status="success",
            nodes=[
                GraphNode(id=node_id(scope, node.key), label=node.label, kind=node.kind) for node in part.view.nodes
            ],
            edges=[
                GraphEdge(
                    source=node_id(scope, edge.source),
                    relation=edge.relation,
                    target=node_id(scope, edge.target),
                    memory_id=edge.memory_id,
                    valid=edge.valid,
                )
                for edge in part.view.edges
            ],
            format=request.format,
            text=draw(Graph(part.view.nodes, part.view.edges)) if draw else None,
            truncated=read.truncated or bool(part.cursor),
            cursor=part.cursor,
        )

    async def _read(self, scope: UserScope, as_of: str | None, *, past: bool = False) -> _Read:
        wanted = Filter(as_of_ms=None if as_of is None else moment_ms(as_of), with_past=past)
        told, more = await self._all(scope, replace(wanted, kinds=_TOLD))
        links, more_links = await self._all(scope, replace(wanted, kinds=(Kind.LINK,)))
        verdicts = [each for each in links if is_verdict(each)]
        others = [each for each in links if not is_verdict(each)]
        by_id = {each.memory_id: each for each in told}
        beside = await self._beside(scope, by_id, others, wanted)
        return _Read(by_id, others, verdicts, more or more_links, beside)

    async def _beside(
        self, scope: UserScope, told: Mapping[str, Memory], links: Sequence[Memory], wanted: Filter
    ) -> dict[str, Memory]:
        """What links join and says no triple."""
        chosen = replace(wanted, kinds=_BESIDE)
        ends = distinct(end for link in links for end in (link.subject, link.object) if end not in told)
        parts = [ends[start : start + _READ_AT_ONCE] for start in range(0, len(ends), _READ_AT_ONCE)]
        found = [await self._memories.get(scope, part) for part in parts]
        return {each.memory_id: each for part in found for each in part if chosen.lets_in(each)}

    async def _all(self, scope: UserScope, wanted: Filter) -> tuple[list[Memory], bool]:
        """The records, as they were held then where a time is asked for, and whether there are more."""
        found, more = await all_of(self._memories, scope, wanted, GRAPH_RECORDS_MAX)
        if wanted.as_of_ms is not None:
            found = [replace(each, superseded_by="", valid_to_ms=None) for each in found]
        return found, more

    async def nodes(self, scope: UserScope) -> dict[str, Node]:
        """Each node by the key of it, or of one that it stands for."""
        read = await self._read(scope, None)

        def by_key() -> dict[str, Node]:
            by_label = {normal(label): node for node in self._view(read).nodes for label in (node.label, *node.aliases)}
            return {node.key: by_label[normal(node.label)] for node in self._apart(read).nodes}

        return await asyncio.to_thread(by_key)

    async def verdicts(self, scope: UserScope) -> Sequence[Memory]:
        """What was decided about nodes, what was taken off too."""
        return (await self._read(scope, None)).verdicts

    async def named_apart(self, scope: UserScope, named: Mapping[str, str]) -> list[Node]:
        """The nodes that are named by fields of a request, as they are when none are one. Raises NotFound."""
        read = await self._read(scope, None)

        def found() -> list[Node]:
            apart = self._apart(read)
            by_key = {node.key: node for node in apart.nodes}
            return [by_key[_named(apart, scope, label, field)[0]] for field, label in named.items()]

        return await asyncio.to_thread(found)

    def _view(self, read: _Read) -> View:
        return whole(graph(list(read.told.values()), self._locale, joined(read.verdicts)), read.links, read.beside)

    def _apart(self, read: _Read) -> View:
        """As it is when no two labels are one by a verdict, without links."""
        return whole(graph(list(read.told.values()), self._locale), ())

    def _locale_of(self, read: _Read) -> str:
        return spoken(self._locale, (each.source.quote or each.text for each in read.told.values()))

    def _page(self, scope: UserScope, read: _Read, request: GetGraphRequest) -> GetGraphResponse:
        alike = evidence(self._view(read), read.told) if "evidence" in request.include else {}
        read = read if "past" in request.include else read.but_replaced()
        every, locale = self._view(read), self._locale_of(read)
        held = every if "past" in request.include else holding(every)
        view = by_kinds(held, request.kinds, read.told) if request.kinds else held
        view = by_relations(view, request.relations) if request.relations else view
        if request.about is not None:
            begin = _named(held, scope, request.about, "about")
            view = around(view._replace(nodes=held.nodes), begin, request.depth)
        part = page(view, request.cursor, request.limit)
        draw = _DRAWN.get(request.format)
        return GetGraphResponse(
            nodes=[whole_node(scope, node) for node in part.view.nodes],
            edges=[
                WholeEdge(
                    source=node_id(scope, edge.source),
                    relation=edge.relation,
                    target=node_id(scope, edge.target),
                    valid=edge.valid,
                    evidence=alike.get(edge.memory_id),
                    **_said(read.told[edge.memory_id]),
                )
                for edge in part.view.edges
            ],
            links=[_link(each) for each in part.view.links],
            conflicts=_conflicts(read) if "conflicts" in request.include else None,
            suggestions=self._suggestions(read) if "suggestions" in request.include else None,
            merged=_merged(read) if "merged" in request.include else None,
            truncated=read.truncated or bool(part.cursor),
            cursor=part.cursor,
            format=request.format,
            text=draw(drawn(part.view, subjects_of(every), locale)) if draw else None,
        )

    def _suggestions(self, read: _Read) -> list[SuggestionAnswer]:
        return [
            SuggestionAnswer(
                suggestion_id=each.memory_id,
                a=label_of(each.subject),
                b=label_of(each.object),
                score=each.importance,
                why=each.source.quote,
            )
            for each in suggested(read.verdicts, self._clock.now_ms())
        ]

    def _ways(self, scope: UserScope, read: _Read, request: FindPathRequest) -> FindPathResponse:
        every = self._view(read)
        links = by_relations(every, request.relations).links if request.relations else every.links
        start, goal = (
            end if end in read.told else _named(every, scope, end, field)[0]
            for end, field in ((request.source, "source"), (request.target, "target"))
        )
        joining = [*places(every, USER), *(node.key for node in every.nodes if says_how(normal(node.label)))]
        web = Web(Graph(every.nodes, every.edges), links, joining, request.relations)
        if start == goal:  # of one node there is a way without a step
            found = Found([Way((start,), ())], truncated=False)
        else:
            found = web.ways(start, goal, steps_max=request.hops_max, ways_max=request.paths_max)
        nodes = {node.key: node for node in every.nodes}
        return FindPathResponse(
            paths=[_path(scope, way, nodes, read) for way in found.ways], truncated=found.truncated or read.truncated
        )


def whole_node(scope: UserScope, node: Node) -> WholeNode:
    """A node as callers see it."""
    return WholeNode(id=node_id(scope, node.key), label=node.label, kind=node.kind, aliases=list(node.aliases) or None)


def _conflicts(read: _Read) -> list[ConflictAnswer]:
    return [
        ConflictAnswer(kind=each.kind, memory_ids=[each.earlier, each.later]) for each in conflicts(read.told.values())
    ]


def _merged(read: _Read) -> list[MergeAnswer]:
    return [
        MergeAnswer(
            merge_id=each.memory_id,
            a=label_of(each.subject),
            b=label_of(each.object),
            by=each.mind,
            why=each.source.quote,
            at=rfc3339(each.recorded_ms),
        )
        for each in merged(read.verdicts)
    ]


def _named(view: View, scope: UserScope, named: str, field: str) -> list[str]:
    found = known_as(view, scope, named) or places(view, named)
    if not found:
        message = "names nothing in this user's graph"
        raise NotFound(f"{field} {message}", fields=(FieldError(field, message),))
    return found


def _said(memory: Memory) -> dict[str, object]:
    """What an edge says of its memory."""
    return {
        "memory_id": memory.memory_id,
        "type": memory.type,
        "quote": memory.source.quote or memory.text,
        "quoted": bool(memory.source.quote),
        "importance": memory.importance,
        "attributes": dict(memory.attributes) or None,
        "valid_from": rfc3339(memory.held_from_ms),
        "valid_to": None if memory.valid_to_ms is None else rfc3339(memory.valid_to_ms),
    }


def _link(link: Memory) -> WholeLink:
    return WholeLink(
        link_id=link.memory_id,
        source_memory_id=link.subject,
        target_memory_id=link.object,
        relation=link.predicate,
        importance=link.importance,
        quote=link.source.quote,
        valid=link.holds,
    )


def _path(scope: UserScope, way: Way, nodes: Mapping[str, Node], read: _Read) -> FoundPath:
    quotes = {link.memory_id: link.source.quote for link in read.links}
    steps = []
    for step in way.steps:
        told = read.told.get(step.memory_id)
        said = told.source.quote if told else quotes.get(step.link_id, "")
        fields = {"memory_id": step.memory_id, "link_id": step.link_id}
        known = {name: value for name, value in fields.items() if value}
        steps.append(
            PathStep(
                source=node_id(scope, step.source),
                relation=step.relation,
                target=node_id(scope, step.target),
                forward=step.forward,
                quote=said or (told.text if told else ""),
                quoted=bool(said),
                **known,
            )
        )
    between = {step.memory_id for step in way.steps if step.memory_id not in {step.source, step.target}}
    shown = [
        whole_node(scope, nodes[place])
        if place in nodes
        else WholeNode(id=place, label=read.told[place].text, kind="memory")
        for place in way.places
        if place not in between
    ]
    return FoundPath(nodes=shown, steps=steps, length=len(steps))
