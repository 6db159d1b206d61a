"""Models that the polyfill writes, run by native LiteRT, against numpy."""

from __future__ import annotations

from pathlib import Path

import pytest

from web_tests.polyfill_cases import CASES
from web_tests.polyfill_cases.case import Case, error_of
from web_tests.polyfill_models import run_natively, write_models

OPERATORS = sorted({case.op for case in CASES})


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """Return the file, or the error, of each case by its name."""
    folder = tmp_path_factory.mktemp("polyfill")
    written = write_models([case.graph() for case in CASES], folder)
    return {case.name: answer for case, answer in zip(CASES, written, strict=True)}


def _problem(case: Case, written: dict[str, str]) -> str:
    if "error" in written:
        return written["error"]
    try:
        results = run_natively(Path(written["file"]), case.inputs())
    except (RuntimeError, ValueError) as error:
        return str(error)
    errors = [error_of(*pair, case.tolerance) for pair in zip(results, case.expected, strict=True)]
    return "; ".join(filter(None, errors))


@pytest.mark.parametrize("op", OPERATORS)
def test_operator_computes_what_numpy_does(op: str, models: dict[str, dict[str, str]]) -> None:
    problems = {case.name: _problem(case, models[case.name]) for case in CASES if case.op == op}
    assert {name: problem for name, problem in problems.items() if problem} == {}


def test_every_operator_has_cases() -> None:
    assert len(OPERATORS) == 95
