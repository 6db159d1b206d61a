"""The package's interface in each engine: sources, progress, abort, predict(), strings, shapes, state, profiles."""

import time

import numpy as np
import pytest

from web_tests.browsers.page import PageError
from web_tests.drivers.harness import CPU, LoadOptions, ModelError, PageHarness
from web_tests.malformed.calls import BAD_FILES, BAD_INPUTS
from web_tests.models import handmade, stateful
from web_tests.models.catalogue import all_models
from web_tests.models.recipes import SEED
from web_tests.references.inputs import inputs_for
from web_tests.references.native_litert import run_native
from web_tests.tests.browser.test_stateful_models import check_counter
from web_tests.tests.conftest import Call, Served

MODEL = all_models()["face_detection_short_range"]
URL = f"/models/{MODEL.name}.tflite"
# WebNN requested in a browser without it: the common case.
WEBNN_REQUESTED = {"enableWebnnDelegate": True}
X = np.array([0.5, -1, 2, 0.25], np.float32)
ERROR_SECONDS = 10.0


def test_string_tensors_pass_unchanged(api: Call, served: Served) -> None:
    texts = ["eins", "zwölf 🦊", ""]
    result = api("pickStrings", served(stateful.string_picker()), texts, [1, 2])
    assert result["run"] == texts[1:]
    assert result["shape"] == [2]
    assert result["predict"] == {"shape": [2], "dtype": "string", "values": texts[1:]}
    assert result["tooMany"]["code"] == "INPUT_SHAPE"
    assert result["numbers"]["code"] == "INPUT_DTYPE"
    assert result["garbage"]["code"] == "INPUT_DTYPE"


def test_a_model_loads_from_each_kind_of_source(api: Call) -> None:
    kinds = ["url", "URL", "ArrayBuffer", "Uint8Array", "Response", "ReadableStream"]
    assert api("loadFromEverything", URL, WEBNN_REQUESTED) == dict.fromkeys(kinds, 1)


def test_loading_reports_each_phase(api: Call) -> None:
    size = len(MODEL.content())
    last = {progress["phase"]: progress for progress in api("progressOf", URL, WEBNN_REQUESTED)}
    assert set(last) == {"compile", "download", "init"}
    assert last["download"] == {"phase": "download", "loadedBytes": size, "totalBytes": size}
    assert last["init"]["loadedBytes"] == size


@pytest.mark.parametrize("phase", ["compile", "download", "init"])
def test_a_load_can_be_aborted_in_each_phase(api: Call, phase: str) -> None:
    rejection = api("abortDuring", URL, phase, WEBNN_REQUESTED)
    assert rejection == {"name": "RangeError", "message": "the test has seen enough"}
    assert api("loadFromEverything", URL, WEBNN_REQUESTED)["url"] == 1


def test_predict_returns_the_outputs_of_run(api: Call, served: Served) -> None:
    results = api("predictSine", served(handmade.sin_example(8)), WEBNN_REQUESTED)
    assert (results["mode"], results["device"].split(":")[0]) == ("cpu", "wasm")
    expected = handmade.sin_example_output(np.full(8, 0.5)).tolist()
    for kind in ("tensor", "named", "sync"):
        assert results[kind]["values"] == pytest.approx(expected, rel=1e-5)
    assert results["array"] == pytest.approx(expected, rel=1e-5)
    assert results["integers"]["values"] == [0] * 8
    assert results["shape"]["code"] == "INPUT_SHAPE"
    assert results["inexact"]["code"] == "INPUT_DTYPE"


def test_a_web_page_in_place_of_a_model_is_an_error_that_says_so(api: Call) -> None:
    error = api("failToLoad", "/harness.html")
    assert error["name"] == "NotATFLiteModelError"
    for part in ('begins with "<!doctype html>', "an error page", "HTTP 200", "text/html"):
        assert part in error["message"]


def test_a_model_that_is_not_there_is_a_fetch_error(api: Call) -> None:
    error = api("failToLoad", "/nowhere/model.tflite")
    assert error["name"] == "ModelFetchError"
    assert "HTTP 404" in error["message"]


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_rejected_with_its_code(harness: PageHarness, name: str) -> None:
    make, code, part = BAD_FILES[name]
    with pytest.raises(ModelError) as caught:
        harness.load(make())
    assert caught.value.code == code
    assert part.lower() in caught.value.message.lower()


def test_a_bad_input_is_rejected_and_the_model_still_runs(harness: PageHarness) -> None:
    x = np.linspace(-3, 3, 8, dtype=np.float32)
    loaded = harness.load(handmade.sin_example(len(x)))
    for inputs, with_shape, code in BAD_INPUTS.values():
        with pytest.raises(ModelError) as caught:
            loaded.run(inputs, shapes=with_shape)
        assert caught.value.code == code
    np.testing.assert_allclose(loaded.run([x])[0], handmade.sin_example_output(x), rtol=1e-6, atol=1e-6)


def test_a_missing_wasm_file_is_named_in_the_error(harness: PageHarness) -> None:
    with pytest.raises(ModelError) as caught:
        harness.load(handmade.sin_example(), LoadOptions(extra={"wasmPath": "/nowhere/"}))
    assert caught.value.name == "WasmLoadError"
    assert "/nowhere/" in caught.value.message


def test_a_disposed_model_does_not_run(harness: PageHarness) -> None:
    loaded = harness.load(handmade.sin_example())
    loaded.dispose(drop=False)
    with pytest.raises(ModelError) as caught:
        loaded.run([np.zeros(8, np.float32)])
    assert caught.value.name == "ModelDisposedError"


def test_loops_and_branches_equal_native_litert(harness: PageHarness) -> None:
    for content, inputs in [
        (stateful.doubling_loop(), [X]),
        (stateful.branch(), [np.array([True]), X]),
        (stateful.branch(), [np.array([False]), X]),
    ]:
        found = harness.load(content, CPU).run(inputs)[0]
        np.testing.assert_allclose(found, run_native(content, inputs)[0], rtol=1e-5, atol=1e-5)


def test_signatures_share_a_variable_and_reset_it(harness: PageHarness) -> None:
    loaded = harness.load(stateful.counter(), CPU)
    check_counter(loaded)
    with pytest.raises(ModelError, match="It has: peek, add"):
        loaded.run_signature("nothing", {})


def test_resized_inputs_are_computed(harness: PageHarness) -> None:
    loaded = harness.load(stateful.dynamic_batch(), CPU)
    for rows in (5, 2, 5):
        x = np.random.default_rng(SEED).normal(size=(rows, 3)).astype(np.float32)
        loaded.resize({"x": [rows, 3]})
        np.testing.assert_allclose(loaded.run([x])[0], np.sin(x) + x, rtol=1e-5, atol=1e-5)
    with pytest.raises(ModelError) as caught:
        loaded.resize([-1, 3])
    assert caught.value.code == "INPUT_SHAPE"


def test_the_profile_lists_the_nodes_of_the_last_run(harness: PageHarness) -> None:
    loaded = harness.load(MODEL.content(), LoadOptions(webnn=False, extra={"enableProfiling": True}))
    assert loaded.profile()[0] == []
    loaded.run(inputs_for(MODEL))
    items, summary = loaded.profile()
    assert items
    assert summary.startswith(f"{len(items)} nodes, ")
    assert all(item["nodeName"] for item in items)
    assert sum(item["nodeExecMs"] for item in items) > 0


def test_a_page_that_throws_is_reported(harness: PageHarness) -> None:
    with pytest.raises(PageError, match="RangeError: of the test"):
        harness.engine_page.evaluate("async () => { throw new RangeError('of the test'); }")


def test_an_error_that_nobody_waits_for_is_the_pages(harness: PageHarness) -> None:
    harness.post("noSuchCall", {})
    assert "noSuchCall: " in uncaught_error(harness)


def uncaught_error(harness: PageHarness) -> str:
    """Return the page's next uncaught error; engines report it a moment later, and a worker's maybe twice."""
    end = time.monotonic() + ERROR_SECONDS
    while time.monotonic() < end:
        if errors := harness.take_errors():
            time.sleep(0.1)
            return "\n".join([*errors, *harness.take_errors()])
        time.sleep(0.01)
    raise AssertionError("the page reports no error")
