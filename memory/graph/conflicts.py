"""Memories that cannot both be so: a view of what is held now. Nothing is decided by it; somebody resolves it. Pure."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Final, NamedTuple

from memory.graph.created import normal
from memory.graph.times import is_time
from memory.model.memory import Kind, Memory, Type
from memory.model.predicates import is_single, nearest

BESIDE_MAX: Final = 64
"""Of what one memory may conflict with, the last ones are looked at."""
_DAY_MS: Final = 86_400_000
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
    """Those among facts and created memories that hold, in the order of the ids of the later.

    Each is held against the last BESIDE_MAX of what it may conflict with: time and size are linear in the memories.
    """
    told = [each for each in memories if each.kind in (Kind.FACT, Kind.CREATED) and each.holds and each.subject]
    told.sort(key=_told)
    meant = cache(nearest)  # of twenty thousand topics each is looked up once
    found = {*_opposites(told, meant), *_values(told, meant)}
    return sorted(found, key=lambda each: (each.later, each.earlier))


def _opposites(told: Sequence[Memory], meant: Callable[[str], str]) -> Iterable[Conflict]:
    """The same said and denied, or liked and disliked. `told`: the earlier first, as below."""
    before: dict[tuple[str, str, str, int], list[Memory]] = defaultdict(list)
    for memory in told:
        (what, sign), about = _stance(memory, meant), (normal(memory.subject), normal(memory.object))
        for earlier in before[*about, what, -sign][-BESIDE_MAX:]:
            if _may_meet(earlier, memory):
                yield Conflict(OPPOSITE, earlier.memory_id, memory.memory_id)
        before[*about, what, sign].append(memory)


def _may_meet(one: Memory, other: Memory) -> bool:
    """Whether both speak of one time: what happened on one day, and did not on another, is no conflict."""
    both_told = all(each.type is Type.EVENT and any(map(is_time, each.attributes)) for each in (one, other))
    return not both_told or abs(one.occurred_ms - other.occurred_ms) < _DAY_MS


def _stance(memory: Memory, meant: Callable[[str], str]) -> tuple[str, int]:
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
    return meant(predicate), sign


def _values(told: Sequence[Memory], meant: Callable[[str], str]) -> Iterable[Conflict]:
    """Two values of what has one at a time: a name, an age, a home."""
    before: dict[tuple[str, str], dict[str, Memory]] = defaultdict(dict)
    for memory in told:
        predicate = meant(memory.predicate)
        if is_single(predicate) and memory.object and memory.polarity == "+":
            beside, value = before[normal(memory.subject), predicate], normal(memory.object)
            for other, earlier in islice(reversed(beside.items()), BESIDE_MAX):
                if other != value:
                    yield Conflict(VALUES, earlier.memory_id, memory.memory_id)
            beside.pop(value, None)
            beside[value] = memory  # the last that says so, behind the others


def _told(memory: Memory) -> tuple[int, int, str]:
    return memory.occurred_ms, memory.recorded_ms, memory.memory_id
