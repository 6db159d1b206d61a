"""`build.py bench --polyfill`: the cost of models that reach XNNPACK through WebNN and the polyfill.

Each model is loaded twice in one thread: directly on XNNPACK, and by the delegate, whose WebNN calls the polyfill's
engine `tflite` turns back into a model that XNNPACK runs. Both take turns on the same inputs. The thread is a worker,
in which the engine computes, or the page's, where the engine has its own worker for all but small
graphs. A turn is many runs: the clocks of pages are too coarse for the fastest models. A tiny graph
of plain WebNN calls measures one round of writeTensor, dispatch and readTensor.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from playwright.sync_api import Browser as PlaywrightBrowser
from rich.console import Console
from rich.markup import escape

from support.console import output
from tools.bench.contest import LEAST_TURN_MS
from tools.bench.statistics import Spread, spread
from tools.measuring.browser import BrowserFacts, measuring_browser
from tools.measuring.measurement import Subject, check_package, subjects_of
from tools.measuring.printing import grid_of, print_answer, show_grid
from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.models import catalogue
from web_tests.references.inputs import inputs_for, seeded_inputs
from web_tests.server.server import Server

# The calling thread, and where the engine computes a tiny graph.
THREADS = {"worker": "own", "page": "auto"}
TINY_GRAPH_TURNS = 20
# The goals, of a model and of a tiny graph.
GOAL_RATIO, GOAL_TINY_GRAPH_MS = 1.10, 0.2


@dataclass(frozen=True)
class Row:
    """The result of a model in one of the threads.

    Attributes:
        thread: worker or page.
        nodes_delegated, nodes_total: nodes that go through the polyfill, and all.
        plain_load_ms, polyfill_load_ms: one load.
        plain_ms, polyfill_ms: one run, input and output copies included.
        ratio: of the two in the same round.
    """

    name: str
    thread: str
    nodes_delegated: int
    nodes_total: int
    plain_load_ms: float
    polyfill_load_ms: float
    plain_ms: Spread
    polyfill_ms: Spread
    ratio: Spread

    @property
    def is_good(self) -> bool:
        """Whether the goal is met."""
        return self.ratio.median <= GOAL_RATIO


def run(model_files: Sequence[Path], *, json_output: bool, browser: Path | None, rounds: int) -> int:
    """Run the benchmark and return the exit status.

    Args:
        model_files: the models; none means all real ones of models.toml.
        json_output: print JSON, and nothing else, on standard output.
        browser: the user's own Chromium-based browser, even without WebNN; None means the first one with it.
        rounds: number of timings per side.

    Raises:
        BuildError: there is no package or no browser, or a model cannot be loaded.
    """
    check_package()
    subjects = subjects_of(model_files, catalogue.all_models())
    with measuring_browser(browser) as (running, facts), Server() as server:
        tiny_graph_ms = time_tiny_graph(running, server)
        rows = compete(running, server, subjects, rounds)
    if json_output:
        spreads = {thread: asdict(values) for thread, values in tiny_graph_ms.items()}
        print_answer(facts, rows, rounds=rounds, tinyGraphMs=spreads)
    else:
        show(output, facts, rounds, rows, tiny_graph_ms)
    return 0


def time_tiny_graph(browser: PlaywrightBrowser, server: Server) -> dict[str, Spread]:
    """Return the milliseconds of one round on a tiny graph, per thread."""
    page = browser.new_page()
    page.goto(f"{server.origin}/harness.html")
    script = "async (asked) => (await import('/tiny_graph.mjs')).time(...asked)"
    asked = (TINY_GRAPH_TURNS, LEAST_TURN_MS)
    times = {thread: page.evaluate(script, [place, *asked]) for thread, place in THREADS.items()}
    page.close()
    return {thread: spread(milliseconds) for thread, milliseconds in times.items()}


def compete(browser: PlaywrightBrowser, server: Server, subjects: Sequence[Subject], rounds: int) -> list[Row]:
    """Time every model in either thread."""
    pages = {thread: Harness(browser.new_page(), server, in_worker=thread == "worker") for thread in THREADS}
    return [compare(page, thread, subject, rounds) for subject in subjects for thread, page in pages.items()]


def compare(harness: Harness, thread: str, subject: Subject, rounds: int) -> Row:
    """Time a model plainly and through the polyfill, by turns."""
    plain = harness.load(subject.content, LoadOptions(webnn=False))
    through = harness.load(subject.content, LoadOptions(webnn_options={"polyfill": "tflite"}))
    inputs = inputs_for(subject.model) if subject.model else seeded_inputs(plain.inputs)
    sides = [(plain, inputs), (through, inputs)]
    plain_ms, polyfill_ms = harness.measure(sides, rounds=rounds, least_turn_ms=LEAST_TURN_MS)
    plain.dispose()
    through.dispose()
    totals = through.report["totals"]
    return Row(
        subject.name,
        thread,
        totals["delegatedNodes"],
        totals["nodes"],
        plain.load_ms,
        through.load_ms,
        spread(plain_ms),
        spread(polyfill_ms),
        spread([slow / fast for slow, fast in zip(polyfill_ms, plain_ms, strict=True)]),
    )


def show(
    console: Console,
    facts: BrowserFacts,
    rounds: int,
    rows: Sequence[Row],
    tiny_graph_ms: Mapping[str, Spread],
) -> None:
    """Print the table."""
    times = ("load ms\nplain", "\npolyfill", "run ms\nplain", "\npolyfill")
    grid = grid_of(("model", "thread"), ("through it\nnodes", *times, "ratio", "goal"))
    for row in rows:
        grid.add_row(
            escape(row.name),
            row.thread,
            f"{row.nodes_delegated}/{row.nodes_total}",
            f"{row.plain_load_ms:.0f}",
            f"{row.polyfill_load_ms:.0f}",
            f"{row.plain_ms.median:.3f}",
            f"{row.polyfill_ms.median:.3f}",
            str(row.ratio),
            _goal(row.is_good),
        )
    tiny = " and ".join(f"{ms} ms in a {thread}" for thread, ms in tiny_graph_ms.items())
    is_good = all(ms.median <= GOAL_TINY_GRAPH_MS for ms in tiny_graph_ms.values())
    note = (
        f"A tiny graph, written, dispatched and read: {tiny} ({_goal(is_good)}: at most {GOAL_TINY_GRAPH_MS}).\n"
        f"Medians, with quartiles in brackets, of {rounds} rounds of turns, in a worker and in a page. "
        f"The goal: a ratio of {GOAL_RATIO} at most."
    )
    show_grid(console, facts, grid, note)


def _goal(is_met: bool) -> str:
    return "met" if is_met else "missed"
