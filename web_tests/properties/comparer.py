"""Compares executions with native LiteRT on batches of nodes, and finds the nodes that differ."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from web_tests.browsers.page import PageError
from web_tests.drivers.page_calls import ModelError
from web_tests.models.recipes import Array
from web_tests.properties import judging
from web_tests.properties.batch import Batch
from web_tests.properties.engines import Execution, Run
from web_tests.properties.native import CRASHED, UNREADABLE, NativeResult, runs_of
from web_tests.properties.spec import NodeSpec

# Nodes per model: a load costs as much as some forty nodes.
BATCH_NODES = 200

Node = tuple[NodeSpec, NativeResult]


@dataclass(frozen=True)
class Failure:
    """A wrong node on an execution.

    Attributes:
        kind: `values`, `rejected`, `accepted` (what native LiteRT rejects), `crash`, or `gpu process` (killed).
        message: the difference as text.
        execution: name of the execution.
    """

    spec: NodeSpec
    kind: str
    message: str
    execution: str

    @property
    def signature(self) -> str:
        """Equal for failures with one cause: execution, op, kind, types, and the text of a rejection."""
        text = re.sub(r"\d+", "#", self.message)[:90] if self.kind == "rejected" else ""
        dtypes = sorted(
            {each.dtype for each in self.spec.operands if each} | {each.dtype for each in self.spec.results}
        )
        return f"{self.spec.op} {self.kind} on {self.execution} [{' '.join(dtypes)}] {text}".strip()


class Reference(Protocol):
    """The source of expected results: native.Native."""

    def results(self, specs: Sequence[NodeSpec]) -> list[NativeResult]:
        """Return the result of each node."""


class EngineUnderTest(Protocol):
    """The engine under test: engines.Engine."""

    @property
    def execution(self) -> Execution:
        """Its execution."""

    def start(self, model: bytes, inputs: Sequence[Array], runs: int) -> Callable[[], Run]:
        """Start to load a model, run it and free it; return a function that waits for the result, or raises."""


class Comparer:
    """Compares nodes on executions with one call of native LiteRT for all, and caches the results.

    The executions compute a batch at the same time, while native LiteRT computes the next one.
    """

    def __init__(self, reference: Reference, engines: Sequence[EngineUnderTest]) -> None:
        self._reference = reference
        self._judges = [_Judge(engine) for engine in engines]
        self._known: dict[NodeSpec, list[Failure]] = {}

    def failures(self, specs: Sequence[NodeSpec]) -> list[Failure]:
        """Return the failures of nodes."""
        new = [spec for spec in dict.fromkeys(specs) if spec not in self._known]
        if new:
            self._compare_batches([new[start : start + BATCH_NODES] for start in range(0, len(new), BATCH_NODES)])
        return [failure for spec in specs for failure in self._known.get(spec, [])]

    def distance(self, spec: NodeSpec) -> float:
        """Return the largest difference of a compared node, in tolerances; 0 if no output was compared."""
        return max(judge.distances.get(spec, 0.0) for judge in self._judges)

    def _compare_batches(self, batches: Sequence[Sequence[NodeSpec]]) -> None:
        with ThreadPoolExecutor(1) as thread:
            requested = [thread.submit(self._reference.results, batch) for batch in batches]
            for batch, expected in zip(batches, requested, strict=True):
                self._judge(batch, expected.result(), thread)

    def _judge(self, specs: Sequence[NodeSpec], results: Sequence[NativeResult], thread: Executor) -> None:
        self._known.update((spec, []) for spec in specs)
        taken = [(spec, native) for spec, native in zip(specs, results, strict=True) if native.outputs]
        rejected = [(spec, native) for spec, native in zip(specs, results, strict=True) if not native.outputs]
        for nodes in _groups(taken):
            trial = Trial(nodes)
            started = [(judge, judge.start(trial)) for judge in self._judges]
            for judge, finish in started:
                failures = judge.judge(trial, finish)
                self._remember(self._confirmed(judge, *each, thread) for each in zip(nodes, failures, strict=True))
        for spec, native in rejected:
            trial = Trial([(spec, native)])
            started = [(judge, judge.start(trial)) for judge in self._judges]
            self._remember(judge.judge_rejected(spec, native, finish) for judge, finish in started)

    def _confirmed(self, judge: "_Judge", node: Node, failure: Failure | None, thread: Executor) -> Failure | None:
        """Return a failure, unless the node alone has other outputs: some native kernels write to their neighbours."""
        spec, native = node
        if failure is None or failure.kind != "values":
            return failure
        (alone,) = thread.submit(self._reference.results, [spec]).result()
        if not alone.outputs or _same_bits(alone, native):
            return failure
        trial = Trial([(spec, alone)])
        return judge.judge(trial, judge.start(trial))[0]

    def _remember(self, failures: Iterable[Failure | None]) -> None:
        for failure in failures:
            if failure:
                self._known[failure.spec].append(failure)


def _groups(nodes: Sequence[Node]) -> Iterator[list[Node]]:
    """Separate nodes that would keep their neighbours from an engine.

    WebNN's delegate accepts no node after one whose shape is unknown before the run, and the runner turns XNNPACK off
    for a model with an empty input.
    """
    groups: dict[tuple[bool, bool], list[Node]] = {}
    for spec, native in nodes:
        is_empty = any(operand.size == 0 for operand in spec.provided)
        groups.setdefault((spec.is_dynamic, is_empty), []).append((spec, native))
    yield from groups.values()


def _same_bits(one: NativeResult, other: NativeResult) -> bool:
    return [[array.tobytes() for array in kernels] for kernels in one.outputs] == [
        [array.tobytes() for array in kernels] for kernels in other.outputs
    ]


class Trial:
    """A batch of nodes with native LiteRT's results, as a model that each execution runs."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = list(nodes)
        self.batch = Batch(tuple(spec for spec, _ in nodes))
        shapes = [native.shapes or [result.shape for result in spec.results] for spec, native in nodes]
        self.model = self.batch.model(shapes)
        self.inputs = self.batch.inputs()
        self.runs = runs_of(self.batch.specs)


class _Judge:
    """Compares one execution's outputs with native LiteRT's."""

    def __init__(self, engine: EngineUnderTest) -> None:
        self.distances: dict[NodeSpec, float] = {}
        self._engine = engine
        self._execution = engine.execution.name

    def start(self, trial: Trial) -> Callable[[], Run]:
        """Start to run a trial."""
        return self._engine.start(trial.model, trial.inputs, trial.runs)

    def judge(self, trial: Trial, finish: Callable[[], Run]) -> list[Failure | None]:
        """Judge nodes that native LiteRT accepts: together, or in halves if that fails."""
        spec = trial.nodes[0][0]
        failure: Failure | None = None
        try:
            run = finish()
        except ModelError as error:
            failure = self._failure(spec, "rejected", f"{error.name} {error.code}: {error}")
        except PageError as error:
            failure = self._failure(spec, "crash", str(error))
        else:
            if run.context_losses:
                failure = self._failure(spec, "gpu process", "the browser's GPU process crashed")
            elif not run.turned_off or len(trial.nodes) == 1:
                compared = zip(trial.nodes, trial.batch.by_node(run.outputs), strict=True)
                return [self._compare(spec, outputs, native) for (spec, native), outputs in compared]
        if len(trial.nodes) == 1:
            return [failure]
        half = len(trial.nodes) // 2
        halves = [Trial(trial.nodes[:half]), Trial(trial.nodes[half:])]
        found = [each for part in halves for each in self.judge(part, self.start(part))]
        if failure and not any(found):
            message = f"only together with {len(trial.nodes) - 1} others: {failure.message}"
            return [self._failure(spec, failure.kind, message), *found[1:]]
        return found

    def judge_rejected(self, spec: NodeSpec, native: NativeResult, finish: Callable[[], Run]) -> Failure | None:
        """Judge a node that native LiteRT rejects: an error is right; outputs, too, if it reports no reason."""
        try:
            run = finish()
        except ModelError:
            return None
        except PageError as error:
            return self._failure(spec, "crash", f"{error}; native: {native.rejection}")
        if run.context_losses:
            return self._failure(spec, "gpu process", f"the browser's GPU process crashed; native: {native.rejection}")
        is_unexplained = native.rejection in (CRASHED, UNREADABLE)
        return None if is_unexplained else self._failure(spec, "accepted", f"native: {native.rejection}")

    def _compare(self, spec: NodeSpec, outputs: Sequence[Array], native: NativeResult) -> Failure | None:
        tolerance = judging.tolerance_of(spec, self._execution)
        message, self.distances[spec] = judging.judge(spec, outputs, native, tolerance)
        return self._failure(spec, "values", message) if message else None

    def _failure(self, spec: NodeSpec, kind: str, message: str) -> Failure:
        return Failure(spec, kind, message, self._execution)
