"""Speed: all runtimes have a model loaded, and alternate in every round.

Background load varies, so times of separate runs cannot be compared. Everything that is compared
alternates, and the median of the rounds' ratios counts.

Two loaded models differ, too: the placement of its memory seems to make one some percent faster or slower as long as
it is loaded, and the first to load tends to be slower. So the rounds are divided into repetitions; each loads all
models again, in the reverse order (docs/contributing/benchmarking.md).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from rich.progress import Progress

from support.console import console
from support.errors import BuildError
from tools.bench.models import Task
from tools.bench.result import Placement, SpeedRow
from tools.bench.runtimes import Runtime
from tools.bench.sessions import Host, Session
from tools.bench.verdict import Verdict, in_order, judge
from tools.measuring.statistics import ratios, spread

# Each candidate's warm-up before the first round: runtimes recompile code that has run often.
WARMUP_MS = 400.0
# The minimum duration of a turn: the clock of a page that is not isolated ticks every 0.1 ms.
MIN_TURN_MS = 10.0
# Possible numbers of repetitions, best first. All even: nobody loads first more often than last.
REPETITIONS = (4, 2)
MIN_ROUNDS_PER_REPETITION = 2

OpenHost = Callable[[Runtime], Host]


@dataclass
class Candidate:
    """A runtime with a loaded model, and its results."""

    task: Task
    runtime: Runtime
    session: Session | None = None
    verdict: Verdict = field(default_factory=lambda: Verdict("not compared"))
    failure: str = ""
    turns_ms: list[float] = field(default_factory=list)


class Hosts:
    """The pages and processes of a benchmark, one per runtime: opened on first use, and again after a failure."""

    def __init__(self, open_host: OpenHost) -> None:
        self._open_host = open_host
        self._hosts: dict[str, Host] = {}

    def of(self, runtime: Runtime) -> Host:
        """Return a runtime's page or process, with its library loaded.

        Raises:
            BuildError: the library cannot be loaded.
        """
        if runtime.name not in self._hosts:
            host = self._open_host(runtime)
            try:
                host.open()
            except BuildError:
                host.close()
                raise
            self._hosts[runtime.name] = host
        return self._hosts[runtime.name]

    def drop(self, runtime: Runtime) -> None:
        """Close a runtime's page or process: the failure may have damaged it."""
        host = self._hosts.pop(runtime.name, None)
        if host:
            with suppress(BuildError):
                host.close()

    def close(self) -> None:
        for host in self._hosts.values():
            with suppress(BuildError):
                host.close()
        self._hosts.clear()


@contextmanager
def hosts(open_host: OpenHost) -> Iterator[Hosts]:
    """Open pages and processes for a with-block."""
    opened = Hosts(open_host)
    try:
        yield opened
    finally:
        opened.close()


def time_interleaved(
    opened: Hosts, pairs: Sequence[tuple[Task, Runtime]], rounds: int, *, measure_of: Callable[[Candidate], str]
) -> list[SpeedRow]:
    """Load each pair's model in its runtime, check the first output, and time all interleaved, in every repetition.

    Args:
        opened: the runtimes' pages and processes.
        pairs: the candidates.
        rounds: how often each runtime is timed.
        measure_of: the key (`key_of`) of the candidate that another is compared with.
    """
    candidates = [Candidate(task, runtime) for task, runtime in pairs]
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task(candidates[0].task.name, total=rounds)
        for repetition, repetition_rounds in enumerate(rounds_of_repetitions(rounds)):
            for candidate in candidates if repetition % 2 == 0 else reversed(candidates):
                _attempt(opened, candidate, lambda one: _enter(opened, one))
            for _ in _race(opened, candidates, repetition_rounds):
                progress.advance(bar)
            for candidate in candidates:
                _attempt(opened, candidate, _leave)
    return _rows(candidates, measure_of)


def rounds_of_repetitions(rounds: int) -> list[range]:
    """Return the rounds of each repetition, split as evenly as possible."""
    count = next((count for count in REPETITIONS if rounds >= count * MIN_ROUNDS_PER_REPETITION), 1)
    starts = [rounds * index // count for index in range(count + 1)]
    return [range(start, end) for start, end in pairwise(starts)]


def key_of(task: Task, runtime: str) -> str:
    """Return the key of a candidate: its model, and its runtime's name."""
    return f"{task.name} {runtime}"


def _attempt(opened: Hosts, candidate: Candidate, action: Callable[[Candidate], None]) -> None:
    if candidate.failure:
        return
    try:
        action(candidate)
    except BuildError as error:
        candidate.failure = failure_text(error)
        candidate.session = None
        opened.drop(candidate.runtime)


def failure_text(error: BuildError) -> str:
    """Return a runtime's failure as one line."""
    return " ".join(error.what.split())[:300]


def _enter(opened: Hosts, candidate: Candidate) -> None:
    task, runtime = candidate.task, candidate.runtime
    task.form(runtime.form)
    candidate.session = opened.of(runtime).load(task)
    first = candidate.session.first_run()
    if candidate.turns_ms:
        return  # judged in the first repetition
    if not task.expected:
        candidate.verdict = Verdict("not compared", note=task.reference_error)
        return
    outputs = in_order(first.outputs, first.names, task.expected, task.expected_names)
    candidate.verdict = judge(
        outputs, task.expected, model=task.name, quantized=task.quantized, on_webnn=runtime.computes_on_webnn
    )


def _race(opened: Hosts, candidates: Sequence[Candidate], rounds: range) -> Iterator[int]:
    """Warm all up and let them alternate; yield the number of each finished round."""

    def warm_up(candidate: Candidate) -> None:
        if candidate.session:
            candidate.session.turn(WARMUP_MS)

    def turn(candidate: Candidate) -> None:
        if candidate.session:
            candidate.turns_ms.append(candidate.session.turn(MIN_TURN_MS))

    for candidate in candidates:
        _attempt(opened, candidate, warm_up)
    for number in rounds:
        # Every other round runs backwards, so that nobody always finds the caches of the same predecessor.
        for candidate in candidates if number % 2 == 0 else reversed(candidates):
            _attempt(opened, candidate, turn)
        yield number


def _leave(candidate: Candidate) -> None:
    if candidate.session:
        candidate.session.dispose()


def _rows(candidates: Sequence[Candidate], measure_of: Callable[[Candidate], str]) -> list[SpeedRow]:
    by_key = {key_of(one.task, one.runtime.name): one for one in candidates}
    between_models = len({one.task.name for one in candidates}) > 1
    rows = []
    for candidate in candidates:
        row = SpeedRow(candidate.task.name, candidate.runtime.name, candidate.verdict, failure=candidate.failure)
        if candidate.turns_ms:
            row = replace(row, ms=spread(candidate.turns_ms))
        if candidate.session:
            row = replace(row, placement=_placement(candidate.session.report))
        measure = by_key.get(measure_of(candidate))
        # Only full series can be compared round by round.
        if measure and row.ms and len(measure.turns_ms) == len(candidate.turns_ms):
            name = measure.task.name if between_models else measure.runtime.name
            row = replace(row, measure=name, ratio=ratios(candidate.turns_ms, measure.turns_ms))
        rows.append(row)
    return rows


def _placement(report: Mapping[str, Any]) -> Placement | None:
    if "totals" not in report:
        return None
    delegated = report["totals"]["delegatedNodes"]
    # The old package of a comparison reports no dot product and no threads.
    dot_product, threads = report["xnnpack"].get("dotProduct"), report.get("threads", {}).get("used")
    return Placement(report["executionMode"], delegated, len(report["partitions"]), dot_product, threads)
