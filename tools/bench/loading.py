"""Time to the first result: library, model, first run, each time in a browser with empty caches."""

import gzip
import hashlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from playwright.sync_api import Browser as PlaywrightBrowser
from rich.progress import Progress

from support.console import console
from support.errors import BuildError
from tools.bench.models import Task
from tools.bench.result import LoadRow
from tools.bench.runtimes import Runtime
from tools.bench.sessions import BenchPage
from tools.bench.speed import failure_text
from tools.measuring.statistics import ratios, spread
from web_tests.browsers.process_memory import MemoryProbe
from web_tests.browsers.unwatched_page import UnwatchedPage
from web_tests.server.server import Server

GZIP_LEVEL = 9
# URL prefixes of libraries; the other files are the benchmark's own.
LIBRARY_ROOTS = ("package/", "tfjs/", "programs/")
START_WATCH = "() => { globalThis.endWatch = watchMainThread(); }"
END_WATCH = "() => endWatch()"

# Compressing 14 MB takes seconds, and every visit brings the same files.
_gzip_sizes: dict[bytes, int] = {}

Launch = Callable[[], AbstractContextManager[PlaywrightBrowser]]


@dataclass(frozen=True)
class Visit:
    """One browser's measurements; milliseconds and bytes as in LoadRow."""

    library_ms: float
    compile_ms: float
    first_run_ms: float
    longest_wait_ms: float
    long_tasks: int
    files: dict[str, tuple[int, int]]
    memory_bytes: int
    peak_memory_bytes: int

    @property
    def total_ms(self) -> float:
        """From nothing to the first result."""
        return self.library_ms + self.compile_ms + self.first_run_ms


def measure(
    launch: Launch,
    servers: Callable[[Runtime], Server],
    task: Task,
    runtimes: Sequence[Runtime],
    rounds: int,
    *,
    measure_of: Callable[[Runtime], str],
) -> list[LoadRow]:
    """Have each runtime load a model `rounds` times, interleaved; `measure_of` names what it is compared with."""
    visits: dict[str, list[Visit]] = {runtime.name: [] for runtime in runtimes}
    failures: dict[str, str] = {}
    with Progress(console=console, transient=True) as progress:
        for number in progress.track(range(rounds), description=f"{task.name}, first results"):
            for runtime in runtimes if number % 2 == 0 else reversed(runtimes):
                if runtime.name in failures:
                    continue
                try:
                    visits[runtime.name].append(visit(launch, servers(runtime), task, runtime))
                except BuildError as error:
                    failures[runtime.name] = failure_text(error)
    rows = []
    for runtime in runtimes:
        row = replace(_row(task, runtime, visits[runtime.name]), failure=failures.get(runtime.name, ""))
        measure = measure_of(runtime)
        if visits[runtime.name] and len(visits[runtime.name]) == len(visits.get(measure, [])):
            totals = [[one.total_ms for one in visits[name]] for name in (runtime.name, measure)]
            row = replace(row, measure=measure, ratio=ratios(*totals))
        rows.append(row)
    return rows


def visit(launch: Launch, server: Server, task: Task, runtime: Runtime) -> Visit:
    """Start a browser, load a library and a model, and run it once.

    Raises:
        BuildError: the library rejects the model, or the model lacks the runtime's form.
        PageError: the page crashed or hung.
    """
    task.form(runtime.form)
    with launch() as browser, server.recorded() as deliveries:
        tab = UnwatchedPage(browser)
        page = BenchPage(tab, server, runtime)
        memory = MemoryProbe(browser, tab)
        before = sum(memory.reset_peaks().values())
        page.engine_page.evaluate(START_WATCH)
        library_ms = page.open()
        session = page.load(task)
        watched = page.engine_page.evaluate(END_WATCH)
        first = session.first_run()
        peak = sum(memory.peaks().values())
        after = sum(memory.sample().resident_bytes.values())
    return Visit(
        library_ms,
        session.load_ms,
        first.ms,
        watched["longestWaitMs"],
        len(watched["longTasksMs"]),
        {path: (len(content), gzip_size(content)) for path, content in deliveries.items() if _is_library(path)},
        after - before,
        peak - before,
    )


def gzip_size(content: bytes) -> int:
    """Return a file's size under a server's best gzip compression."""
    digest = hashlib.sha256(content).digest()
    if digest not in _gzip_sizes:
        _gzip_sizes[digest] = len(gzip.compress(content, GZIP_LEVEL, mtime=0))
    return _gzip_sizes[digest]


def _is_library(path: str) -> bool:
    return path.startswith(LIBRARY_ROOTS)


def _row(task: Task, runtime: Runtime, visits: Sequence[Visit]) -> LoadRow:
    if not visits:
        return LoadRow(task.name, runtime.name)
    files = visits[0].files
    return LoadRow(
        task.name,
        runtime.name,
        library_ms=spread([one.library_ms for one in visits]),
        compile_ms=spread([one.compile_ms for one in visits]),
        first_run_ms=spread([one.first_run_ms for one in visits]),
        total_ms=spread([one.total_ms for one in visits]),
        longest_wait_ms=spread([one.longest_wait_ms for one in visits]),
        long_tasks=sum(one.long_tasks for one in visits) / len(visits),
        downloaded_bytes=sum(size for size, _ in files.values()),
        gzip_bytes=sum(size for _, size in files.values()),
        files=files,
        memory_bytes=_median([one.memory_bytes for one in visits]),
        peak_memory_bytes=_median([one.peak_memory_bytes for one in visits]),
    )


def _median(values: Sequence[int]) -> int:
    return round(spread(values).median)
