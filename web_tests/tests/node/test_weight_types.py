"""Ops by types of weights, kinds of scales and executions: each computes what the file says, or is rejected."""

from pathlib import Path

import numpy as np
import pytest

from web_tests.models.weight_types import WeightCase, weight_cases
from web_tests.tests.node.programs import EXECUTIONS, ModelRun, is_crash, run_models

pytestmark = pytest.mark.needs("package")

# Of the largest result: kernels quantize the input to 8 bits.
TOLERANCE = 0.02
CASES = list(weight_cases())
WITHOUT_XNNPACK = {"cpu without XNNPACK": {"enableXnnpackDelegate": False}}


@pytest.mark.parametrize("execution", [*EXECUTIONS, *WITHOUT_XNNPACK])
def test_weights_mean_what_the_file_says(execution: str, tmp_path: Path) -> None:
    options = (EXECUTIONS | WITHOUT_XNNPACK)[execution]
    answers = run_models(tmp_path, [ModelRun(case.model(), [case.input()], options) for case in CASES])
    problems = {case.name: _problem(case, answer) for case, answer in zip(CASES, answers, strict=True)}
    assert not any(problems.values()), "\n".join(f"{name}: {text}" for name, text in problems.items() if text)


def _problem(case: WeightCase, answer: str | list[np.ndarray]) -> str:
    if isinstance(answer, str):
        return answer if is_crash(answer) or case.type in ("float32", "float16", "int8") else ""
    expected = case.expected()
    error = np.max(np.abs(answer[0] - expected)) / np.max(np.abs(expected))
    return (
        "" if error < TOLERANCE else f"off by {error:.2g} of the largest: {answer[0].flat[:4]} for {expected.flat[:4]}"
    )
