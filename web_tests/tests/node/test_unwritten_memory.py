"""Results that native LiteRT's kernels leave unwritten, or compute in memory of another size."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from web_tests.drivers.harness import CPU, PageHarness
from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.networks import variables
from web_tests.op_cases import all_cases, case_id
from web_tests.op_cases.case import OpCase, Provided, Values
from web_tests.op_cases.changed_shapes import ChangedShape
from web_tests.references import native_litert
from web_tests.tests.node.programs import EXECUTIONS, ModelRun, is_crash, run_models

pytestmark = pytest.mark.needs("package")

KERNELS = {"enableXnnpackDelegate": False}
BEYOND: Mapping[str, tuple[list[int], list[int], dict[str, Any]]] = {
    "length": ([3], [2], {"offset": True}),
    "single_element": ([5], [6], {"shrinkAxisMask": 1}),
}


@pytest.mark.parametrize("options", [*EXECUTIONS.values(), KERNELS], ids=[*EXECUTIONS, "kernels"])
def test_a_variable_that_is_read_before_it_is_assigned_is_an_error(options: Mapping[str, Any], tmp_path: Path) -> None:
    (result,) = run_models(tmp_path, [ModelRun(variables.unset(), [np.ones(4, np.float32)], options)])
    assert isinstance(result, str)
    assert not is_crash(result)
    assert "READ_VARIABLE" in result
    assert "The variable is read before it is assigned: run the signature that assigns it first." in result


@pytest.mark.parametrize("name", BEYOND)
@pytest.mark.parametrize("execution", EXECUTIONS)
def test_a_slice_that_reaches_beyond_its_input_is_an_error(execution: str, name: str, tmp_path: Path) -> None:
    begin, end, options = BEYOND[name]
    operands = (Provided([0.0, 1.0, 2.0, 3.0]), Values(begin), Values(end), Values([1]))
    case = OpCase(name, "STRIDED_SLICE", operands, options, version=8)
    (result,) = run_models(tmp_path, [ModelRun(case.model(), case.inputs(), EXECUTIONS[execution])])
    assert isinstance(result, str)
    assert "The slice reaches beyond the tensor" in result


@pytest.mark.parametrize(("op", "expected"), [("SUM", -5), ("REDUCE_PROD", -1)])
@pytest.mark.parametrize("execution", EXECUTIONS)
def test_a_quantized_reduction_of_nothing_is_its_neutral_element(
    execution: str, op: str, expected: int, tmp_path: Path
) -> None:
    """Nothing adds up to 0, and multiplies to 1."""
    provided = Provided(np.ones((2, 3)), "int8", Quantization((0.5,), (3,)))
    quantization = Quantization((0.25,), (-5,))
    case = OpCase("nothing", op, (provided, Values([1])), output_quantization=quantization)
    change = ChangedShape(case, "resize", ((2, 0),))
    run = ModelRun(change.model(), change.inputs(), {**EXECUTIONS[execution], "inputShapes": [(2, 0)]})
    (result,) = run_models(tmp_path, [run])
    assert not isinstance(result, str)
    np.testing.assert_array_equal(result[0], np.full(2, expected, np.int8))


def test_kernels_find_decompressed_constants_after_each_change_of_shapes(harness: PageHarness) -> None:
    """XNNPACK rejects rows of other lengths; TFLite's kernels accept them, and decompress a sparse constant once."""
    writer = ModelWriter()
    x, shape, rows = writer.tensor("x", (18,)), writer.tensor("shape", (2,), "int32"), writer.tensor("rows", (2, 9))
    y = writer.tensor("y", (2, 1))
    weights = np.where(np.arange(8) % 2, np.arange(8), 0).astype(np.float32)
    writer.node("RESHAPE", [x, shape], [rows])
    inputs = [
        rows,
        writer.sparse_constant("weights", weights.reshape(1, 8)),
        writer.constant("bias", np.ones(1, np.float32)),
    ]
    writer.node("FULLY_CONNECTED", inputs, [y])
    model = harness.load(writer.finish([x, shape], [y]), CPU)
    values = np.arange(18, dtype=np.float32)
    for sizes in ((2, 9), (3, 6), (9, 2)):
        (found,) = model.run([values, np.array(sizes, np.int32)])
        np.testing.assert_allclose(found, values[:16].reshape(2, 8) @ weights.reshape(8, 1) + 1, rtol=1e-5)


def test_a_transposed_convolution_of_int16_has_the_batch_of_a_resized_input(harness: PageHarness) -> None:
    case = _case("TRANSPOSE_CONV-same_kernel_4_stride_2_quantized_int16")
    (image,) = case.inputs()
    (expected,) = native_litert.run_native(case.model(), [image], kernels="builtin")
    model = harness.load(case.model(), CPU)
    model.resize([[2, *image.shape[1:]]])
    (found,) = model.run([np.concatenate([image, image])])
    np.testing.assert_array_equal(found, np.concatenate([expected, expected]))


def _case(name: str) -> Any:
    return next(case for case in all_cases() if case_id(case) == name)


@pytest.mark.parametrize("op", ["STABLEHLO_ADD", "STABLEHLO_MAXIMUM"])
def test_a_result_that_a_run_finds_empty_has_no_elements(harness: PageHarness, op: str) -> None:
    """Nodes whose file says so are skipped; in others, the kernel wrote one element."""
    writer = ModelWriter()
    x, shape = writer.tensor("x", (3, 1)), writer.tensor("shape", (2,), "int32")
    repeated, y = writer.tensor("repeated", (1, 1)), writer.tensor("y", (1, 1))
    writer.node("BROADCAST_TO", [x, shape], [repeated], version=2)
    writer.node(op, [repeated, repeated], [y], None)
    model = harness.load(writer.finish([x, shape], [y]), CPU)
    (found,) = model.run([np.ones((3, 1), np.float32), np.array([3, 0], np.int32)])
    assert found.shape == (3, 0)


@pytest.mark.parametrize("op", ["MEAN", "REDUCE_ALL", "REDUCE_ANY", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD", "SUM"])
@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_a_reduction_of_nothing_along_computed_axes_has_its_shape(harness: PageHarness, op: str, dtype: str) -> None:
    """Kernels divided by the result's size, which they compute then; REDUCE_PROD of int8 does not compute it."""
    kind = "bool" if op in ("REDUCE_ALL", "REDUCE_ANY") else dtype
    scale = Quantization((0.5,), (0,)) if kind == "int8" else None
    writer = ModelWriter()
    x, axes = writer.tensor("x", (2, 3), kind, scale), writer.tensor("axes", (1,), "int32")
    y = writer.tensor("y", (3,), kind, scale)
    writer.node(op, [x, axes], [y])
    model = harness.load(writer.finish([x, axes], [y]), CPU)
    model.resize([[2, 0], [1]])
    for axis, shape in ((0, (0,)), (-1, (2,))):
        (found,) = model.run([np.zeros((2, 0), kind), np.array([axis], np.int32)])
        assert found.shape == shape
