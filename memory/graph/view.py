"""A part of a graph: what stands round something, by what relations, a page of it. Pure."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from memory.graph.created import names_of, normal, whom
from memory.graph.identity import node_id
from memory.graph.triples import Edge, Graph, Node, role_of
from memory.model.memory import Kind, Memory, is_marked, user_key
from memory.model.relations import NAMES, RELATIONS
from memory.scope import UserScope


class View(NamedTuple):
    """Nodes, edges and links, the latter two in the order of the ids of what says them.

    `ends`: by the id of each memory of the whole graph the nodes of its edge, also where that is left out of this part.
    """

    nodes: Sequence[Node]
    edges: Sequence[Edge]
    links: Sequence[Memory]
    ends: Mapping[str, tuple[str, str]]


class Page(NamedTuple):
    """A page of a view, and from where to go on (empty: that was all)."""

    view: View
    cursor: str


def whole(graph: Graph, links: Sequence[Memory], beside: Mapping[str, Memory] = MappingProxyType({})) -> View:
    """All of it. Links with an end that is none of the graph's memories are left out.

    `beside`: memories by id that say no triple, an event or a message; one that a link joins is a node itself.
    """
    there = {edge.memory_id for edge in graph.edges}
    kept = [link for link in links if all(end in there or end in beside for end in (link.subject, link.object))]
    ends = dict.fromkeys(end for link in kept for end in (link.subject, link.object) if end not in there)
    return View(
        [*graph.nodes, *(Node(end, beside[end].text, "memory") for end in ends)],
        sorted(graph.edges, key=lambda edge: (edge.memory_id, edge.source, edge.target)),
        sorted(kept, key=lambda link: link.memory_id),
        {edge.memory_id: (edge.source, edge.target) for edge in graph.edges},
    )


def places(view: View, named: str) -> list[str]:
    """The keys of the nodes that somebody names by a label; 我 and my mom are ones."""
    wanted = {*map(normal, names_of(whom(named))), normal(named), normal(role_of(named))} - {""}
    return [node.key for node in view.nodes if not wanted.isdisjoint(map(normal, (node.label, *node.aliases)))]


def known_as(view: View, scope: UserScope, named: str) -> list[str]:
    """The keys of what callers know by an id: a node or what it has become one with, both nodes of a memory."""
    if named in view.ends:
        return list(view.ends[named])
    if not is_marked(named, user_key(scope.tenant, scope.user)):
        return []
    return [
        node.key
        for node in view.nodes
        if any(node_id(scope, key) == named for key in (node.key, *(f"{node.kind}:{each}" for each in node.aliases)))
    ]


def holding(view: View) -> View:
    """What holds of it."""
    edges = [edge for edge in view.edges if edge.valid]
    held = _of(view, edges, [link for link in view.links if link.holds])
    return held._replace(ends={edge.memory_id: (edge.source, edge.target) for edge in edges})


def by_kinds(view: View, kinds: Collection[str], told: Mapping[str, Memory]) -> View:
    """What records of these kinds say. `told`: the records behind the edges, by id."""
    edges = [edge for edge in view.edges if told[edge.memory_id].kind in kinds]
    return _of(view, edges, view.links if Kind.LINK in kinds else ())


def by_relations(view: View, relations: Collection[str]) -> View:
    """Of these relations alone: labels of edges, and names of relations of links."""
    meant = {NAMES[name] for name in relations if name in NAMES}
    edges = [edge for edge in view.edges if edge.relation in relations]
    return _of(view, edges, [link for link in view.links if link.predicate in meant])


def around(view: View, begin: Collection[str], depth: int) -> View:
    """What stands so many steps round some nodes: an edge is a step, a link from one memory to another too."""
    beside = _beside(view)
    seen = frontier = set(begin)
    for _ in range(depth):
        frontier = {far for near in frontier for far in beside.get(near, ())} - seen
        seen = seen | frontier
    edges = [edge for edge in view.edges if edge.source in seen and edge.target in seen]
    links = [link for link in view.links if seen.issuperset(_ends(view, link))]
    nodes = [node for node in view.nodes if node.key in seen]
    return View(nodes, edges, links, view.ends)


def page(view: View, cursor: str, limit: int) -> Page:
    """So many edges and links, after those of the pages before, with the nodes that they touch."""
    items = [(f"e{edge.memory_id}", edge) for edge in view.edges] + [
        (f"l{link.memory_id}", link) for link in view.links
    ]
    rest = [item for item in items if item[0] > cursor]
    if not cursor and len(rest) <= limit:
        return Page(view, "")
    edges = [each for _, each in rest[:limit] if isinstance(each, Edge)]
    links = [each for _, each in rest[:limit] if isinstance(each, Memory)]
    return Page(_of(view, edges, links), rest[limit - 1][0] if len(rest) > limit else "")


def evidence(view: View, told: Mapping[str, Memory]) -> dict[str, list[str]]:
    """For each memory all that say its edge, the earliest first. `told`: the records behind the edges, by id."""
    alike: dict[tuple[str, str, str], list[str]] = {}
    for edge in sorted(view.edges, key=lambda each: (told[each.memory_id].occurred_ms, each.memory_id)):
        alike.setdefault((edge.source, edge.relation, edge.target), []).append(edge.memory_id)
    return {each: same for same in alike.values() for each in same}


def subjects_of(view: View) -> dict[str, str]:
    """What each memory is about: the node that its edge leads to."""
    return {edge.memory_id: edge.target for edge in view.edges}


def drawn(view: View, about: Mapping[str, str], locale: str) -> Graph:
    """As a picture has it: a link stands between what its memories are about (`subjects_of` the whole)."""
    named = {node.key for node in view.nodes}
    joined = []
    for link in view.links:
        ground, follows = about.get(link.subject, link.subject), about.get(link.object, link.object)
        if ground != follows and {ground, follows} <= named:
            label = RELATIONS[link.predicate].label[locale]
            joined.append(Edge(ground, label, follows, link.memory_id, link.holds))
    return Graph(view.nodes, [*view.edges, *joined])


def _beside(view: View) -> Mapping[str, set[str]]:
    """The nodes a step off each node."""
    beside: dict[str, set[str]] = {}
    for edge in view.edges:
        beside.setdefault(edge.source, set()).add(edge.target)
        beside.setdefault(edge.target, set()).add(edge.source)
    for link in view.links:
        for near in view.ends.get(link.subject, (link.subject,)):
            for far in view.ends.get(link.object, (link.object,)):
                beside.setdefault(near, set()).add(far)
                beside.setdefault(far, set()).add(near)
    return beside


def _of(view: View, edges: Sequence[Edge], links: Sequence[Memory]) -> View:
    """Some edges and links with the nodes that they touch."""
    touched = {end for link in links for end in _ends(view, link)}
    touched |= {end for edge in edges for end in (edge.source, edge.target)}
    return View([node for node in view.nodes if node.key in touched], edges, links, view.ends)


def _ends(view: View, link: Memory) -> Iterator[str]:
    """The nodes of the memories that a link joins; one that says no triple is a node itself."""
    for memory_id in (link.subject, link.object):
        yield from view.ends.get(memory_id, (memory_id,))
