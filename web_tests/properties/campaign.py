"""Draws nodes of a family with Hypothesis, batch after batch, and shrinks the first node of each kind of failure."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity
from hypothesis import strategies as st

from web_tests.properties.examiner import Examiner, Failure
from web_tests.properties.families.common import Strategy
from web_tests.properties.known import Known
from web_tests.properties.spec import NodeSpec

# Lists in a row, each of which shrinks to none by itself; on average five nodes each.
LISTS = 8
MOST_OF_A_LIST = 10
BATCH_NODES = LISTS * MOST_OF_A_LIST // 2
# Batches between one start of Hypothesis and the next: failures found are left out from then on.
ROUND_BATCHES = 25
# After so long, what Hypothesis has not tried yet counts as right, which ends shrinking.
SHRINK_SECONDS = 25.0
# A seed's rounds do not meet those of the next seed.
ROUNDS_A_SEED = 1_000_000


@dataclass(frozen=True)
class Plan:
    """What is drawn.

    Attributes:
        nodes: the strategy.
        examples: how many nodes, about.
        seed: of Hypothesis.
        execution: its name, for known differences.
    """

    nodes: Strategy
    examples: int
    seed: int
    execution: str


@dataclass
class Result:
    """What was found.

    Attributes:
        examples: nodes that were drawn.
        failures: the smallest of each kind.
        known: how often each known difference was met, by its name.
    """

    examples: int = 0
    failures: dict[str, Failure] = field(default_factory=dict)
    known: Counter[str] = field(default_factory=Counter)


class WrongNodeError(Exception):
    """A batch has a node that differs; Hypothesis tells bugs apart by classes derived of this one."""


def run(plan: Plan, examiner: Examiner, known: Known, progress: Callable[[Result], None] = lambda _: None) -> Result:
    """Draw until there were enough nodes; go on after a failure, without failures of its kind."""
    result = Result()
    number = 0
    while result.examples < plan.examples:
        left = -(-(plan.examples - result.examples) // BATCH_NODES)
        _Round(plan, examiner, known, result).run(plan.seed * ROUNDS_A_SEED + number, min(left, ROUND_BATCHES))
        examiner.forget()
        number += 1
        progress(result)
    return result


class _Round:
    """One start of Hypothesis."""

    def __init__(self, plan: Plan, examiner: Examiner, known: Known, result: Result) -> None:
        self._plan = plan
        self._examiner = examiner
        self._known = known
        self._result = result
        self._before = set(result.failures)
        self._shrinking_since: float | None = None
        self._classes: dict[str, type[WrongNodeError]] = {}

    def run(self, seed: int, batches: int) -> None:
        """Draw and shrink; what is found is in the result."""
        lists = st.tuples(*(st.lists(self._plan.nodes, max_size=MOST_OF_A_LIST) for _ in range(LISTS)))
        settings = hypothesis.settings(
            max_examples=batches,
            database=None,
            deadline=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
            print_blob=False,
            report_multiple_bugs=True,
        )
        try:
            hypothesis.seed(seed)(settings(hypothesis.given(lists)(self._check)))()
        except (WrongNodeError, hypothesis.errors.Flaky, BaseExceptionGroup) as error:
            if not _is_found(error):
                raise

    def _check(self, lists: tuple[list[NodeSpec], ...]) -> None:
        """Raise for a node that differs and was not known before this round."""
        specs = [spec for each in lists for spec in each]
        since = self._shrinking_since
        is_over = since is not None and time.monotonic() - since > SHRINK_SECONDS
        failures = self._examiner.failures(specs, only_remembered=is_over)
        if since is None:
            self._result.examples += len(specs)
        for failure in failures:
            name = self._known.name_of(failure, self._plan.execution)
            if name:
                self._result.known[name] += since is None
            elif failure.signature not in self._before:
                self._shrinking_since = since or time.monotonic()
                # Hypothesis ends with the smallest.
                self._result.failures[failure.signature] = failure
                raise self._class_of(failure.signature)(failure.message)

    def _class_of(self, signature: str) -> type[WrongNodeError]:
        return self._classes.setdefault(signature, type("WrongNodeError", (WrongNodeError,), {}))


def _is_found(error: BaseException) -> bool:
    """Tell whether an error is nothing but nodes that differ, as Hypothesis reports them."""
    if isinstance(error, BaseExceptionGroup) and not isinstance(error, hypothesis.errors.Flaky):
        return all(_is_found(each) for each in error.exceptions)
    return isinstance(error, WrongNodeError | hypothesis.errors.Flaky)
