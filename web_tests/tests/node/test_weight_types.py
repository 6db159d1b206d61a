"""Ops by types of inputs and weights, kinds of scales and executions: each is what the file says, or rejected."""

from pathlib import Path

import numpy as np
import pytest

from web_tests.models.recipes import Array
from web_tests.models.weight_types import Activations, WeightCase, weight_cases
from web_tests.references import native_litert
from web_tests.references.native_litert import ReferenceError
from web_tests.tests.node.programs import EXECUTIONS, ModelRun, is_crash, run_models

pytestmark = pytest.mark.needs("package")

# Of the largest result: kernels for floats quantize the input to 8 bits; a step of int8 outputs is 1/120.
TOLERANCES: dict[Activations, float] = {"float32": 0.02, "int8": 0.0085, "int16": 1e-3}
CASES = list(weight_cases())
WITHOUT_XNNPACK = {"cpu without XNNPACK": {"enableXnnpackDelegate": False}}


@pytest.mark.parametrize("execution", [*EXECUTIONS, *WITHOUT_XNNPACK])
def test_weights_mean_what_the_file_says(execution: str, tmp_path: Path) -> None:
    options = (EXECUTIONS | WITHOUT_XNNPACK)[execution]
    results = run_models(tmp_path, [ModelRun(case.model(), [case.input()], options) for case in CASES])
    problems = {case.name: _problem(case, result) for case, result in zip(CASES, results, strict=True)}
    assert not any(problems.values()), "\n".join(f"{name}: {text}" for name, text in problems.items() if text)


def _problem(case: WeightCase, result: str | list[Array]) -> str:
    if isinstance(result, str):
        return "" if not is_crash(result) and _may_be_rejected(case) else result
    return _difference(case, result)


def _difference(case: WeightCase, result: list[Array]) -> str:
    expected, found = case.expected(), case.real(result[0])
    error = np.max(np.abs(found - expected)) / np.max(np.abs(expected))
    if error < TOLERANCES[case.activations]:
        return ""
    return f"off by {error:.2g} of the largest: {found.flat[:4]} for {expected.flat[:4]}"


def _may_be_rejected(case: WeightCase) -> bool:
    """Quantized inputs: what native LiteRT rejects, or gets wrong."""
    if case.activations == "float32":
        return case.type in ("int4", "int2")
    try:
        return bool(_difference(case, native_litert.outputs_of(case.model(), [case.input()])))
    except ReferenceError:
        return True
