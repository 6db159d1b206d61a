"""`build.py bench --tool`: compares the times of TFLite's benchmark_model with this benchmark's.

benchmark_model is TFLite's tool, compiled to WebAssembly: it runs in a worker of the same browser, with the
delegate in blocking mode, and times only Invoke(). Our runtime is a model in a worker, too, on the module with
the same objects, timed from arrays to arrays, as a page sees it. Each round has a turn of both.
"""

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from playwright.sync_api import Browser as PlaywrightBrowser
from rich.console import Console
from rich.markup import escape
from rich.progress import track

from js import scripts
from support.console import console, output
from support.errors import BuildError
from tools.bench import runtimes, subjects
from tools.bench.entrants import BenchPage, PageEntrant
from tools.bench.runtimes import Runtime
from tools.bench.statistics import Spread, ratios, spread
from tools.bench.subjects import Task
from tools.measuring.browser import BrowserFacts, measuring_browser
from tools.measuring.measurement import Subject, check_package, subjects_of
from tools.measuring.printing import grid_of, print_answer, show_grid
from tools.programs.invocation import invocation
from tools.programs.places import PagePlace, Place
from wasm.toolchain.programs import PROGRAMS_DIR, VARIANT, build_programs
from web_tests.browsers.playwright_pages import PlaywrightPage
from web_tests.drivers.harness import Harness
from web_tests.server.server import Server

TOOL = "benchmark_model"
# The default models: float and int8, from 2 ms to 40 ms.
DEFAULT_MODELS = ("face_detection_short_range", "mlperftiny_vww_int8", "mobilenet_v2", "mobilenet_v2_int8")
# Durations of a turn: the warm-up, in which hot code is recompiled, then the timed runs.
WARM_UP_SECONDS, TURN_SECONDS = 0.4, 0.4
# Each round restarts the tool, which takes longer than its runs.
DEFAULT_ROUNDS = 5
# The goal.
GOAL_RATIO = 1.10
# Single runs of ours; the fastest is compared with the tool's.
SINGLE_RUNS = 20
# Printed for the warm-up, then for the runs: "count=50 first=3381 curr=3369 min=3337 max=3612 avg=3375.2 std=41 ..."
TIMES_US = re.compile(r"count=\d+ .*\bmin=(?P<least>\S+) .*\bavg=(?P<mean>\S+)")


class ToolFailedError(BuildError):
    """benchmark_model ended without printing a time."""


@dataclass(frozen=True)
class Times:
    """Milliseconds of a run in a turn: the mean, and the fastest."""

    mean: float
    least: float


@dataclass(frozen=True)
class Execution:
    """A way to run a model with both.

    Attributes:
        title: name in the table.
        runtime: ours.
        arguments: the tool's.
    """

    title: str
    runtime: Runtime
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """The result of a model in one of the ways.

    Attributes:
        tool_ms, own_ms: one run, means of the turns.
        ratio: of the two in the same round.
        least_ratio: of the fastest runs of all rounds, on which background load has the least effect.
    """

    name: str
    execution: str
    tool_ms: Spread
    own_ms: Spread
    ratio: Spread
    least_ratio: float

    @property
    def is_good(self) -> bool:
        """Whether the goal is met."""
        return 1 / GOAL_RATIO <= self.ratio.median <= GOAL_RATIO


def run(model_files: Sequence[Path], *, json_output: bool, browser: Path | None, rounds: int | None) -> int:
    """Run the benchmark and return the exit status.

    Args:
        model_files: the models, files or known names; none means DEFAULT_MODELS.
        json_output: print JSON, and nothing else, on standard output.
        browser: the user's own Chromium-based browser; None means the first one with WebNN.
        rounds: number of timings per side; None means DEFAULT_ROUNDS.

    Raises:
        BuildError: there is no package or no browser, or a model cannot be run.
    """
    check_package()
    build_programs([TOOL])
    scripts.bundle_script(scripts.PROGRAMS, PROGRAMS_DIR)
    chosen = subjects_of(model_files, DEFAULT_MODELS)
    rounds = rounds or DEFAULT_ROUNDS
    with measuring_browser(browser) as (running, facts), Server() as server:
        rows = compare(running, server, chosen, executions(has_webnn=facts.webnn), rounds)
    if json_output:
        print_answer(facts, rows, rounds=rounds)
    else:
        show(output, facts, rounds, rows)
    return 0


def executions(*, has_webnn: bool) -> list[Execution]:
    """Return the ways in which both can run a model in this browser."""
    own = {runtime.name: runtime for runtime in runtimes.all_runtimes([VARIANT, f"{VARIANT}{runtimes.THREADS_SUFFIX}"])}

    def runtime(name: str) -> Runtime:
        found = own[f"{runtimes.OURS}/{name}"]
        return replace(found, place="worker", load_options={"variant": VARIANT, **found.load_options})

    # In a model with signatures, XNNPACK would take all nodes before the tool applies the requested delegate.
    webnn = Execution("WebNN", runtime("blocking"), ("--use_webnn=true", "--use_xnnpack=false"))
    # With this flag it applies XNNPACK's delegate; by default it leaves some integer models to TFLite's own kernels.
    xnnpack = "--use_xnnpack=true"
    threads = f"--num_threads={runtimes.THREADS}"
    return [
        *([webnn] if has_webnn else []),
        Execution("CPU, 1 thread", runtime(VARIANT), (xnnpack, "--num_threads=1")),
        Execution("CPU, 2 threads", runtime(f"{VARIANT}{runtimes.THREADS_SUFFIX}"), (xnnpack, threads)),
    ]


def compare(
    browser: PlaywrightBrowser, server: Server, chosen: Sequence[Subject], ways: Sequence[Execution], rounds: int
) -> list[Row]:
    """Time each model in each way, by turns.

    Raises:
        BuildError: a model cannot be run.
    """
    place = PagePlace(browser, server, "never")
    harness = Harness(browser.new_page(), server)
    rows = []
    for subject in chosen:
        task = subjects.prepare(harness, subject)
        for way in ways:
            with entrant_of(browser, server, task, way.runtime) as entrant:
                rows.append(_row(place, task, way, entrant, rounds))
    return rows


@contextmanager
def entrant_of(browser: PlaywrightBrowser, server: Server, task: Task, runtime: Runtime) -> Iterator[PageEntrant]:
    """Open our runtime with the model, in a fresh page, for a with-block."""
    with closing(BenchPage(PlaywrightPage(browser.new_page()), server, runtime)) as page:
        page.open()
        entrant = page.load(task)
        entrant.first_run()
        entrant.turn(WARM_UP_SECONDS * 1000)
        yield entrant


def time_tool(place: Place, model: Path, arguments: Sequence[str]) -> Times:
    """Let benchmark_model take a turn, and return its times.

    Raises:
        ToolFailedError: it printed none.
    """
    lines: list[str] = []
    timing = [
        f"--warmup_min_secs={WARM_UP_SECONDS}",
        f"--min_secs={TURN_SECONDS}",
        "--warmup_runs=1",
        "--num_runs=1",
        "--run_delay=-1",
    ]
    called = invocation(TOOL, [f"--graph={model}", *timing, *arguments])
    status = place.run(called, lambda line, _: lines.append(line))
    return times_of("\n".join(lines), status)


def times_of(text: str, status: int) -> Times:
    """Parse the output of benchmark_model.

    Raises:
        ToolFailedError: it has no times, or the tool failed.
    """
    found = list(TIMES_US.finditer(text))
    if status != 0 or not found:
        raise ToolFailedError(f"{TOOL} ended with status {status} and printed no times:\n{text}")
    return Times(float(found[-1]["mean"]) / 1000, float(found[-1]["least"]) / 1000)


def time_own(entrant: PageEntrant) -> Times:
    mean = entrant.turn(TURN_SECONDS * 1000)
    return Times(mean, min(entrant.turn(0) for _ in range(SINGLE_RUNS)))


def show(paper: Console, facts: BrowserFacts, rounds: int, rows: Sequence[Row]) -> None:
    """Print the table."""
    numbers = (f"{TOOL}\nms", "own runtime\nms", "ratio", "of fastest\nruns", "goal")
    grid = grid_of(("model", "execution"), numbers)
    for row in rows:
        times = (f"{row.tool_ms.median:.3f}", f"{row.own_ms.median:.3f}")
        ratios = (str(row.ratio), f"{row.least_ratio:.3f}")
        grid.add_row(escape(row.name), row.execution, *times, *ratios, "met" if row.is_good else "missed")
    goal = f"The goal: within {GOAL_RATIO - 1:.0%} of each other."
    show_grid(paper, facts, grid, f"Medians, with quartiles in brackets, of {rounds} rounds of turns. {goal}")


def _row(place: Place, task: Task, way: Execution, entrant: PageEntrant, rounds: int) -> Row:
    tool: list[Times] = []
    own: list[Times] = []
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model.tflite"
        model.write_bytes(task.subject.content)
        for index in track(range(rounds), description=f"{task.name}, {way.title}", console=console, transient=True):
            # Every other round runs backwards.
            for is_tools_turn in (True, False) if index % 2 == 0 else (False, True):
                if is_tools_turn:
                    tool.append(time_tool(place, model, way.arguments))
                else:
                    own.append(time_own(entrant))
    tool_ms, own_ms = ([turn.mean for turn in turns] for turns in (tool, own))
    tool_least, own_least = (min(turn.least for turn in turns) for turns in (tool, own))
    return Row(task.name, way.title, spread(tool_ms), spread(own_ms), ratios(tool_ms, own_ms), tool_least / own_least)
