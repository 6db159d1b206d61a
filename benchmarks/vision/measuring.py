"""Times the tasks of both packages, interleaved, and their first results."""

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from playwright.sync_api import Browser as PlaywrightBrowser
from playwright.sync_api import sync_playwright

from benchmarks.vision import tasks as vision
from benchmarks.vision.tasks import MEASURE, TasksOfAPage, VisionTask
from support.console import console, output
from tools import result_file
from tools.bench import loading, result, speed, tables
from tools.bench.command import DEFAULT_LOAD_ROUNDS, RESULTS_DIR, servers
from tools.bench.models import Task
from tools.bench.result import LoadRow, ModelRow, Result, SpeedRow
from tools.bench.runtimes import Runtime
from tools.bench.sessions import BenchPage, Host
from tools.bench.speed import Candidate, key_of
from tools.measuring.browser import BrowserInfo, choose_browser
from tools.measuring.measurement import check_package
from web_tests.browsers import installed
from web_tests.browsers.playwright_pages import PlaywrightPage
from web_tests.server.server import Server

FILE = "vision.json"


def run(
    names: Sequence[str],
    *,
    rounds: int,
    load_rounds: int | None = None,
    browser: Path | None = None,
    out: Path | None = None,
) -> int:
    """Measure tasks and return the exit status: 0, or 1 if one of this project's failed.

    Args:
        names: names of the tasks' classes; none means all.
        rounds: turns of each.
        load_rounds: fresh browsers for the first results; None means the default, 0 skips them.
        browser: the browser's program.
        out: the directory of the result; None means one in build/bench.

    Raises:
        BuildError: there is no package, no browser, or no task of a name.
    """
    check_package()
    tasks = vision.selected(names)
    found = _measured(tasks, browser, rounds, DEFAULT_LOAD_ROUNDS if load_rounds is None else load_rounds)
    directory = out or RESULTS_DIR / found.started.replace(":", "-").removesuffix("+00-00")
    result_file.write(found, directory / FILE)
    tables.show(output, found)
    console.print(f"    {FILE} is in {directory}")
    own = {runtime.name for runtime in found.runtimes if runtime.is_own}
    rows: list[SpeedRow | LoadRow] = [*found.speed, *found.loading]
    return 1 if any(row.failure for row in rows if row.runtime in own) else 0


def _measured(
    tasks: Sequence[VisionTask | TasksOfAPage], browser_path: Path | None, rounds: int, load_rounds: int
) -> Result:
    started, load_before = result.now(), os.getloadavg()[0]
    runtimes = vision.all_runtimes()
    pairs = [(vision.task_of(task), [vision.runtime_of(runtime, task) for runtime in runtimes]) for task in tasks]
    with sync_playwright() as playwright, servers() as server_of:
        program, probe = choose_browser(playwright, browser_path)

        def launch() -> AbstractContextManager[PlaywrightBrowser]:
            return installed.launched(playwright, program)

        with launch() as browser:
            speed = _speed(browser, server_of, pairs, rounds)
        loading_rows = _loading(launch, server_of, pairs, load_rounds) if load_rounds else []
    return Result(
        machine=result.machine_info(),
        browser=BrowserInfo.of(program, probe),
        runtimes=runtimes,
        rounds=rounds,
        load_rounds=load_rounds,
        models=[ModelRow(task.name, len(task.model.content), task.nodes, task.quantized, {}) for task, _ in pairs],
        speed=speed,
        loading=loading_rows,
        load_average=(load_before, os.getloadavg()[0]),
        started=started,
        revision=result.revision(),
    )


def _speed(
    browser: PlaywrightBrowser,
    server_of: Callable[[Runtime], Server],
    pairs: Sequence[tuple[Task, Sequence[Runtime]]],
    rounds: int,
) -> list[SpeedRow]:
    def open_host(runtime: Runtime) -> Host:
        return BenchPage(PlaywrightPage(browser.new_page()), server_of(runtime), runtime)

    def measure_of(one: Candidate) -> str:
        return key_of(one.task, MEASURE)

    rows: list[SpeedRow] = []
    for task, runtimes in pairs:
        console.print(f"[dim]{task.name}[/dim]")
        # A page for each task and runtime: the peer keeps the memory of closed tasks.
        with speed.hosts(open_host) as opened:
            rows += speed.time_interleaved(opened, [(task, one) for one in runtimes], rounds, measure_of=measure_of)
    return rows


def _loading(
    launch: loading.Launch,
    server_of: Callable[[Runtime], Server],
    pairs: Sequence[tuple[Task, Sequence[Runtime]]],
    rounds: int,
) -> list[LoadRow]:
    return [
        row
        for task, runtimes in pairs
        for row in loading.measure(launch, server_of, task, runtimes, rounds, measure_of=lambda _: MEASURE)
    ]
