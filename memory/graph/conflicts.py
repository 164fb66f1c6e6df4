"""Memories that cannot both be so: a view of what is held now. Nothing is decided by it; somebody resolves it. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from memory.graph.created import normal
from memory.model.memory import Kind, Memory
from memory.model.predicates import is_single, nearest

OPPOSITE: Final = "opposite"
VALUES: Final = "values"
_DENIED: Final = re.compile(
    r"(?:不|没有?|not |no |(?:do|does|did|is|was|can) not |(?:do|does|did|is|was|ca)n['\u2019]?t )(?=\S)"
)
_FAVOUR: Final[Mapping[str, int]] = {
    **dict.fromkeys(("like", "喜欢", "喜爱", "爱", "爱好", "likes", "loves", "love", "enjoys"), 1),
    **dict.fromkeys(("dislike", "讨厌", "不喜欢", "厌恶", "恨", "hates", "hate", "dislikes"), -1),
}
_SAID_WITH: Final = ("喜欢", "喜爱", "讨厌", "厌恶", "likes ", "loves ", "enjoys ", "hates ", "dislikes ")
"""Words of favour that stand before what is liked, where both are told as one."""


class Conflict(NamedTuple):
    """Two memories that cannot both be so: opposites, or two values of what has one. `later`: which was told later."""

    kind: str
    earlier: str
    later: str


def conflicts(memories: Iterable[Memory]) -> list[Conflict]:
    """Those among facts and created memories that hold, in the order of the ids of the later."""
    told = [each for each in memories if each.kind in (Kind.FACT, Kind.CREATED) and each.holds and each.subject]
    found = {*_opposites(told), *_values(told)}
    return sorted(found, key=lambda each: (each.later, each.earlier))


def _opposites(told: Sequence[Memory]) -> Iterable[Conflict]:
    """The same said and denied, or liked and disliked."""
    about: dict[tuple[str, ...], list[Memory]] = defaultdict(list)
    for memory in told:
        about[normal(memory.subject), normal(memory.object)].append(memory)
    for beside in about.values():
        for one, other in combinations(beside, 2):
            stands, against = _stance(one), _stance(other)
            if stands[0] == against[0] and stands[1] == -against[1]:
                yield _between(OPPOSITE, one, other)


def _stance(memory: Memory) -> tuple[str, int]:
    """What is said, and whether it is so."""
    sign = -1 if memory.polarity == "-" else 1
    predicate = normal(memory.predicate)
    denied = None if predicate in _FAVOUR else _DENIED.match(predicate)
    if denied:
        predicate, sign = predicate[denied.end() :], -sign
    if predicate in _FAVOUR and memory.object:
        return "favour", sign * _FAVOUR[predicate]
    word = next((word for word in _SAID_WITH if predicate.startswith(word) and predicate != word), "")
    if word and not memory.object:  # 喜欢打篮球, 讨厌打篮球
        return f"favour {predicate.removeprefix(word)}", sign * _FAVOUR[word]
    return nearest(predicate), sign


def _values(told: Sequence[Memory]) -> Iterable[Conflict]:
    """Two values of what has one at a time: a name, an age, a home."""
    about: dict[tuple[str, ...], list[Memory]] = defaultdict(list)
    for memory in told:
        predicate = nearest(memory.predicate)
        if is_single(predicate) and memory.object and memory.polarity == "+":
            about[normal(memory.subject), predicate].append(memory)
    for beside in about.values():
        for one, other in combinations(beside, 2):
            if normal(one.object) != normal(other.object):
                yield _between(VALUES, one, other)


def _between(kind: str, one: Memory, other: Memory) -> Conflict:
    earlier, later = sorted((one, other), key=lambda each: (each.occurred_ms, each.recorded_ms, each.memory_id))
    return Conflict(kind, earlier.memory_id, later.memory_id)
