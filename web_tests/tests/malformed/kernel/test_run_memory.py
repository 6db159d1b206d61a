"""Memory of results in a run: too much of it, none of it, and variables and biases that have none of their own."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from web_tests.drivers.harness import CPU, ModelError, PageHarness
from web_tests.models.model_file import changed
from web_tests.models.model_writer import ModelWriter
from web_tests.models.networks import selection
from web_tests.op_cases.case import Input, OpCase, Values


def _ranges(count: int) -> bytes:
    """Return RANGEs whose length is an input."""
    writer = ModelWriter()
    fixed = [writer.constant(name, np.array(value, np.int32)) for name, value in (("start", 0), ("step", 1))]
    limit, outputs = writer.tensor("limit", (), "int32"), [writer.tensor("y", (1,), "int32") for _ in range(count)]
    for output in outputs:
        writer.node("RANGE", [fixed[0], limit, fixed[1]], [output])
    return writer.finish([limit], outputs)


@pytest.mark.parametrize("size", [2**28 + 1, 2**30 - 1])
def test_a_result_of_more_than_a_gigabyte_is_an_error(harness: PageHarness, size: int) -> None:
    model = harness.load(_ranges(1), CPU)
    with pytest.raises(ModelError, match=f"A tensor would have {4 * size} bytes; at most {2**30} can be in wasm"):
        model.run([np.array(size, np.int32)])


def test_a_result_for_which_there_is_no_memory_is_an_error(harness: PageHarness) -> None:
    """A module has at most 4 GB."""
    model = harness.load(_ranges(4), CPU)
    with pytest.raises(ModelError, match=f"There is no memory for a tensor of {2**30} bytes"):
        model.run([np.array(2**28, np.int32)])


def test_a_result_that_is_a_variable_cannot_grow(harness: PageHarness) -> None:
    """A variable keeps the memory that it had before the run: the kernel would write behind it."""

    def change(content: Any) -> None:
        (chosen,) = (tensor for tensor in content.subgraphs[0].tensors if tensor.name == b"chosen")
        chosen.isVariable = True

    model = harness.load(changed(selection.best_rows(), change), CPU)
    with pytest.raises(ModelError, match=r"A variable of 64 bytes cannot grow to \d+ in a run"):
        model.run([np.random.default_rng(1).normal(size=(12, 16)).astype(np.float32)])


def _squares(writer: ModelWriter, size: int) -> tuple[list[int], list[int]]:
    """Add the square of x, which a variable has in between."""
    handle = writer.tensor("handle", (1,), "resource")
    x, value, y = (writer.tensor(name, (size,)) for name in ("x", "value", "y"))
    writer.node("VAR_HANDLE", [], [handle], {"sharedName": "it"})
    writer.node("ASSIGN_VARIABLE", [handle, x], [])
    writer.node("READ_VARIABLE", [handle], [value])
    writer.node("MUL", [value, x], [y])
    return [x], [y]


def test_a_variable_that_another_signature_makes_larger_is_an_error_on_xnnpack(harness: PageHarness) -> None:
    """XNNPACK's part of a signature writes into the memory that a variable has; TFLite's kernels enlarge it."""
    main = ModelWriter()
    large = main.subgraph()
    large.end(*_squares(large, 16), signature="large")
    content = main.finish(*_squares(main, 4), signature="small")
    few, many = np.arange(4, dtype=np.float32), np.arange(16, dtype=np.float32)
    for options in (CPU, replace(CPU, extra={"enableXnnpackDelegate": False})):
        model = harness.load(content, options)
        np.testing.assert_array_equal(model.run_signature("small", {"x": few})["y"], few**2)
        if not options.extra:
            with pytest.raises(ModelError, match=r"A variable of 16 bytes cannot grow to 64 here\. Reset the state"):
                model.run_signature("large", {"x": many})
            model.reset_state()
        np.testing.assert_array_equal(model.run_signature("large", {"x": many})["y"], many**2)
        np.testing.assert_array_equal(model.run_signature("small", {"x": few})["y"], few**2)


def test_a_depthwise_convolution_without_a_bias_adds_nothing(harness: PageHarness) -> None:
    """TensorFlow Lite's kernel read one at address 0, where only the first 256 numbers are zeros."""
    operands = (Input((1, 1, 1, 4096)), Values(np.ones((1, 1, 1, 4096), np.float32), "float32"))
    options = {"strideW": 1, "strideH": 1, "dilationWFactor": 1, "dilationHFactor": 1, "depthMultiplier": 1}
    case = OpCase("no_bias", "DEPTHWISE_CONV_2D", operands, options, output_shape=(1, 1, 1, 4096))
    (found,) = harness.load(case.model(), CPU).run(case.inputs())
    np.testing.assert_array_equal(found, case.inputs()[0])


@pytest.mark.parametrize("has_computed_shape", [True, False])
def test_a_result_without_elements_is_not_written(harness: PageHarness, has_computed_shape: bool) -> None:
    """TensorFlow Lite's kernel wrote a million numbers to address 0, in a subgraph or behind a shape of the run."""
    main = ModelWriter()
    writer = main.subgraph()
    x, y = writer.tensor("x", (4, 4, 4)), writer.tensor("y", (4, 4, 4))
    value, inputs = x, [x]
    if has_computed_shape:
        inputs.append(writer.tensor("shape", (3,), "int32"))
        value = writer.tensor("reshaped", (4, 4, 4))
        writer.node("RESHAPE", inputs, [value])
    axes = writer.constant("axes", np.array([1], np.int32))
    writer.node("REVERSE_V2", [value, axes], [y])
    writer.end(inputs, [y], signature="reversed")
    a, b = main.tensor("a", (1,)), main.tensor("b", (1,))
    main.node("NEG", [a], [b])
    model = harness.load(main.finish([a], [b], signature="main"), CPU)
    for shape in ((1000, 1000, 0), (2, 3, 4)):
        model.resize([shape, (3,)][: len(inputs)], "reversed")
        values = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        provided = {"x": values, "shape": np.array(shape, np.int32)} if has_computed_shape else {"x": values}
        np.testing.assert_array_equal(model.run_signature("reversed", provided)["y"], values[:, ::-1])
