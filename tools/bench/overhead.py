"""`build.py bench --overhead`: the cost of model.run() beyond the same graph written by hand in WebNN.

The hand-written twin is the script of `build.py explain --export`, on its own context in the same page:
writeTensor, dispatch, readTensor into its own arrays. Both take turns on the same inputs, and must compute
the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser as PlaywrightBrowser
from rich.console import Console
from rich.markup import escape

from support.console import output
from tools.bench.statistics import Spread, ratios, spread
from tools.bench.subjects import script_of
from tools.measuring.browser import BrowserFacts, measuring_browser
from tools.measuring.measurement import Subject, check_package, subjects_of
from tools.measuring.printing import grid_of, print_answer, show_grid
from web_tests.drivers.harness import Harness
from web_tests.references.inputs import inputs_for, seeded_inputs
from web_tests.server.server import Server

# The default models, from one that hardly computes to one that computes a lot.
DEFAULT_MODELS = ("oww_alexa", "mlperftiny_kws_int8", "face_detection_short_range", "mobilenet_v2", "deeplabv3_257")
# Against the noise of small differences: more rounds than other measurements need.
ROUNDS_FACTOR = 10
# The goal: one of the two.
GOAL_RATIO, GOAL_MS = 1.02, 0.05


@dataclass(frozen=True)
class Row:
    """The result of a model.

    Attributes:
        run_ms, by_hand_ms: one run of the model and of its twin.
        ratio, difference_ms: of the two in the same round.
    """

    name: str
    run_ms: Spread
    by_hand_ms: Spread
    ratio: Spread
    difference_ms: Spread

    @property
    def is_good(self) -> bool:
        """Whether the goal is met."""
        return self.ratio.median <= GOAL_RATIO or self.difference_ms.median <= GOAL_MS


def run(model_files: Sequence[Path], *, json_output: bool, browser: Path | None, rounds: int) -> int:
    """Run the benchmark and return the exit status.

    Args:
        model_files: the models; none means DEFAULT_MODELS.
        json_output: print JSON, and nothing else, on standard output.
        browser: the user's own Chromium-based browser; None means the first one with WebNN.
        rounds: a tenth of the number of timings per side.

    Raises:
        BuildError: there is no package or no browser, or a model does not run wholly on WebNN.
    """
    check_package()
    subjects = subjects_of(model_files, DEFAULT_MODELS)
    rounds *= ROUNDS_FACTOR
    with measuring_browser(browser) as (running, facts):
        rows = compare(running, subjects, rounds)
    if json_output:
        print_answer(facts, rows, rounds=rounds)
    else:
        show(output, facts, rounds, rows)
    return 0


def compare(browser: PlaywrightBrowser, subjects: Sequence[Subject], rounds: int) -> list[Row]:
    """Time each model against its twin.

    Raises:
        NoFormError: a model does not run wholly on WebNN.
    """
    with Server() as server:
        harness = Harness(browser.new_page(), server)
        return [_row(harness, subject, rounds) for subject in subjects]


def show(console: Console, facts: BrowserFacts, rounds: int, rows: Sequence[Row]) -> None:
    """Print the table."""
    grid = grid_of(("model",), ("run()\nms", "by hand\nms", "ratio", "difference\nms", "goal"))
    for row in rows:
        ratio, difference = str(row.ratio), str(row.difference_ms)
        goal = "met" if row.is_good else "missed"
        grid.add_row(
            escape(row.name), f"{row.run_ms.median:.3f}", f"{row.by_hand_ms.median:.3f}", ratio, difference, goal
        )
    goal = f"The goal: a ratio of {GOAL_RATIO} or a difference of {GOAL_MS} ms at most."
    show_grid(console, facts, grid, f"Medians, with quartiles in brackets, of {rounds} rounds of turns. {goal}")


def _row(harness: Harness, subject: Subject, rounds: int) -> Row:
    loaded = harness.load(subject.content)
    script = script_of(subject, loaded)
    inputs = inputs_for(subject.model) if subject.model else seeded_inputs(loaded.inputs)
    run_ms, by_hand_ms = harness.measure_overhead(loaded, script, inputs, rounds=rounds)
    loaded.dispose()
    differences = [ours - theirs for ours, theirs in zip(run_ms, by_hand_ms, strict=True)]
    return Row(subject.name, spread(run_ms), spread(by_hand_ms), ratios(run_ms, by_hand_ms), spread(differences))
