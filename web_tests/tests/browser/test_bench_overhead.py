"""`build.py bench --overhead`, `--polyfill`, `--images` and `--sweep`, end to end. Speed is not tested."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from support.paths import PROJECT_DIR
from tools.bench import images, sweep
from tools.bench.sweep import NotSweptError
from tools.bench.sweep_models import all_series
from web_tests.drivers.harness import Harness
from web_tests.models.catalogue import all_models
from web_tests.models.handmade import sum_of_two, tiny_network
from web_tests.models.networks.selection import best_rows

# A separate process: Playwright's synchronous driver cannot start twice in one thread.
PROGRAM = """
import sys
from pathlib import Path
from tools.bench import overhead, polyfill
measure = {"overhead": overhead, "polyfill": polyfill}[sys.argv[1]].run
sys.exit(measure([Path(name) for name in sys.argv[2:]], json_output=True, browser=None, rounds=5))
"""


def measure(what: str, *files: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, what, *map(str, files)]
    return subprocess.run(command, cwd=PROJECT_DIR, capture_output=True, text=True, timeout=240, check=False)


@pytest.mark.usefixtures("webnn_program")
def test_a_model_is_measured_against_its_graph_written_by_hand(tmp_path: Path) -> None:
    """The page compares the answers, too."""
    tiny = tmp_path / "tiny.tflite"
    tiny.write_bytes(tiny_network())
    done = measure("overhead", tiny, all_models()["mlperftiny_kws_int8"].path())
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert [row["name"] for row in answer["rows"]] == ["tiny.tflite", "keyword_spotting.tflite"]
    for row in answer["rows"]:
        assert row["run_ms"]["median"] > 0 < row["by_hand_ms"]["median"]
        assert row["ratio"]["low"] <= row["ratio"]["median"] <= row["ratio"]["high"]


@pytest.mark.usefixtures("webnn_program")
def test_a_model_with_nodes_on_the_cpu_has_no_such_graph(tmp_path: Path) -> None:
    file = tmp_path / "best_rows.tflite"
    file.write_bytes(best_rows())
    done = measure("overhead", file)
    assert done.returncode != 0
    assert "NoFormError" in done.stderr


@pytest.mark.usefixtures("webnn_program")
def test_a_model_is_measured_through_the_polyfill_in_either_thread(tmp_path: Path) -> None:
    """The page checks the results of the tiny graph."""
    tiny = tmp_path / "tiny.tflite"
    tiny.write_bytes(tiny_network())
    done = measure("polyfill", tiny)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert [(row["name"], row["thread"]) for row in answer["rows"]] == [
        ("tiny.tflite", "worker"),
        ("tiny.tflite", "page"),
    ]
    for row in answer["rows"]:
        assert row["nodes_delegated"] == row["nodes_total"] > 0
        assert row["plain_ms"]["median"] > 0 < row["polyfill_ms"]["median"]
        assert row["ratio"]["low"] <= row["ratio"]["median"] <= row["ratio"]["high"]
    assert {thread: spread["median"] > 0 for thread, spread in answer["tinyGraphMs"].items()} == {
        "worker": True,
        "page": True,
    }


def test_conversions_of_pictures_are_measured(webnn: Harness) -> None:
    rows = images.measure(webnn, count=3)
    assert len(rows) == len(images.CASES)
    assert all(row.ms.least > 0 for row in rows)


def test_a_sweep_measures_direct_and_stepped_models(webnn: Harness) -> None:
    direct, *_, stepped = all_series()
    for series in (direct, stepped):
        growth = sweep.measure(webnn, replace(series, xs=series.xs[:3]), rounds=3)
        assert [point.x for point in growth.points] == list(series.xs[:3])
        assert all(point.run_ms.least > 0 for point in growth.points)


def test_a_sweep_reports_models_that_do_not_run_as_needed(webnn: Harness) -> None:
    series = replace(all_series()[0], model=lambda _: sum_of_two("int16"))
    with pytest.raises(NotSweptError, match="must run direct: WebNN gets no node"):
        sweep.measure(webnn, series, rounds=3)
