"""The demo's output: the table, the reasons, the JSON."""

import json
import math
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from tools.demo import demo, demo_table
from tools.measuring import measurement
from tools.measuring.browser import BrowserInfo
from tools.measuring.measurement import (
    Fallback,
    Measurement,
    ModelFileError,
    NoPackageError,
    fallbacks_of,
)
from tools.measuring.statistics import Spread
from web_tests.drivers.harness import ModelError
from web_tests.references.comparison import Difference

INFO = BrowserInfo("Some Browser", "147.0", "/usr/bin/some-browser", True, "")
ROW = Measurement(
    name="a_model",
    variant="relaxed-simd",
    execution_mode="stepped",
    nodes_delegated=3,
    nodes_total=5,
    partitions=2,
    fallback_reason="",
    fallbacks=(Fallback("TOPK_V2", (3, 4), "the delegate has no lowering for [TOPK_V2]"),),
    webnn_difference=Difference(1.2e-5, 2e-7),
    cpu_difference=None,
    webnn=Spread(4.0, 3.8, 4.2, 3.5),
    cpu=Spread(10.0, 9.5, 10.5, 9.0),
    ratio=2.5,
)
ON_CPU = replace(ROW, name="other", fallback_reason="no WebNN", webnn=None, ratio=None, webnn_difference=None)


def shown(*rows: Measurement, info: BrowserInfo = INFO) -> str:
    stream = StringIO()
    demo_table.show(Console(file=stream), info, 20, rows)
    return stream.getvalue()


def test_a_row_has_each_column_s_value() -> None:
    text = shown(ROW)
    for part in (
        "a_model",
        "3/5",
        "stepped",
        "1.2e-05 (2e-07)",
        "10.00 (9.00)",
        "4.00 (3.50)",
        "2.50",
        "Some Browser",
        "relaxed-simd",
    ):
        assert part in text


def test_reasons_of_nodes_are_shown_as_they_are() -> None:
    assert "2 x TOPK_V2 (nodes 3, 4): the delegate has no lowering for [TOPK_V2]" in shown(ROW)


def test_models_with_the_same_reason_share_a_line() -> None:
    info = replace(INFO, webnn=False, webnn_reason="NotSupportedError: no")
    text = shown(ON_CPU, replace(ON_CPU, name="third"), info=info)
    assert "other, third: on the CPU, because no WebNN" in text
    assert "no WebNN: NotSupportedError: no" in text
    assert "TOPK_V2" not in text


def test_long_lists_of_nodes_are_cut() -> None:
    assert "(nodes 0, 1, 2, 3, 4, 5, 6, 7, ...)" in demo_table.fallback_text(Fallback("PAD", tuple(range(20)), "x"))


def test_json_is_valid_even_where_a_difference_is_infinite() -> None:
    row = replace(ROW, cpu_difference=Difference(math.inf, math.inf))
    error = ModelError("UnsupportedOpError", "FLEX_OP", "the model uses Flex", "")
    document = json.loads(json.dumps(demo_table.to_json(INFO, 20, [row], {"bad": error}), allow_nan=False))
    assert document["models"][0]["cpu_difference"] == {"absolute": None, "relative": None}
    assert document["failures"]["bad"] == {"name": "UnsupportedOpError", "message": "the model uses Flex"}


def test_fallbacks_are_grouped_by_op_and_reason() -> None:
    nodes = [
        {"index": 0, "op": "PAD", "placement": "cpu", "reason": "a"},
        {"index": 1, "op": "ADD", "placement": "webnn", "reason": None},
        {"index": 2, "op": "PAD", "placement": "cpu", "reason": "b"},
        {"index": 3, "op": "PAD", "placement": "cpu", "reason": "a"},
    ]
    assert fallbacks_of(nodes) == (Fallback("PAD", (0, 3), "a"), Fallback("PAD", (2,), "b"))


def test_reasons_that_name_different_tensors_are_one() -> None:
    nodes = [
        {"index": 0, "op": "ADD", "placement": "cpu", "reason": "tensor 3 'a;b' is int8"},
        {"index": 1, "op": "ADD", "placement": "cpu", "reason": "tensor 5 'c' is int8"},
        {"index": 2, "op": "PAD", "placement": "cpu", "reason": "tensor 5 'c' is int8"},
    ]
    assert fallbacks_of(nodes) == (
        Fallback("ADD", (0, 1), "a tensor is int8"),
        Fallback("PAD", (2,), "tensor 5 'c' is int8"),
    )


def test_missing_files_are_reported_before_a_browser_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurement, "PACKAGE_DIR", tmp_path)
    with pytest.raises(NoPackageError, match="python3 build"):
        demo.run([], json_output=True, browser=None, rounds=1)
    (tmp_path / "index.mjs").write_text("")
    with pytest.raises(ModelFileError, match="No such file"):
        demo.run([tmp_path / "none.tflite"], json_output=True, browser=None, rounds=1)
