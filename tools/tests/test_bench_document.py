"""The results that `build.py bench --document` writes into docs/performance.md."""

import json
from pathlib import Path

import pytest

from tools import result_file
from tools.bench import document, sweep
from tools.bench.document import BEGIN, END, NoResultsError, render
from tools.tests.test_bench import FACTS, a_result
from tools.tests.test_bench_sweep import growth


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as `bench --out` and `bench --sweep --out` leave it."""
    result_file.write(a_result(), tmp_path / "bench.json")
    swept = sweep.to_json(FACTS, 20, "now", [growth(), growth("stepped")])
    (tmp_path / "sweep.json").write_text(json.dumps(swept))
    return tmp_path


def test_the_tables_show_ratios_loading_growth_and_shortfalls(folder: Path) -> None:
    lines = render(folder).splitlines()
    assert "| model | tflite-webnn/simd, ms | litert.js/wasm 2 |" in lines
    assert "| a_model | 2.200 [2.100, 2.300] | 0.500 [0.500, 0.500] |" in lines
    assert "| a_model | litert.js/wasm | 1 | 1 | 1 | 2 | 1.50 | – | 0.00 |" in lines
    assert "| input size | direct | 1.000 | 1000000.00 | 1.000 | 0.500 | 0.00 | 0.00 | MB |" in lines
    assert "- a_model: tflite-webnn/simd takes 2.00 times as long as litert.js/wasm" in lines


def test_a_group_without_its_measure_has_no_table(folder: Path) -> None:
    assert "### WebNN" not in render(folder)


def test_only_the_results_of_the_document_change(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = tmp_path / "performance.md"
    text.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    monkeypatch.setattr(document, "DOCUMENT", text)
    document.run(folder)
    once = text.read_text()
    assert once == f"before\n{BEGIN}\n{render(folder)}{END}\nafter\n"
    document.run(folder)
    assert text.read_text() == once


def test_a_folder_without_results_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoResultsError, match=r"has no bench\.json"):
        render(tmp_path)


def test_the_document_has_a_place_for_them() -> None:
    text = document.DOCUMENT.read_text(encoding="utf-8")
    assert text.index(BEGIN) < text.index(END)
