"""What memories name in common: 小明 -老师-> 王芳 and 王芳 -单位-> 一中 both name 王芳. Pure."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cache, lru_cache
from typing import Final

from memory.clinical.people import USER
from memory.graph.created import ASSISTANT, normal
from memory.graph.links import Reached, behind
from memory.graph.triples import relative_named, role_of
from memory.language.words import listed
from memory.model.memory import Kind, Memory
from memory.privacy.placeholders import tells_nobody

SHARED: Final = 0.5
"""What is left of the odds behind a thing that two memories name: less than behind a link, which somebody has told."""
NAMED_BY_MAX: Final = 20
"""What more memories name than this joins nothing: it is everywhere."""
_FIGURE: Final = re.compile(
    r"(?!(?:19|20)\d\d[-./])[<>≤≥=~约±+-]{0,2}\s?\d{1,5}(?:\s?[.,:/~-]\s?\d{1,5}){0,2}\s?"
    r"(?:[a-zμ%°/]{0,8}|[毫微]?[克升米]|公[斤里分升]|[度岁次斤片粒颗支盒元块个级分]|分钟|[个半]?小时)"
)
_EVERYWHERE: Final = frozenset({USER, ASSISTANT, ""})


def things_of(memory: Memory) -> list[str]:
    """Ids of the things that a memory names, as they are nodes of a graph; not what only says how something is."""
    if memory.kind not in (Kind.FACT, Kind.CREATED):
        return []
    what = memory.object or (memory.predicate if memory.kind is Kind.CREATED else "")
    labels = [normal(label) for label in (memory.subject, what) if not tells_nobody(label)]
    return [f"thing:{label}" for label in labels if label not in _EVERYWHERE and not says_how(label)]


def labels_of(memory: Memory) -> frozenset[str]:
    """The things that a memory names, in one form: its subject and its object; not its user, who is in all of them."""
    if memory.kind not in (Kind.FACT, Kind.CREATED):
        return frozenset()
    what = memory.object or (memory.predicate if memory.kind is Kind.CREATED else "")
    return _labels(memory.subject, what, relative_named(memory))


@lru_cache(maxsize=20_000)
def says_how(label: str) -> bool:
    """Whether a label, in one form, only says how something is: 不好, high, 38.5. It joins nothing."""
    return label in _values() or _FIGURE.fullmatch(label) is not None


@cache
def _values() -> frozenset[str]:
    return frozenset(map(normal, (*listed("zh", "values"), *listed("en", "values"))))


@lru_cache(maxsize=20_000)
def _labels(*named: str) -> frozenset[str]:
    """In one form. What was redacted is named by none: it may be another's."""
    return frozenset(normal(role_of(label) or label) for label in named if not tells_nobody(label)) - _EVERYWHERE


def named_too(
    memories: Iterable[Memory], reached: Mapping[str, Reached], frontier: Mapping[str, Collection[str]]
) -> dict[str, Reached]:
    """Which memories name a thing that one of a frontier names, better than they were reached before.

    `frontier`: the labels of each memory that the walk goes on from. The label stands in the path between the two.
    """
    best = _best_naming(reached, frontier)
    by_label: dict[str, list[str]] = defaultdict(list)
    for memory in memories:
        for label in labels_of(memory) & best.keys():
            by_label[label].append(memory.memory_id)
    better: dict[str, Reached] = {}
    for label, near in best.items():
        origin, naming = reached[near], by_label[label]
        score = behind(origin.score, SHARED)
        for far in naming if len(naming) <= NAMED_BY_MAX else ():
            known = better.get(far) or reached.get(far)
            if far != near and (known is None or score > known.score):
                better[far] = Reached(score, (*(origin.path or (near,)), label, far))
    return better


def _best_naming(reached: Mapping[str, Reached], frontier: Mapping[str, Collection[str]]) -> dict[str, str]:
    """Each label with the memory that names it and is reached best: no other leads to more."""
    best: dict[str, str] = {}
    for near, labels in frontier.items():
        for label in sorted(labels):
            if label not in best or reached[near].score > reached[best[label]].score:
                best[label] = near
    return best
