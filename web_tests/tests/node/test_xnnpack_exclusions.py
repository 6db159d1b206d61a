"""Valid models with a node that XNNPACK accepts and then fails to prepare: TFLite's own kernel runs that node alone.

Native LiteRT rejects these models unless it runs without XNNPACK.
"""

from collections.abc import Callable

import numpy as np
import pytest

from web_tests.drivers.harness import CPU, LoadOptions, PageHarness
from web_tests.models import stateful
from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.one_node import one_node
from web_tests.references import native_litert
from web_tests.references.native_litert import ReferenceError

STRIDES = {"strideW": 1, "strideH": 1}
# Seven axes: XNNPACK has six at most.
LONG_SHAPE = (1, 1, 2, 1, 2, 1, 3)


def hybrid_convolution() -> bytes:
    """Float activations, sparse int8 weights: XNNPACK looks for the weights where they are not decompressed yet."""
    writer = ModelWriter()
    x, y, z = (writer.tensor(name, (1, 6, 6, channels)) for name, channels in (("x", 8), ("y", 4), ("z", 4)))
    weights = np.where(np.arange(4 * 3 * 3 * 8) % 3 == 0, np.arange(4 * 3 * 3 * 8) % 101 - 50, 0)
    filter_ = writer.sparse_constant("filter", weights.reshape(4, 3, 3, 8).astype(np.int8), Quantization((0.02,)))
    bias = writer.constant("bias", np.arange(4, dtype=np.float32))
    writer.node("CONV_2D", [x, filter_, bias], [y], STRIDES, version=5)
    writer.node("RELU", [y], [z])
    return writer.finish([x], [z])


def relabelled_transpose() -> bytes:
    """Its output has the input's integers at another scale."""
    inputs = ((2, 3), "int8", Quantization((0.1,), (3,))), (np.array([1, 0], np.int32),)
    return one_node("TRANSPOSE", inputs, ((3, 2), "int8", Quantization((0.2,), (-4,))), version=2)


def long_softmax() -> bytes:
    return one_node("SOFTMAX", [(LONG_SHAPE,)], (LONG_SHAPE,), {"beta": 1.0})


def steep_layer() -> bytes:
    """The last layer's sums are scaled by 1 / 0.003; XNNPACK's operators accept less than 256."""
    writer = ModelWriter()
    one = Quantization((1.0,))
    x, y = writer.tensor("x", (3, 8), "int8", one), writer.tensor("y", (3, 4), "int8", one)
    z = writer.tensor("z", (3, 4), "int8", Quantization((0.003,)))
    for data, result, weights in ((x, y, np.eye(4, 8)), (y, z, np.eye(4))):
        constant = writer.constant(f"weights_{result}", weights.astype(np.int8), one)
        bias = writer.constant(f"bias_{result}", np.zeros(4, np.int32), one)
        writer.node("FULLY_CONNECTED", [data, constant, bias], [result], version=4)
    return writer.finish([x], [z])


# The node that XNNPACK is denied.
MODELS: dict[str, tuple[Callable[[], bytes], int]] = {
    "hybrid_convolution": (hybrid_convolution, 1),
    "relabelled_transpose": (relabelled_transpose, 0),
    "long_softmax": (long_softmax, 0),
    "steep_layer": (steep_layer, 1),
}


@pytest.mark.parametrize("name", MODELS)
def test_node_that_xnnpack_fails_to_prepare_runs_on_tflites_kernel(harness: PageHarness, name: str) -> None:
    model, node = MODELS[name]
    content = model()
    with pytest.raises(ReferenceError, match=r"XNNPACK|XNNPackDelegate"):
        native_litert.input_details(content)
    loaded = harness.load(content, CPU)
    (info,) = loaded.inputs
    x = (np.arange(np.prod(info["shape"])) % 7 - 3).astype(info["dtype"]).reshape(info["shape"])
    (found,), (expected,) = loaded.run([x]), native_litert.outputs_of(content, [x], kernels="builtin")
    assert len(np.unique(expected)) > 1
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)
    denied = loaded.report["xnnpack"]["excludedNodes"]
    assert [each["node"] for each in denied] == [node]
    assert all("XNNPack" in each["reason"] for each in denied)


def test_a_variable_of_float16_stays_with_tflite(harness: PageHarness) -> None:
    """XNNPACK's preparation of it would never return."""
    model = harness.load(stateful.counter(dtype="float16"), CPU)
    (found,) = model.run([np.zeros(stateful.SHAPE, np.float16)])
    np.testing.assert_allclose(found, np.sin(1), rtol=1e-3)


def softmax_of_any_rank(*, reshaped: bool) -> bytes:
    """XNNPACK has up to six axes; with `reshaped`, an input provides them."""
    writer = ModelWriter()
    x = writer.tensor("x", (12,) if reshaped else (4, 3))
    shape = writer.tensor("shape", (2,), "int32")
    rows = writer.tensor("rows", (4, 3)) if reshaped else x
    y = writer.tensor("y", (4, 3))
    if reshaped:
        writer.node("RESHAPE", [x, shape], [rows])
    writer.node("SOFTMAX", [rows], [y], {"beta": 1.0})
    return writer.finish([x, shape] if reshaped else [x], [y])


@pytest.mark.parametrize("reshaped", [True, False], ids=["in a run", "by a resize"])
def test_a_node_that_xnnpack_rejects_after_the_first_run_is_in_the_report(
    harness: PageHarness, *, reshaped: bool
) -> None:
    x = np.sin(np.arange(12, dtype=np.float32))
    loaded = harness.load(softmax_of_any_rank(reshaped=reshaped), CPU)

    def run(shape: tuple[int, ...]) -> list[dict[str, object]]:
        loaded.resize([[12], [len(shape)]] if reshaped else [list(shape)])
        (found,) = loaded.run([x, np.array(shape, np.int32)] if reshaped else [x.reshape(shape)])
        rows = np.exp(x.reshape(shape))
        np.testing.assert_allclose(found.reshape(shape), rows / rows.sum(-1, keepdims=True), rtol=1e-5)
        denied: list[dict[str, object]] = loaded.report_now()["xnnpack"]["excludedNodes"]
        return denied

    node = 1 if reshaped else 0
    assert run((4, 3)) == []
    (denied,) = run(LONG_SHAPE)
    assert (denied["subgraph"], denied["node"]) == (0, node)
    assert f"failed to delegate SOFTMAX node #{node}" in str(denied["reason"])
    assert f"not on XNNPACK  node {node} of subgraph 0: {denied['reason']}" in loaded.report_text()
    assert run((2, 6)) == []


@pytest.mark.parametrize("webnn", [False, True], ids=["one runner", "a runner a subgraph"])
def test_a_node_of_a_signature_that_xnnpack_rejects_is_in_the_report(harness: PageHarness, *, webnn: bool) -> None:
    """With WebNN, the signature's subgraph is a model of its own, whose nodes the report adds to the main one's."""
    writer = ModelWriter()
    x, y = writer.tensor("x", (4,)), writer.tensor("y", (4,))
    writer.node("NEG", [x], [y])
    second = writer.subgraph()
    logits, shape = second.tensor("logits", (12,)), second.tensor("shape", (len(LONG_SHAPE),), "int32")
    negated, rows, shares = (second.tensor(name, sizes) for name, sizes in (("n", (12,)), ("r", (4, 3)), ("s", (4, 3))))
    second.node("NEG", [logits], [negated])
    second.node("RESHAPE", [negated, shape], [rows])
    second.node("SOFTMAX", [rows], [shares], {"beta": 1.0})
    second.end([logits, shape], [shares], signature="second")
    content = writer.finish([x], [y], signature="main")
    options = LoadOptions(webnn=webnn, webnn_options={"polyfill": "tflite", "excludedOps": ["SOFTMAX"]})
    loaded = harness.load(content, options)
    assert loaded.report_now()["xnnpack"]["excludedNodes"] == []
    values = np.sin(np.arange(12, dtype=np.float32))
    found = loaded.run_signature("second", {"logits": -values, "shape": np.array(LONG_SHAPE, np.int32)})["s"]
    expected = np.exp(values.reshape(LONG_SHAPE))
    np.testing.assert_allclose(found.reshape(LONG_SHAPE), expected / expected.sum(-1, keepdims=True), rtol=1e-5)
    (denied,) = loaded.report_now()["xnnpack"]["excludedNodes"]
    assert (denied["subgraph"], denied["node"]) == (1, 2)
    assert "failed to delegate SOFTMAX node #2" in str(denied["reason"])
    assert f"not on XNNPACK  node 2 of subgraph 1: {denied['reason']}" in loaded.report_text()
