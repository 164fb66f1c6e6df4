"""Long grids: `make test` runs cases that the run's seed draws, `make test-all` the others too.

What is not drawn is marked `long`, so that no case runs twice. `make test SEED=<n>` draws the same again.
"""

import random
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from typing import Any, Final, TypeVar

import pytest
from _pytest.mark import ParameterSet

T = TypeVar("T")


class Dice:
    """The seed of this run, the same in all its workers; tests/conftest.py sets it before any test is collected."""

    seed = 0


def sampled(cases: Iterable[Any], number: int) -> list[ParameterSet]:
    """The values of a `parametrize`: all cases, marked `long` but for so many."""
    found = [each if isinstance(each, ParameterSet) else pytest.param(each) for each in cases]
    drawn = _drawn(len(found), number)
    return [each if index in drawn else _long(each) for index, each in enumerate(found)]


class Part(StrEnum):
    """Of a grid that a test only knows when it runs: the cases that are drawn, or the rest."""

    DRAWN = "drawn"
    REST = "rest"

    def of(self, cases: Sequence[T], number: int) -> list[T]:
        """The cases of this part, in their order; so many are drawn."""
        drawn = _drawn(len(cases), number)
        return [each for index, each in enumerate(cases) if (index in drawn) is (self is Part.DRAWN)]


in_parts: Final = pytest.mark.parametrize("part", [Part.DRAWN, pytest.param(Part.REST, marks=pytest.mark.long)])
"""Gives a test the argument `part`."""


def _drawn(size: int, number: int) -> Collection[int]:
    return set(random.Random(Dice.seed).sample(range(size), min(size, number)))


def _long(case: ParameterSet) -> ParameterSet:
    return pytest.param(*case.values, marks=[*case.marks, pytest.mark.long], id=case.id)
