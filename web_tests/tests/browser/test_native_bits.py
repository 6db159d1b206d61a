"""Models on the CPU have native LiteRT's bits: quantized ones, whichever kernels the engine's dot product selects, and
float ones with relaxed SIMD.

Without AVX-VNNI, V8 is as on processors that lack it; on those, and on Arm, both engines here are the same.
"""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import pytest
from playwright.sync_api import Playwright

from tools.bench.result import machine_info
from web_tests.browsers import installed
from web_tests.browsers.installed import BrowserProgram
from web_tests.browsers.playwright_pages import PlaywrightPage
from web_tests.drivers.harness import LoadOptions, PageHarness
from web_tests.models.catalogue import Model, known_models
from web_tests.models.recipes import SEED, Array
from web_tests.references import native_litert
from web_tests.references.inputs import inputs_for
from web_tests.server.server import Server

pytestmark = pytest.mark.needs("variants", "webnn")

ENGINES: dict[str, tuple[str, ...]] = {"as_it_is": (), "without_avx_vnni": ("--js-flags=--no-enable-avx-vnni",)}
QUANTIZED = [model for model in known_models().values() if model.quantized]
# Native's default kernels for int16 round otherwise on processors with AVX2 than on others.
REFERENCES: dict[str, native_litert.Kernels] = {"mobilenet_v2_small_16x8": "reference", "u_net_16x8": "reference"}
# Native LiteRT and relaxed SIMD add the same products in the same order, and round them once. Other float models have
# an op that XNNPACK computes differently in wasm: docs/explanation/kernels.md.
FLOAT = (
    "deeplabv3_257",
    "face_detection_full_range",
    "face_detection_short_range",
    "face_landmark_f32",
    "oww_alexa",
    "oww_embedding",
    "palm_detection_lite",
)


@pytest.fixture(scope="module", params=ENGINES.values(), ids=list(ENGINES))
def page(
    request: pytest.FixtureRequest, playwright: Playwright, server: Server, webnn_program: BrowserProgram
) -> Iterator[PageHarness]:
    with installed.launched(playwright, webnn_program, extra_flags=request.param) as browser:
        yield PageHarness(PlaywrightPage(browser.new_page()), server)


def any_values(inputs: Sequence[Array]) -> list[Array]:
    """Return other inputs: bytes of any value, floats between -1 and 1."""
    random = np.random.default_rng(SEED)
    return [
        random.uniform(-1, 1, array.shape).astype(array.dtype)
        if np.issubdtype(array.dtype, np.floating)
        else random.integers(-128, 128, array.shape).astype(array.dtype)
        for array in inputs
    ]


def check_bits(page: PageHarness, model: Model, variants: Sequence[str]) -> None:
    content, known = model.content(), inputs_for(model)
    kernels = REFERENCES.get(model.name, "default")
    for name, threads in product(variants, (1, 2)):
        variant = name if threads == 1 else f"{name}-threads"
        loaded = page.load(content, LoadOptions(webnn=False, extra={"variant": variant, "numThreads": threads}))
        for inputs in (known, any_values(known)):
            outputs = native_litert.outputs_of(content, inputs, kernels=kernels)
            for found, expected in zip(loaded.run(inputs), outputs, strict=True):
                np.testing.assert_array_equal(found, expected, err_msg=variant)
        loaded.dispose()


@pytest.mark.parametrize("model", QUANTIZED, ids=lambda model: model.name)
def test_quantized_models_have_the_bits_of_native_litert(page: PageHarness, model: Model) -> None:
    check_bits(page, model, ("simd", "relaxed-simd"))


@pytest.mark.skipif("fma" not in machine_info().features, reason="fused multiply-add on x86 only is known to be alike")
@pytest.mark.parametrize("name", FLOAT)
def test_float_models_have_the_bits_of_native_litert(page: PageHarness, name: str) -> None:
    check_bits(page, known_models()[name], ("relaxed-simd",))
