"""Every operator of the polyfill compared with numpy, in Node: the tflite engine's models in native LiteRT, that engine
on wasm, and the TensorFlow.js engine, whose operator table is the same on the CPU as on a GPU.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tools.docs import polyfill_ops_table
from tools.suite.plugin import OncePerRun
from web_tests.drivers.polyfill_models import compute, run_natively, write_models
from web_tests.models.recipes import Array
from web_tests.polyfill_cases import CASES, FAMILIES
from web_tests.polyfill_cases.case import Case, InputChoice, error_of
from web_tests.polyfill_cases.gpu import is_within_limits

pytestmark = pytest.mark.needs("package")

OPERATORS = sorted({case.op for case in CASES})

Results = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def models(once_per_run: OncePerRun) -> Results:
    written = once_per_run("models", partial(write_models, [case.graph() for case in CASES]))
    return {case.name: result for case, result in zip(CASES, written, strict=True)}


@pytest.fixture(scope="module")
def computed(once_per_run: OncePerRun) -> Results:
    requests = [(case.graph(), case.inputs()) for case in CASES]
    results = once_per_run("computed", lambda _: compute("tflite", requests))
    return {case.name: result for case, result in zip(CASES, results, strict=True)}


@pytest.mark.parametrize("op", OPERATORS)
def test_native_litert_computes_what_numpy_does(op: str, models: Results) -> None:
    problems = {case.name: _native_problem(case, models[case.name]) for case in CASES if case.op == op}
    assert {name: problem for name, problem in problems.items() if problem} == {}


@pytest.mark.parametrize("op", OPERATORS)
def test_the_engine_computes_what_numpy_does(op: str, computed: Results) -> None:
    problems = {case.name: _engine_problem(case, computed[case.name]) for case in CASES if case.op == op}
    assert {name: problem for name, problem in problems.items() if problem} == {}


@pytest.mark.parametrize("which", ["as provided", "all", "first", "none"])
def test_tensorflow_js_computes_what_numpy_does(which: InputChoice) -> None:
    requests = [(case.graph(which), case.inputs(which)) for case in CASES]
    results = list(zip(CASES, compute("cpu", requests), strict=True))
    taken = [(case, result) for case, result in results if is_within_limits(case, result)]
    problems = {case.name: _engine_problem(case, result) for case, result in taken}
    assert {name: problem for name, problem in problems.items() if problem} == {}
    assert sorted({case.op for case, _ in taken}) == OPERATORS


def test_every_operator_has_cases_in_its_family() -> None:
    cases = {(family, case.op) for family, cases in FAMILIES.items() for case in cases}
    assert cases == {(row["family"], row["op"]) for row in polyfill_ops_table.describe()}
    assert len(OPERATORS) == 95


def _native_problem(case: Case, written: dict[str, Any]) -> str:
    if "error" in written:
        return str(written["error"])
    try:
        return _difference(case, run_natively(Path(written["file"]), case.inputs()))
    except (RuntimeError, ValueError) as error:
        return str(error)


def _engine_problem(case: Case, result: dict[str, Any]) -> str:
    return str(result["error"]) if "error" in result else _difference(case, result["outputs"])


def _difference(case: Case, results: Sequence[Array]) -> str:
    errors = [error_of(*pair, case.tolerance) for pair in zip(results, case.expected, strict=True)]
    return "; ".join(filter(None, errors))
