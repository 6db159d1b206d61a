"""The polyfill's rules beside those of a browser's own WebNN: the same calls, the same shapes, the same errors.

The calls are those of js/webnn-polyfill/tests/cases. An engine that computes nothing stands behind the polyfill, with
the limits of the browser's context.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from js.node import JS_DIR, run_tool
from web_tests.server import Server

COMPARISON = JS_DIR / "webnn-polyfill" / "tests" / "browser" / "comparison.ts"
GLOBAL = "polyfillComparison"

# Where the polyfill follows the specification and Chromium 147 does not.
DIFFERENCES = {
    "build: an empty name": "it has another error, InvalidStateError",
    "constant: a constant tensor": "it has no constant tensors here: NotSupportedError",
    "conv2d: groups that do not divide the output": "it takes them; Chromium 150 does not, and there is no result",
    "createConstantTensor: other ones": "it has no constant tensors here: NotSupportedError",
    "createConstantTensor: values": "it has no constant tensors here: NotSupportedError",
    "pad: a bigint value of integers": "it takes no bigint where the IDL has (bigint or unrestricted double)",
    "prelu: an input that is broadcast": "it broadcasts the slope only, not both ways",
}


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The calls, with the polyfill, as one classic script."""
    file = tmp_path_factory.mktemp("polyfill") / "comparison.js"
    run_tool("esbuild", COMPARISON, "--bundle", "--format=iife", f"--global-name={GLOBAL}", f"--outfile={file}")
    return file


@pytest.fixture
def page(own_page: Page, server: Server, script: Path) -> Page:
    """A page with the browser's WebNN and the script."""
    own_page.goto(f"{server.origin}/probe.html")
    own_page.add_script_tag(path=script)
    return own_page


@pytest.mark.parametrize("compare", ["compareOperators", "compareCalls"])
def test_outcomes_are_those_of_the_browser(page: Page, compare: str) -> None:
    rows = page.evaluate(f"() => {GLOBAL}.{compare}()")
    assert len(rows) > 50
    differing = {
        row["call"]: (row["native"], row["polyfill"])
        for row in rows
        if row["native"] != row["polyfill"] and row["call"] not in DIFFERENCES
    }
    assert differing == {}
