"""No kernel, TFLite's, XNNPACK's or WebNN's, runs on shapes that the op's own kernel does not accept."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from web_tests.models.changed_shapes import ChangedShape, changed_shapes
from web_tests.models.recipes import Array
from web_tests.op_cases.sample import drawn
from web_tests.references import native_trials
from web_tests.references.native_trials import Outcome, Trial
from web_tests.tests.node.programs import EXECUTIONS, ModelRun, is_crash, run_models

pytestmark = pytest.mark.needs("package")

SAMPLE = 250
DTYPES = {"float32", "int8", "uint8", "int16", "int32", "int64", "bool"}
# Ops that XNNPACK computed in other shapes than it was built for: all their changes of float32.
ALWAYS = {"CONCATENATION", "CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "SLICE"}


def _chosen() -> list[ChangedShape]:
    changes = [change for change in changed_shapes() if change.case.dtype in DTYPES]
    always = [change for change in changes if change.case.op in ALWAYS and change.case.dtype == "float32"]
    return always + drawn([change for change in changes if change not in always], SAMPLE)


@pytest.fixture(scope="module")
def native() -> dict[ChangedShape, Outcome]:
    """Native LiteRT's outcomes, by TFLite's own kernels."""
    changes = _chosen()
    trials = [Trial(change.model(), change.inputs(), "plain", resize=change.way == "resize") for change in changes]
    return dict(zip(changes, native_trials.outcomes(trials), strict=True))


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_changed_shapes_are_answered_as_native_litert_does_or_rejected(
    native: dict[ChangedShape, Outcome], execution: str, tmp_path: Path
) -> None:
    answers = run_models(tmp_path, [_trial(change, EXECUTIONS[execution]) for change in native])
    problems = [
        f"{change.name}: {problem}"
        for (change, outcome), answer in zip(native.items(), answers, strict=True)
        if (problem := _problem(answer, outcome))
    ]
    assert not problems, "\n".join(problems)


def _trial(change: ChangedShape, options: Mapping[str, Any]) -> ModelRun:
    inputs = change.inputs()
    shapes = {"inputShapes": [array.shape for array in inputs]} if change.way == "resize" else {}
    return ModelRun(change.model(), inputs, {**options, **shapes})


def _problem(answer: str | list[Array], native: Outcome) -> str:
    """Return what is wrong with an answer, or nothing. What native LiteRT crashes on may be rejected or run."""
    if isinstance(answer, str):
        if is_crash(answer):
            return answer
        return "" if native.outputs is None else f"rejected ({answer})"
    if native.outputs is None:
        return "" if native.problem.startswith("died") else f"ran, where native LiteRT says {native.problem}"
    return next(filter(None, map(_difference, answer, native.outputs)), "")


def _difference(found: Array, expected: Array) -> str:
    if found.shape != expected.shape:
        return f"the shape {found.shape}, not {expected.shape}"
    is_float = np.issubdtype(expected.dtype, np.floating)
    scale = np.max(np.abs(expected), initial=0, where=np.isfinite(expected)) if is_float else 1
    tolerance = 1e-4 * scale if is_float else 1
    close = np.isclose(found.astype(float), expected.astype(float), rtol=0, atol=tolerance, equal_nan=True)
    return "" if close.all() else f"{found[~close][:4]} for {expected[~close][:4]}"


def test_a_change_of_each_dimension() -> None:
    names = [change.name for change in changed_shapes()]
    assert len(names) == len(set(names))
    assert "ABS-rank4 resize [(1, 0, 6, 3)]" in names


