"""Logistic regressions with a ridge: over vectors, and over runs of words.

Of those in three examples or more the ones that say most.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memory.clinical.learnt import BIAS

_STAND_IN_MIN: Final = 3
_RIDGE: Final = 1 / 8
_STEPS: Final = 2_000
_POWER_STEPS: Final = 30
_VECTOR_SCALE: Final = 10.0
_VECTOR_RIDGE: Final = 30.0
_NEWTON_STEPS: Final = 15

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]


class Rows:
    """Which of some runs stand in each example; a row has the length 1."""

    def __init__(self, found: Sequence[set[str]], columns: Sequence[str]) -> None:
        place = {run: number for number, run in enumerate(columns)}
        rows = [[place[run] for run in each if run in place] for each in found]
        sizes = [len(row) for row in rows]
        self.count, self.width = len(rows), len(columns)
        self._row: Places = np.repeat(np.arange(len(rows)), sizes)
        self._column: Places = np.array([column for row in rows for column in row], dtype=np.int64)
        self._value: Numbers = 1 / np.sqrt(np.repeat(np.maximum(sizes, 1), sizes))

    def times(self, weights: Numbers) -> Numbers:
        """A number for each row."""
        return np.bincount(self._row, weights[self._column] * self._value, self.count).astype(np.float64)

    def gathered(self, numbers: Numbers) -> Numbers:
        """A number for each column."""
        return np.bincount(self._column, numbers[self._row] * self._value, self.width).astype(np.float64)


def fitted(rows: Rows, wanted: Numbers) -> tuple[Numbers, float]:
    """Weights and bias by accelerated gradient descent (Nesterov 1983), its step from the largest curvature."""
    probe = np.ones(rows.width)
    for _ in range(_POWER_STEPS):
        probe = rows.gathered(rows.times(probe / np.linalg.norm(probe)))
    step = 1 / (0.25 * (float(np.linalg.norm(probe)) + rows.count) + _RIDGE)
    at = ahead = np.zeros(rows.width + 1)
    for number in range(_STEPS):
        score = rows.times(ahead[:-1]) + ahead[-1]
        wrong = 1 / (1 + np.exp(-score)) - wanted
        slope = np.append(rows.gathered(wrong) + _RIDGE * ahead[:-1], wrong.sum())
        before, at = at, ahead - step * slope
        ahead = at + number / (number + 3) * (at - before)
    return at[:-1], float(at[-1])


def weighed(found: Sequence[set[str]], wanted: Sequence[bool], kept_max: int) -> dict[str, float]:
    """The weights of the runs that say most of what is wanted, and of `BIAS`; `found`: the runs of each example."""
    labels = np.array(wanted, dtype=np.float64)
    counted = Counter(run for each in found for run in each)
    columns = sorted(run for run, number in counted.items() if number >= _STAND_IN_MIN)
    weights, _ = fitted(Rows(found, columns), labels)
    kept = sorted(columns[place] for place in np.argsort(-np.abs(weights), kind="stable")[:kept_max])
    weights, bias = fitted(Rows(found, kept), labels)
    return {BIAS: bias} | dict(zip(kept, weights.tolist(), strict=True))


def pointed(vectors: Numbers, wanted: Sequence[bool]) -> dict[str, float]:
    """The weights of the places of vectors (a row each) that say what is wanted, and of `BIAS`, by Newton's method."""
    labels, middle = np.array(wanted, dtype=np.float64), vectors.mean(axis=0)
    rows = np.column_stack([(vectors - middle) * _VECTOR_SCALE, np.ones(len(vectors))])
    ridge = np.diag([_VECTOR_RIDGE] * vectors.shape[1] + [0.0])
    at = np.zeros(rows.shape[1])
    for _ in range(_NEWTON_STEPS):
        likely = 1 / (1 + np.exp(-rows @ at))
        curvature = (rows.T * (likely * (1 - likely))) @ rows + ridge
        at -= np.linalg.solve(curvature, rows.T @ (likely - labels) + ridge @ at)
    weights = at[:-1] * _VECTOR_SCALE
    return {BIAS: float(at[-1] - weights @ middle)} | {
        str(place): weight for place, weight in enumerate(weights.tolist())
    }
