"""Compares executions with native LiteRT on batches of nodes, and finds the nodes at fault."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tools.properties import judging
from tools.properties.batch import Batch
from tools.properties.engines import Execution, Run
from tools.properties.native import CRASHED, UNREADABLE, Answer, runs_of
from tools.properties.spec import NodeSpec
from web_tests.browsers.page import PageError
from web_tests.drivers.page_calls import ModelError
from web_tests.models.recipes import Array


@dataclass(frozen=True)
class Failure:
    """A wrong node on an execution.

    Attributes:
        kind: `values`, `refused`, `accepted` (what native LiteRT refuses), `crash`, or `gpu process` (killed).
        message: the difference as text.
        execution: name of the execution.
    """

    spec: NodeSpec
    kind: str
    message: str
    execution: str

    @property
    def signature(self) -> str:
        """Equal for failures with one cause: execution, op, kind, types, and the text of a refusal."""
        words = re.sub(r"\d+", "#", self.message)[:90] if self.kind == "refused" else ""
        dtypes = sorted(
            {each.dtype for each in self.spec.operands if each} | {each.dtype for each in self.spec.results}
        )
        return f"{self.spec.op} {self.kind} on {self.execution} [{' '.join(dtypes)}] {words}".strip()


class Reference(Protocol):
    """The source of right answers: native.Native."""

    def answers(self, specs: Sequence[NodeSpec]) -> list[Answer]:
        """Return the answer to each node."""


class Subject(Protocol):
    """The engine under test: engines.Engine."""

    @property
    def execution(self) -> Execution:
        """Its execution."""

    def run(self, model: bytes, inputs: Sequence[Array], runs: int) -> Run:
        """Load a model, run it and free it."""


class Examiner:
    """Examines nodes on executions with one call of native LiteRT for all, and remembers the results."""

    def __init__(self, reference: Reference, subjects: Sequence[Subject]) -> None:
        self._reference = reference
        self._judges = [_Judge(subject) for subject in subjects]
        self._known: dict[NodeSpec, list[Failure]] = {}
        self.refused_by_native = 0
        self.examined = 0

    @property
    def delegated(self) -> int:
        """Number of nodes on WebNN, over all executions."""
        return sum(judge.delegated for judge in self._judges)

    def forget(self) -> None:
        """Forget the results."""
        self._known.clear()

    def failures(self, specs: Sequence[NodeSpec], *, only_remembered: bool = False) -> list[Failure]:
        """Return the failures of a batch's nodes; `only_remembered` treats new nodes as right."""
        new = [] if only_remembered else [spec for spec in dict.fromkeys(specs) if spec not in self._known]
        if new:
            self._examine(new)
        return [failure for spec in specs for failure in self._known.get(spec, [])]

    def _examine(self, specs: Sequence[NodeSpec]) -> None:
        answers = self._reference.answers(specs)
        self.examined += len(specs)
        self.refused_by_native += sum(1 for each in answers if not each.outputs)
        self._known.update((spec, []) for spec in specs)
        for judge in self._judges:
            for spec, failure in zip(specs, judge.failures(specs, answers), strict=True):
                if failure:
                    self._known[spec].append(failure)


class _Judge:
    """Compares one execution's answers with native LiteRT's."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._execution = subject.execution.name
        self.delegated = 0

    def failures(self, specs: Sequence[NodeSpec], answers: Sequence[Answer]) -> list[Failure | None]:
        """Return the failure of each node."""
        found: list[Failure | None] = [None] * len(specs)
        # A delegate takes no node after one whose shape is unknown before the run.
        for is_dynamic in (False, True):
            chosen = [at for at, each in enumerate(answers) if each.outputs and specs[at].is_dynamic == is_dynamic]
            judged = self._judge([specs[at] for at in chosen], [answers[at] for at in chosen]) if chosen else []
            for at, failure in zip(chosen, judged, strict=True):
                found[at] = failure
        for index, each in enumerate(answers):
            if not each.outputs:
                found[index] = self._judge_refused(specs[index], each)
        return found

    def _judge(self, specs: Sequence[NodeSpec], answers: Sequence[Answer]) -> list[Failure | None]:
        """Judge nodes that native LiteRT takes: together, or in halves if that fails."""
        batch = Batch(tuple(specs))
        try:
            run = self._run(batch, answers)
        except ModelError as error:
            failure = self._failure(specs[0], "refused", f"{error.name} {error.code}: {error}")
        except PageError as error:
            failure = self._failure(specs[0], "crash", str(error))
        else:
            if not run.context_losses:
                self.delegated += run.delegated
                return [self._compare(*each) for each in zip(specs, batch.by_node(run.outputs), answers, strict=True)]
            failure = self._failure(specs[0], "gpu process", "the browser's GPU process died")
        if len(specs) == 1:
            return [failure]
        half = len(specs) // 2
        found = [*self._judge(specs[:half], answers[:half]), *self._judge(specs[half:], answers[half:])]
        if not any(found):
            message = f"only beside {len(specs) - 1} others: {failure.message}"
            return [self._failure(specs[0], failure.kind, message), *found[1:]]
        return found

    def _judge_refused(self, spec: NodeSpec, answer: Answer) -> Failure | None:
        """Judge a node that native LiteRT refuses: an error is right; an answer, too, if native gives no reason."""
        try:
            run = self._run(Batch((spec,)), [answer])
        except ModelError:
            return None
        except PageError as error:
            return self._failure(spec, "crash", f"{error}; native: {answer.refusal}")
        if run.context_losses:
            return self._failure(spec, "gpu process", f"the browser's GPU process died; native: {answer.refusal}")
        is_unexplained = answer.refusal in (CRASHED, UNREADABLE)
        return None if is_unexplained else self._failure(spec, "accepted", f"native: {answer.refusal}")

    def _run(self, batch: Batch, answers: Sequence[Answer]) -> Run:
        shapes = [
            answer.shapes or [result.shape for result in spec.results]
            for spec, answer in zip(batch.specs, answers, strict=True)
        ]
        return self._subject.run(batch.model(shapes), batch.inputs(), runs_of(batch.specs))

    def _compare(self, spec: NodeSpec, outputs: Sequence[Array], answer: Answer) -> Failure | None:
        tolerance = judging.tolerance_of(spec, self._execution)
        message = judging.difference(spec, outputs, answer, tolerance)
        return self._failure(spec, "values", message) if message else None

    def _failure(self, spec: NodeSpec, kind: str, message: str) -> Failure:
        return Failure(spec, kind, message, self._execution)
