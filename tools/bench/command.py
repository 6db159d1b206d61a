"""The step behind `build.py bench`: selects models and runtimes, measures, and writes the result."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from playwright.sync_api import Browser as PlaywrightBrowser
from playwright.sync_api import Playwright, sync_playwright
from rich.markup import escape

from support.console import console, output
from support.errors import BuildError
from support.paths import BUILD_DIR
from tools import result_file
from tools.bench import loading, result, runtimes, speed, tables
from tools.bench.models import QUICK_MODELS, Task, default_models, prepare
from tools.bench.native import NativeProcess
from tools.bench.result import LoadRow, ModelRow, Result, SpeedRow
from tools.bench.runtimes import Runtime
from tools.bench.sessions import BenchPage, Host
from tools.bench.speed import Candidate, key_of
from tools.measuring.browser import BrowserInfo, choose_browser
from tools.measuring.measurement import MeasuredModel, check_package, load_models
from web_tests.browsers import installed
from web_tests.browsers.page import PageError
from web_tests.browsers.playwright_pages import PlaywrightPage
from web_tests.drivers.harness import Harness
from web_tests.server.server import ISOLATION_HEADERS, Server, kit_routes

RESULTS_DIR = BUILD_DIR / "bench"
DEFAULT_ROUNDS, QUICK_ROUNDS = 20, 3
DEFAULT_LOAD_ROUNDS, QUICK_LOAD_ROUNDS = 3, 1
# Models whose loading --quick measures.
QUICK_LOADED_MODELS = 1


@dataclass(frozen=True)
class Request:
    """The options of `build.py bench`.

    Attributes:
        models: files, or names of known models; none means the default ones.
        patterns: of runtimes' names; none means all.
        packages: directories of packages to compare, instead of runtimes.
        rounds, load_rounds: None means the default.
        out: the directory of the result; None means one in build/bench.
    """

    models: Sequence[Path] = ()
    patterns: Sequence[str] = ()
    packages: Sequence[Path] = ()
    rounds: int | None = None
    load_rounds: int | None = None
    quick: bool = False
    browser: Path | None = None
    out: Path | None = None


def run(request: Request) -> int:
    """Run the benchmark and return the exit status: 0, or 1 if one of our own runtimes failed or is wrong.

    Raises:
        BuildError: there is no package, no browser, or nothing to measure.
    """
    check_package()
    packages = request.packages
    every = runtimes.of_packages(packages) if packages else runtimes.all_runtimes(runtimes.built_variants())
    chosen = runtimes.select(every, request.patterns)
    models = load_models(request.models, QUICK_MODELS if request.quick else default_models())
    with sync_playwright() as playwright, servers() as server_of:
        bench = _Bench(playwright, server_of, request)
        found = bench.measure(models, chosen)
    directory = request.out or RESULTS_DIR / found.started.replace(":", "-").removesuffix("+00-00")
    result_file.write(found, directory / "bench.json")
    tables.show(output, found)
    console.print(f"    bench.json is in {directory}")
    return 1 if any(_is_own_failure(row) for row in found.speed) else 0


def _is_own_failure(row: SpeedRow) -> bool:
    return row.runtime.startswith(runtimes.OWN_LIBRARY) and (bool(row.failure) or row.verdict.grade == "WRONG")


@contextmanager
def servers() -> Iterator[Callable[[Runtime], Server]]:
    """Yield a function that returns a runtime's server: with its package, and perhaps cross-origin isolated."""
    with ExitStack() as stack:

        @cache
        def server(package: Path, headers: Sequence[tuple[str, str]]) -> Server:
            return stack.enter_context(Server(kit_routes(package), headers=dict(headers)))

        yield lambda runtime: server(runtime.package, tuple(ISOLATION_HEADERS.items()) if runtime.isolated else ())


class _Bench:
    def __init__(self, playwright: Playwright, server_of: Callable[[Runtime], Server], request: Request) -> None:
        self._playwright, self._server_of, self._request = playwright, server_of, request
        self._program, self._probe = choose_browser(playwright, request.browser)
        quick = request.quick
        self._rounds = request.rounds or (QUICK_ROUNDS if quick else DEFAULT_ROUNDS)
        rounds = QUICK_LOAD_ROUNDS if quick else DEFAULT_LOAD_ROUNDS
        self._load_rounds = rounds if request.load_rounds is None else request.load_rounds

    def measure(self, models: Sequence[MeasuredModel], chosen: Sequence[Runtime]) -> Result:
        started, load_before = result.now(), os.getloadavg()[0]
        with installed.launched(self._playwright, self._program) as browser:
            tasks = self._prepare(browser, models)
            speed = self._speed(browser, tasks, chosen)
        loaded = tasks[:QUICK_LOADED_MODELS] if self._request.quick else tasks
        return Result(
            machine=result.machine_info(),
            browser=BrowserInfo.of(self._program, self._probe),
            runtimes=chosen,
            rounds=self._rounds,
            load_rounds=self._load_rounds,
            models=[_model_row(task) for task in tasks],
            speed=speed,
            loading=self._loading(loaded, chosen) if self._load_rounds else [],
            load_average=(load_before, os.getloadavg()[0]),
            started=started,
            revision=result.revision(),
        )

    def _prepare(self, browser: PlaywrightBrowser, models: Sequence[MeasuredModel]) -> list[Task]:
        """Return the models that our own package can load, and report the others."""
        tasks = []
        with Server() as server:
            harness = Harness(browser.new_page(), server)
            for model in models:
                try:
                    tasks.append(prepare(harness, model))
                except PageError as error:
                    self._tell(model, error)
                    harness = Harness(browser.new_page(), server)
                except BuildError as error:
                    self._tell(model, error)
        if not tasks:
            raise BuildError("none of the models can be loaded")
        return tasks

    def _tell(self, model: MeasuredModel, error: BuildError) -> None:
        console.print(f"[red]{escape(model.name)} is left out:[/red] {escape(str(error))}", soft_wrap=True)

    def _speed(self, browser: PlaywrightBrowser, tasks: Sequence[Task], chosen: Sequence[Runtime]) -> list[SpeedRow]:
        def open_host(runtime: Runtime) -> Host:
            if runtime.host == "process":
                return NativeProcess(runtime)
            return BenchPage(PlaywrightPage(browser.new_page()), self._server_of(runtime), runtime)

        measures = runtimes.measures(chosen)

        def measure_of(one: Candidate) -> str:
            return key_of(one.task, measures[one.runtime.group].name) if one.runtime.group in measures else ""

        rows: list[SpeedRow] = []
        with speed.hosts(open_host) as opened:
            for task in tasks:
                console.print(f"[dim]{escape(task.name)}[/dim]")
                pairs = [(task, runtime) for runtime in chosen]
                rows += speed.time_interleaved(opened, pairs, self._rounds, measure_of=measure_of)
        return rows

    def _loading(self, tasks: Sequence[Task], chosen: Sequence[Runtime]) -> list[LoadRow]:
        in_browser = [runtime for runtime in chosen if runtime.host != "process"]
        names = {group: runtime.name for group, runtime in runtimes.measures(in_browser).items()}

        def launch() -> AbstractContextManager[PlaywrightBrowser]:
            return installed.launched(self._playwright, self._program)

        return [
            row
            for task in tasks
            for row in loading.measure(
                launch,
                self._server_of,
                task,
                in_browser,
                self._load_rounds,
                measure_of=lambda runtime: names.get(runtime.group, ""),
            )
        ]


def _model_row(task: Task) -> ModelRow:
    missing: dict[str, str] = {form: found.what for form, found in task.forms.items() if isinstance(found, BuildError)}
    return ModelRow(task.name, len(task.model.content), task.nodes, task.quantized, missing)
