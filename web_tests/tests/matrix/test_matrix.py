"""Every model in every engine, executed in each way, in each kind of page: right within the tolerance, or impossible.

Without options, one small model in two hosts. All of it takes hours, and becomes a result that the site shows:

    python3 build.py test web_tests/tests/matrix -n0 -p no:randomly --matrix build/matrix.json

`-k "firefox and webnn"` chooses cells. docs/guides/webnn-in-your-browser.md has browsers of other machines.
"""

import statistics
from collections.abc import Callable
from typing import Any

import pytest

from support.errors import BuildError
from tools import result_file
from tools.matrix.axes import Execution, Host
from tools.matrix.result import Cell, Impossible, ModelRow, Ran
from web_tests.drivers.harness import LoadedModel, PageHarness, Turns
from web_tests.models.catalogue import Model
from web_tests.references import native_litert
from web_tests.references.grading import grade
from web_tests.references.inputs import inputs_for
from web_tests.tests.matrix.conftest import EngineHosts

pytestmark = pytest.mark.needs("variants")

# Enough to rank the executions; `build.py bench` measures precisely.
TURNS = Turns(max_turns=5, enough_ms=300, min_ms=10)
NOTE_LENGTH = 300

Record = Callable[[str, object], None]


def test_the_cell_is_right_or_impossible(
    record_property: Record, engine_hosts: EngineHosts, host: Host, execution: Execution, model: Model
) -> None:
    """What a page lacks is tried nevertheless: a page that can do what it denies is a failure, too."""

    def record(table: str, row: Any) -> None:
        record_property(table, result_file.to_json(row))

    key = (engine_hosts.engine.name, host.name, execution.name)
    if none := engine_hosts.engine.no_host.get(host.name):
        record("impossible", Impossible(*key, none))
        return
    info = engine_hosts.info(host)
    record("pages", info)
    record("engines", engine_hosts.row(host))
    page = engine_hosts.page(host)
    if reason := execution.impossible(info.lacks):
        said = rejection(page, execution, model)
        assert said, f"the page says that it cannot, yet the model was loaded: {reason}"
        record("impossible", Impossible(*key, reason, said))
        return
    record("models", ModelRow(model.name, len(model.content()), model.quantized))
    cell = filled(page, key, execution, model)
    record("cells", cell)
    assert cell.status == "right", cell


def rejection(page: PageHarness, execution: Execution, model: Model) -> str:
    """Return the package's error, or what it did instead of the execution; empty if it did what the page denies."""
    try:
        loaded = page.load(address(model), execution.options)
    except BuildError as error:
        return in_a_line(error.what)
    departure = execution.departure(loaded.report)
    loaded.dispose()
    return in_a_line(departure)


def filled(page: PageHarness, key: tuple[str, str, str], execution: Execution, model: Model) -> Cell:
    """Load a model, run it, compare with native LiteRT, and time it; a failure is part of the cell."""
    try:
        loaded = page.load(address(model), execution.options)
        try:
            cell = measured(loaded, key, execution, model)
        finally:
            loaded.dispose()
        errors = page.take_errors()
    except BuildError as error:
        return Cell(*key, model.name, "failed", note=in_a_line(error.what))
    except ValueError as error:
        return Cell(*key, model.name, "wrong", note=in_a_line(str(error)))
    return Cell(*key, model.name, "failed", note=in_a_line(f"nobody caught: {errors}")) if errors else cell


def measured(loaded: LoadedModel, key: tuple[str, str, str], execution: Execution, model: Model) -> Cell:
    inputs = inputs_for(model)
    expected = native_litert.outputs_of(model.content(), inputs)
    graded = grade(model, loaded.run(inputs), expected, execution.tolerances)
    times = loaded.time(inputs, TURNS)
    report = loaded.report_now()
    totals, beyond = report["totals"], f"allowed is {graded.allowed:g}: {graded.why}"
    notes = (graded.note, beyond if graded.difference > graded.allowed else "", execution.departure(report))
    return Cell(
        *key,
        model.name,
        status="right" if graded.is_right else "wrong",
        note=in_a_line("; ".join(filter(None, notes))),
        difference=graded.difference,
        tolerance=graded.allowed,
        unit=graded.unit,
        ms=statistics.median(times),
        turns=len(times),
        load_ms=loaded.load_ms,
        ran=Ran(
            mode=report["executionMode"],
            variant=report["variant"],
            backend=report["webnn"]["backend"] or "",
            nodes=totals["nodes"],
            delegated=totals["delegatedNodes"],
            partitions=totals["webnnPartitions"],
            threads=report["threads"]["used"],
        ),
    )


def address(model: Model) -> str:
    """Return a model's path on the page server."""
    return f"/models/{model.name}.tflite"


def in_a_line(text: str) -> str:
    """Join the lines of a text, and truncate a long one."""
    line = " ".join(text.split())
    return line if len(line) <= NOTE_LENGTH else f"{line[:NOTE_LENGTH]}…"
