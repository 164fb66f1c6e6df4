"""Which labels of a user are one thing, and of which somebody may say so: the pairs among many. Pure."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.graph.created import normal
from memory.graph.likeness import MAYBE_ABOVE, Likeness, Verdict, alike, calibrated, keys, middle_of

BY_MEANING: Final = 5
"""As many of the labels that lie nearest to one are looked at."""
_ROWS: Final = 512


class Pair(NamedTuple):
    """Two labels, and how they are alike."""

    one: str
    other: str
    likeness: Likeness

    @property
    def ends(self) -> frozenset[str]:
        """Both labels, in one form."""
        return frozenset((normal(self.one), normal(self.other)))


def pairs(labels: Sequence[str], vectors: NDArray[np.float32] | None, but: Collection[frozenset[str]]) -> list[Pair]:
    """The pairs that are alike, the surest first; of those that may be, the best of each label alone.

    `vectors`: of the first labels, a row each (None: nothing is compared by meaning). `but`: pairs that were decided.
    """
    found: dict[frozenset[str], Pair] = {}
    for one, other in _by_writing(labels):
        _note(found, one, other, None)
    for one, other, near in _by_meaning(labels, vectors) if vectors is not None else ():
        _note(found, one, other, near)
    order = sorted(
        (pair for ends, pair in found.items() if ends not in but),
        key=lambda pair: (-pair.likeness.score, pair.one, pair.other),
    )
    chosen, has_one = list[Pair](), set[str]()
    for pair in order:
        if pair.likeness.verdict is Verdict.SAME or has_one.isdisjoint(pair.ends):
            chosen.append(pair)
            has_one |= pair.ends if pair.likeness.verdict is Verdict.MAYBE else set()
    return chosen


def _note(found: dict[frozenset[str], Pair], one: str, other: str, near: float | None) -> None:
    first, second = sorted((one, other))
    pair = Pair(first, second, alike(first, second, near))
    known = found.get(pair.ends)
    better = known is None or pair.likeness.score > known.likeness.score
    if pair.likeness.verdict is not Verdict.NO and len(pair.ends) > 1 and better:
        found[pair.ends] = pair


def _by_writing(labels: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each label with the one before it that has a key in common: what is written alike makes a chain."""
    before: dict[tuple[str, ...], str] = {}
    for label in labels:
        for key in keys(label):
            if key in before:
                yield before[key], label
            before[key] = label


def _by_meaning(labels: Sequence[str], vectors: NDArray[np.float32]) -> Iterator[tuple[str, str, float]]:
    """Each label with those that lie nearest to it and near enough, with their calibrated cosines."""
    middle = middle_of(vectors)
    if middle is None:
        return
    for start in range(0, len(vectors), _ROWS):
        near = calibrated(vectors[start : start + _ROWS] @ vectors.T, middle)
        near[np.arange(len(near)), start + np.arange(len(near))] = -np.inf
        nearest = np.argpartition(-near, min(BY_MEANING, len(vectors) - 1))[:, :BY_MEANING]
        rows, places = np.nonzero(np.take_along_axis(near, nearest, axis=1) >= MAYBE_ABOVE)
        for row, column in zip(rows.tolist(), nearest[rows, places].tolist(), strict=True):
            yield labels[start + row], labels[column], float(near[row, column])
