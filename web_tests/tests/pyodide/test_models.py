"""Models in Python, in each of its hosts, compared with native LiteRT."""

from collections.abc import Callable

import numpy as np
import pytest
from ai_edge_litert.interpreter import Interpreter

from web_tests.drivers.page_calls import ModelError
from web_tests.drivers.python_page import PythonPage
from web_tests.models import stateful
from web_tests.models.catalogue import all_models
from web_tests.models.recipes import SEED
from web_tests.references.inputs import inputs_for
from web_tests.tests.browser.test_models import assert_native_outputs
from web_tests.tests.pyodide.conftest import Host

PutModel = Callable[[str, bytes], str]
# Classification, segmentation and audio.
MODELS = ("efficientnet_lite0_int8", "deeplabv3_257", "basic_pitch_nmp")
X = np.array([0.5, -1, 2, 0.25], np.float32)


@pytest.mark.parametrize("awaited", [True, False], ids=["task", "callback"])
@pytest.mark.parametrize("name", MODELS)
def test_a_model_on_the_cpu_agrees_with_native_litert(
    python: PythonPage, put_model: PutModel, name: str, awaited: bool
) -> None:
    model = all_models()[name]
    inputs = inputs_for(model)
    path = put_model(name, model.content())
    named = {f"input{index}": array for index, array in enumerate(inputs)}
    found = python.run("running.run", named, model=path, awaited=awaited)
    assert_native_outputs(model, found["outputs"], inputs, "cpu")


@pytest.mark.parametrize("name", MODELS)
def test_a_model_on_webnn_agrees_with_native_litert(
    python: PythonPage, host: Host, has_webnn: bool, put_model: PutModel, name: str
) -> None:
    model = all_models()[name]
    inputs = inputs_for(model)
    path = put_model(name, model.content())
    named = {f"input{index}": array for index, array in enumerate(inputs)}
    found = python.run("running.run_async", named, model=path, webnn=True)
    assert found["report"]["webnn"]["used"] == has_webnn
    assert has_webnn or found["report"]["webnn"]["reason"]
    assert_native_outputs(model, found["outputs"], inputs, "webnn" if has_webnn else "cpu")


def test_invoke_waits_for_webnn_with_jspi(python: PythonPage, has_webnn: bool, put_model: PutModel) -> None:
    model = all_models()["deeplabv3_257"]
    inputs = inputs_for(model)
    path = put_model(model.name, model.content())
    found = python.run("running.run", {"x": inputs[0]}, model=path, webnn=True)
    assert_native_outputs(model, found["outputs"], inputs, "webnn" if has_webnn else "cpu")


def test_a_classified_image_has_its_label(python: PythonPage, put_model: PutModel) -> None:
    model = all_models()["efficientnet_lite0_int8"]
    path = put_model(model.name, model.content())
    assert python.run("running.classify", {"image": inputs_for(model)[0]}, model=path) == "Egyptian cat"


def test_resized_inputs_are_computed(python: PythonPage, put_model: PutModel) -> None:
    path = put_model("dynamic_batch", stateful.dynamic_batch())
    for rows in (5, 2):
        x = np.random.default_rng(SEED).normal(size=(rows, 3)).astype(np.float32)
        np.testing.assert_allclose(python.run("running.run_resized", {"x": x}, model=path), np.sin(x) + x, rtol=1e-5)


def test_signatures_that_share_a_variable_compute_as_native_litert(python: PythonPage, put_model: PutModel) -> None:
    content = stateful.counter()
    native = Interpreter(model_content=content)
    add, peek = native.get_signature_runner("add"), native.get_signature_runner("peek")
    factor = np.full(4, 3, np.float32)
    expected = [add(x=X)["y"], add(x=X)["y"], peek(factor=factor)["product"]]
    found = python.run("running.count", {"x": X, "factor": factor}, model=put_model("counter", content))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)


def test_a_stateful_model_follows_native_litert_step_by_step(python: PythonPage, put_model: PutModel) -> None:
    model = all_models()["mww_hey_jarvis_int8"]
    x = inputs_for(model)[0]
    native = Interpreter(model_content=model.content())
    native.allocate_tensors()
    found = python.run("running.step", {"x": x}, model=put_model(model.name, model.content()), steps=4)
    for result in found:
        native.set_tensor(native.get_input_details()[0]["index"], x)
        native.invoke()
        expected = native.get_tensor(native.get_output_details()[0]["index"])
        assert np.abs(result.astype(int) - expected.astype(int)).max() <= 1


def test_a_file_that_is_not_a_model_is_a_model_error(python: PythonPage, put_model: PutModel) -> None:
    path = put_model("text", b"this is not a model" * 100)
    with pytest.raises(ModelError, match=r"tflite_webnn.errors.ModelError"):
        python.run("running.run", model=path)
