"""Networks of today's converters: right on WebNN and on the CPU, and each on WebNN as far as it says."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from ai_edge_litert.interpreter import Interpreter

from web_tests.drivers.harness import CPU, Harness, LoadOptions
from web_tests.drivers.litert_page import LiteRtPage
from web_tests.models.networks.modern import MODERN, ModernNetwork, inputs_of
from web_tests.models.recipes import Array

MAX_BYTES = 300_000
WEBNN = LoadOptions(webnn=True)
# LiteRT.js runs the first signature by name, which is not the main one of these.
OTHER_FIRST_SIGNATURE = {"language_model"}


def native(content: bytes, network: ModernNetwork) -> tuple[list[Array], list[Array]]:
    """Return the seeded inputs, and native LiteRT's outputs."""
    interpreter = Interpreter(model_content=content)
    for detail, shape in zip(interpreter.get_input_details(), network.resized or (), strict=False):
        interpreter.resize_tensor_input(detail["index"], shape)
    interpreter.allocate_tensors()
    details = interpreter.get_input_details()
    inputs = inputs_of([(row["name"], tuple(row["shape"]), row["dtype"]) for row in details])
    for detail, array in zip(details, inputs, strict=True):
        interpreter.set_tensor(detail["index"], array)
    interpreter.invoke()
    return inputs, [interpreter.get_tensor(row["index"]) for row in interpreter.get_output_details()]


def where(report: dict[str, Any]) -> tuple[str, int, int]:
    totals = report["totals"]
    return report["executionMode"], totals["delegatedNodes"], totals["nodes"]


@pytest.mark.parametrize("options", [WEBNN, CPU], ids=["webnn", "cpu"])
@pytest.mark.parametrize("name", MODERN)
def test_modern_networks_match_native_litert(webnn: Harness, name: str, options: LoadOptions) -> None:
    network = MODERN[name]
    content = network.make()
    assert len(content) < MAX_BYTES
    inputs, expected = native(content, network)
    loaded = webnn.load(content, options)
    if network.resized is not None:
        loaded.resize([list(shape) for shape in network.resized])
    assert_within_tolerance(loaded.run(inputs, shapes=True), expected, network)
    if options is WEBNN:
        assert where(loaded.report_now()) == (network.mode, network.on_webnn, network.nodes)


def assert_within_tolerance(outputs: Sequence[Array], expected: Sequence[Array], network: ModernNetwork) -> None:
    for found, array in zip(outputs, expected, strict=True):
        assert (found.shape, found.dtype) == (array.shape, array.dtype)
        distance = np.abs(found.astype(np.float64) - array.astype(np.float64)).max()
        assert distance <= network.tolerance * np.ptp(array.astype(np.float64))


@pytest.fixture(scope="module")
def litert() -> Iterator[list[LiteRtPage]]:
    """At most one page with the API of LiteRT.js."""
    pages: list[LiteRtPage] = []
    yield pages
    for page in pages:
        page.page.close()


@pytest.mark.parametrize("accelerator", ["webnn", "wasm"])
@pytest.mark.parametrize("name", [name for name in MODERN if name not in OTHER_FIRST_SIGNATURE])
def test_the_api_of_litert_js_returns_the_same_outputs(
    webnn: Harness, litert: list[LiteRtPage], name: str, accelerator: str
) -> None:
    network = MODERN[name]
    content = network.make()
    inputs, expected = native(content, network)
    with webnn.server.serving() as serve:
        found = litert_page(webnn, litert).run(serve(content), inputs, {"accelerator": accelerator}).outputs
    assert_within_tolerance(found, expected, network)


def litert_page(webnn: Harness, pages: list[LiteRtPage]) -> LiteRtPage:
    browser = webnn.page.context.browser
    assert browser
    if not pages or pages[0].page.context.browser is not browser:
        pages[:] = [LiteRtPage(browser.new_page(), webnn.server, own=True)]
    return pages[0]
