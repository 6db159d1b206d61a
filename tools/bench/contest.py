"""Speed: all runtimes have a model loaded, and take turns in every round.

Background load varies, so times of separate runs cannot be compared. Everything that is compared takes
turns, and the median of the rounds' ratios counts.

Two loaded models differ, too: the placement of its memory seems to make one some percent faster or slower as long as
it is loaded, and the first to load tends to be slower. So the rounds are divided into heats; each heat loads all
models again, in the reverse order (docs/notes/performance.md).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from rich.progress import Progress

from support.console import console
from support.errors import BuildError
from tools.bench.entrants import Entrant, Stall
from tools.bench.result import Placement, SpeedRow
from tools.bench.runtimes import Runtime
from tools.bench.statistics import ratios, spread
from tools.bench.subjects import Task
from tools.bench.verdict import Verdict, in_order, judge

# Each contestant's warm-up before the first round: runtimes recompile code that has run often.
WARMUP_MS = 400.0
# The minimum duration of a turn: the clock of a page that is not isolated ticks every 0.1 ms.
LEAST_TURN_MS = 10.0
# Possible numbers of heats, best first. All even: nobody loads first more often than last.
HEATS = (4, 2)
LEAST_ROUNDS_PER_HEAT = 2

OpenStall = Callable[[Runtime], Stall]


@dataclass
class Contestant:
    """A runtime with a loaded model, and its results."""

    task: Task
    runtime: Runtime
    entrant: Entrant | None = None
    verdict: Verdict = field(default_factory=lambda: Verdict("not compared"))
    failure: str = ""
    turns_ms: list[float] = field(default_factory=list)


class Stalls:
    """The pages and processes of a contest, one per runtime: opened on first use, and again after a failure."""

    def __init__(self, open_stall: OpenStall) -> None:
        self._open_stall = open_stall
        self._stalls: dict[str, Stall] = {}

    def of(self, runtime: Runtime) -> Stall:
        """Return a runtime's page or process, with its library loaded.

        Raises:
            BuildError: the library cannot be loaded.
        """
        if runtime.name not in self._stalls:
            stall = self._open_stall(runtime)
            try:
                stall.open()
            except BuildError:
                stall.close()
                raise
            self._stalls[runtime.name] = stall
        return self._stalls[runtime.name]

    def drop(self, runtime: Runtime) -> None:
        """Close a runtime's page or process: the failure may have spoilt it."""
        stall = self._stalls.pop(runtime.name, None)
        if stall:
            with suppress(BuildError):
                stall.close()

    def close(self) -> None:
        for stall in self._stalls.values():
            with suppress(BuildError):
                stall.close()
        self._stalls.clear()


@contextmanager
def stalls(open_stall: OpenStall) -> Iterator[Stalls]:
    """Open pages and processes for a with-block."""
    opened = Stalls(open_stall)
    try:
        yield opened
    finally:
        opened.close()


def compete(
    opened: Stalls, pairs: Sequence[tuple[Task, Runtime]], rounds: int, *, measure_of: Callable[[Contestant], str]
) -> list[SpeedRow]:
    """Load each pair's model in its runtime, check the first answer, and time all by turns, in every heat.

    Args:
        opened: the runtimes' pages and processes.
        pairs: the contestants.
        rounds: number of turns of each.
        measure_of: the key (`key_of`) of the contestant that another is compared with.
    """
    contestants = [Contestant(task, runtime) for task, runtime in pairs]
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task(contestants[0].task.name, total=rounds)
        for heat, heat_rounds in enumerate(rounds_of_heats(rounds)):
            for contestant in contestants if heat % 2 == 0 else reversed(contestants):
                _attempt(opened, contestant, lambda one: _enter(opened, one))
            for _ in _race(opened, contestants, heat_rounds):
                progress.advance(bar)
            for contestant in contestants:
                _attempt(opened, contestant, _leave)
    return _rows(contestants, measure_of)


def rounds_of_heats(rounds: int) -> list[range]:
    """Return the rounds of each heat, split as evenly as possible."""
    heats = next((heats for heats in HEATS if rounds >= heats * LEAST_ROUNDS_PER_HEAT), 1)
    starts = [rounds * heat // heats for heat in range(heats + 1)]
    return [range(start, end) for start, end in pairwise(starts)]


def key_of(task: Task, runtime: str) -> str:
    """Return the key of a contestant: its model, and its runtime's name."""
    return f"{task.name} {runtime}"


def _attempt(opened: Stalls, contestant: Contestant, action: Callable[[Contestant], None]) -> None:
    if contestant.failure:
        return
    try:
        action(contestant)
    except BuildError as error:
        contestant.failure = failure_text(error)
        contestant.entrant = None
        opened.drop(contestant.runtime)


def failure_text(error: BuildError) -> str:
    """Return a runtime's failure as one line."""
    return " ".join(error.what.split())[:300]


def _enter(opened: Stalls, contestant: Contestant) -> None:
    task, runtime = contestant.task, contestant.runtime
    task.form(runtime.form)
    contestant.entrant = opened.of(runtime).load(task)
    answer = contestant.entrant.first_run()
    if contestant.turns_ms:
        return  # judged in the first heat
    if not task.expected:
        contestant.verdict = Verdict("not compared", note=task.reference_error)
        return
    outputs = in_order(answer.outputs, answer.names, task.expected, task.expected_names)
    contestant.verdict = judge(
        outputs, task.expected, model=task.name, quantized=task.quantized, on_webnn=runtime.computes_on_webnn
    )


def _race(opened: Stalls, contestants: Sequence[Contestant], rounds: range) -> Iterator[int]:
    """Warm all up and let them take turns; yield the number of each finished round."""

    def warm_up(contestant: Contestant) -> None:
        if contestant.entrant:
            contestant.entrant.turn(WARMUP_MS)

    def turn(contestant: Contestant) -> None:
        if contestant.entrant:
            contestant.turns_ms.append(contestant.entrant.turn(LEAST_TURN_MS))

    for contestant in contestants:
        _attempt(opened, contestant, warm_up)
    for number in rounds:
        # Every other round runs backwards, so that nobody always finds the caches of the same predecessor.
        for contestant in contestants if number % 2 == 0 else reversed(contestants):
            _attempt(opened, contestant, turn)
        yield number


def _leave(contestant: Contestant) -> None:
    if contestant.entrant:
        contestant.entrant.dispose()


def _rows(contestants: Sequence[Contestant], measure_of: Callable[[Contestant], str]) -> list[SpeedRow]:
    by_key = {key_of(one.task, one.runtime.name): one for one in contestants}
    twins = len({one.task.name for one in contestants}) > 1
    rows = []
    for contestant in contestants:
        row = SpeedRow(contestant.task.name, contestant.runtime.name, contestant.verdict, failure=contestant.failure)
        if contestant.turns_ms:
            row = replace(row, ms=spread(contestant.turns_ms))
        if contestant.entrant:
            row = replace(row, placement=_placement(contestant.entrant.report))
        measure = by_key.get(measure_of(contestant))
        # Only full series can be compared round by round.
        if measure and row.ms and len(measure.turns_ms) == len(contestant.turns_ms):
            name = measure.task.name if twins else measure.runtime.name
            row = replace(row, measure=name, ratio=ratios(contestant.turns_ms, measure.turns_ms))
        rows.append(row)
    return rows


def _placement(report: Mapping[str, Any]) -> Placement | None:
    if "totals" not in report:
        return None
    delegated = report["totals"]["delegatedNodes"]
    # The old package of a comparison reports no dot product.
    dot_product = report["xnnpack"].get("dotProduct")
    return Placement(report["executionMode"], delegated, len(report["partitions"]), dot_product)
