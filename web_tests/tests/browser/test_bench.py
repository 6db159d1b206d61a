"""`build.py bench`, end to end: one round. Speed is not tested: it depends on the machine."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.backends import memory
from benchmarks.backends.result import FILE, read
from support.command import CommandError, run
from support.paths import PROJECT_DIR
from tools import result_file
from tools.bench.result import Result
from web_tests.models import converted
from web_tests.models.networks.decoder import DecoderShape, decoder

# A separate process: Playwright's synchronous driver cannot start twice in one thread.
PROGRAM = """
import json, sys
from pathlib import Path
from tools.bench import command
request = json.loads(sys.argv[1])
paths = {"models": [Path(name) for name in request.pop("models")], "out": Path(request.pop("out"))}
sys.exit(command.run(command.Request(**request, **paths)))
"""
BACKENDS_PROGRAM = """
import sys
from pathlib import Path
from benchmarks.backends import measuring
sys.exit(measuring.run([Path(sys.argv[1])], browser=None, rounds=1, out=Path(sys.argv[1])))
"""
MEMORY_PROGRAM = """
import sys
from pathlib import Path
from benchmarks.backends import memory
sys.exit(memory.run({"small": Path(sys.argv[1])}, browser=None, rounds=1))
"""
VISION_PROGRAM = """
import sys
from pathlib import Path
from benchmarks.vision import measuring
sys.exit(measuring.run(["ObjectDetector"], rounds=1, load_rounds=1, out=Path(sys.argv[1])))
"""
pytestmark = [pytest.mark.needs("variants"), pytest.mark.usefixtures("webnn_program"), pytest.mark.timeout(600)]


def bench(directory: Path, models: list[str], patterns: list[str], **more: Any) -> dict[str, Any]:
    request = {"models": models, "patterns": patterns, "rounds": 1, "out": str(directory), **more}
    return result_of(PROGRAM, json.dumps(request), directory / "bench.json")


def result_of(program: str, argument: str, file: Path) -> dict[str, Any]:
    """Return the result that a program writes."""
    run([sys.executable, "-c", program, argument], cwd=PROJECT_DIR, capture=True, quiet=True, timeout_seconds=580)
    return result_file.to_json(result_file.read(Result, file))


def test_every_runtime_computes_a_model_that_has_all_forms(tmp_path: Path) -> None:
    result = bench(tmp_path, ["oww_alexa"], [], load_rounds=0)
    rows = {row["runtime"]: row for row in result["speed"]}
    assert len(rows) >= 14
    assert {name: row["failure"] for name, row in rows.items() if row["failure"]} == {}
    assert {name: row["verdict"] for name, row in rows.items() if row["verdict"]["relative"] > 1e-4} == {}
    assert all(row["ms"]["median"] > 0 for row in rows.values())
    assert rows["tflite-webnn/webnn"]["placement"]["execution_mode"] == "direct"
    assert rows["tflite-webnn/blocking"]["placement"]["execution_mode"] == "blocking"
    assert rows["hand-written/webnn"]["measure"] == "tflite-webnn/webnn"


def test_loading_is_measured_in_a_fresh_browser(tmp_path: Path) -> None:
    runtimes = ["tflite-webnn/webnn", "litert.js/wasm"]
    result = bench(tmp_path, ["mlperftiny_vww_int8"], runtimes, load_rounds=1)
    tflite_webnn, peer = result["loading"]
    assert tflite_webnn["library_ms"]["median"] > 0 < tflite_webnn["first_run_ms"]["median"]
    assert tflite_webnn["memory_bytes"] > 0
    assert tflite_webnn["peak_memory_bytes"] >= tflite_webnn["memory_bytes"] / 2
    assert {"package/index.mjs", "package/relaxed-simd/tflite_webnn.wasm"} <= set(tflite_webnn["files"])
    assert tflite_webnn["gzip_bytes"] < tflite_webnn["downloaded_bytes"]
    assert peer["failure"] == ""
    assert peer["total_ms"]["median"] > 0


def test_backends_of_a_directory_are_measured_once(tmp_path: Path) -> None:
    """One model has signatures of two subgraphs, one is damaged, and affects nothing."""
    (tmp_path / "good.tflite").write_bytes(converted.two_signatures())
    (tmp_path / "damaged.tflite").write_bytes(b"TFL3")
    command = [sys.executable, "-c", BACKENDS_PROGRAM, str(tmp_path)]
    for _ in range(2):
        with pytest.raises(CommandError, match="exited with 1"):
            run(command, cwd=PROJECT_DIR, capture=True, quiet=True, timeout_seconds=280)
        assert len((tmp_path / FILE).read_text().splitlines()) == 2
    damaged, good = read(tmp_path / FILE)
    assert "native LiteRT" in damaged.failure
    assert good.failure == ""
    for part in good.signatures:
        assert part.by_default == "cpu"
        assert {
            row.runtime: row.verdict.note for row in part.speed if row.failure == "" and not row.verdict.is_good
        } == {}
        assert None not in (part.webnn_over_cpu, part.cpu_over_litert)


def test_memory_and_preparation_of_a_decoder_have_a_row_for_each_backend(tmp_path: Path) -> None:
    file = tmp_path / "small.tflite"
    file.write_bytes(decoder(DecoderShape(heads=4, head_size=32), weights="float16"))
    command: list[str | Path] = [sys.executable, "-c", MEMORY_PROGRAM, file]
    lines = run(command, cwd=PROJECT_DIR, capture=True, quiet=True, timeout_seconds=280).splitlines()
    rows = [line.split(" | ") for line in lines if line.startswith("| small")]
    assert [row[1] for row in rows] == [*memory.BACKENDS]
    for row in rows:
        mode = "direct" if row[1].startswith("WebNN") else "cpu"
        assert f"prefill on {mode}" in row[-1]
        assert f"decode on {mode}" in row[-1]


def test_vision_tasks_are_measured_next_to_the_unmodified_package(tmp_path: Path) -> None:
    result = result_of(VISION_PROGRAM, str(tmp_path), tmp_path / "vision.json")
    speed = {row["runtime"]: row for row in result["speed"]}
    for name in ("tflite-webnn/vision", "tflite-webnn/vision-threads", "tflite-webnn/vision-webnn", "tasks-vision/cpu"):
        assert speed[name]["failure"] == ""
        assert speed[name]["measure"] == "tasks-vision/cpu"
    files = {row["runtime"]: set(row["files"]) for row in result["loading"]}
    assert {"package/vision.mjs", "package/relaxed-simd/tflite_webnn.wasm"} <= files["tflite-webnn/vision"]
    assert "package/relaxed-simd-threads/tflite_webnn.wasm" in files["tflite-webnn/vision-threads"]
    assert "programs/tasks_vision/wasm/vision_wasm_internal.wasm" in files["tasks-vision/cpu"]
