"""One cell: loads a model, runs it, compares with native LiteRT, and times it; or verifies that this is impossible."""

import statistics
from collections.abc import Mapping
from typing import Any

from support.errors import BuildError
from tools.matrix.axes import Execution
from tools.matrix.place_page import PlacePage
from tools.matrix.questions import Question
from tools.matrix.result import Cell, Impossible, Ran
from web_tests.drivers.harness import LoadedModel, Turns
from web_tests.references.grading import Grade, grade

# Enough to rank the executions; `build.py bench` measures precisely.
TURNS = Turns(most=5, enough_ms=300, least_ms=10)
NOTE_LENGTH = 300


def fill(engine: str, page: PlacePage, execution: Execution, question: Question) -> Cell:
    """Return the cell; a failure is part of it."""
    key = (engine, page.place.name, execution.name, question.name)
    try:
        loaded = page.load(question, execution)
        try:
            cell = _measured(key, loaded, execution, question)
        finally:
            loaded.dispose()
    except BuildError as error:
        return Cell(*key, "failed", note=in_a_line(error.what))
    except ValueError as error:
        return Cell(*key, "wrong", note=in_a_line(str(error)))
    errors = page.errors()
    return Cell(*key, "failed", note=in_a_line(f"nobody caught: {errors}")) if errors else cell


def _measured(key: tuple[str, str, str, str], loaded: LoadedModel, execution: Execution, question: Question) -> Cell:
    outputs = loaded.run(question.inputs)
    graded = grade(question.model, outputs, question.expected, execution.tolerances)
    times = loaded.time(question.inputs, TURNS)
    report = loaded.report_now()
    return Cell(
        *key,
        status="right" if graded.is_right else "wrong",
        note=in_a_line(_note(graded, execution.departure(report))),
        difference=graded.difference,
        tolerance=graded.allowed,
        unit=graded.unit,
        ms=statistics.median(times),
        turns=len(times),
        load_ms=loaded.load_ms,
        ran=_ran(report),
    )


def _note(graded: Grade, departure: str) -> str:
    beyond = f"allowed is {graded.allowed:g}: {graded.why}" if graded.difference > graded.allowed else ""
    return "; ".join(filter(None, (graded.note, beyond, departure)))


def _ran(report: Mapping[str, Any]) -> Ran:
    totals = report["totals"]
    return Ran(
        mode=report["executionMode"],
        variant=report["variant"],
        backend=report["webnn"]["backend"] or "",
        nodes=totals["nodes"],
        delegated=totals["delegatedNodes"],
        partitions=totals["webnnPartitions"],
        threads=report["threads"]["used"],
    )


def why_not(execution: Execution, lacks: Mapping[str, str]) -> str:
    """Return why an execution is impossible in a page with these gaps; empty if it is possible."""
    return "; ".join(lacks[need] for need in execution.needs if need in lacks)


def try_impossible(
    engine: str, page: PlacePage, execution: Execution, question: Question, reason: str
) -> Impossible | Cell:
    """Try what a page reports as impossible: if the page does it nevertheless, the cell fails."""
    key = (engine, page.place.name, execution.name)
    try:
        loaded = page.load(question, execution)
    except BuildError as error:
        return Impossible(*key, reason, in_a_line(error.what))
    departure = execution.departure(loaded.report)
    loaded.dispose()
    if departure:
        return Impossible(*key, reason, in_a_line(departure))
    return Cell(*key, question.name, "failed", note=f"the page says that it cannot, yet the model was loaded: {reason}")


def in_a_line(text: str) -> str:
    """Join the lines of a text, and truncate a long one."""
    line = " ".join(text.split())
    return line if len(line) <= NOTE_LENGTH else f"{line[:NOTE_LENGTH]}…"
