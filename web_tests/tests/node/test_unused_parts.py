"""What no run can reach does not reject a model, and does not slow down what runs."""

import numpy as np
import pytest
from ai_edge_litert import schema_py_generated as schema

from web_tests.drivers.harness import CPU, KERNELS, POLYFILL, LoadedModel, LoadOptions, ModelError, PageHarness
from web_tests.models.model_file import changed
from web_tests.models.model_writer import ModelWriter, Quantization

pytestmark = pytest.mark.needs("package")

OUT = (1, 8, 8, 4)
PROFILED = LoadOptions(webnn=False, extra={"enableProfiling": True})
CUSTOM = "SomebodysOp"
X = np.arange(4, dtype=np.float32)


def runs_on_xnnpack(model: LoadedModel) -> bool:
    """Whether its convolution does, which TFLite's profile calls CONV_2D where its own kernel runs it."""
    return any(item["nodeType"].startswith("Convolution (NHWC") for item in model.profile()[0])


def _doubled(writer: ModelWriter) -> bytes:
    x, y = writer.tensor("x", (4,)), writer.tensor("y", (4,))
    writer.node("ADD", [x, x], [y])
    return writer.finish([x], [y])


def listed_custom_op() -> bytes:
    """Return a model whose table of ops has a custom op that no node has."""
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.CUSTOM
    code.customCode, code.version = CUSTOM, 1
    return changed(_doubled(ModelWriter()), lambda model: model.operatorCodes.append(code))


def custom_op_in_subgraph(*, signature: str) -> bytes:
    """Return a model with a custom op in subgraph 1, which runs only if it has a signature."""
    writer = ModelWriter()
    other = writer.subgraph()
    x, y = other.tensor("x", (4,)), other.tensor("y", (4,))
    other.node(CUSTOM, [x], [y], b"")
    other.end([x], [y], signature=signature)
    return _doubled(writer)


def empty_main_subgraph() -> bytes:
    """Return a model whose only nodes are those of subgraph 1, the signature `real`."""
    writer = ModelWriter()
    real = writer.subgraph()
    x, sums, y = (real.tensor(name, shape) for name, shape in (("x", (1, 8, 8, 27)), ("sums", OUT), ("y", OUT)))
    filters = real.constant("filters", np.sin(np.arange(972, dtype=np.float32)).reshape(4, 3, 3, 27))
    options = {"padding": 0, "strideW": 1, "strideH": 1}
    real.node("CONV_2D", [x, filters, real.constant("bias", np.zeros(4, np.float32))], [sums], options)
    real.node("LOGISTIC", [sums], [y])
    real.end([x], [y], signature="real")
    z = writer.tensor("z", (1,))
    return writer.finish([z], [z])


def infinite_scale(op: str) -> bytes:
    """Return i16[4] -> i16[4]: the output has the scale infinity, as of a mask that reaches it."""
    writer = ModelWriter()
    x = writer.tensor("x", (4,), "int16", Quantization((float("inf"),)))
    y = writer.tensor("y", (2, 2), "int16", Quantization((float("inf"),)))
    if op == "RESHAPE":
        writer.node(op, [x, writer.constant("shape", np.array([2, 2], np.int32))], [y])
    else:
        writer.node(op, [x], [y])
    return writer.finish([x], [y])


@pytest.mark.parametrize("model", [listed_custom_op(), custom_op_in_subgraph(signature="")], ids=["listed", "subgraph"])
@pytest.mark.parametrize("options", [CPU, POLYFILL], ids=["cpu", "webnn"])
def test_a_custom_op_that_no_run_reaches(harness: PageHarness, model: bytes, options: LoadOptions) -> None:
    (found,) = harness.load(model, options).run([X])
    np.testing.assert_array_equal(found, X + X)


@pytest.mark.parametrize("options", [CPU, POLYFILL], ids=["cpu", "webnn"])
def test_a_custom_op_of_a_signature_is_an_error_of_its_run(harness: PageHarness, options: LoadOptions) -> None:
    model = harness.load(custom_op_in_subgraph(signature="other"), options)
    for _ in range(2):
        with pytest.raises(ModelError, match=f"custom op '{CUSTOM}'.*Convert the model without it, (?!.*Convert)"):
            model.run_signature("other", {"x": X})
        (found,) = model.run([X])
        np.testing.assert_array_equal(found, X + X)


def test_a_signature_next_to_an_empty_main_subgraph_is_delegated(harness: PageHarness) -> None:
    """XNNPACK and TFLite's kernel have other approximations of the sigmoid."""
    x = np.linspace(-1, 1, 1728, dtype=np.float32).reshape(1, 8, 8, 27)
    without_xnnpack = KERNELS
    found, on_cpu, by_kernels = (
        harness.load(empty_main_subgraph(), options).run_signature("real", {"x": x})["y"]
        for options in (POLYFILL, CPU, without_xnnpack)
    )
    assert not np.array_equal(on_cpu, by_kernels)
    np.testing.assert_array_equal(found, on_cpu)


def test_an_infinite_scale_matters_only_where_it_is_used(harness: PageHarness) -> None:
    (found,) = harness.load(infinite_scale("RESHAPE"), CPU).run([X.astype(np.int16)])
    np.testing.assert_array_equal(found.ravel(), X)
    with pytest.raises(ModelError, match="tensor 0 has the quantization scale inf"):
        harness.load(infinite_scale("TANH"), CPU)


def test_weights_that_the_caller_reads_stay_constants(harness: PageHarness) -> None:
    """A convolution by float16 weights that are also an output runs on XNNPACK as that by the same float32 weights."""
    x = np.linspace(-1, 1, 1728, dtype=np.float32).reshape(1, 8, 8, 27)
    (alone,) = harness.load(convolution(half=False), CPU).run([x])
    model = harness.load(convolution(half=True), PROFILED)
    found, weights = model.run([x])
    np.testing.assert_array_equal(found, alone)
    np.testing.assert_array_equal(weights, FILTERS.astype(np.float16))
    assert runs_on_xnnpack(model)


FILTERS = np.sin(np.arange(972, dtype=np.float32)).reshape(4, 3, 3, 27)


def convolution(*, half: bool) -> bytes:
    """Return a convolution; `half` weights are float16, and an output, too."""
    writer = ModelWriter()
    x, y = writer.tensor("x", (1, 8, 8, 27)), writer.tensor("y", (1, 8, 8, 4))
    rounded = FILTERS.astype(np.float16).astype(np.float32)
    filters = (writer.half_constant if half else writer.constant)("filters", rounded)
    options = {"padding": 0, "strideW": 1, "strideH": 1}
    writer.node("CONV_2D", [x, filters, writer.constant("bias", np.zeros(4, np.float32))], [y], options)
    return writer.finish([x], [y, filters] if half else [y])
