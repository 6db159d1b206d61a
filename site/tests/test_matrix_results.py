"""The matrix page of a handmade result with one cell of each kind."""

import json
from pathlib import Path
from typing import Any

import pytest
from site_generator import matrix_results
from site_generator.pages import PageError

CELL = {"engine": "shell", "host": "page", "difference": 3e-7, "tolerance": 1e-5, "unit": "range", "note": ""}
RAN = {"mode": "direct", "delegated": 5, "nodes": 5}
RESULT: dict[str, Any] = {
    "format": 1,
    "created": "2026-11-21T15:54:55+00:00",
    "reference": "native LiteRT",
    "executions": [{"name": name, "title": name.upper()} for name in ("webnn", "simd", "threads")],
    "hosts": [{"name": "page", "title": "main thread"}],
    "models": [{"name": "a"}, {"name": "b"}],
    "engines": [{"name": "shell", "title": "Shell"}],
    "impossible": [{"engine": "shell", "host": "page", "execution": "threads", "reason": "not isolated"}],
    "cells": [
        {**CELL, "execution": "webnn", "model": "a", "status": "right", "ms": 0.5, "ran": RAN},
        {**CELL, "execution": "webnn", "model": "b", "status": "wrong", "ms": 1, "ran": RAN},
        {**CELL, "execution": "simd", "model": "a", "status": "right", "ms": 2, "ran": None},
    ],
}


@pytest.fixture
def matrix(tmp_path: Path) -> Any:
    return matrix_results.content(_file(tmp_path, RESULT))["matrix"]


def test_without_a_result_the_page_has_no_matrix(tmp_path: Path) -> None:
    assert matrix_results.content(tmp_path / "matrix.json") == {"matrix": None}


def test_a_result_of_another_format_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(PageError, match="result format 2, expected 1"):
        matrix_results.content(_file(tmp_path, {**RESULT, "format": 2}))


def test_a_table_counts_right_cells_by_execution(matrix: Any) -> None:
    [(engine, summaries)] = matrix["hosts"][0]["rows"]
    assert engine["name"] == "shell"
    assert [(summary.kind, summary.text, summary.reason) for summary in summaries] == [
        ("bad", "1/2", None),
        ("good", "1/1", None),
        ("", "no", 1),
    ]
    assert matrix["reasons"] == ["not isolated"]
    assert [cell["model"] for cell in matrix["red"]] == ["b"]


def test_the_times_table_has_a_cell_for_each_model(matrix: Any) -> None:
    [table] = matrix["details"][0]["hosts"]
    assert [execution["name"] for execution in table["executions"]] == ["webnn", "simd"]
    (_, [first, second]), (_, [third, nothing]) = table["rows"]
    assert (first.ms, first.is_right, first.note) == (0.5, True, "Δ 3e-07, direct 5/5")
    assert (second.note, third.is_right, nothing) == ("Δ 3e-07", False, None)


def _file(directory: Path, result: dict[str, Any]) -> Path:
    file = directory / "matrix.json"
    file.write_text(json.dumps(result))
    return file
