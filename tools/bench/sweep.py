"""`build.py bench --sweep`: growth of the delegate's cost with input size, depth, batch and number of partitions.

Each model of a series takes turns with its comparison (sweep_models.py). The difference of their times,
the overhead, should be constant per inference and grow only with partitions and the bytes at their borders.
Lines fitted to the points measure that. A point is the least time of its rounds: the
shortest runs last some 0.1 ms, and background load multiplies that.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from support.console import console, output
from support.errors import BuildError
from support.paths import BUILD_DIR
from tools.bench import plots, result
from tools.bench.statistics import Line, Spread, fit_line, spread
from tools.bench.subjects import script_of
from tools.bench.sweep_models import CPU_OP, Series, all_series
from tools.measuring.browser import BrowserFacts, measuring_browser
from tools.measuring.measurement import Subject, check_package
from tools.measuring.printing import grid_of, show_grid
from web_tests.drivers.harness import Harness, LoadedModel, LoadOptions
from web_tests.references.inputs import seeded_inputs
from web_tests.server.server import Server

RESULTS_DIR = BUILD_DIR / "bench"
# Against the noise of small differences.
ROUNDS_FACTOR = 5
STEPPED = {"deniedOps": [CPU_OP], "ignorePartitionCost": True, "polyfill": "never"}
LINES = ("run", "compared", "overhead")
COMPARED_WITH = {"direct": "by hand", "stepped": "on the CPU"}


class NotSweptError(BuildError):
    """A model of a series does not run in the series' mode."""


@dataclass(frozen=True)
class Point:
    """A model of a series.

    Attributes:
        x: the growing quantity.
        run_ms, compared_ms: one run of the model, and of its comparison.
        overhead_ms: the difference of their least times.
    """

    x: int
    run_ms: Spread
    compared_ms: Spread
    overhead_ms: float


@dataclass(frozen=True)
class Growth:
    """The result of a series: lines through the least times of its points."""

    name: str
    unit: str
    mode: str
    points: Sequence[Point]
    run: Line
    compared: Line
    overhead: Line


def run(*, json_output: bool, browser: Path | None, rounds: int, out: Path | None) -> int:
    """Run the sweep and return the exit status.

    Args:
        json_output: print JSON, and nothing else, on standard output.
        browser: the user's own Chromium-based browser; None means the first one with WebNN.
        rounds: a fifth of the number of timings per side.
        out: the folder for sweep.json and sweep.png; None means one in build/bench.

    Raises:
        BuildError: there is no package or no browser with WebNN.
    """
    check_package()
    started = result.now()
    rounds *= ROUNDS_FACTOR
    with measuring_browser(browser) as (running, facts), Server() as server:
        harness = Harness(running.new_page(), server)
        growths = [measure(harness, series, rounds) for series in all_series()]
    found = to_json(facts, rounds, started, growths)
    folder = out or RESULTS_DIR / f"sweep-{started.replace(':', '-').removesuffix('+00-00')}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sweep.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    plots.draw_sweep(found, folder / "sweep.png")
    if json_output:
        print(json.dumps(found, indent=1))
    else:
        show(output, facts, rounds, growths)
    console.print(f"    sweep.json and sweep.png are in {folder}")
    return 0


def measure(harness: Harness, series: Series, rounds: int) -> Growth:
    """Time the models of a series.

    Raises:
        NotSweptError: a model does not run in the series' mode, for example without WebNN.
    """
    console.print(f"[dim]{series.name}[/dim]")
    time = _direct if series.mode == "direct" else _stepped
    points = [time(harness, series, x, rounds) for x in series.xs]
    lines = [fit_line(series.xs, [times(point)[key] for point in points]) for key in LINES]
    return Growth(series.name, series.unit, series.mode, points, *lines)


def _direct(harness: Harness, series: Series, x: int, rounds: int) -> Point:
    content = series.model(x)
    loaded = harness.load(content, LoadOptions(webnn_options={"polyfill": "never"}))
    _check(series, x, loaded)
    script = script_of(Subject(series.name, content), loaded)
    times = harness.measure_overhead(loaded, script, seeded_inputs(loaded.inputs), rounds=rounds)
    loaded.dispose()
    return _point(x, *times)


def _stepped(harness: Harness, series: Series, x: int, rounds: int) -> Point:
    content = series.model(x)
    loaded = harness.load(content, LoadOptions(webnn_options=STEPPED))
    _check(series, x, loaded)
    on_cpu = harness.load(content, LoadOptions(webnn=False))
    inputs = seeded_inputs(loaded.inputs)
    ours, cpu = harness.measure([(loaded, inputs), (on_cpu, inputs)], rounds=rounds)
    loaded.dispose()
    on_cpu.dispose()
    return _point(x, ours, cpu)


def _check(series: Series, x: int, loaded: LoadedModel) -> None:
    if loaded.execution_mode != series.mode:
        reason = loaded.report["webnn"]["reason"] or f"its mode is {loaded.execution_mode}"
        raise NotSweptError(f"a model of the series must run {series.mode}: {reason}", where=f"{series.name}, {x}")
    totals = loaded.report["totals"]
    expected = x if series.unit == "border bytes" else totals["bytesCrossing"]
    if totals["bytesCrossing"] != expected:
        raise NotSweptError(f"{totals['bytesCrossing']} bytes cross its borders", where=f"{series.name}, {x}")


def _point(x: int, ours: Sequence[float], compared: Sequence[float]) -> Point:
    return Point(x, spread(ours), spread(compared), min(ours) - min(compared))


def times(point: Point) -> dict[str, float]:
    """Return the values to fit, in milliseconds, by the line's name."""
    return {"run": point.run_ms.least, "compared": point.compared_ms.least, "overhead": point.overhead_ms}


def to_json(facts: BrowserFacts, rounds: int, started: str, growths: Sequence[Growth]) -> dict[str, Any]:
    return {
        "started": started,
        "revision": result.revision(),
        "machine": asdict(result.machine_facts()),
        "browser": asdict(facts),
        "rounds": rounds,
        "load": os.getloadavg(),
        "series": [asdict(growth) for growth in growths],
    }


def show(paper: Console, facts: BrowserFacts, rounds: int, growths: Sequence[Growth]) -> None:
    """Print the lines."""
    numbers = ("constant\nms", "slope\nus", "per", "+-", "R squared", "at most\nms")
    grid = grid_of(("what grows", "compared with", "time"), numbers)
    for growth in growths:
        grid.add_section()
        scale, per = (1e6, "MB") if growth.unit == "border bytes" else (1, growth.unit.removesuffix("s"))
        for key in LINES:
            line: Line = getattr(growth, key)
            names = (growth.name, COMPARED_WITH[growth.mode]) if key == LINES[0] else ("", "")
            grid.add_row(
                *names,
                COMPARED_WITH[growth.mode] if key == "compared" else key,
                f"{line.constant:.3f}",
                f"{1000 * scale * line.slope:.2f}",
                per,
                f"{1000 * scale * line.slope_error:.2f}",
                f"{line.r_squared:.3f}",
                f"{max(times(point)[key] for point in growth.points):.3f}",
            )
    note = (
        f"Lines through the least times of {rounds} rounds of turns; overhead: their difference; "
        "+-: the slope's standard error."
    )
    show_grid(paper, facts, grid, note)
