"""TensorFlow Lite models, turned into WebNN graphs by the delegate and back by the polyfill.

In native LiteRT, the result must compute the same as the original; a quantized model on integers.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from ai_edge_litert import schema_py_generated as schema

from tools.suite.plugin import OncePerRun
from web_tests.drivers.polyfill_models import Rewritten, rewrite_models, run_natively
from web_tests.limits.saved import CHROMIUM_147, read_limits
from web_tests.models.catalogue import all_models, generated_models
from web_tests.models.dumped_model import nodes_of
from web_tests.models.recipes import Array
from web_tests.op_cases import all_cases, case_id, edges
from web_tests.op_cases.case import OpCase
from web_tests.op_cases.quantized_case import QuantizedCase
from web_tests.references import native_litert
from web_tests.references.comparison import Difference, compare, tolerance
from web_tests.references.inputs import inputs_for
from web_tests.tests.browser.test_fusion import CASES_OF_OP, FUSED, runs_in_float

pytestmark = pytest.mark.needs("package")

MODELS = {**all_models(), **generated_models()}
# Ops at the ends of a model with float32 inputs or outputs.
ENDS = {"QUANTIZE", "DEQUANTIZE"}
# Every node of these computes on integers. Models with variables are not rewritten entirely.
INTEGER_MODELS = tuple(name for name in FUSED if name != "mww_hey_jarvis_int8")
# int16 activations are computed in float32, and rounded after each node.
INT16_STEPS = 8
# Cases per op and type: more would take too long.
MAX_CASES = 4


@pytest.fixture(scope="module")
def rewritten_models(once_per_run: OncePerRun) -> Mapping[str, Rewritten]:
    """Return each model's result, under the limits of Chromium 147."""
    paths = [model.path() for model in MODELS.values()]
    results = once_per_run("rewritten_models", partial(rewrite_models, paths, limits=read_limits(CHROMIUM_147)))
    return dict(zip(MODELS, results, strict=True))


def _results(original: bytes, inputs: list[Array], rewritten: Rewritten) -> list[Array]:
    assert rewritten.file is not None
    graph = schema.ModelT.InitFromPackedBuf(original, 0).subgraphs[0]
    provided = dict(zip(graph.inputs, inputs, strict=True))
    found = run_natively(rewritten.file, {name: provided[tensor] for name, tensor in rewritten.inputs.items()})
    results = dict(zip(rewritten.outputs, found, strict=True))
    return [results[tensor] for tensor in graph.outputs]


def _difference(found: list[Array], expected: list[Array]) -> Difference:
    return compare([one.reshape(other.shape) for one, other in zip(found, expected, strict=True)], expected)


@pytest.mark.parametrize("name", MODELS)
def test_a_rewritten_model_computes_what_the_original_does(
    name: str, rewritten_models: Mapping[str, Rewritten]
) -> None:
    model, rewritten = MODELS[name], rewritten_models[name]
    if rewritten.file is None:
        pytest.skip(f"the delegate rejects a part of it: {rewritten.reason}")
    inputs = [_widened(array) for array in inputs_for(model)]
    expected = native_litert.outputs_of(model.content(), inputs_for(model))
    difference = _difference(_results(model.content(), inputs, rewritten), expected)
    if expected[0].dtype == np.int16:
        assert difference.absolute <= INT16_STEPS
    elif np.issubdtype(expected[0].dtype, np.integer):
        assert difference.absolute == 0
    else:
        assert difference.relative <= tolerance("webnn", name).relative_to_range


def _widened(array: Array) -> Array:
    return array.astype(np.int32) if array.dtype == np.int16 else array


@pytest.mark.parametrize("name", INTEGER_MODELS)
def test_an_integer_model_gets_no_more_float_nodes(name: str, rewritten_models: Mapping[str, Rewritten]) -> None:
    before, after = (_ends(content) for content in (MODELS[name].content(), _content(rewritten_models[name])))
    assert after <= before


def _content(rewritten: Rewritten) -> bytes:
    assert rewritten.file is not None, rewritten.reason
    return rewritten.file.read_bytes()


def _ends(content: bytes) -> int:
    """Return the number of nodes with floats; all of them are at the ends of the model."""
    floats = [node for node in nodes_of(content) if "float32" in node.dtypes]
    assert {node.op for node in floats} <= ENDS
    return len(floats)


def _computed_cases() -> list[OpCase]:
    cases: dict[tuple[str, str, bool], list[OpCase]] = {}
    edges_of_values = {case_id(case) for case in edges.cases()}  # test_edges.py compares these
    for case in all_cases():
        if not case.has_state and not case.cpu_reason and case_id(case) not in edges_of_values:
            cases.setdefault((case.op, case.dtype, isinstance(case, QuantizedCase)), []).append(case)
    return [case for group in cases.values() for case in group[:MAX_CASES]]


COMPUTED = _computed_cases()
OPS = sorted({case.op for case in COMPUTED})
CASES = {case_id(case): case for case in [*COMPUTED, *(case for group in CASES_OF_OP.values() for case in group)]}


@pytest.fixture(scope="module")
def rewritten_cases(once_per_run: OncePerRun) -> Mapping[str, Rewritten]:
    """Return each op case's result, under the limits of the tflite engine."""

    def rewrite(directory: Path) -> list[Rewritten]:
        files = [directory / f"{index}.tflite" for index in range(len(CASES))]
        for file, case in zip(files, CASES.values(), strict=True):
            file.write_bytes(case.model())
        return rewrite_models(files, directory)

    return dict(zip(CASES, once_per_run("rewritten_cases", rewrite), strict=True))


@pytest.mark.parametrize("op", OPS)
def test_a_rewritten_op_computes_what_the_original_does(op: str, rewritten_cases: Mapping[str, Rewritten]) -> None:
    problems = {case_id(case): _problem(case, rewritten_cases[case_id(case)]) for case in COMPUTED if case.op == op}
    assert {name: problem for name, problem in problems.items() if problem} == {}


def _problem(case: OpCase, rewritten: Rewritten) -> str:
    if rewritten.file is None:
        return rewritten.reason
    model, inputs = case.model(), case.inputs()
    expected = native_litert.outputs_of(model, inputs, kernels=case.native_kernels)
    difference = _difference(_results(model, [_held(array) for array in inputs], rewritten), expected)
    if isinstance(case, QuantizedCase) and case.ends != "input":
        return "" if difference.absolute <= tolerance("quantized_ops", case.op).steps else str(difference)
    return "" if difference.relative <= tolerance("ops", case.op).relative_to_range else str(difference)


def _held(array: Array) -> Array:
    """Return an input in WebNN's type for it."""
    return array.astype(np.uint8) if array.dtype == np.bool_ else _widened(array)


@pytest.mark.parametrize("op", CASES_OF_OP)
def test_what_the_delegate_calls_fused_is_an_integer_kernel(op: str, rewritten_cases: Mapping[str, Rewritten]) -> None:
    for case in CASES_OF_OP[op]:
        rewritten = rewritten_cases[case_id(case)]
        in_float = [str(node) for node in nodes_of(_content(rewritten)) if runs_in_float(node)]
        assert rewritten.forms == ({"float"} if in_float else {"fused"}), f"{case_id(case)} became {in_float}"
