"""Quantized models: known labels, types of inputs and outputs, weights dequantized to float before the first run."""

import zipfile
from dataclasses import replace

import numpy as np
import pytest

from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.models.catalogue import Model, all_models, generated_models
from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.one_node import one_node
from web_tests.models.recipes import ImageInput
from web_tests.references import native_litert
from web_tests.references.comparison import compare, tolerance
from web_tests.references.inputs import inputs_for

ENGINES = pytest.mark.parametrize("webnn_enabled", [True, False], ids=["webnn", "cpu"])
# The images' classes in ImageNet.
KNOWN_LABELS = {
    "chelsea": "Egyptian cat",
    "coffee": "espresso",
    "rocket": "missile",
    "camera": "tripod",
    "motorcycle_left": "moped",
    "flower": "daisy",
}
# The lowest input, and the scales of input and output.
STEEP: dict[str, tuple[int, float, float]] = {
    "EXP": (-(1 << 15), 3e-4, 0.6),
    "LOG": (0, 1e-5, 4e-4),
    "RSQRT": (0, 1e-5, 0.01),
}
TYPED = [
    *(model.name for model in all_models().values() if model.quantized),
    *(model.name for model in generated_models().values() if model.quantized),
]


def find(name: str) -> Model:
    return all_models().get(name) or generated_models()[name]


@ENGINES
def test_efficientnet_knows_six_images(webnn: Harness, webnn_enabled: bool) -> None:
    model = all_models()["efficientnet_lite0_int8"]
    with zipfile.ZipFile(model.path()) as metadata:
        labels = metadata.read("labels_without_background.txt").decode().splitlines()
    assert isinstance(model.input, ImageInput)
    loaded = webnn.load(f"/models/{model.name}.tflite", LoadOptions(webnn=webnn_enabled))
    allowed = tolerance("quantized", model.name)
    for image, label in KNOWN_LABELS.items():
        inputs = inputs_for(replace(model, input=replace(model.input, image=image)))
        found = loaded.run(inputs)
        assert labels[found[0].argmax()] == label
        assert compare(found, native_litert.outputs_of(model.content(), inputs)).absolute <= allowed.steps, image


@ENGINES
@pytest.mark.parametrize("name", TYPED)
def test_types_and_quantization_are_the_models_own(webnn: Harness, name: str, webnn_enabled: bool) -> None:
    loaded = webnn.load(f"/models/{name}.tflite", LoadOptions(webnn=webnn_enabled))
    content = find(name).content()
    expected = [*native_litert.input_details(content), *native_litert.output_details(content)]
    for info, detail in zip([*loaded.inputs, *loaded.outputs], expected, strict=True):
        assert info["dtype"] == np.dtype(detail.dtype).name
        if detail.scale:
            assert info["quantization"]["scales"] == [pytest.approx(detail.scale)]
            assert info["quantization"]["zeroPoints"] == [detail.zero_point]
        else:
            assert not info["quantization"]


@ENGINES
def test_quantize_rounds_to_int16(webnn: Harness, webnn_enabled: bool) -> None:
    """WebNN has no int16: such activations are float32 there, which would keep what integers of a coarse scale lose."""
    writer = ModelWriter()
    x, z = (writer.tensor(name, (2, 30), "int16", Quantization((0.1,))) for name in ("x", "z"))
    coarse = writer.tensor("coarse", (2, 30), "int16", Quantization((0.7,)))
    turned = writer.tensor("turned", (30, 2), "int16", Quantization((0.7,)))
    permutation = writer.constant("permutation", np.array([1, 0], np.int32))
    writer.node("QUANTIZE", [x], [coarse], version=3)
    writer.node("TRANSPOSE", [coarse, permutation], [turned], version=4)
    writer.node("QUANTIZE", [coarse], [z], version=3)
    content = writer.finish([x], [turned, z])
    inputs = [np.arange(-30, 30, dtype=np.int16).reshape(2, 30)]
    loaded = webnn.load(content, LoadOptions(webnn=webnn_enabled))
    assert not webnn_enabled or not loaded.cpu_reasons()
    turned_values, fine_values = loaded.run(inputs)
    np.testing.assert_array_equal(fine_values, 7 * turned_values.T)
    expected = native_litert.outputs_of(content, inputs)[0]
    np.testing.assert_allclose(turned_values, expected, atol=1)  # native LiteRT's fixed-point numbers round twice


@pytest.mark.parametrize("op", STEEP)
def test_steep_functions_of_int16_have_tflites_numbers(webnn: Harness, op: str) -> None:
    """TFLite interpolates them in a table, which is far from the function next to 0."""
    lowest, *scales = STEEP[op]
    values = np.unique(np.concatenate([np.arange(600), np.arange(lowest, 1 << 15, 97)])).astype(np.int16)
    x, y = ((values.shape, "int16", Quantization((scale,))) for scale in scales)
    content = one_node(op, [x], y, version=2)
    loaded = webnn.load(content)
    assert not loaded.cpu_reasons()
    (found,), (expected,) = loaded.run([values]), native_litert.outputs_of(content, [values])
    np.testing.assert_allclose(found, expected, atol=1)


@pytest.mark.parametrize("op", ["ARG_MAX", "ARG_MIN", "SIGN", "TOPK_V2", "EQUAL", "LESS"])
def test_a_function_of_dequantized_numbers_keeps_the_gpu_process(webnn: Harness, op: str) -> None:
    """It compares these with themselves, to find NaN or because the node does; Chromium 147 crashes there."""
    writer = ModelWriter()
    x = writer.tensor("x", (2, 5), "int8", Quantization((0.1,), (2,)))
    reals = writer.tensor("reals", (2, 5))
    writer.node("DEQUANTIZE", [x], [reals], version=2)
    axis, count = writer.constant("axis", np.array(-1, np.int32)), writer.constant("count", np.array(2, np.int32))
    if op == "TOPK_V2":
        operands, outputs = [reals, count], [writer.tensor("y", (2, 2)), writer.tensor("positions", (2, 2), "int32")]
    elif op.startswith("ARG"):
        operands, outputs = [reals, axis], [writer.tensor("y", (2,), "int32")]
    else:
        is_unary = op == "SIGN"
        operands, outputs = (
            [reals] * (1 if is_unary else 2),
            [writer.tensor("y", (2, 5), "float32" if is_unary else "bool")],
        )
    writer.node(
        op, operands, outputs, {"outputType": 2} if op.startswith("ARG") else {}, version=2 if op == "SIGN" else 1
    )
    content = writer.finish([x], outputs)
    values = np.array([[3, -7, 90, 2, 90], [-128, 2, 2, 0, 5]], np.int8)
    loaded = webnn.load(content)
    assert not loaded.cpu_reasons()
    found, expected = loaded.run([values]), native_litert.outputs_of(content, [values])
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)
    assert loaded.report_now()["webnn"]["contextLosses"] == 0


@pytest.mark.parametrize("network", ["mobilenet_v2_small", "u_net"])
def test_dynamic_range_models_compute_in_float(webnn: Harness, network: str) -> None:
    """Both forms have the same int8 weights, and on WebNN the same arithmetic.

    Native LiteRT quantizes one's activations at run time, which costs accuracy; WebNN cannot.
    """
    dynamic, weight_only = (find(f"{network}_{form}") for form in ("dynamic", "weight_only_int8"))
    inputs = inputs_for(weight_only)
    loaded = webnn.load(f"/models/{dynamic.name}.tflite")
    assert not loaded.cpu_reasons()
    expected = native_litert.outputs_of(weight_only.content(), inputs)
    assert compare(loaded.run(inputs), expected).relative <= tolerance("webnn").relative_to_range
