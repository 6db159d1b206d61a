"""TensorFlow.js' tensors by the unmodified @litertjs/tfjs-interop, with LiteRT.js and with tflite-webnn/litert."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Playwright

from support.npm import MODULES_DIR, run_tool
from web_tests.browsers import chromium_flags, installed
from web_tests.browsers.installed import BrowserProgram
from web_tests.drivers.litert_page import LiteRtPage
from web_tests.models import converted
from web_tests.references import native_litert
from web_tests.references.comparison import assert_close
from web_tests.server.server import Server
from web_tests.tests.browser.test_litert import TOLERANCE

pytestmark = pytest.mark.needs("webnn")

# Its WebGPU backend and that of the CPU.
TENSORFLOW = """import '@tensorflow/tfjs-backend-cpu';
import '@tensorflow/tfjs-backend-webgpu';
export * from '@tensorflow/tfjs-core';
"""
CALL = "async ([name, args]) => (await import('/litert_interop.mjs'))[name](args)"

CallPage = Callable[..., Any]


@pytest.fixture(scope="module")
def tensorflow(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """TensorFlow.js as a module."""
    directory = tmp_path_factory.mktemp("tensorflow")
    (directory / "tensorflow.js").write_text(TENSORFLOW)
    (directory / "node_modules").symlink_to(MODULES_DIR)
    bundle = directory / "tensorflow.mjs"
    run_tool(
        "esbuild", directory / "tensorflow.js", "--bundle", "--format=esm", "--log-level=warning", f"--outfile={bundle}"
    )
    return bundle.read_bytes()


@pytest.fixture(scope="module")
def browser(playwright: Playwright, webnn_program: BrowserProgram) -> Iterator[Browser]:
    """A browser with WebGPU, emulated on the CPU."""
    with installed.launched(playwright, webnn_program, extra_flags=chromium_flags.WEBGPU_FLAGS) as launched:
        yield launched


@pytest.fixture
def call(browser: Browser, server: Server, tensorflow: bytes) -> Iterator[CallPage]:
    """A function that calls a program of pages/litert_interop.mjs with the model of two signatures."""
    with ExitStack() as stack:
        url = stack.enter_context(server.serving())(converted.two_signatures())

        def called(name: str, *, own: bool) -> Any:
            page = stack.enter_context(browser.new_page())
            page.route(
                "**/tensorflow.mjs", lambda route: route.fulfill(body=tensorflow, content_type="text/javascript")
            )
            return LiteRtPage(page, server, own=own).engine_page.evaluate(CALL, [name, {"url": url}])

        yield called


def test_tensors_of_the_cpu_convert_as_in_litert_js(call: CallPage) -> None:
    found, expected = (call("everyWay", own=own) for own in (True, False))
    assert found.keys() == expected.keys()
    assert found.pop("integers") == expected.pop("integers")
    assert found.pop("made") == expected.pop("made")
    for way, tensors in expected.items():
        assert [row[:3] for row in found[way]] == [row[:3] for row in tensors]
        for (*_, values), (*_, others) in zip(found[way], tensors, strict=True):
            assert_close([np.array(values)], [np.array(others)], TOLERANCE)


def test_what_is_in_a_gpus_memory_is_rejected_until_it_is_read(call: CallPage) -> None:
    if not call("hasGpu", own=True):
        pytest.skip("this browser has no WebGPU here, not even on the CPU")
    found = call("onGpu", own=True)
    assert found["rejection"]["name"] == "LiteRtUnsupportedError"
    assert found["rejection"]["code"] == "LITERT_UNSUPPORTED"
    assert "cannot be created from a GPUBuffer" in found["rejection"]["message"]
    values = np.array(found["values"], np.float32).reshape(4, 16)
    (output,) = native_litert.outputs_of(converted.two_signatures(), [values])
    assert_close([np.array(found["output"])], [output.reshape(-1)], TOLERANCE)
