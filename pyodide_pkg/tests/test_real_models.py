"""Networks of the demos and tests: the session in Node compared with native LiteRT, details and results."""

import asyncio

import pytest
from tflite_webnn import Interpreter, load_delegate

from pyodide_pkg.tests.comparisons import assert_same
from pyodide_pkg.tests.conftest import Pair
from web_tests.models.catalogue import Model, all_models
from web_tests.references.inputs import inputs_for
from web_tests.tests.browser.test_models import assert_native_outputs, assert_outputs

BY_NAME = pytest.mark.parametrize("model", list(all_models().values()), ids=lambda model: model.name)


@pytest.mark.usefixtures("node")
@BY_NAME
def test_real_models_run_as_native_litert_on_the_cpu(model: Model) -> None:
    pair = Pair(model.content())
    assert_same(*pair.call("get_tensor_details"))
    pair.allocate()
    assert_same(*pair.call("get_input_details"))
    assert_same(*pair.call("get_output_details"))
    pair.run(*inputs_for(model))
    assert_outputs(model, *pair.outputs(), "cpu")


@pytest.mark.usefixtures("node")
@BY_NAME
def test_a_real_model_on_webnn_equals_native_litert(model: Model) -> None:
    """On the polyfill, which uses the CPU's kernels."""
    delegates = [load_delegate("webnn", {"polyfill": "tflite"})]
    interpreter = Interpreter(model_content=model.content(), experimental_delegates=delegates)
    interpreter.allocate_tensors()
    inputs = inputs_for(model)
    for details, value in zip(interpreter.get_input_details(), inputs, strict=True):
        interpreter.set_tensor(details["index"], value)
    asyncio.run(interpreter.invoke_async())
    found = [interpreter.get_tensor(details["index"]) for details in interpreter.get_output_details()]
    assert_native_outputs(model, found, inputs, "cpu")
    assert interpreter.report()["webnn"]["used"] or interpreter.report()["webnn"]["reason"]
