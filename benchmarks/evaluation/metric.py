"""Recall of evidence: from what a search gives to a ranking of messages, and from rankings to figures."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from benchmarks.evaluation.material import Place

CUTS: Final = (5, 10, 20, 50)
MESSAGES_MAX: Final = 2
"""A memory that stands for more messages than this names none of them, and does not count in the ranking."""
ALL: Final = "all"


class Answered(NamedTuple):
    """A question's kind, its evidence, and the ranking of messages that came of it."""

    kind: str
    evidence: Sequence[frozenset[Place]]
    ranking: Sequence[Place]


class Figures(NamedTuple):
    """Mean recall at each of CUTS over so many questions."""

    questions: int
    recall: Mapping[int, float]


def ranking(found: Iterable[Sequence[Place]]) -> list[Place]:
    """Messages in the order in which memories of them were found, each once, at its best place.

    `found`: for each memory, best first, the messages that it comes from.
    """
    return list(dict.fromkeys(place for places in found if len(places) <= MESSAGES_MAX for place in places))


def recall_at(cut: int, answered: Answered) -> float:
    """The share of the evidence that stands among the first `cut` messages."""
    first = set(answered.ranking[:cut])
    return sum(not first.isdisjoint(item) for item in answered.evidence) / len(answered.evidence)


def figures(answered: Sequence[Answered]) -> dict[str, Figures]:
    """Recall over all questions, and over those of each kind."""
    kinds = sorted({one.kind for one in answered})
    groups = {ALL: answered} | {kind: [one for one in answered if one.kind == kind] for kind in kinds}
    return {name: _of(group) for name, group in groups.items() if group}


def _of(group: Sequence[Answered]) -> Figures:
    recall = {cut: statistics.fmean(recall_at(cut, one) for one in group) for cut in CUTS}
    return Figures(len(group), recall)
