"""Contexts lost because the browser's GPU process, which runs WebNN, crashes, as if a driver crashed."""

import os
import signal
from collections.abc import Callable, Iterator
from threading import Timer

import pytest
from playwright.sync_api import Playwright

from web_tests.browsers import installed
from web_tests.browsers.installed import BrowserProgram
from web_tests.drivers.harness import Harness
from web_tests.models.catalogue import all_models
from web_tests.references.comparison import assert_close
from web_tests.references.inputs import inputs_for
from web_tests.server.server import Server

MODEL = all_models()["face_detection_short_range"]
TOLERANCE = 1e-4
# Far more than complete before the process is killed.
RUNS = 1000
# After so many crashes of its GPU process Chromium 147 disables WebNN.
DEATHS_THAT_END_WEBNN = 3

FindGpuProcess = Callable[[], int]


@pytest.fixture
def own_page(
    playwright: Playwright, webnn_program: BrowserProgram, server: Server
) -> Iterator[tuple[Harness, FindGpuProcess]]:
    """A page in a separate browser, and a function that finds that browser's present GPU process."""
    with installed.launched(playwright, webnn_program) as browser:
        session = browser.new_browser_cdp_session()

        def gpu_process() -> int:
            processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
            found = [int(row["id"]) for row in processes if row["type"].upper() == "GPU"]
            if not found:
                pytest.skip(f"{webnn_program.title} has no separate GPU process")
            return found[0]

        yield Harness(browser.new_page(), server), gpu_process


def test_a_model_outlives_the_gpu_process(own_page: tuple[Harness, FindGpuProcess]) -> None:
    harness, gpu_process = own_page
    loaded = harness.load(f"/models/{MODEL.name}.tflite")
    inputs = inputs_for(MODEL)
    expected = loaded.run(inputs)
    for losses in range(1, DEATHS_THAT_END_WEBNN):
        os.kill(gpu_process(), signal.SIGKILL)
        found = loaded.run(inputs)
        report = loaded.report_now()
        assert (report["executionMode"], report["webnn"]["contextLosses"]) == ("direct", losses)
        assert [one.tobytes() for one in found] == [other.tobytes() for other in expected]
    os.kill(gpu_process(), signal.SIGKILL)
    found = loaded.run(inputs)
    report = loaded.report_now()
    assert report["executionMode"] == "cpu"
    assert "provided no other" in report["webnn"]["reason"]
    assert_close(found, expected, TOLERANCE)


def test_runs_in_flight_are_repeated(own_page: tuple[Harness, FindGpuProcess]) -> None:
    harness, gpu_process = own_page
    loaded = harness.load(f"/models/{MODEL.name}.tflite")
    inputs = inputs_for(MODEL)
    expected = loaded.run(inputs)
    kill_timer = Timer(0.1, os.kill, (gpu_process(), signal.SIGKILL))
    kill_timer.start()
    (times,) = harness.measure([(loaded, inputs)], rounds=RUNS)
    kill_timer.join()
    assert len(times) == RUNS
    webnn = loaded.report_now()["webnn"]
    assert webnn["reason"] is None, webnn["reason"]
    assert webnn["contextLosses"] == 1
    assert [one.tobytes() for one in loaded.run(inputs)] == [other.tobytes() for other in expected]
