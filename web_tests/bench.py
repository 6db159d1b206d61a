"""`build.py bench`: models against each other, on WebNN and on the CPU, all in one page and round by round.

Times of two runs cannot be compared, as machines are not equally busy twice. So everything that is compared takes
turns in every round, and what counts is the median of the rounds' ratios.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from playwright.sync_api import Browser as PlaywrightBrowser
from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from wasm.toolchain.support.console import output
from web_tests import browsers, demo, models
from web_tests.demo_table import BrowserFacts, browser_line, on_wide_paper, timing_text
from web_tests.harness import Harness, Inputs, LoadedModel, LoadOptions
from web_tests.inputs import inputs_for, seeded_inputs
from web_tests.measurement import Subject, Timing, median_ratio, timing
from web_tests.server import Server

# What is compared when no model is named: what quantization is worth.
DEFAULT_MODELS = ("mobilenet_v2", "mobilenet_v2_int8", "mobilenet_v2_int8_uint8_io")


@dataclass(frozen=True)
class Entrant:
    """A model on one engine, loaded and ready."""

    name: str
    engine: str
    model: LoadedModel
    inputs: Inputs


@dataclass(frozen=True)
class Row:
    """What came out for an entrant.

    Attributes:
        engine: webnn or cpu.
        nodes_delegated, nodes_total: how much of the model WebNN runs.
        timing: of one run, input and output copies included.
        speed: how many times as fast as the first model on the same engine, the median of the rounds' ratios.
    """

    name: str
    engine: str
    nodes_delegated: int
    nodes_total: int
    timing: Timing
    speed: float


def run(model_files: Sequence[Path], *, json_output: bool, browser: Path | None, rounds: int) -> int:
    """Run the benchmark and return the exit status.

    Args:
        model_files: the models to compare, the first being the measure of the others; none means DEFAULT_MODELS.
        json_output: print JSON, and nothing else, on standard output.
        browser: the user's own Chromium-based browser; None means the first one with WebNN.
        rounds: how often each entrant is timed.

    Raises:
        BuildError: there is no package, no browser, or a model cannot be loaded.
    """
    demo.check_package()
    subjects = [demo.subject_of_file(file) for file in model_files]
    if not subjects:
        made = models.made_models()
        subjects = [Subject(name, made[name].content(), made[name]) for name in DEFAULT_MODELS]
    with sync_playwright() as playwright:
        program, probe = demo.choose_browser(playwright, browser)
        facts = BrowserFacts(program.title, probe.version, str(program.executable), probe.webnn, probe.reason)
        with browsers.launched(playwright, program) as running:
            rows = compete(running, subjects, rounds)
    if json_output:
        print(json.dumps({"browser": asdict(facts), "rounds": rounds, "rows": [asdict(row) for row in rows]}, indent=2))
    else:
        show(output, facts, rounds, rows)
    return 0


def compete(browser: PlaywrightBrowser, subjects: Sequence[Subject], rounds: int) -> list[Row]:
    """Time every model on every engine that runs it, in turns."""
    with Server() as server:
        harness = Harness(browser.new_page(), server)
        entrants = [entrant for subject in subjects for entrant in _entrants(harness, subject)]
        times = harness.measure([(entrant.model, entrant.inputs) for entrant in entrants], rounds=rounds)
    first: dict[str, list[float]] = {}
    for entrant, milliseconds in zip(entrants, times, strict=True):
        first.setdefault(entrant.engine, milliseconds)
    return [
        _row(entrant, milliseconds, first[entrant.engine])
        for entrant, milliseconds in zip(entrants, times, strict=True)
    ]


def show(console: Console, facts: BrowserFacts, rounds: int, rows: Sequence[Row]) -> None:
    """Print the table for a person."""
    console = on_wide_paper(console)
    console.print(browser_line(facts), soft_wrap=True)
    grid = Table("model", "engine")
    for title in ("on WebNN\nnodes", "ms", "times as fast\nas the first"):
        grid.add_column(title, justify="right")
    for row in rows:
        nodes = f"{row.nodes_delegated}/{row.nodes_total}"
        grid.add_row(escape(row.name), row.engine, nodes, timing_text(row.timing), f"{row.speed:.2f}")
    console.print(grid)
    console.print(
        f"Times: median (minimum) of {rounds} rounds in which all took turns. Times as fast: on the same engine, "
        "median of the rounds' ratios.",
        style="dim",
        soft_wrap=True,
    )


def _entrants(harness: Harness, subject: Subject) -> list[Entrant]:
    on_webnn, on_cpu = (harness.load(subject.content, LoadOptions(webnn=webnn)) for webnn in (True, False))
    inputs = inputs_for(subject.model) if subject.model else seeded_inputs(on_cpu.inputs)
    entrants = [Entrant(subject.name, "cpu", on_cpu, inputs)]
    if on_webnn.execution_mode != "cpu":
        entrants.insert(0, Entrant(subject.name, "webnn", on_webnn, inputs))
    return entrants


def _row(entrant: Entrant, milliseconds: Sequence[float], first: Sequence[float]) -> Row:
    totals = entrant.model.report["totals"]
    return Row(
        entrant.name,
        entrant.engine,
        totals["delegatedNodes"],
        totals["nodes"],
        timing(milliseconds),
        median_ratio(first, milliseconds),
    )
