"""`tflite-webnn/node` off the main thread: TFLiteWorker, and threads that wait (blocking mode)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from web_tests.models.model_writer import ModelWriter
from web_tests.tests.node.programs import SIN_OUTPUT, call_in_node

pytestmark = pytest.mark.needs("package")


def on_polyfill(*, blocking: bool) -> dict[str, Any]:
    """Return the loading options of WebNN on the polyfill."""
    return {"enableWebnnDelegate": True, "webnnDelegateOptions": {"polyfill": "tflite", "blocking": blocking}}


@pytest.mark.parametrize(
    ("options", "mode"),
    [
        ({}, "cpu"),
        ({"numThreads": 3}, "cpu"),
        (on_polyfill(blocking=False), "direct"),
        (on_polyfill(blocking=True), "blocking"),
    ],
    ids=["by default", "threads", "WebNN", "blocking"],
)
def test_a_model_in_a_worker_computes_and_reports_its_phases(
    program: str, sin_file: Path, options: Mapping[str, Any], mode: str
) -> None:
    found = call_in_node(program, "workers", "runAndStream", sin_file, options)
    assert found["mode"] == mode
    assert "init" in found["phases"]
    for output in (found["y"], *found["streamed"]):
        np.testing.assert_allclose(output, SIN_OUTPUT, rtol=1e-5, atol=1e-5)


def test_a_worker_loads_a_model_from_each_source(program: str, sin_file: Path) -> None:
    for output in call_in_node(program, "workers", "runFromEachSource", sin_file):
        np.testing.assert_allclose(output, SIN_OUTPUT, rtol=1e-5, atol=1e-5)


def test_errors_of_a_worker_keep_their_class(program: str, sin_file: Path) -> None:
    missing, not_started, ended = call_in_node(program, "workers", "errors", sin_file)
    assert missing[:2] == [True, "ModelFetchError"]
    assert "nowhere.tflite" in missing[2]
    assert not_started[:2] == [True, "WorkerFailedError"]
    assert "Cannot find module" in not_started[2]
    assert ended[:2] == [True, "ModelDisposedError"]
    assert "worker has been disposed" in ended[2]


def endless_loop() -> bytes:
    main = ModelWriter()
    condition, body = main.subgraph(), main.subgraph()
    value = condition.tensor("value", (8,))
    condition.end([value], [condition.constant("goes_on", np.array([True]))])
    for writer, op in ((body, "NEG"), (main, "WHILE")):
        loop = {"condSubgraphIndex": 1, "bodySubgraphIndex": 2} if op == "WHILE" else None
        x, y = writer.tensor("x", (8,)), writer.tensor("y", (8,))
        writer.node(op, [x], [y], loop)
        if writer is body:
            body.end([x], [y])
    return main.finish([x], [y])


def test_disposing_of_a_worker_ends_a_loop_without_end(program: str, tmp_path: Path) -> None:
    file = tmp_path / "endless.tflite"
    file.write_bytes(endless_loop())
    assert call_in_node(program, "workers", "disposeDuringRun", file) == ["runs on", "ModelDisposedError"]


def test_a_model_runs_in_a_worker_of_the_caller(program: str, sin_file: Path) -> None:
    y = call_in_node(program, "workers", "runInWorkerOfCaller", sin_file)
    np.testing.assert_allclose(y, SIN_OUTPUT, rtol=1e-5, atol=1e-5)


def test_run_sync_waits_for_webnn(program: str, sin_file: Path) -> None:
    found = call_in_node(program, "workers", "runSync", sin_file, on_polyfill(blocking=True))
    assert (found["mode"], found["webnn"]["used"]) == ("blocking", True)
    assert found["webnn"]["backend"].startswith("polyfill ")
    np.testing.assert_allclose(found["y"], SIN_OUTPUT, rtol=1e-5, atol=1e-5)
