"""The polyfill's rules compared with a browser's own WebNN: the same calls, shapes and errors.

The calls are those of js/packages/webnn-polyfill/tests/cases. The polyfill has an engine that computes nothing, with
the limits of the browser's context.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from support.npm import JS_DIR, run_tool
from web_tests.server.server import Server

BROWSER_TESTS = JS_DIR / "packages" / "webnn-polyfill" / "tests" / "browser"
# Scripts, and the globals with their exports.
SCRIPTS = {"comparison": "comparison", "idl_of_page": "idl"}

# Deviations of Chromium 147 from the specification, or from the W3C's tests.
_RANK = "it wants as many axes as the input has; the W3C's tests have fewer, which are broadcast"
_AXIS = "it wants an axis; the W3C's tests leave it out for matrices"
DIFFERENCES = {
    "build: an empty name": "it has another error, InvalidStateError",
    "clamp: a bigint bound of bytes": "it takes bigints for all integers; the W3C's tests do not want them",
    "clamp: bigint bounds of small integers": "it takes bigints for all integers; the W3C's tests do not want them",
    "constant: a constant tensor": "it has no constant tensors here: NotSupportedError",
    "conv2d: groups that do not divide the output": "it takes them; Chromium 150 does not, and there is no result",
    "createConstantTensor: other ones": "it has no constant tensors here: NotSupportedError",
    "createConstantTensor: values": "it has no constant tensors here: NotSupportedError",
    "dequantizeLinear: a scalar for all": _RANK,
    "dequantizeLinear: fewer axes": _RANK,
    "pad: a bigint value of integers": "it takes no bigint where the IDL has (bigint or unrestricted double)",
    "quantizeLinear: fewer axes": _RANK,
    "quantizeLinear: four bits": "it has no int4 here",
    "softmax: no axis": _AXIS,
    "softmax: no axis, and a label": _AXIS,
    "prelu: an input that is broadcast": "it broadcasts the slope only, not both ways",
}

# Chromium 147 follows an older IDL: one method returns a promise, the other is missing.
OF_ANOTHER_IDL = ("MLContext.prototype.exportToGPU", "MLContext.prototype.accelerated")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The calls, with the polyfill, and the check of interfaces, as classic scripts with a global each."""
    folder = tmp_path_factory.mktemp("polyfill")
    files = [folder / f"{name}.js" for name in SCRIPTS]
    for file, global_name in zip(files, SCRIPTS.values(), strict=True):
        options = ["--bundle", "--format=iife", f"--global-name={global_name}", "--loader:.idl=text"]
        run_tool("esbuild", BROWSER_TESTS / f"{file.stem}.ts", *options, f"--outfile={file}")
    return files


@pytest.fixture
def page(own_page: Page, server: Server, scripts: list[Path]) -> Page:
    own_page.goto(f"{server.origin}/probe.html")
    for script in scripts:
        own_page.add_script_tag(path=script)
    return own_page


@pytest.mark.parametrize("compare", ["compareOperators", "compareCalls"])
def test_outcomes_are_those_of_the_browser(page: Page, compare: str) -> None:
    rows = page.evaluate(f"() => comparison.{compare}()")
    assert len(rows) > 50
    differing = {
        row["call"]: (row["native"], row["polyfill"])
        for row in rows
        if row["native"] != row["polyfill"] and row["call"] not in DIFFERENCES
    }
    assert differing == {}


def test_the_interfaces_are_those_of_the_idl(page: Page) -> None:
    problems = page.evaluate("() => idl.problems()")
    assert [problem for problem in problems if not problem.removeprefix("new ").startswith(OF_ANOTHER_IDL)] == []
    page.evaluate("async () => (await import('/package/polyfill.mjs')).install({ force: true })")
    assert page.evaluate("() => navigator.ml.polyfill.engine") == "tflite"
    assert page.evaluate("() => idl.problems()") == []
