"""The polyfill's engines on WebGPU and WebGL, emulated on the CPU by Chromium: operators and models."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, Playwright

from support.npm import JS_DIR, run_script
from web_tests.browsers import chromium_flags, installed
from web_tests.browsers.installed import BrowserProgram
from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.drivers.polyfill_models import compute_request, with_arrays
from web_tests.models.catalogue import all_models, generated_models
from web_tests.polyfill_cases import CASES
from web_tests.polyfill_cases.case import Case, error_of
from web_tests.polyfill_cases.gpu import gpu_tolerance, is_within_limits, one_of_each
from web_tests.references import native_litert
from web_tests.references.comparison import compare, tolerance
from web_tests.references.inputs import inputs_for
from web_tests.server.server import Server
from web_tests.tests.conftest import watched

EngineName = Literal["webgpu", "webgl"]
ENGINES: tuple[EngineName, ...] = ("webgpu", "webgl")

SCRIPT = JS_DIR / "packages" / "webnn-polyfill" / "tests" / "browser" / "computation.ts"

# Kernels are compiled and emulated on the CPU: few models, which cover most operators. All float models of models.toml
# were run manually on both engines: entire graphs on the polyfill, within these tolerances.
MODELS: tuple[tuple[EngineName, str], ...] = (
    ("webgpu", "face_detection_short_range"),
    ("webgpu", "u_net"),
    ("webgl", "selfie_segmentation"),
    ("webgl", "oww_embedding"),
)


@pytest.fixture(scope="module")
def gpu_browser(playwright: Playwright, webnn_program: BrowserProgram) -> Iterator[Browser]:
    with installed.launched(playwright, webnn_program, extra_flags=chromium_flags.WEBGPU_FLAGS) as browser:
        yield browser


@pytest.fixture
def gpu_page(gpu_browser: Browser, server: Server) -> Iterator[Page]:
    page = gpu_browser.new_page()
    page.goto(f"{server.origin}/probe.html")
    if not page.evaluate("async () => Boolean(await navigator.gpu?.requestAdapter())"):
        pytest.skip("the browser has no WebGPU here, not even on the CPU")
    yield page
    page.close()


@pytest.fixture
def gpu_harness(gpu_browser: Browser, server: Server) -> Iterator[Harness]:
    harness = Harness(gpu_browser.new_page(), server)
    yield from watched(harness)
    harness.page.close()


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("gpu") / "computation.js"
    run_script("build", "test-script", SCRIPT, file, quiet=True)
    return file


def _problem(case: Case, found: dict[str, Any]) -> str:
    result = with_arrays(found, case.graph("first"))
    if "error" in result:
        return str(result["error"])
    errors = [error_of(*pair, gpu_tolerance(case)) for pair in zip(result["outputs"], case.expected, strict=True)]
    return "; ".join(filter(None, errors))


# WebGL takes longer to compile kernels: it gets the first case of each operator.
@pytest.mark.parametrize(("engine", "cases"), [("webgpu", CASES), ("webgl", one_of_each(CASES))], ids=ENGINES)
def test_each_operator_on_the_gpu_agrees_with_numpy(
    gpu_page: Page, script: Path, engine: EngineName, cases: Sequence[Case]
) -> None:
    """Every operator, with its first operand as an input and the others as constants."""
    requests = [compute_request(case.graph("first"), case.inputs("first")) for case in cases]
    results = list(zip(cases, computed(gpu_page, script, engine, requests), strict=True))
    taken = [(case, found) for case, found in results if is_within_limits(case, found)]
    problems = {case.name: _problem(case, found) for case, found in taken}
    assert {name: problem for name, problem in problems.items() if problem} == {}
    assert {case.op for case, _ in taken} == {case.op for case in CASES}


def computed(page: Page, script: Path, engine: EngineName, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    page.add_script_tag(path=script)
    compute = "(provided) => computation.computeOnGpu('/package/polyfill.mjs', ...provided)"
    results: list[dict[str, Any]] = page.evaluate(compute, [engine, requests])
    return results


@pytest.mark.parametrize(("engine", "name"), MODELS)
def test_a_model_on_the_gpu_agrees_with_native_litert(gpu_harness: Harness, engine: EngineName, name: str) -> None:
    model = {**all_models(), **generated_models()}[name]
    loaded = gpu_harness.load(f"/models/{name}.tflite", LoadOptions(webnn_options={"polyfill": engine}))
    assert (loaded.execution_mode, loaded.cpu_reasons()) == ("direct", {})
    inputs = inputs_for(model)
    row = tolerance("gpu", name)
    expected = native_litert.outputs_of(model.content(), inputs)
    assert compare(loaded.run(inputs), expected).relative <= row.relative_to_range, row.why
