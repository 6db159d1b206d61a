"""The committed result of `build.py bench` on the benchmark page."""

import json
from pathlib import Path
from typing import Any

import pytest
from site_generator import bench_results, pages
from site_generator.bench_results import RESULT_FILE
from site_generator.pages import PageError
from site_generator.templates import Renderer

from tools.bench.result import FORMAT


def spread(median: float) -> dict[str, float]:
    return {"median": median, "low": median * 0.9, "high": median * 1.25, "min": median * 0.8}


def row(runtime: str, ms: float | None, failure: str = "") -> dict[str, Any]:
    return {
        "model": "tiny",
        "runtime": runtime,
        "verdict": {"grade": "close", "absolute": 1e-7, "relative": 2e-7, "note": ""},
        "ms": ms and spread(ms),
        "measure": "tflite-webnn/webnn",
        "ratio": ms and spread(ms / 2),
        "placement": {"execution_mode": "direct", "nodes_delegated": 5, "partitions": 1}
        if "tflite" in runtime
        else None,
        "failure": failure,
    }


RESULT = {
    "format": FORMAT,
    "machine": {"processor": "A <fast> one", "cores": 2, "features": ["avx2"], "system": "Linux"},
    "browser": {"title": "Chromium", "version": "147.0"},
    "runtimes": [
        {"name": "litert.js/webnn", "group": "WebNN", "version": "2.5.3", "is_measure": False},
        {"name": "tflite-webnn/webnn", "group": "WebNN", "version": "0.1.0", "is_measure": True},
        {"name": "native/1-thread", "group": "CPU, 1 thread", "version": "2.3", "is_measure": False},
    ],
    "rounds": 30,
    "models": [{"name": "tiny", "size_bytes": 1_500_000, "nodes": 5, "quantized": True}],
    "speed": [row("litert.js/webnn", 4.0), row("tflite-webnn/webnn", 2.0), row("native/1-thread", None, "it crashed")],
    "load_average": [0.1, 1.0],
    "started": "2026-11-21T16:00:59+00:00",
    "revision": "abc",
}


@pytest.fixture
def result_file(tmp_path: Path) -> Path:
    file = tmp_path / "bench.json"
    file.write_text(json.dumps(RESULT))
    return file


def test_runtimes_are_grouped_and_sorted(result_file: Path) -> None:
    (times,) = bench_results.content(result_file)["bench"]["by_model"]
    (group,) = times.groups
    assert (group.name, group.measure) == ("WebNN", "tflite-webnn/webnn")
    assert [(time.runtime, time.is_own, time.placement) for time in group.times] == [
        ("tflite-webnn/webnn", True, "direct, 5 of 5"),
        ("litert.js/webnn", False, ""),
    ]
    assert group.times[1].bar == {"low": 720.0, "median": 800.0, "high": 1000.0}
    assert times.failures == {"it crashed": ["native/1-thread"]}


def test_page_shows_machine_date_versions_and_rows(result_file: Path) -> None:
    registry = pages.load()
    html = Renderer(registry).render(registry["benchmark"], bench_results.content(result_file))
    for text in ("A &lt;fast&gt; one", "2026-11-21", "Chromium 147.0", "2.5.3", "close, 2.0e-07", "it crashed"):
        assert text in html


def test_page_gets_the_medians_for_its_own_benchmark(result_file: Path) -> None:
    content = bench_results.content(result_file)
    stored = json.loads(content["bench"]["stored_json"])
    assert stored["machine"] == "A <fast> one, 2 cores, Chromium 147.0, 2026-11-21"
    assert stored["ms"] == {"tiny": {"litert.js/webnn": 4.0, "tflite-webnn/webnn": 2.0}}
    registry = pages.load()
    assert 'id="stored-times">{"machine": "A \\u003cfast>' in Renderer(registry).render(registry["benchmark"], content)


def test_page_works_without_a_result(tmp_path: Path) -> None:
    registry = pages.load()
    content = bench_results.content(tmp_path / "none.json")
    assert content == {"bench": None}
    assert "Measured by this project" not in Renderer(registry).render(registry["benchmark"], content)


def test_a_result_of_another_format_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    file.write_text('{"format": 0}')
    with pytest.raises(PageError, match="not a result of format"):
        bench_results.content(file)


@pytest.mark.skipif(not RESULT_FILE.exists(), reason="no result of build.py bench is committed")
def test_committed_result_is_shown() -> None:
    shown = bench_results.content()["bench"]
    assert [times.model["name"] for times in shown["by_model"]] == [model["name"] for model in shown["models"]]
