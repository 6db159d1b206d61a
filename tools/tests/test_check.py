"""`build.py check`: the difference of two outputs, the lines and the sum."""

import numpy as np
import pytest

from tools.explain.check import Row, difference, summary

INFINITY, NAN = float("inf"), float("nan")


@pytest.mark.parametrize(
    ("found", "expected", "result"),
    [
        ([1, 2, 3], [1, 2, 3], 0),
        ([1, 2, 4], [1, 2, 3], 0.5),
        ([2, 2], [4, 4], 0.5),
        ([1, NAN, INFINITY], [1, NAN, INFINITY], 0),
        ([1, NAN], [1, 2], INFINITY),
        ([1, INFINITY], [1, -INFINITY], INFINITY),
        ([1], [1, 1], INFINITY),
        ([1.0], [0.0], 1),
    ],
)
def test_the_difference_is_relative_to_the_range(found: list[float], expected: list[float], result: float) -> None:
    assert difference(np.array(found, np.float32), np.array(expected, np.float32)) == result


def test_check_prints_a_line_for_each_model_and_a_sum() -> None:
    rows = [
        Row("small", "webnn", "direct", 3, 3, {"": 0.0}),
        Row("other", "webnn", "stepped", 2, 3, {"prefill": 1e-6, "decode": 0.25}, {"WHERE": "no"}),
        Row("other", "cpu", error="ModelError: no"),
    ]
    assert [row.text for row in rows] == [
        "small webnn: direct, 3 of 3 nodes, - 0e+00",
        "other webnn: stepped, 2 of 3 nodes, prefill 1e-06, decode 2e-01",
        "other cpu: ModelError: no",
    ]
    assert summary(rows) == "1 of 2 models are direct; 1 of 3 runs failed"
