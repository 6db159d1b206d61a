"""Unmodified WebNN programs on the polyfill: they compute the same as without it, and as native LiteRT."""

from typing import Any

import numpy as np
import pytest

from web_tests.browsers.engines import Engine
from web_tests.browsers.page import EnginePage
from web_tests.models.catalogue import all_models
from web_tests.references import native_litert
from web_tests.server.server import Server

CALL = "async ([name, ...args]) => await (await import('/programs.mjs'))[name](...args)"
TOLERANCE = 1e-4

# WebKit 26 fails on the optimized code of onnxruntime-web's asyncified module (microsoft/onnxruntime#26827: its
# default module works, but lacks WebNN). That probably explains why the module trapped in WebKitGTK 2.50 in one of nine
# idle sessions, in a call of its script, and never in some 200 loads on a busy machine. A trap with our code on its
# stack fails the test.
WEBKIT_TRIES = 3

# Chromium has address space for about 125 wasm memories.
SESSIONS = 130


@pytest.fixture
def programs_page(page: EnginePage, server: Server) -> EnginePage:
    page.open(f"{server.origin}/programs.html")
    return page


def assert_one_graph(found: dict[str, Any], operators: set[str]) -> None:
    """Check that the outputs match, and that one graph with these operators was built."""
    np.testing.assert_allclose(found["webnn"], found["cpu"], rtol=TOLERANCE, atol=TOLERANCE)
    assert np.ptp(found["cpu"]) > 0 or len(found["cpu"]) == 1
    assert found["calls"]["build"] == 1
    assert operators <= set(found["calls"])


@pytest.mark.parametrize(
    ("model", "shape", "free", "operators"),
    [
        ("alexa_v0.1.onnx", [1, 16, 96], {}, {"gemm", "relu", "sigmoid"}),
        ("embedding_model.onnx", [1, 76, 32, 1], {"unk__316": 1, "unk__317": 1}, {"conv2d", "maxPool2d", "leakyRelu"}),
    ],
)
def test_onnxruntime_web_runs_a_model_on_the_polyfill(
    engine: Engine,
    programs_page: EnginePage,
    server: Server,
    model: str,
    shape: list[int],
    free: dict[str, int],
    operators: set[str],
) -> None:
    found = programs_page.evaluate(CALL, ["runOnnx", model, shape, free])
    for _ in range(1, WEBKIT_TRIES if engine.name == "webkitgtk" else 1):
        if "trap" not in found:
            break
        print(f"onnxruntime-web itself trapped, once more in a new document: {found['stack']}")
        assert programs_page.take_errors() == [found["trap"]]
        programs_page.open(f"{server.origin}/programs.html")
        found = programs_page.evaluate(CALL, ["runOnnx", model, shape, free])
    assert "trap" not in found, found
    assert_one_graph(found, operators)


def test_onnxruntime_web_creates_and_releases_sessions_without_end(engine: Engine, programs_page: EnginePage) -> None:
    """Each has its own context, which is dropped without destroy()."""
    if engine.name != "chromium":
        pytest.skip("only Chromium's number of wasm memories is known")
    found = programs_page.evaluate(CALL, ["cycleOnnx", "alexa_v0.1.onnx", [1, 16, 96], SESSIONS])
    assert found == SESSIONS


@pytest.mark.parametrize("model", ["face_detection_short_range", "selfie_segmentation"])
def test_litert_js_runs_a_model_on_the_polyfill(programs_page: EnginePage, model: str) -> None:
    if not programs_page.evaluate("() => 'Suspending' in WebAssembly"):
        pytest.skip("the WebNN accelerator of LiteRT.js needs JSPI, which this browser has not")
    found = programs_page.evaluate(CALL, ["runLiteRt", model])
    assert_one_graph(found, {"conv2d", "relu", "add"})
    content = all_models()[model].content()
    (detail,) = native_litert.input_details(content)
    waves = np.sin(np.arange(np.prod(detail.shape))).astype(np.float32).reshape(detail.shape)
    native = native_litert.outputs_of(content, [waves])[0]
    np.testing.assert_allclose(found["webnn"], native.ravel(), rtol=TOLERANCE, atol=TOLERANCE)
