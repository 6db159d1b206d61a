"""Real models and one case of every op on the CPU of each engine, compared with native LiteRT."""

import numpy as np
import pytest

from web_tests.browsers.engines import Engine
from web_tests.drivers.harness import CPU, PageHarness
from web_tests.models import handmade
from web_tests.models.catalogue import Model, all_models
from web_tests.op_cases import case_id
from web_tests.op_cases.case import OpCase
from web_tests.op_cases.sample import one_of_each_op
from web_tests.references import native_litert
from web_tests.references.inputs import inputs_for
from web_tests.tests.browser.test_models import assert_native_outputs
from web_tests.tests.browser.test_ops import assert_op_outputs

# Each engine's WebAssembly features. WebKitGTK has relaxed SIMD only behind a switch, which remains off.
VARIANTS = {"chromium": "relaxed-simd", "firefox": "relaxed-simd", "webkitgtk": "simd", "node": "relaxed-simd"}
REASONS = {
    "chromium": "NotSupportedError",
    "firefox": "navigator.ml is missing",
    "webkitgtk": "navigator.ml is missing",
    "node": "navigator.ml is missing",
}
# The array of each element type.
KINDS = {
    "float32": "Float32Array",
    "float16": "Float16Array",
    "int8": "Int8Array",
    "uint8": "Uint8Array",
    "int16": "Int16Array",
    "int32": "Int32Array",
    "uint32": "Uint32Array",
    "int64": "BigInt64Array",
    "bool": "Uint8Array",
    "complex64": "Float32Array",
    "string": "Uint8Array",
}


@pytest.mark.needs("variants")
def test_the_variant_is_chosen_by_what_the_engine_has(engine: Engine, harness: PageHarness) -> None:
    x = np.linspace(-3, 3, 8, dtype=np.float32)
    loaded = harness.load(handmade.sin_example(8), CPU)
    assert loaded.report["variant"] == VARIANTS[engine.name]
    assert loaded.report["webnn"]["reason"] is None
    np.testing.assert_allclose(loaded.run([x])[0], handmade.sin_example_output(x), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("model", all_models().values(), ids=lambda model: model.name)
def test_without_webnn_it_runs_on_the_cpu_and_says_why(engine: Engine, harness: PageHarness, model: Model) -> None:
    loaded = harness.load(f"/models/{model.name}.tflite")
    webnn = loaded.report["webnn"]
    assert (webnn["requested"], webnn["used"], loaded.execution_mode) == (True, False, "cpu")
    assert REASONS[engine.name] in webnn["reason"]
    inputs = inputs_for(model)
    assert_native_outputs(model, loaded.run(inputs), inputs, "cpu")


@pytest.mark.parametrize("case", one_of_each_op(), ids=lambda case: f"{case_id(case)}-{case.dtype}")
def test_the_cpu_computes_the_case_as_native_litert(harness: PageHarness, case: OpCase) -> None:
    model, inputs = case.model(), case.inputs()
    _, (found,) = harness.load_and_run(model, inputs, CPU)
    expected = native_litert.outputs_of(model, inputs, kernels=case.native_kernels)
    assert_op_outputs(case, found, expected)


@pytest.mark.parametrize("dtype", KINDS)
def test_values_of_a_data_type_pass_through_unchanged(engine: Engine, harness: PageHarness, dtype: str) -> None:
    if engine.name == "node" and dtype == "float16":
        pytest.skip("the pinned Node has no array of float16")
    harness.server.mailbox.put("flattened", handmade.flattened(dtype))
    script = "async (dtype) => (await import('/dtypes.mjs')).through('/exchange/flattened', dtype, {})"
    found = harness.engine_page.evaluate(script, dtype)
    assert found["returned"] == [dtype, [6]]
    assert found["kind"] == KINDS[dtype]
    assert found["areSame"] == [True] * 3
    assert found["wrongType"]["code"] == "INPUT_DTYPE"
    assert found["wrongShape"]["code"] == found["wrongCount"]["code"] == "INPUT_SHAPE"
