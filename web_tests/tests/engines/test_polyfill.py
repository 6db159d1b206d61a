"""The polyfill in pages and workers of each engine, as a classic script and as a module; its interfaces and rules."""

from typing import Any

import pytest

from support.npm import JS_DIR, run_tool
from web_tests.browsers.page import EnginePage
from web_tests.drivers.page_calls import call_script
from web_tests.server.server import Server

BROWSER_TESTS = JS_DIR / "packages" / "webnn-polyfill" / "tests" / "browser"

# The ways to start it: a function of pages/tests/polyfill.mjs, which returns the result of runOnWebnn in
# pages/polyfill_run.js, and its arguments.
STARTS: dict[str, tuple[Any, ...]] = {
    "script_tag": ("run", "installScript"),
    "module": ("run", "installModule"),
    "classic_worker": ("runInWorker", "/polyfill_classic_worker.js", {}),
    "module_worker": ("runInWorker", "/polyfill_module_worker.mjs", {"type": "module"}),
}


@pytest.fixture
def empty_page(page: EnginePage, server: Server) -> EnginePage:
    page.open(f"{server.origin}/probe.html")
    return page


@pytest.mark.parametrize("start", STARTS)
def test_the_polyfill_computes_however_it_is_started(empty_page: EnginePage, start: str) -> None:
    found: dict[str, Any] = call_script(empty_page, "polyfill", *STARTS[start])
    assert found == {
        "engine": "tflite",
        "values": [0, 2, 7, 14],
        "lost": "The context was lost because destroy() was called.",
        "builder": "[object MLGraphBuilder]",
        "names": [],
    }


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory, server: Server) -> None:
    """The tests of browser_tests as scripts at /exchange/, each with its exports in the global `tests`."""
    directory = tmp_path_factory.mktemp("polyfill")
    for name in ("cases", "idl_of_page"):
        file = directory / f"{name}.js"
        options = ["--bundle", "--format=iife", "--global-name=tests", "--loader:.idl=text", f"--outfile={file}"]
        run_tool("esbuild", BROWSER_TESTS / f"{name}.ts", *options)
        server.mailbox.put(f"polyfill_{name}.js", file.read_bytes())


@pytest.mark.usefixtures("scripts")
def test_all_operators_follow_the_rules(empty_page: EnginePage) -> None:
    found = empty_page.evaluate(
        """async () => {
            const script = await (await fetch('/exchange/polyfill_cases.js')).text();
            return await new Function(`${script}; return tests.failingCases();`)();
        }"""
    )
    assert found["failing"] == []
    assert found["count"] > 1000


@pytest.mark.usefixtures("scripts")
@pytest.mark.parametrize("where", ["Window", "Worker"])
def test_the_interfaces_are_those_of_the_idl(empty_page: EnginePage, where: str) -> None:
    assert call_script(empty_page, "polyfill", f"problemsIn{where}") == []
