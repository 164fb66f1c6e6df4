"""A link: one memory that joins two others. Ground first, then what follows from it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from memory.graph.created import TOOL
from memory.model.memory import Category, Kind, Memory, Source, Type, id_of
from memory.model.relations import RELATIONS
from memory.scope import UserScope

FOLLOWED: Final = 0.6
"""What is left of the odds of a score behind each link. Of its odds, as fading takes from them: what fits surely leads
on nearly as surely, what fits by chance leads nowhere."""


_LEAST: Final = 1e-9


class Reached(NamedTuple):
    """How well a memory is reached: the score of where the walk began less what each link takes, and by which path.

    `path`: from the memory that was found, link and memory in turn, to this one; empty: it was found itself.
    """

    score: float
    path: Sequence[str] = ()

    @property
    def distance(self) -> int:
        """How many links it stands off."""
        return len(self.path) // 2


def behind(score: float, left: float) -> float:
    """A score, 0 to 1, of whose odds so much is left."""
    odds = left * score / max(_LEAST, 1.0 - score)
    return odds / (1.0 + odds)


def link_id(scope: UserScope, ground: str, relation: str, follows: str) -> str:
    """The id of a link: the same ends and relation are the same link."""
    return id_of(f"{scope}/{Kind.LINK}/{ground}/{relation}/{follows}", scope.tenant, scope.user)


class Joining(NamedTuple):
    """What is to be joined: a ground, and what follows from it; how firmly, in whose words, when and by whom told."""

    ground: Memory
    relation: str
    follows: Memory
    importance: float
    quote: str
    told_ms: int
    mind: str = TOOL


def link(scope: UserScope, joining: Joining) -> Memory:
    """The link of two memories. It holds none of their words: it goes with either of them, and holds since both do."""
    ground, relation, follows, importance, quote, told_ms, mind = joining
    return Memory(
        memory_id=link_id(scope, ground.memory_id, relation, follows.memory_id),
        user_id=scope.user,
        kind=Kind.LINK,
        category=Category.SYSTEM,  # it fades with its ends, not by itself
        type=Type.RELATION,
        text=RELATIONS[relation].label["en"],
        source=Source("", "", (), quote),
        occurred_ms=told_ms,
        recorded_ms=told_ms,
        importance=importance,
        subject=ground.memory_id,
        predicate=relation,
        object=follows.memory_id,
        mind=mind,
        valid_from_ms=max(ground.held_from_ms, follows.held_from_ms),
    )


def followed(links: Iterable[Memory], reached: Mapping[str, Reached], frontier: Iterable[str]) -> dict[str, Reached]:
    """What one more link from a frontier leads to better than it was reached before; the best way to each."""
    edge, better = set(frontier), dict[str, Reached]()
    for each in sorted(links, key=lambda link: (-link.importance, link.memory_id)):
        for near, far in ((each.subject, each.object), (each.object, each.subject)):
            if near not in edge:
                continue
            origin = reached[near]
            way = Reached(behind(origin.score, FOLLOWED), (*(origin.path or (near,)), each.memory_id, far))
            known = better.get(far) or reached.get(far)
            if known is None or way.score > known.score:
                better[far] = way
    return better


def without_ends(links: Iterable[Memory], gone: Iterable[str]) -> list[str]:
    """Ids of the links that have an end among these."""
    lost = set(gone)
    return [each.memory_id for each in links if each.kind is Kind.LINK and lost & {each.subject, each.object}]
