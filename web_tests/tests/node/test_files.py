"""`tflite-webnn/node`: files as models, threads, WebNN, in the Node on PATH and in the pinned one."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from web_tests.models import catalogue
from web_tests.tests.node.programs import SIN_OUTPUT, call_in_node

pytestmark = pytest.mark.needs("package")


def long_runs() -> Path:
    """Return the path of a model whose runs take long enough for several threads."""
    return catalogue.all_models()["face_detection_short_range"].path()


@pytest.mark.parametrize("source", ["path", "relative path", "URL", "address"])
def test_a_model_is_loaded_from_each_name_of_its_file(program: str, sin_file: Path, source: str) -> None:
    found = call_in_node(program, "files", "runFile", sin_file, {"numThreads": 1}, source)
    np.testing.assert_allclose(found["y"], SIN_OUTPUT, rtol=1e-5, atol=1e-5)


@pytest.mark.needs("variants")
def test_threads_do_not_keep_the_process(program: str, sin_file: Path) -> None:
    found = call_in_node(program, "files", "runNextTo", sin_file, str(long_runs()))
    assert found["threads"] == [3, 1]
    np.testing.assert_allclose(found["y"], SIN_OUTPUT, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("threads", [1, pytest.param(3, marks=pytest.mark.needs("variants"))])
def test_every_thread_computes(program: str, threads: int) -> None:
    """By the system's processor time of each thread that came with the model."""
    times_ms = call_in_node(program, "files", "threadTimes", long_runs(), threads)
    assert len([ms for ms in times_ms if ms > 1]) == threads - 1, times_ms


@pytest.mark.parametrize("options", [{}, {"numThreads": -1}])
def test_by_default_half_of_the_processor_computes(program: str, options: Mapping[str, int]) -> None:
    threads, cores = call_in_node(program, "files", "threadsAndProcessors", long_runs(), options)
    assert threads == max(1, cores // 2)


def test_the_polyfill_is_webnn_where_it_is_requested(program: str, sin_file: Path) -> None:
    options = {"enableWebnnDelegate": True, "webnnDelegateOptions": {"polyfill": "tflite"}}
    found = call_in_node(program, "files", "runFile", sin_file, options)
    assert (found["mode"], found["webnn"]["used"]) == ("direct", True)
    assert found["webnn"]["backend"].startswith("polyfill ")
    np.testing.assert_allclose(found["y"], SIN_OUTPUT, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("polyfill", ["auto", "never"])
def test_a_webnn_that_is_there_is_used(program: str, sin_file: Path, polyfill: str) -> None:
    """`navigator.ml` and `MLGraphBuilder`, as in bindings and Electron, here from the polyfill."""
    found = call_in_node(program, "files", "runWhereWebnnIs", sin_file, polyfill)
    assert (found["mode"], found["webnn"]["used"]) == ("direct", True)
    assert found["contexts"] == 1
    np.testing.assert_allclose(found["y"], SIN_OUTPUT, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("source", "name", "part"),
    [
        ("missing", "ModelFetchError", "ENOENT"),
        ("directory", "ModelFetchError", "EISDIR"),
        ("script", "NotATFLiteModelError", "node.mjs is not a TFLite model"),
    ],
    ids=["missing", "directory", "script"],
)
def test_a_file_that_is_not_a_model_is_rejected(
    program: str, sin_file: Path, source: str, name: str, part: str
) -> None:
    is_of_its_class, found, message = call_in_node(program, "files", "errorOf", sin_file, source)
    assert (is_of_its_class, found) == (True, name)
    assert part in message
