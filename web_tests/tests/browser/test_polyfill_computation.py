"""Every operator on the browser's own WebNN and on the polyfill, in the same page, compared with numpy."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from support.npm import JS_DIR, run_script
from web_tests.drivers.polyfill_models import compute_request, with_arrays
from web_tests.polyfill_cases import CASES
from web_tests.polyfill_cases.case import Case, error_of
from web_tests.server.server import Server

SCRIPT = JS_DIR / "packages" / "webnn-polyfill" / "tests" / "browser" / "computation.ts"
# Graphs per message to the page.
CASES_PER_BATCH = 50

# Results of Chromium 147 that deviate from the specification.
_PADDING = "pads with zeros, which are then elements like others"
_TIES = "of two elements equally near selects the second"
DIFFERENCES = {
    "averagePool2d_padding": _PADDING,
    "averagePool2d_sizes": _PADDING,
    "erf_float16": "approximates erf by a polynomial whose absolute error is small",
    "l2Pool2d_float16": _PADDING,
    "l2Pool2d_same": _PADDING,
    "l2Pool2d_same_strides": _PADDING,
    "maxPool2d_padding": _PADDING,
    "maxPool2d_sizes": _PADDING,
    "pow_int32": "leaves zeros where one of the exponents is negative",
    "reduceLogSumExp_large": "overflows",
    "resample2d_nearest-neighbor_(0, 1)": _TIES,
    "resample2d_nearest-neighbor_(0, 3)": _TIES,
    "resample2d_nearest-neighbor_(1, 2)": _TIES,
    "resample2d_nearest-neighbor_(2, 1)": _TIES,
    "resample2d_nearest-neighbor_half": _TIES,
    "softplus_small": "adds 1 to what is too small for that",
    "triangular_special": "multiplies by zeros, which leaves what is no number",
}


# Cases that crash Chromium 147's GPU process, and WebNN with it.
CRASHES = {"div_int32_lowest_by_minus_one"}


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("polyfill") / "computation.js"
    run_script("build", "test-script", SCRIPT, file, quiet=True)
    return file


@pytest.fixture
def page(own_page: Page, server: Server, script: Path) -> Page:
    own_page.goto(f"{server.origin}/probe.html")
    own_page.add_script_tag(path=script)
    return own_page


@pytest.fixture(scope="module")
def results() -> dict[str, dict[str, Any]]:
    """Return the result of each case, filled by the first test that requests it."""
    return {}


@pytest.fixture
def computed(page: Page, results: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the results of native WebNN and of the polyfill for each case."""
    for first in range(0, 0 if results else len(CASES), CASES_PER_BATCH):
        cases = CASES[first : first + CASES_PER_BATCH]
        requests = [compute_request(case.graph(), case.inputs()) for case in cases]
        crashing = [index for index, case in enumerate(cases) if case.name in CRASHES]
        both = page.evaluate(
            "([url, requests, crashing]) => computation.computeOnBoth(url, requests, crashing)",
            ["/package/polyfill.mjs", requests, crashing],
        )
        results.update({case.name: pair for case, pair in zip(cases, both, strict=True)})
    return results


def _problem(case: Case, found: dict[str, Any]) -> str:
    result = with_arrays(found, case.graph())
    if "error" in result:
        return str(result["error"])
    errors = [error_of(*pair, case.tolerance) for pair in zip(result["outputs"], case.expected, strict=True)]
    return "; ".join(filter(None, errors))


def test_the_polyfill_computes_what_numpy_does(computed: dict[str, dict[str, Any]]) -> None:
    problems = {case.name: _problem(case, computed[case.name]["polyfill"]) for case in CASES}
    assert {name: problem for name, problem in problems.items() if problem} == {}


def test_native_webnn_computes_the_same_where_it_computes(computed: dict[str, dict[str, Any]]) -> None:
    requested = [case for case in CASES if case.name not in CRASHES]
    taken = [case for case in requested if "error" not in computed[case.name]["native"]]
    different = {case.name for case in taken if _problem(case, computed[case.name]["native"])}
    assert different == set(DIFFERENCES)
    assert {case.op for case in taken} == {case.op for case in CASES}
