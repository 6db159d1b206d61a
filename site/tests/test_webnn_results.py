"""The WebNN page's saved reports."""

import json
from pathlib import Path
from typing import Any

import pytest
from site_generator import pages, webnn_results
from site_generator.pages import PageError
from site_generator.webnn_results import Cell

CONTEXT = {"name": "default", "rejected": None, "sameAs": None, "shortfalls": [{"op": "abs"}]}


def operator(op: str, edges: dict[str, int], values: dict[str, int]) -> dict[str, Any]:
    return {"op": op, "promise": {}, "edges": edges, "values": values, "bugs": []}


def report(**changes: Any) -> dict[str, Any]:
    operators = [operator("abs", {"works": 2}, {"works": 3}), operator("pow", {}, {"works": 3, "wrong": 1})]
    return {
        "format": webnn_results.FORMAT,
        "created": "2026-11-22T10:00:00Z",
        "browser": "Chromium 147.0.7727.0",
        "webnn": "browser",
        "contexts": [CONTEXT | {"operators": operators}],
        "fusion": [
            {"ms": 1.0, "unfusedMs": 2.0, "differing": 0},
            {"ms": 1.9, "unfusedMs": 2.0, "differing": 0},
            {"ms": 1.9, "unfusedMs": 2.0, "differing": 7},
            {"ms": None, "unfusedMs": None, "differing": None},
        ],
        "features": [{"feature": "MLTensor", "there": True}],
        **changes,
    }


def saved(directory: Path, *reports: dict[str, Any]) -> dict[str, Any]:
    for index, one in enumerate(reports):
        (directory / f"{index}.json").write_text(json.dumps(one))
    return dict(webnn_results.content(directory)["saved"])


def test_a_report_becomes_a_row_with_its_sums(tmp_path: Path) -> None:
    (row,) = saved(tmp_path, report())["reports"]
    assert (row["browser"], row["webnn"], row["short"]) == ("Chromium 147.0.7727.0", "its own", "Chromium 147")
    assert (row["shortfalls"], row["failed"], row["graphs"], row["fused"]) == (1, 1, 9, "2 of 4")


def test_fusion_that_was_left_out_is_not_measured(tmp_path: Path) -> None:
    (row,) = saved(tmp_path, report(fusion=[]))["reports"]
    assert row["fused"] == "not measured"


def test_a_cell_per_operator_and_report(tmp_path: Path) -> None:
    other = report(webnn="polyfill, tflite 1", contexts=[CONTEXT | {"operators": [operator("abs", {}, {"works": 1})]}])
    found = saved(tmp_path, report(), other)
    assert found["operators"] == [
        ("abs", [Cell("good", "5/5"), Cell("good", "1/1")]),
        ("pow", [Cell("bad", "3/4"), None]),
    ]
    assert [row["short"] for row in found["reports"]] == ["Chromium 147", "Chromium 147, polyfill"]


def test_a_feature_that_a_report_lacks_is_no(tmp_path: Path) -> None:
    assert saved(tmp_path, report(), report(features=[]))["features"] == [("MLTensor", ["yes", "no"])]


def test_a_report_of_another_format_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(PageError, match="report format 2"):
        saved(tmp_path, report(format=2))


def test_every_saved_report_can_be_downloaded() -> None:
    names = {f"webnn/{file.stem}" for file in webnn_results.RESULTS_DIR.glob("*.json")}
    assert names == set(pages.load()["webnn"].results)
