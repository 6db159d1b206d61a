"""A camera's frames through a task of tflite-webnn/vision: memory is flat, and no frame is missed."""

from pathlib import Path

import pytest
from playwright.sync_api import Playwright

from web_tests.browsers.installed import BrowserProgram
from web_tests.drivers.camera import CameraFrame, CameraTask, camera, missed_frames
from web_tests.server.server import Server
from web_tests.tests.browser.test_memory import KIB, MIB

pytestmark = pytest.mark.needs("webnn")

FACES = {"name": "FaceLandmarker", "model": "/programs/face_landmarker.task", "found": "faceLandmarks"}
TASKS = {
    "CPU": CameraTask(method="detectForVideo", options={}, **FACES),
    "WebNN": CameraTask(method="detectForVideoAsync", options={}, **FACES),
}
# Until then the renderer grows by the size of each frame, and then no more.
WARMUP_FRAMES = 450
# Twice as fast as most cameras: half of the time for as many frames.
RATE = 60
WINDOWS, SECONDS = 4, 1.25
# Of the entire loop; measured without a leak: less than half of it.
JS_HEAP_GROWTH_BYTES = 512 * KIB
PROCESS_GROWTH_BYTES = 20 * MIB
# A loaded machine presents some frames late.
MAX_MISSED = 0.1


@pytest.mark.parametrize("task", TASKS)
def test_memory_is_flat_and_frames_are_not_missed(
    playwright: Playwright, webnn_program: BrowserProgram, server: Server, tmp_path: Path, task: str
) -> None:
    with camera(playwright, webnn_program, server, TASKS[task], tmp_path, rate=RATE) as opened:
        warm = 0
        while warm < WARMUP_FRAMES:
            warm += len(opened.window(SECONDS).frames)
        windows = [opened.window(SECONDS) for _ in range(WINDOWS)]
        assert opened.rate == RATE
    frames = [frame for window in windows for frame in window.frames]
    assert all(frame.found == 1 for frame in frames)
    missed = sum(missed_frames(window.frames, RATE) for window in windows)
    assert missed <= MAX_MISSED * len(frames)
    first, last = windows[0].memory, windows[-1].memory
    assert last.js_heap_bytes - first.js_heap_bytes <= JS_HEAP_GROWTH_BYTES
    for process, resident in last.resident_bytes.items():
        assert resident - first.resident_bytes[process] <= PROCESS_GROWTH_BYTES, process


def test_frames_that_could_have_been_had_are_counted() -> None:
    def frame(number: int, ms: float) -> CameraFrame:
        return CameraFrame(number, ms, 1)

    # 100 ms of work at 30 frames per second: three frames pass.
    assert missed_frames([frame(1, 100), frame(5, 5), frame(6, 5)], 30) == 0
    assert missed_frames([frame(1, 100), frame(7, 5), frame(10, 5)], 30) == 3
