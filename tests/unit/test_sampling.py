import pytest

from tests.growth import assert_grows
from tests.sampling import Part, sampled


def test_parts_of_a_grid_are_drawn_and_rest_and_all_of_it():
    grid = list("abcdefghij")

    drawn, rest = Part.DRAWN.of(grid, 3), Part.REST.of(grid, 3)

    assert len(drawn) == 3
    assert sorted([*drawn, *rest]) == grid
    assert Part.DRAWN.of(grid, 3) == drawn


def test_sampled_cases_are_all_there_and_long_but_for_those_drawn():
    cases = sampled(["a", pytest.param("b", id="named"), "c"], 1)

    assert [case.values for case in cases] == [("a",), ("b",), ("c",)]
    assert cases[1].id == "named"
    assert sum(any(mark.name == "long" for mark in case.marks) for case in cases) == 2


def test_growth_of_linear_work_is_taken_and_that_of_squares_refused():
    assert_grows(sum, range, 20_000_000)
    with pytest.raises(AssertionError, match="times as much"):
        assert_grows(lambda numbers: [sum(numbers) for _ in numbers], range, 4_000)
