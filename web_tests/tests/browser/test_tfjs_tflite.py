"""The unmodified @tensorflow/tfjs-tflite on this project's wasm module, compared with its own."""

from collections.abc import Iterator

import numpy as np
import pytest

from web_tests.browsers.page import PageError
from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.drivers.tfjs_client import OWN_WASM, PEER_WASM, TfjsClient
from web_tests.models import handmade
from web_tests.models.catalogue import Model, all_models
from web_tests.models.recipes import Array
from web_tests.references import native_litert
from web_tests.references.inputs import inputs_for
from web_tests.tests.browser.test_models import assert_native_outputs, assert_outputs
from web_tests.tests.conftest import SharedPage

# Models that its own module cannot run, and why.
PEER_CANNOT = {
    "selfie_segmentation": "it lacks the custom op Convolution2DTransposeBias",
    "basic_pitch_nmp": "outputs whose shape is known only after the run are garbage",
    "mlperftiny_ad_int8": "outputs whose shape is known only after the run are garbage",
}
MODEL = "face_detection_short_range"


@pytest.fixture
def client(webnn: Harness, request: pytest.FixtureRequest) -> Iterator[TfjsClient]:
    """The client in a new page, which is not cross-origin isolated unless the test's parameter says so."""
    browser = webnn.page.context.browser
    assert browser
    page = browser.new_page()
    yield TfjsClient(page, webnn.server, isolated=getattr(request, "param", False))
    page.close()


def outputs_of(client: TfjsClient, model: Model, wasm_path: str) -> list[Array]:
    inputs = inputs_for(model)
    return client.load(model.name, wasm_path).predict(inputs, native_litert.outputs_of(model.content(), inputs))


@pytest.mark.parametrize("model", all_models().values(), ids=lambda model: model.name)
def test_the_client_returns_what_it_does_with_its_own_module(client: TfjsClient, model: Model) -> None:
    found = outputs_of(client, model, OWN_WASM)
    assert_native_outputs(model, found, inputs_for(model), "cpu")
    assert not [text for text in client.warnings if "tflite-webnn" in text]
    if model.name not in PEER_CANNOT:
        assert_outputs(model, found, outputs_of(client, model, PEER_WASM), "cpu")


@pytest.mark.parametrize("dtype", ["int8", "uint8", "bool", "int16", "int32", "uint32", "int64"])
def test_values_of_every_type_pass_unchanged(client: TfjsClient, dtype: str) -> None:
    values = np.array([[0, 1, 2], [77, 127, -5 if dtype.startswith("int") else 5]]).astype(dtype)
    with client.server.serving() as serve:
        model = client.load(serve(handmade.flattened(dtype)), OWN_WASM)
        (found,) = model.predict([values], [values.reshape(6)])
    np.testing.assert_array_equal(found, values.reshape(6))


def test_its_own_module_cannot_run_selfie_segmentation(client: TfjsClient) -> None:
    with pytest.raises(PageError, match="Failed to create TFLiteWebModelRunner"):
        client.load("selfie_segmentation", PEER_WASM)


@pytest.mark.parametrize("client", [True], indirect=True, ids=["isolated"])
def test_a_client_that_wants_threads_gets_one(client: TfjsClient) -> None:
    assert client.page.evaluate("crossOriginIsolated")
    model = all_models()[MODEL]
    with client.page.expect_request("**/tflite_web_api_cc_simd_threaded.js"):
        assert_native_outputs(model, outputs_of(client, model, OWN_WASM), inputs_for(model), "cpu")


def test_models_of_one_page_are_separate(client: TfjsClient) -> None:
    first, second = (all_models()[name] for name in (MODEL, "oww_alexa"))
    one, other = client.load(first.name, OWN_WASM), client.load(second.name, OWN_WASM)
    inputs = inputs_for(second)
    expected = native_litert.outputs_of(second.content(), inputs)
    one.predict(inputs_for(first), native_litert.outputs_of(first.content(), inputs_for(first)))
    one.clean_up()
    assert_native_outputs(second, other.predict(inputs, expected), inputs, "cpu")


def test_the_client_hands_on_what_is_wrong(client: TfjsClient) -> None:
    client.server.mailbox.put("damaged.tflite", all_models()[MODEL].content()[:5000])
    with pytest.raises(PageError, match="Failed to create TFLiteWebModelRunner: malformed"):
        client.load("/exchange/damaged.tflite", OWN_WASM)


@pytest.fixture(scope="module")
def worker_client(webnn_page: SharedPage[Harness]) -> Iterator[TfjsClient]:
    """The client in a worker of an isolated page, which may wait."""
    harness = webnn_page.harness()
    browser = harness.page.context.browser
    assert browser
    page = browser.new_page()
    yield TfjsClient(page, harness.server, isolated=True, in_worker=True)
    page.close()


@pytest.mark.parametrize("model", all_models().values(), ids=lambda model: model.name)
def test_an_isolated_worker_of_the_client_runs_on_webnn(
    worker_client: TfjsClient, webnn: Harness, model: Model
) -> None:
    """The unmodified client's synchronous predict(), with this project's delegate."""
    inputs = inputs_for(model)
    worker_client.warnings.clear()
    direct = webnn.load(f"/models/{model.name}.tflite", LoadOptions(extra={"variant": "simd"}))
    like = native_litert.outputs_of(model.content(), inputs)
    options = {
        "enableWebnnDelegate": True,
        "webnnDelegateOptions": {"devicePreference": "gpu", "ignorePartitionCost": True},
        "enableProfiling": True,
    }
    loaded = worker_client.load(model.name, OWN_WASM, options)
    assert_native_outputs(
        model, loaded.predict(inputs, like), inputs, "webnn" if direct.report["webnn"]["used"] else "cpu"
    )
    delegated = [item for item in loaded.profile()["results"] if item["nodeType"] == "TfLiteWebnnDelegate"]
    assert len(delegated) == direct.report["totals"]["webnnPartitions"]
    warnings = [text for text in worker_client.warnings if "the model runs on the CPU" in text]
    assert bool(warnings) != direct.report["webnn"]["used"]
    loaded.clean_up()


def test_a_page_that_must_not_wait_runs_on_the_cpu_with_a_warning(client: TfjsClient) -> None:
    model = all_models()[MODEL]
    inputs = inputs_for(model)
    loaded = client.load(MODEL, OWN_WASM, {"enableWebnnDelegate": True})
    assert_native_outputs(
        model, loaded.predict(inputs, native_litert.outputs_of(model.content(), inputs)), inputs, "cpu"
    )
    assert [text for text in client.warnings if "runs on the CPU: the page is not cross-origin isolated" in text]


def test_the_client_gets_the_times_of_nodes(client: TfjsClient) -> None:
    model = all_models()[MODEL]
    inputs = inputs_for(model)
    loaded = client.load(MODEL, OWN_WASM, {"enableProfiling": True})
    loaded.predict(inputs, native_litert.outputs_of(model.content(), inputs))
    profile = loaded.profile()
    assert profile["results"]
    assert all(item["nodeType"] and item["nodeExecMs"] >= 0 for item in profile["results"])
    assert np.sum([item["nodeExecMs"] for item in profile["results"]]) > 0
    assert profile["results"][0]["nodeType"] in profile["summary"]
