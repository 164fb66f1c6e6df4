"""Facts as relations between people and things: 小朱 -女儿-> 灿灿, 灿灿 -喜欢-> 画画. Pure.

Views like profiles: made anew from fact memories, each with the id of the memory that it shows.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from memory.clinical.people import USER
from memory.extraction.facts.en.words import RELATIVE
from memory.extraction.facts.zh.words import CLOSE_RELATIVES, RELATIVES
from memory.graph.created import ASSISTANT, called, normal
from memory.graph.wording import ROLES, places
from memory.language.choice import spoken
from memory.model.memory import Kind, Memory, Type
from memory.model.predicates import FAMILY, NAME, PREDICATES
from memory.privacy.placeholders import tells_nobody
from memory.session.safety import POSSIBLE_PREFIX

NodeKind = Literal["person", "thing", "memory"]
KIN: Final = "kin"
"""What the key of a relative begins with."""

_DENIED: Final = {"zh": "否认", "en": "not "}
_DENIES: Final = {"zh": "否认", "en": "denies"}
_MAY: Final = {"zh": "可能", "en": "possibly "}
_TYPES: Final = {
    Type.EVENT: {"zh": "事件", "en": "event"},
    Type.FACT: {"zh": "事实", "en": "fact"},
    Type.RELATION: {"zh": "关系", "en": "relation"},
    Type.OPINION: {"zh": "观点", "en": "opinion"},
}

_ROLES_ZH: Final = "|".join(sorted({*RELATIVES.values(), *CLOSE_RELATIVES.values()}, key=len, reverse=True))
_ALIAS: Final = frozenset({"别名", "又名", "也叫", "小名", "alias", "also called", "aka", "a.k.a.", "nickname"})
_OF_A_PLACE: Final = re.compile(
    r"住|在|来自|家乡|老家|城市|籍贯|live|from|born|home|city|town|moved|in\b", re.IGNORECASE
)
_KIN_ZH: Final = "|".join(sorted((*RELATIVES, *CLOSE_RELATIVES), key=len, reverse=True))
_ROLE: Final = re.compile(
    rf"(?:(?:我们?|咱们?)?家?里?的?)(?P<zh>{_KIN_ZH})|(?:(?:my|our)\s+)?(?P<en>{RELATIVE})", re.IGNORECASE
)
_NAMED: Final = re.compile(rf"(?P<role>{_ROLES_ZH})(?P<name>.+)|(?P<en>{RELATIVE})\s(?P<called>[^\W\d_].*)")


class Relation(NamedTuple):
    """A triple as a reader sees it; `memory_id` is the memory that says so."""

    source: str
    relation: str
    target: str
    memory_id: str


class Node(NamedTuple):
    """A person or a thing of a graph, or a linked memory that says no triple.

    `key`: its kind and label; of the user and of a relative of whom there is one who they are, whatever they are
    called; of a memory its id. Callers know a node by `identity.node_id`. `aliases`: other labels of the same.
    """

    key: str
    label: str
    kind: NodeKind
    aliases: Sequence[str] = ()


class Edge(NamedTuple):
    """A relation between two nodes by their keys; not `valid` if it has ended or another fact took its place."""

    source: str
    relation: str
    target: str
    memory_id: str
    valid: bool


class Graph(NamedTuple):
    """What is known of people, as nodes and edges, each in the order in which it was first met."""

    nodes: Sequence[Node]
    edges: Sequence[Edge]


def relations(memories: Sequence[Memory], locale: str) -> list[Relation]:
    """The facts among memories that still hold, as triples with labels in `locale` (zh or en), each once.

    The user is called by the name that a name fact gives, else "用户" or "user"; a relative by the name that a
    family fact gives where it is the only one. A name fact itself is no relation: it names the source.
    """
    found: dict[tuple[str, str, str], Relation] = {}
    people = _People(memories, locale)
    for memory in memories:
        if _is_fact(memory) and memory.holds:
            source, relation, target = people.triple(memory)
            if source != target:
                found.setdefault((source, relation, target), Relation(source, relation, target, memory.memory_id))
    return list(found.values())


def graph(memories: Sequence[Memory], locale: str, same: Sequence[tuple[str, str]] = ()) -> Graph:
    """All facts among memories as a graph, also those that hold no longer. `same`: labels that are one thing.

    A label from which an identifier was taken is a node for each memory that has it: it may be another's.
    """
    people = _People(memories, locale)
    triples = [(people.triple(memory), memory) for memory in memories if _says_a_triple(memory)]
    persons = {normal(name) for triple, memory in triples for name in _persons(triple, memory)}
    persons |= {normal(name) for name in people.relatives}
    nodes: dict[str, Node] = {}
    edges: dict[Edge, None] = {}

    def node_of(label: str, memory: Memory) -> Node:
        place = people.place(label, memory)
        if place not in nodes:
            nodes[place] = _node(label, persons, memory, people)
        return nodes[place]

    for (source, relation, target), memory in triples:
        start, end = node_of(source, memory), node_of(target, memory)
        if end != start:
            edges[Edge(start.key, relation, end.key, memory.memory_id, memory.holds)] = None
    made = Graph(list(nodes.values()), list(edges))
    aliases = _of_one_each(
        [
            (node_of(source, memory).key, node_of(target, memory).key)
            for (source, _, target), memory in triples
            if _says_an_alias(memory)
        ]
    )
    things = {
        normal(node.label): node.key for node in nodes.values() if node.kind == "thing" and not tells_nobody(node.label)
    }
    told = [(things.get(normal(one), ""), things.get(normal(other), "")) for one, other in same]
    return as_one(made, [*told, *aliases]) if told or aliases else made


def _of_one_each(aliases: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The names that were told of one alone: whom 老师 means that two are called, nobody knows."""
    owners: dict[str, set[str]] = defaultdict(set)
    for owner, name in aliases:
        owners[name].add(owner)
    alone = [(owner, name) for owner, name in aliases if len(owners[name]) == 1]
    stands = classes(alone, dict.fromkeys((end for pair in aliases for end in pair), 0))
    of_one = {
        name
        for name, every in owners.items()
        if len({stands.get(owner, owner) for owner in every} - {stands.get(name, name)}) <= 1
    }
    return [(owner, name) for owner, name in aliases if name in of_one]


def as_one(graph: Graph, same: Sequence[tuple[str, str]]) -> Graph:
    """The graph with those nodes as one: the one with most edges, then the first by its key, stands for all."""
    weight = {node.key: 0 for node in graph.nodes}
    for edge in graph.edges:
        weight[edge.source] += 1
        weight[edge.target] += 1
    stands = classes(same, weight)
    other_labels: dict[str, list[str]] = {}
    for node in graph.nodes:
        if stands.get(node.key, node.key) != node.key:
            other_labels.setdefault(stands[node.key], []).extend((node.label, *node.aliases))
    nodes = [
        node._replace(aliases=(*node.aliases, *other_labels.get(node.key, ())))
        for node in graph.nodes
        if stands.get(node.key, node.key) == node.key
    ]
    edges = {
        each: None
        for each in (
            edge._replace(source=stands.get(edge.source, edge.source), target=stands.get(edge.target, edge.target))
            for edge in graph.edges
        )
        if each.source != each.target
    }
    return Graph(nodes, list(edges))


def classes(pairs: Iterable[tuple[str, str]], weight: Mapping[str, int]) -> dict[str, str]:
    """For each node that is one with others the node that stands for them: the weightiest, then the first by key."""
    above: dict[str, str] = {}

    def top(node: str) -> str:
        while above.get(node, node) != node:
            node = above[node]
        return node

    for one, other in pairs:
        if one in weight and other in weight:
            first, second = top(one), top(other)
            if first != second:
                better, worse = sorted((first, second), key=lambda node: (-weight[node], node))
                above[worse] = better
                above.setdefault(better, better)
    return {node: top(node) for node in above}


class _People:
    """What the subjects of facts are called."""

    def __init__(self, memories: Sequence[Memory], locale: str) -> None:
        facts = sorted((memory for memory in memories if _is_fact(memory) and memory.holds), key=_said)
        self._locale = spoken(locale, (each.source.quote or each.text for each in memories if _says_a_triple(each)))
        told = [fact for fact in facts if fact.polarity == "+"]
        self._names = {
            fact.subject: fact.object for fact in told if fact.predicate == NAME and not tells_nobody(fact.object)
        }
        by_role: dict[str, set[str]] = {}
        relatives = [_relative(fact.object) for fact in told if fact.predicate == FAMILY]
        relatives += [_relative_by_tool(each) for each in memories if each.kind is Kind.CREATED and each.holds]
        for role, name in relatives:
            if name and not tells_nobody(name):
                by_role.setdefault(_one_word(role), set()).add(name)
        self._by_role = {role: min(names) for role, names in by_role.items() if len(names) == 1}
        self._keys: dict[str, str] = {}
        self.relatives = frozenset(name for names in by_role.values() for name in names)

    def also_called(self, label: str) -> tuple[str, ...]:
        """What the user is called beside their name, or a relative whose name is told."""
        user = [called(USER, self._locale)] if label == self._names.get(USER) else []
        return (*user, *(role for role, name in self._by_role.items() if name == label and role != label))

    def who(self, label: str) -> str:
        """The key of the user, or of a relative who is the only one; empty for anybody and anything else."""
        if label not in self._keys:
            self._keys[label] = self._key(label)
        return self._keys[label]

    def _key(self, label: str) -> str:
        if label in {self._names.get(USER), called(USER, self._locale)}:
            return f"{USER}:{USER}"
        role = next((role for role, name in self._by_role.items() if name == label), role_of(label))
        return f"{KIN}:{role}" if role else ""

    def shown(self, label: str) -> str:
        """What the graph calls somebody or something: by name once it is told, a relative without one by one word."""
        who, _, role = self.who(label).partition(":")
        if who == KIN:
            return self._by_role.get(role, role)
        return label if not who else self._names.get(USER) or called(USER, self._locale)

    def place(self, label: str, memory: Memory) -> str:
        """Where the node of a memory's label stands: with the others that look the same or are the same person.

        Alone where nobody knows what it is.
        """
        return self.who(label) or f"{normal(label)}{_alone(label, memory)}"

    def triple(self, fact: Memory) -> tuple[str, str, str]:
        """Source, relation and target of a fact."""
        source = self._called(fact.subject)
        if fact.kind is Kind.CREATED:
            return source, *self._created(fact)
        if fact.predicate == FAMILY and fact.polarity == "+":
            role, name = _relative(fact.object)
            if name:
                return source, role, name
        return source, self._label(fact), fact.object

    def _called(self, subject: str) -> str:
        role = role_of(subject)
        name = self._names.get(subject) or self._by_role.get(role)
        return name or role or called(subject, self._locale)

    def _created(self, memory: Memory) -> tuple[str, str]:
        """Relation and target: what it is about, and its object; without one its type, and what it is about."""
        denied = _DENIED[self._locale] if memory.polarity == "-" else ""
        if memory.object:
            is_known = memory.type is Type.RELATION and (memory.object == USER or role_of(memory.object))
            return denied + memory.predicate, self._called(memory.object) if is_known else memory.object
        return _DENIES[self._locale] if denied else _TYPES[memory.type][self._locale], memory.predicate

    def _label(self, fact: Memory) -> str:
        denied = fact.polarity == "-"
        row = PREDICATES.get(fact.predicate)
        if row:
            return (row.denied if denied else row.holds)[self._locale]
        row = PREDICATES.get(fact.predicate.removeprefix(POSSIBLE_PREFIX))
        if row:
            return _MAY[self._locale] + row.holds[self._locale] if not denied else row.denied[self._locale]
        return _DENIED[self._locale] + fact.predicate if denied else fact.predicate


def _is_fact(memory: Memory) -> bool:
    return memory.kind is Kind.FACT and bool(memory.subject and memory.predicate and memory.object)


def _says_a_triple(memory: Memory) -> bool:
    return _is_fact(memory) or (memory.kind is Kind.CREATED and bool(memory.subject and memory.predicate))


def _says_an_alias(memory: Memory) -> bool:
    """Whether somebody was told to have another name: people are one by that alone."""
    told = memory.kind is Kind.CREATED and memory.type is Type.RELATION and memory.polarity == "+"
    names = normal(memory.predicate) in _ALIAS and bool(memory.object)
    return told and names and memory.holds and not tells_nobody(memory.subject + memory.object)


def _persons(triple: tuple[str, str, str], memory: Memory) -> list[str]:
    """Who of a triple is a person. What rules and callers tell is told of people; a tool tells of things too."""
    source, _, target = triple
    if memory.type is Type.RELATION and memory.kind is Kind.CREATED:
        is_place = normal(target) in places() and _OF_A_PLACE.search(memory.predicate) is not None
        return [source] if is_place else [source, target]
    return [source] if memory.kind is Kind.FACT or memory.subject in {USER, ASSISTANT} else []


def _said(memory: Memory) -> int:
    return memory.occurred_ms


def relative_named(memory: Memory) -> str:
    """The name of the relative that a family fact tells of; empty where it tells none."""
    return _relative(memory.object)[1] if memory.kind is Kind.FACT and memory.predicate == FAMILY else ""


def role_of(label: str) -> str:
    """Which relative of the user a label names, in one word (我母亲: 妈妈, my mom: mother); else empty."""
    found = _ROLE.fullmatch(label.strip())
    if found is None:
        return ""
    return _one_word(found["zh"] or found["en"])


def _one_word(role: str) -> str:
    return ROLES.get(role.lower(), role.lower())


def _relative_by_tool(memory: Memory) -> tuple[str, str]:
    """Role and name of the user's relative that a tool told of: 用户, 妈妈, 王秀兰. Else the name is empty."""
    told = memory.type is Type.RELATION and memory.subject == USER and memory.polarity == "+"
    is_name = memory.object not in {"", USER} and not role_of(memory.object)
    return role_of(memory.predicate), memory.object if told and is_name and role_of(memory.predicate) else ""


def _relative(text: str) -> tuple[str, str]:
    """Role and name of a family fact: 女儿灿灿, daughter Mia. Without a name the name is empty."""
    found = _NAMED.fullmatch(text)
    if not found:
        return text, ""
    return found["role"] or found["en"], found["name"] or found["called"]


def _alone(label: str, memory: Memory) -> str:
    """What tells a redacted label from others of the same look."""
    return f" ({memory.memory_id})" if tells_nobody(label) else ""


def _node(label: str, persons: Collection[str], memory: Memory, people: _People) -> Node:
    shown = people.shown(label)
    kind: NodeKind = "person" if normal(shown) in persons else "thing"
    key = people.who(label) or f"{kind}:{label}{_alone(label, memory)}"
    return Node(key, shown, kind, people.also_called(shown))
