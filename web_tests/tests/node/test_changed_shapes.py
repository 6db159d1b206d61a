"""No kernel, TFLite's, XNNPACK's or WebNN's, runs on shapes that the op's own kernel does not accept."""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from js.node import find_node
from web_tests.models.changed_shapes import ChangedShape, changed_shapes
from web_tests.models.recipes import Array
from web_tests.op_cases.sample import drawn
from web_tests.references import native_trials
from web_tests.references.native_trials import Outcome, Trial
from web_tests.tests.node.programs import in_node

pytestmark = pytest.mark.needs("package")

SAMPLE = 250
DTYPES = {"float32", "int8", "uint8", "int16", "int32", "int64", "bool"}
# Ops that XNNPACK computed in other shapes than it was built for: all their changes of float32.
ALWAYS = {"CONCATENATION", "CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "SLICE"}
EXECUTIONS = {
    "cpu": {},
    "webnn": {
        "enableWebnnDelegate": True,
        "webnnDelegateOptions": {"polyfill": "tflite", "ignorePartitionCost": True},
    },
}
RUN_ALL = """
    const { readFileSync } = await import('node:fs');
    const ARRAYS = { float32: Float32Array, int64: BigInt64Array, uint64: BigUint64Array, int32: Int32Array,
      uint32: Uint32Array, int16: Int16Array, uint16: Uint16Array, int8: Int8Array, uint8: Uint8Array, bool: Uint8Array };
    const bytesOf = (text) => new Uint8Array(Buffer.from(text, 'base64'));
    const runOne = async ({ model, options, inputs }) => {
      try {
        const loaded = await library.loadTFLiteModel(bytesOf(model), { numThreads: 1, ...options });
        const given = inputs.map(({ dtype, data }) => new ARRAYS[dtype](bytesOf(data).buffer));
        const results = await loaded.run(given);
        await loaded.dispose();
        return results.map(({ shape, data }) => ({
          shape: [...shape], data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64') }));
      } catch (error) {
        return `${error.code ?? error.name}: ${error.message}`;
      }
    };
    const answers = [];
    for (const trial of JSON.parse(readFileSync(file, 'utf8'))) answers.push(await runOne(trial));
    return answers;
"""


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
    file = tmp_path / "trials.json"
    file.write_text(json.dumps([_trial(change, EXECUTIONS[execution]) for change in native]), encoding="utf-8")
    answers = in_node(str(find_node()), file, RUN_ALL)
    problems = [
        f"{change.name}: {problem}"
        for (change, outcome), answer in zip(native.items(), answers, strict=True)
        if (problem := _problem(answer, outcome))
    ]
    assert not problems, "\n".join(problems)


def _trial(change: ChangedShape, options: dict[str, Any]) -> dict[str, Any]:
    inputs = change.inputs()
    shapes = {"inputShapes": [array.shape for array in inputs]} if change.way == "resize" else {}
    return {
        "model": base64.b64encode(change.model()).decode(),
        "options": {**options, **shapes},
        "inputs": [{"dtype": str(a.dtype), "data": base64.b64encode(a.tobytes()).decode()} for a in inputs],
    }


def _problem(answer: str | list[dict[str, Any]], native: Outcome) -> str:
    """Return what is wrong with an answer, or nothing. What native LiteRT crashes on may be rejected or run."""
    if isinstance(answer, str):
        if answer.startswith(("WASM_TRAP", "TypeError", "RangeError")):
            return answer
        return "" if native.outputs is None else f"rejected ({answer})"
    if native.outputs is None:
        return "" if native.problem.startswith("died") else f"ran, where native LiteRT says {native.problem}"
    return next(filter(None, map(_difference, answer, native.outputs)), "")


def _difference(found: dict[str, Any], expected: Array) -> str:
    if tuple(found["shape"]) != expected.shape:
        return f"the shape {found['shape']}, not {expected.shape}"
    values = np.frombuffer(base64.b64decode(found["data"]), expected.dtype).reshape(expected.shape)
    is_float = np.issubdtype(expected.dtype, np.floating)
    scale = np.max(np.abs(expected), initial=0, where=np.isfinite(expected)) if is_float else 1
    close = np.isclose(values.astype(float), expected.astype(float), rtol=0, atol=1e-4 * scale if is_float else 1, equal_nan=True)
    return "" if close.all() else f"{values[~close][:4]} for {expected[~close][:4]}"


def test_a_change_of_each_dimension() -> None:
    names = [change.name for change in changed_shapes()]
    assert len(names) == len(set(names))
    assert "ABS-rank4 resize [(1, 0, 6, 3)]" in names


