"""One program for LiteRT.js, with the unmodified @litertjs/core and with tflite-webnn/litert: by an import map."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from support.paths import PROJECT_DIR
from web_tests.browsers.page import PageError
from web_tests.drivers.harness import Harness
from web_tests.drivers.litert_page import LiteRtPage, LiteRtRun
from web_tests.drivers.page_calls import call_script
from web_tests.models import converted, handmade, package_assets
from web_tests.models.catalogue import Model, all_models, generated_models
from web_tests.models.recipes import SEED, Array
from web_tests.references import native_litert
from web_tests.references.comparison import assert_close
from web_tests.references.inputs import inputs_for
from web_tests.tests.browser.guides import documented_exports
from web_tests.tests.browser.test_models import assert_native_outputs, assert_outputs
from web_tests.tests.conftest import SharedPage

MODEL = "face_detection_short_range"
ON_CPU = {"accelerator": "wasm"}
# LiteRT.js requests a device of the browser's WebNN through JSPI, and must get it.
ON_WEBNN = {"accelerator": "webnn", "webNNOptions": {"devicePreference": "cpu"}}
TOLERANCE = 1e-5  # of the range of an output
# What a page changes in the example of LiteRT.js's README: addresses, and two mistakes that stop it in LiteRT.js, too.
README_CHANGES = {
    "/path/to/wasm/directory/": "/programs/",
    "/path/to/your/model/torchvision_mobilenet_v2.tflite": "model.tflite",
    "const inputTensor =": "const gpuTensor =",
    "results.delete();": "results[0].delete();",
}
# Models whose batch is open, which LiteRT.js loads and does not run.
OPEN_BATCH = {"basic_pitch_nmp"}
PEER_TYPES = {np.dtype(name) for name in ("float32", "int32", "uint8")}
# Functions of the page's program that need no model.
WITHOUT_MODEL = ("tensors", "features")

OpenPage = Callable[..., LiteRtPage]


@pytest.fixture
def open_page(webnn: Harness) -> Iterator[OpenPage]:
    """A function that opens a page with either library."""
    browser = webnn.page.context.browser
    assert browser
    pages = []

    def opened(*, own: bool) -> LiteRtPage:
        pages.append(browser.new_page())
        return LiteRtPage(pages[-1], webnn.server, own=own)

    yield opened
    for page in pages:
        page.close()


@pytest.fixture
def tflite_webnn(open_page: OpenPage) -> LiteRtPage:
    return open_page(own=True)


@pytest.fixture
def peer(open_page: OpenPage) -> LiteRtPage:
    return open_page(own=False)


@pytest.fixture(scope="module")
def kept_pages(webnn_page: SharedPage[Harness]) -> Iterator[tuple[LiteRtPage, LiteRtPage]]:
    """This project's page and that of LiteRT.js, for tests that leave nothing behind: its module compiles slowly."""
    harness = webnn_page.harness()
    browser = harness.page.context.browser
    assert browser
    tflite_webnn, peer = (LiteRtPage(browser.new_page(), harness.server, own=own) for own in (True, False))
    yield tflite_webnn, peer
    for page in (tflite_webnn, peer):
        page.page.close()


def peer_rejection(model: Model) -> str:
    """Return what LiteRT.js says of a model that it cannot run; empty if it can."""
    if model.name in OPEN_BATCH:
        return "does not match expected ranked tensor type"
    details = native_litert.output_details(model.content())
    types = {array.dtype for array in inputs_for(model)} | {np.dtype(detail.dtype) for detail in details}
    return "" if types <= PEER_TYPES else "is not supported"


@pytest.mark.parametrize("model", all_models().values(), ids=lambda model: model.name)
def test_models_run_and_describe_themselves_as_in_litert_js(
    kept_pages: tuple[LiteRtPage, LiteRtPage], open_page: OpenPage, model: Model
) -> None:
    tflite_webnn, peer = kept_pages
    inputs = inputs_for(model)
    found = tflite_webnn.run(f"/models/{model.name}.tflite", inputs, ON_CPU)
    assert_native_outputs(model, found.outputs, inputs, "cpu")
    if rejection := peer_rejection(model):
        with pytest.raises(PageError, match=rejection):
            open_page(own=False).run(f"/models/{model.name}.tflite", inputs, ON_CPU)
        return
    expected = peer.run(f"/models/{model.name}.tflite", inputs, ON_CPU)
    assert_outputs(model, found.outputs, expected.outputs, "cpu")
    for part in ("key", "inputs", "outputs", "shapes"):
        assert found.model[part] == expected.model[part]


def test_webnn_matches_litert_js(tflite_webnn: LiteRtPage, peer: LiteRtPage) -> None:
    model = all_models()[MODEL]
    inputs = inputs_for(model)
    url = f"/models/{MODEL}.tflite"
    found = tflite_webnn.run(url, inputs, ON_WEBNN)
    expected = peer.run(url, inputs, ON_WEBNN, loading={"jspi": True})
    assert_outputs(model, found.outputs, expected.outputs, "webnn")
    assert found.model["isFullyAccelerated"]
    assert tflite_webnn.run(url, inputs, ON_CPU).model["isFullyAccelerated"]


@pytest.mark.parametrize("program", WITHOUT_MODEL)
def test_a_program_without_a_model_prints_what_litert_js_prints(
    tflite_webnn: LiteRtPage, peer: LiteRtPage, program: str
) -> None:
    assert tflite_webnn.call(program) == peer.call(program)


def test_the_documented_features_are_those_of_the_packages(tflite_webnn: LiteRtPage, peer: LiteRtPage) -> None:
    of_peer, of_package = documented_exports("litert")
    assert set(tflite_webnn.call("names")) == of_package
    assert set(peer.call("names")) == of_peer


def test_wrong_calls_are_rejected_as_by_litert_js(tflite_webnn: LiteRtPage, peer: LiteRtPage) -> None:
    url = f"/models/{MODEL}.tflite"
    found = tflite_webnn.call("rejections", url=url)
    assert found == peer.call("rejections", url=url)
    assert found.pop("stillRuns") == "ran"
    assert found.pop("notLoadedClass")
    assert found.pop("deletedModel") == [True, *["rejected"] * 5]
    assert set(found.values()) == {"rejected"}


def test_models_load_in_the_ways_of_litert_js(tflite_webnn: LiteRtPage, peer: LiteRtPage) -> None:
    url = f"/models/{MODEL}.tflite"
    assert tflite_webnn.call("loading", url=url) == peer.call("loading", url=url)


def test_signatures_are_those_of_litert_js(tflite_webnn: LiteRtPage, peer: LiteRtPage) -> None:
    content = converted.two_signatures()
    with tflite_webnn.server.serving() as serve:
        url = serve(content)
        found, expected = (page.call("signatures", url=url) for page in (tflite_webnn, peer))
    assert found["first"] == expected["first"]
    assert list(found["found"]) == list(expected["found"]) == ["decode", "prefill"]
    for key, signature in expected["found"].items():
        actual = found["found"][key]
        for part in ("key", "inputs", "outputs"):
            assert actual[part] == signature[part]
        for (name, values), (expected_name, expected_values) in zip(actual["named"], signature["named"], strict=True):
            assert name == expected_name
            assert_close([np.array(values)], [np.array(expected_values)], TOLERANCE)
        assert [values for _, values in actual["named"]] == actual["listed"]


def run_bytes(page: LiteRtPage, content: bytes, inputs: list[Array], options: Any = None) -> LiteRtRun:
    with page.server.serving() as serve:
        return page.run(serve(content), inputs, options or ON_CPU)


TYPES = ("int8", "int16", "int64", "bool", "uint32", "float16")


@pytest.mark.parametrize("options", [ON_CPU, ON_WEBNN], ids=["wasm", "webnn"])
@pytest.mark.parametrize("dtype", TYPES)
def test_types_that_litert_js_lacks_pass_unchanged(
    kept_pages: tuple[LiteRtPage, LiteRtPage], dtype: str, options: dict[str, Any]
) -> None:
    tflite_webnn, _ = kept_pages
    values = np.array([[0, 1, 1], [1, 0, 1]] if dtype == "bool" else [[-0, 1, 2], [3, 4, 100]], dtype)
    found = run_bytes(tflite_webnn, handmade.flattened(dtype), [values], options)
    assert found.model["inputs"][0]["dtype"] == found.model["outputs"][0]["dtype"] == dtype
    np.testing.assert_array_equal(found.outputs[0], values.reshape(-1))


def test_litert_js_rejects_int8(peer: LiteRtPage) -> None:
    with pytest.raises(PageError, match="INT8 is not supported"):
        run_bytes(peer, handmade.flattened("int8"), [np.zeros((2, 3), np.int8)])


@pytest.mark.parametrize("options", [ON_CPU, ON_WEBNN], ids=["wasm", "webnn"])
def test_an_open_batch_runs_with_each_count(tflite_webnn: LiteRtPage, options: dict[str, Any]) -> None:
    content = converted.open_batch()
    for count in (1, 3, 1):
        images = np.random.default_rng(SEED).normal(size=(count, 4, 4, 2)).astype(np.float32)
        found = run_bytes(tflite_webnn, content, [images], options)
        (output,) = found.outputs
        assert found.model["inputs"][0]["shape"] == [1, 4, 4, 2]
        assert output.shape == (count, 10, 10, 3)
        assert_close([output], [native_litert.run_native(content, [images], resize=True)[0]], TOLERANCE)


def our_warnings(page: LiteRtPage) -> list[str]:
    """Return the package's warnings: the browser has its own about WebGPU."""
    return [text for text in page.warnings if text.startswith("tflite-webnn")]


def test_webgpu_runs_on_webnn(tflite_webnn: LiteRtPage) -> None:
    model = all_models()[MODEL]
    inputs = inputs_for(model)
    found = tflite_webnn.run(f"/models/{MODEL}.tflite", inputs, {"accelerator": "webgpu"})
    assert_native_outputs(model, found.outputs, inputs, "webnn")
    assert found.model["isFullyAccelerated"]
    assert our_warnings(tflite_webnn) == []


def test_webgpu_without_webnn_runs_on_the_cpu_with_one_warning(tflite_webnn: LiteRtPage) -> None:
    tflite_webnn.engine_page.evaluate("delete Navigator.prototype.ml")
    model = all_models()[MODEL]
    inputs = inputs_for(model)
    for accelerator in ("webgpu", "webgpu", "wasm"):
        found = tflite_webnn.run(f"/models/{MODEL}.tflite", inputs, {"accelerator": accelerator})
        assert_native_outputs(model, found.outputs, inputs, "cpu")
    (warning,) = our_warnings(tflite_webnn)
    assert "models for 'webgpu' run on the CPU: this browser has no WebNN" in warning


def test_threads_next_to_webnn_cause_no_warning(tflite_webnn: LiteRtPage) -> None:
    model = all_models()[MODEL]
    inputs = inputs_for(model)
    found = tflite_webnn.run(f"/models/{MODEL}.tflite", inputs, ON_WEBNN, loading={"threads": True, "jspi": True})
    assert_native_outputs(model, found.outputs, inputs, "webnn")
    assert our_warnings(tflite_webnn) == []


def test_ultralytics_yolo_runs_unmodified(tflite_webnn: LiteRtPage, peer: LiteRtPage) -> None:
    with tflite_webnn.server.serving() as serve:
        url = serve(handmade.yolo_export())
        found, expected = (call_script(page.engine_page, "yolo", "detect", url) for page in (tflite_webnn, peer))
    assert len(found) == len(expected) > 10
    for actual, other in zip(found, expected, strict=True):
        assert (actual["cls"], actual["name"]) == (other["cls"], other["name"])
        np.testing.assert_allclose([*actual["box"], actual["conf"]], [*other["box"], other["conf"]], atol=1e-2)


def test_the_example_of_litert_js_readme_runs_unmodified(tflite_webnn: LiteRtPage, peer: LiteRtPage) -> None:
    readme = package_assets.path_of("programs", "litert_core_README.md").read_text()
    (example,) = re.findall(r"```typescript\n(.*?)```", readme, re.DOTALL)
    for written, changed in README_CHANGES.items():
        assert example.count(written) == 1
        example = example.replace(written, changed)
    content = handmade.yolo_export(side=224)
    found = run_example(tflite_webnn, example, content)
    # This browser has no WebGPU.
    expected = run_example(peer, example.replace("accelerator: 'webgpu'", "accelerator: 'wasm'"), content)
    assert len(found) == 2
    assert found[0] == expected[0] == "Prediction buffer:"
    (output,) = native_litert.outputs_of(content, [np.zeros((1, 3, 224, 224), np.float32)])
    for values in (found[1], expected[1]):
        assert_close([np.array(values)], [output.reshape(-1)], TOLERANCE)


def run_example(page: LiteRtPage, example: str, content: bytes) -> list[Any]:
    """Run a script for which `model.tflite` is a model, and return the arguments of its call of console.log()."""
    page.page.route("**/model.tflite", lambda route: route.fulfill(body=content))
    run = "code => import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))).then(() => {})"
    with page.page.expect_console_message(lambda message: message.type == "log") as logged:
        page.engine_page.evaluate(run, example)
    return [argument.json_value() for argument in logged.value.args]


def test_the_example_of_the_guide_for_litert_js_runs(tflite_webnn: LiteRtPage) -> None:
    (example,) = re.findall(
        r"```js\n(.*?)```", (PROJECT_DIR / "docs" / "guides" / "switch-from-litert.md").read_text(), re.DOTALL
    )
    (score,) = run_example(tflite_webnn, example, generated_models()["mobilenet_v2"].content())
    assert 0 < score < 1
