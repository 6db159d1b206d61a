"""`build.py bench --camera`: a task on the frames of a camera for minutes: times, memory, frames that were missed."""

import json
import os
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import sync_playwright
from rich.table import Table

from support.console import console, output
from tools.bench.command import RESULTS_DIR
from tools.measuring.browser import BrowserFacts, choose_browser
from tools.measuring.measurement import check_package
from tools.measuring.printing import browser_line, on_wide_paper
from web_tests.drivers.camera import CameraTask, CameraWindow, camera, missed_frames
from web_tests.server.server import Server

WINDOWS = 12
MB = 1e6
FACES = {"name": "FaceLandmarker", "model": "/programs/face_landmarker.task", "found": "faceLandmarks"}
TASKS = {
    "CPU": CameraTask(method="detectForVideo", options={}, **FACES),
    "WebNN": CameraTask(method="detectForVideoAsync", options={}, **FACES),
}
TITLES = (
    "on",
    "camera, frames/s",
    "frames",
    "with a face",
    "median, ms",
    "95 %",
    "longest",
    "missed",
    "heap, MB",
    "processes, MB",
)


def run(*, seconds: float, browser: Path | None = None, json_output: bool = False, out: Path | None = None) -> int:
    """Run each task for some seconds, and return the exit status.

    Raises:
        BuildError: there is no package, or no browser.
    """
    check_package()
    started, load_before = datetime.now(UTC).isoformat(timespec="seconds"), os.getloadavg()[0]
    rows = []
    grid = Table(*TITLES, title=f"FaceLandmarker before a camera, {seconds:.0f} s", title_justify="left")
    with sync_playwright() as playwright, Server() as server, tempfile.TemporaryDirectory() as folder:
        program, probe = choose_browser(playwright, browser)
        for place, task in TASKS.items():
            with camera(playwright, program, server, task, Path(folder)) as opened:
                windows = [opened.window(seconds / WINDOWS) for _ in range(WINDOWS)]
                grid.add_row(place, *_cells(windows, opened.rate))
                rows.append({"place": place, "rate": opened.rate, "windows": [asdict(window) for window in windows]})
    found = {"started": started, "load_average": [load_before, os.getloadavg()[0]], "rows": rows}
    folder_of_result = out or RESULTS_DIR / started.replace(":", "-").removesuffix("+00-00")
    folder_of_result.mkdir(parents=True, exist_ok=True)
    (folder_of_result / "camera.json").write_text(json.dumps(found), encoding="utf-8")
    if json_output:
        print(json.dumps(found))
    else:
        paper = on_wide_paper(output)
        paper.print(browser_line(BrowserFacts.of(program, probe)), soft_wrap=True)
        paper.print(grid)
    console.print(f"    camera.json, with the time of each frame, is in {folder_of_result}")
    return 0


def _cells(windows: Sequence[CameraWindow], rate: float) -> list[str]:
    frames = [frame for window in windows for frame in window.frames]
    times = sorted(frame.ms for frame in frames)
    missed = sum(missed_frames(window.frames, rate) for window in windows)
    heap = [window.memory.js_heap_bytes / MB for window in windows]
    processes = [sum(window.memory.resident_bytes.values()) / MB for window in windows]
    return [
        f"{rate:.0f}",
        str(len(frames)),
        str(sum(frame.found > 0 for frame in frames)),
        f"{statistics.median(times):.1f}",
        f"{times[int(0.95 * len(times))]:.1f}",
        f"{times[-1]:.1f}",
        str(missed),
        " ".join(f"{value:.1f}" for value in heap),
        " ".join(f"{value:.0f}" for value in processes),
    ]
