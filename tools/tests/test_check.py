"""`build.py check`: the lines and the sum."""

from tools.explain.check import Row, summary


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
