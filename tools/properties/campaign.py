"""Draws nodes of a family with Hypothesis, examines them batch by batch, and shrinks one of each kind of failure."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity
from hypothesis.errors import Flaky

from tools.properties.examiner import Examiner, Failure
from tools.properties.families.common import Strategy
from tools.properties.known import Known
from tools.properties.spec import NodeSpec

# Nodes per model.
BATCH_NODES = 40
# Nodes per start of Hypothesis: later starts leave out the failures found so far.
ROUND_NODES = 1000
# Limit of attempts: later ones count as right, which ends shrinking.
SHRINK_NODES = 800
# Distance between seeds: their rounds do not overlap.
ROUNDS_A_SEED = 1_000_000


@dataclass(frozen=True)
class Plan:
    """The nodes to draw.

    Attributes:
        nodes: the strategy.
        examples: minimum number of nodes.
        seed: Hypothesis' seed.
    """

    nodes: Strategy
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


def run(plan: Plan, examiner: Examiner, known: Known, progress: Callable[[Result], None] = lambda _: None) -> Result:
    """Draw until there are enough nodes; after a failure, continue without failures of its kind."""
    result = Result()
    number = 0
    while result.examples < plan.examples:
        count = min(plan.examples - result.examples, ROUND_NODES)
        _Round(plan, examiner, known, result).run(plan.seed * ROUNDS_A_SEED + number, count)
        examiner.forget()
        number += 1
        progress(result)
    return result


class _Round:
    """Two starts of Hypothesis with one seed: the first only draws, so that many nodes are examined at once.

    If one of them differs, the second draws the same nodes again, looks up their results, and shrinks.
    """

    def __init__(self, plan: Plan, examiner: Examiner, known: Known, result: Result) -> None:
        self._plan = plan
        self._examiner = examiner
        self._known = known
        self._result = result
        self._before = set(result.failures)
        self._examined_before_shrinking: int | None = None
        self._classes: dict[str, type[WrongNodeError]] = {}

    def run(self, seed: int, count: int) -> None:
        """Draw, examine, and shrink; the findings are in the result."""
        drawn: list[NodeSpec] = []
        self._start(seed, count, [Phase.generate], drawn.append)
        self._result.examples += len(drawn)
        self._result.distinct += len(set(drawn))
        failures: list[Failure] = []
        for start in range(0, len(drawn), BATCH_NODES):
            failures += self._examiner.failures(drawn[start : start + BATCH_NODES])
        self._result.met.update(map(self._met, failures))
        if not any(self._is_new(failure) for failure in failures):
            return
        try:
            self._start(seed, count, [Phase.generate, Phase.shrink], self._check)
        except (WrongNodeError, Flaky, BaseExceptionGroup) as error:
            if not _is_found(error):
                raise
        for failure in failures:  # as drawn, where Hypothesis did not come to it
            if self._is_new(failure):
                self._result.failures.setdefault(failure.signature, failure)

    def _start(self, seed: int, count: int, phases: Sequence[Phase], test: Callable[[NodeSpec], None]) -> None:
        settings = hypothesis.settings(
            max_examples=count,
            database=None,
            deadline=None,
            phases=phases,
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
            print_blob=False,
            report_multiple_bugs=True,
        )
        hypothesis.seed(seed)(settings(hypothesis.given(self._plan.nodes)(_plain(test))))()

    def _check(self, spec: NodeSpec) -> None:
        """Raise for a node that differs and was unknown before this round."""
        examined = self._examiner.examined
        before = self._examined_before_shrinking
        is_over = before is not None and examined - before > SHRINK_NODES
        for failure in self._examiner.failures([spec], only_remembered=is_over):
            if self._is_new(failure):
                self._examined_before_shrinking = examined if before is None else before
                # Hypothesis ends with the smallest.
                self._result.failures[failure.signature] = failure
                raise self._class_of(failure.signature)(failure.message)

    def _met(self, failure: Failure) -> Met:
        return Met(failure.spec.op, failure.execution, failure.kind, self._known.name_of(failure))

    def _is_new(self, failure: Failure) -> bool:
        return not self._known.name_of(failure) and failure.signature not in self._before

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
