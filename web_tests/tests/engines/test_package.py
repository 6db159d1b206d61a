"""The package in pages and workers of each engine: classic scripts, TFLiteWorker, tfjs-tflite, unusual servers."""

import json
from collections.abc import Iterator

import numpy as np
import pytest

from web_tests.browsers.page import EngineBrowser, EnginePage, PageError
from web_tests.drivers.harness import PageHarness
from web_tests.drivers.page_calls import call_script
from web_tests.drivers.tfjs_client import OWN_WASM, TfjsPage
from web_tests.models import handmade
from web_tests.models.catalogue import Model, all_models
from web_tests.references import native_litert
from web_tests.references.inputs import inputs_for
from web_tests.server.server import CONTENT_TYPES, ISOLATION_HEADERS, Server
from web_tests.tests.browser.test_models import assert_native_outputs

STRICT = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'"
SINE = handmade.sin_example_output(np.full(8, 0.5))
RESPONSE_SECONDS = 30
TFJS_MODELS = ["face_detection_short_range", "selfie_segmentation", "mlperftiny_kws_int8", "oww_alexa"]


@pytest.fixture
def sine_page(page: EnginePage, server: Server) -> EnginePage:
    """An empty page; f(x) = sin(x) + x + sin(2x) is at /exchange/sin."""
    server.mailbox.put("sin", handmade.sin_example())
    page.open(f"{server.origin}/probe.html")
    return page


def test_the_global_of_the_script_tag_runs_a_model(page: EnginePage, server: Server) -> None:
    server.mailbox.put("tiny.tflite", handmade.tiny_network())
    page.open(f"{server.origin}/classic.html")
    mode, length = page.evaluate(
        """async () => {
            const model = await tfliteWebnn.loadTFLiteModel('/exchange/tiny.tflite', { enableWebnnDelegate: true });
            return [model.executionMode, (await model.run(new Float32Array(768)))[0].data.length];
        }"""
    )
    assert (mode, length) == ("cpu", 5)


def test_a_classic_worker_runs_a_model(page: EnginePage, server: Server) -> None:
    server.mailbox.put("tiny.tflite", handmade.tiny_network())
    page.open(f"{server.origin}/probe.html")
    mode, length = call_script(page, "workers", "runInClassicWorker", "/exchange/tiny.tflite")
    assert (mode, length) == ("cpu", 5)


def test_a_model_in_a_worker_runs_streams_and_is_resized(sine_page: EnginePage) -> None:
    found = call_script(sine_page, "sine_in_worker", "runAndResize")
    assert (found["mode"], found["shape"], found["lengths"]) == ("cpu", [3], [8, 0])
    np.testing.assert_allclose([found["outputs"], *found["streamed"]], [SINE] * 5, rtol=1e-5)


def test_a_worker_loads_a_model_from_each_source(sine_page: EnginePage) -> None:
    found = call_script(sine_page, "sine_in_worker", "runFromEachSource")
    assert set(found) == {"url", "ArrayBuffer", "Uint8Array", "Response", "ReadableStream"}
    for last_phase, values in found.values():
        assert last_phase == "init"
        np.testing.assert_allclose(values, SINE, rtol=1e-5)


def test_errors_of_a_worker_keep_their_class(sine_page: EnginePage) -> None:
    assert call_script(sine_page, "sine_in_worker", "errorCodes") == {
        "address": "MODEL_FETCH_FAILED",
        "file": "NOT_A_TFLITE_MODEL",
        "input": "INPUT_SHAPE",
        "worker": "WORKER_FAILED",
    }


def test_an_aborted_load_in_a_worker_rejects_with_the_reason(sine_page: EnginePage) -> None:
    assert call_script(sine_page, "sine_in_worker", "abortedLoad") == "RangeError"


def test_a_model_runs_under_a_strict_content_security_policy(page: EnginePage) -> None:
    """Neither page nor worker needs more than 'wasm-unsafe-eval'."""
    with Server(headers={**ISOLATION_HEADERS, "Content-Security-Policy": STRICT}) as server:
        server.mailbox.put("model", handmade.sin_example())
        page.open(f"{server.origin}/strict.html")
        message = server.mailbox.take("results", timeout_seconds=RESPONSE_SECONDS)
    assert message, "the page did not respond"
    found = json.loads(message)
    assert found["evaluates"] == "EvalError"
    assert all("unsafe-eval" in remark for remark in page.take_errors())  # Firefox reports that, too
    np.testing.assert_allclose([found["page"], found["worker"]], [SINE, SINE], rtol=1e-5)


@pytest.mark.pages
def test_errors_of_a_page_that_is_loading_are_seen(engine_browser: EngineBrowser, server: Server) -> None:
    """Otherwise the tests for error-free pages would miss errors at the start."""
    page = engine_browser.new_page()
    page.open(f"{server.origin}/broken.html")
    errors = page.take_errors()
    page.close()
    assert any("thrown while the page loads" in error for error in errors), errors


@pytest.mark.pages
def test_wasm_served_with_another_type_is_compiled(engine_browser: EngineBrowser) -> None:
    with Server(content_types={**CONTENT_TYPES, ".wasm": "text/plain"}) as server:
        page = engine_browser.new_page()
        loaded = PageHarness(page, server).load(handmade.sin_example())
        found = loaded.run([np.full(8, 0.5, np.float32)])[0]
        page.close()
    np.testing.assert_allclose(found, SINE, rtol=1e-5)


@pytest.fixture(scope="module")
def server_without_isolation() -> Iterator[Server]:
    """A server whose pages are not cross-origin isolated, like most pages with tfjs-tflite."""
    with Server(headers={}) as server:
        yield server


@pytest.mark.parametrize("model", [all_models()[name] for name in TFJS_MODELS], ids=lambda model: model.name)
def test_the_unmodified_tfjs_tflite_client_equals_native_litert(
    page: EnginePage, server_without_isolation: Server, model: Model
) -> None:
    inputs = inputs_for(model)
    client = TfjsPage(page, server_without_isolation)
    loaded = client.load(model.name, OWN_WASM, {"enableProfiling": True})
    assert_native_outputs(
        model, loaded.predict(inputs, native_litert.outputs_of(model.content(), inputs)), inputs, "cpu"
    )
    assert loaded.profile()["results"]


def test_tfjs_tflite_hands_on_what_is_wrong(page: EnginePage, server_without_isolation: Server) -> None:
    server_without_isolation.mailbox.put("damaged.tflite", all_models()[TFJS_MODELS[0]].content()[:5000])
    with pytest.raises(PageError, match="Failed to create TFLiteWebModelRunner: malformed"):
        TfjsPage(page, server_without_isolation).load("/exchange/damaged.tflite", OWN_WASM)
