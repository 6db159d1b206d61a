"""Differences are relative to the output's range, and a NaN never hides them."""

import math

import numpy as np
import pytest

from web_tests.references.comparison import assert_close, compare, output_range


def array(*values: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.array(values, dtype=np.float32)


@pytest.mark.parametrize(("values", "expected"), [((-1, 0, 3), 4), ((5,), 5), ((-2, -2), 2), ((0, 0), 1)])
def test_the_range_of_an_output_is_never_zero(values: tuple[float, ...], expected: float) -> None:
    assert output_range(array(*values)) == expected


def test_the_worst_output_counts() -> None:
    difference = compare([array(0, 1), array(0, 100.5)], [array(0, 1), array(0, 100)])
    assert difference.absolute == 0.5
    assert difference.relative == pytest.approx(0.005)


def test_a_nan_in_one_output_only_is_infinitely_far() -> None:
    assert compare([array(0, math.nan)], [array(0, 1)]).absolute == math.inf
    assert compare([array(0, math.inf)], [array(0, 1)]).absolute == math.inf


def test_equal_infinities_and_nans_agree() -> None:
    assert compare([array(math.inf, math.nan, 1)], [array(math.inf, math.nan, 1)]).absolute == 0


def test_other_shapes_are_no_difference_but_an_error() -> None:
    with pytest.raises(ValueError, match="shapes"):
        compare([array(1, 2)], [array(1)])


def test_each_output_is_compared_within_a_part_of_its_own_range() -> None:
    expected = [array(0, 100), array(0, 1)]
    assert_close([array(0, 100.5), array(0, 1.005)], expected, 0.01)
    assert_close([array(0.5, 100), array(0.5, 1)], expected, absolute=0.5)
    assert_close(expected, expected)
    for found in ([array(0, 100), array(0, 1.5)], [array(0, 100), array(0, np.nan)]):
        with pytest.raises(AssertionError, match="output 1"):
            assert_close(found, expected, 0.01)
    for found in (expected[:1], [array(0, 100), array(0, 1).reshape(1, 2)]):
        with pytest.raises(AssertionError, match="shapes"):
            assert_close(found, expected, 1)
