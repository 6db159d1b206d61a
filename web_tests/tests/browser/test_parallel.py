"""Concurrent calls on a model on native WebNN: no mix-ups, no leaks."""

from functools import partial
from typing import Any

import pytest

from web_tests.tests.conftest import Call

URL = "/models/face_detection_short_range.tflite"
DIRECT: dict[str, Any] = {"enableWebnnDelegate": True}
STEPPED = {**DIRECT, "webnnDelegateOptions": {"deniedOps": ["MAX_POOL_2D"], "ignorePartitionCost": True}}
MODES = pytest.mark.parametrize(
    ("options", "mode"), [(DIRECT, "direct"), (STEPPED, "stepped")], ids=["direct", "stepped"]
)


@pytest.fixture
def parallel(watched: Call) -> Call:
    """Calls pages/parallel.mjs."""
    return partial(watched, "parallel")


@MODES
def test_parallel_runs_do_not_mix_their_inputs(parallel: Call, options: dict[str, Any], mode: str) -> None:
    answer = parallel("parallelRuns", URL, options, 4)
    assert answer == {"executionMode": mode, "differ": True, "same": [True] * 4}


@pytest.mark.parametrize("options", [DIRECT, STEPPED], ids=["direct", "stepped"])
def test_dispose_refuses_the_runs_that_wait(parallel: Call, options: dict[str, Any]) -> None:
    outcomes = parallel("disposeWhileRunsWait", URL, options, 3)
    assert outcomes == ["fulfilled", "ModelDisposedError", "ModelDisposedError"]


def test_a_page_that_destroys_its_context_during_a_run_loses_nothing(parallel: Call) -> None:
    answer = parallel("destroyContextWhileRunning", URL)
    assert answer == {"answer": "fulfilled", "again": True, "executionMode": "direct", "losses": 1}


@MODES
def test_abort_while_the_browser_builds_frees_what_it_has_built(
    parallel: Call, options: dict[str, Any], mode: str
) -> None:
    answer = parallel("abortWhileBuilding", URL, options)
    assert answer["answer"] == "RangeError"
    assert answer["builds"] == 1, f"a {mode} model is not built on after an abort"


def test_abort_of_a_download_reaches_the_sender(parallel: Call) -> None:
    assert parallel("abortWhileDownloading", URL, DIRECT) == {"answer": "RangeError", "canceled": ["RangeError"]}
