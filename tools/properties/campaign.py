"""Draws nodes of a family with Hypothesis, examines them batch by batch, and shrinks one of each kind of failure."""

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import NamedTuple, Self

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity
from hypothesis.errors import Flaky

from tools.properties.examiner import Examiner, Failure
from tools.properties.families.common import Strategy
from tools.properties.known import Known
from tools.properties.spec import NodeSpec

# Nodes per start of Hypothesis: later starts leave out the failures found so far.
ROUND_NODES = 1000
# Limit of attempts: later ones count as right, which ends shrinking.
SHRINK_NODES = 400
# Distance between seeds: their rounds do not overlap.
ROUNDS_A_SEED = 1_000_000


@dataclass(frozen=True)
class Plan:
    """The nodes to draw.

    Attributes:
        nodes: returns the strategy; picklable if a process draws.
        examples: minimum number of nodes.
        seed: Hypothesis' seed.
    """

    nodes: Callable[[], Strategy]
    examples: int
    seed: int


class Met(NamedTuple):
    """The key for counting differing nodes; `known` is the name of the known difference, or empty."""

    op: str
    execution: str
    kind: str
    known: str


@dataclass
class Result:
    """The result of a campaign.

    Attributes:
        examples: number of drawn nodes.
        distinct: number of them that a round had not drawn before.
        failures: the smallest of each signature.
        met: number of differing nodes of each kind.
    """

    examples: int = 0
    distinct: int = 0
    failures: dict[str, Failure] = field(default_factory=dict)
    met: Counter[Met] = field(default_factory=Counter)


class WrongNodeError(Exception):
    """A node differs; Hypothesis distinguishes bugs by classes derived from this one."""


def run(
    plan: Plan,
    examiner: Examiner,
    known: Known,
    progress: Callable[[Result], None] = lambda _: None,
    drawer: Executor | None = None,
) -> Result:
    """Draw until there are enough nodes; after a failure, continue without failures of its kind.

    `drawer`, by default a thread, draws the next round while the executions compute this one.
    """
    result = Result()
    drawn_count = 0
    with ExitStack() as stack:
        drawer = drawer or stack.enter_context(ThreadPoolExecutor(1))
        drawing: Future[_Round] | None = drawer.submit(_Round.draw, plan, 0, min(plan.examples, ROUND_NODES))
        for number in itertools.count(1):
            if drawing is None:
                break
            drawn = drawing.result()
            drawn_count += len(drawn.specs)
            count = min(plan.examples - drawn_count, ROUND_NODES)
            drawing = drawer.submit(_Round.draw, plan, number, count) if count > 0 else None
            drawn.examine(examiner, known, result)
            examiner.forget()
            progress(result)
    return result


def drawn(plan: Plan) -> list[NodeSpec]:
    """Return a plan's nodes, of which there are less than a round has, without examining them."""
    return _Round.draw(plan, 0, plan.examples).specs


@dataclass(frozen=True)
class _Round:
    """Two starts of Hypothesis with one seed: the first only draws, so that many nodes are examined at once.

    If one of them differs, the second draws the same nodes again, looks up their results, and shrinks.
    """

    plan: Plan
    number: int
    count: int
    specs: list[NodeSpec]

    @classmethod
    def draw(cls, plan: Plan, number: int, count: int) -> Self:
        """Draw the nodes."""
        drawn = cls(plan, number, count, [])
        drawn._start([Phase.generate], drawn.specs.append)
        return drawn

    def examine(self, examiner: Examiner, known: Known, result: Result) -> None:
        """Examine what was drawn, and shrink; add the findings to the result."""
        result.examples += len(self.specs)
        result.distinct += len(set(self.specs))
        failures = examiner.failures(self.specs)
        result.met.update(Met(each.spec.op, each.execution, each.kind, known.name_of(each)) for each in failures)
        before = set(result.failures)
        new = [each for each in failures if not known.name_of(each) and each.signature not in before]
        if new:
            try:
                self._start([Phase.generate, Phase.shrink], _Shrinker(examiner, known, result.failures).check)
            except (WrongNodeError, Flaky, BaseExceptionGroup) as error:
                if not _is_found(error):
                    raise
        for failure in new:  # as drawn, where Hypothesis did not come to it
            result.failures.setdefault(failure.signature, failure)

    def _start(self, phases: Sequence[Phase], test: Callable[[NodeSpec], None]) -> None:
        settings = hypothesis.settings(
            max_examples=self.count,
            database=None,
            deadline=None,
            phases=phases,
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
            print_blob=False,
            report_multiple_bugs=True,
        )
        seed = self.plan.seed * ROUNDS_A_SEED + self.number
        hypothesis.seed(seed)(settings(hypothesis.given(self.plan.nodes())(_plain(test))))()


class _Shrinker:
    """The test that Hypothesis shrinks: it fails for a node that differs and was unknown before the round."""

    def __init__(self, examiner: Examiner, known: Known, failures: dict[str, Failure]) -> None:
        self._examiner = examiner
        self._known = known
        self._failures = failures
        self._before = set(failures)
        self._examined_before: int | None = None
        self._classes: dict[str, type[WrongNodeError]] = {}

    def check(self, spec: NodeSpec) -> None:
        """Raise for a node that differs."""
        examined = self._examiner.examined
        is_over = self._examined_before is not None and examined - self._examined_before > SHRINK_NODES
        for failure in self._examiner.failures([spec], only_remembered=is_over):
            if not self._known.name_of(failure) and failure.signature not in self._before:
                self._examined_before = examined if self._examined_before is None else self._examined_before
                # Hypothesis ends with the smallest.
                self._failures[failure.signature] = failure
                raise self._class_of(failure.signature)(failure.message)

    def _class_of(self, signature: str) -> type[WrongNodeError]:
        return self._classes.setdefault(signature, type("WrongNodeError", (WrongNodeError,), {}))


def _plain(function: Callable[[NodeSpec], None]) -> Callable[[NodeSpec], None]:
    """Return a plain function, which Hypothesis requires, that calls a bound one."""

    def test(spec: NodeSpec) -> None:
        function(spec)

    return test


def _is_found(error: BaseException) -> bool:
    """Return whether an error consists only of differing nodes, as Hypothesis reports them."""
    if isinstance(error, BaseExceptionGroup) and not isinstance(error, Flaky):
        return all(_is_found(each) for each in error.exceptions)
    return isinstance(error, WrongNodeError | Flaky)
