"""Quantized models: known answers, types of inputs and outputs, weights unpacked to float before the first run."""

from __future__ import annotations

import zipfile
from dataclasses import replace

import numpy as np
import pytest

from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.models.catalogue import Model, all_models, made_models
from web_tests.models.recipes import PictureInput
from web_tests.references import native_litert
from web_tests.references.comparison import compare, tolerance
from web_tests.references.inputs import inputs_for

ENGINES = pytest.mark.parametrize("webnn_enabled", [True, False], ids=["webnn", "cpu"])
# The pictures' classes in ImageNet.
KNOWN_ANSWERS = {
    "chelsea": "Egyptian cat",
    "coffee": "espresso",
    "rocket": "missile",
    "camera": "tripod",
    "motorcycle_left": "moped",
    "flower": "daisy",
}
TYPED = [
    *(model.name for model in all_models().values() if model.quantized),
    *(model.name for model in made_models().values() if model.quantized),
]


def find(name: str) -> Model:
    return all_models().get(name) or made_models()[name]


@ENGINES
def test_efficientnet_knows_six_pictures(webnn: Harness, webnn_enabled: bool) -> None:
    model = all_models()["efficientnet_lite0_int8"]
    with zipfile.ZipFile(model.path()) as metadata:
        labels = metadata.read("labels_without_background.txt").decode().splitlines()
    assert isinstance(model.input, PictureInput)
    loaded = webnn.load(f"/models/{model.name}.tflite", LoadOptions(webnn=webnn_enabled))
    allowed = tolerance("quantized", model.name)
    for picture, answer in KNOWN_ANSWERS.items():
        inputs = inputs_for(replace(model, input=replace(model.input, picture=picture)))
        found = loaded.run(inputs)
        assert labels[found[0].argmax()] == answer
        assert compare(found, native_litert.outputs_of(model.content(), inputs)).absolute <= allowed.steps, picture


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


@pytest.mark.parametrize("network", ["mobilenet_v2_small", "u_net"])
def test_dynamic_range_models_compute_in_float(webnn: Harness, network: str) -> None:
    """Both twins have the same int8 weights, and on WebNN the same arithmetic.

    Native LiteRT quantizes one's activations at run time, which costs accuracy; WebNN cannot.
    """
    dynamic, weight_only = (find(f"{network}_{form}") for form in ("dynamic", "weight_only_int8"))
    inputs = inputs_for(weight_only)
    loaded = webnn.load(f"/models/{dynamic.name}.tflite")
    assert not loaded.stays()
    expected = native_litert.outputs_of(weight_only.content(), inputs)
    assert compare(loaded.run(inputs), expected).relative <= tolerance("webnn").relative_to_range
