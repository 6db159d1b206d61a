"""The polyfill in pages and workers of each engine, as a classic script and as a module; its interfaces and rules."""

from typing import Any

import pytest

from support.npm import JS_DIR, run_tool
from web_tests.browsers.page import EnginePage
from web_tests.server.server import Server

BROWSER_TESTS = JS_DIR / "packages" / "webnn-polyfill" / "tests" / "browser"

# The ways to start it; each returns the result of runOnWebnn in pages/polyfill_run.js.
STARTS = {
    "script_tag": """async () => {
        const load = (src) => new Promise((onload, onerror) => {
            document.head.append(Object.assign(document.createElement('script'), { src, onload, onerror }));
        });
        await load('/package/webnn_polyfill.js');
        await load('/polyfill_run.js');
        await webnnPolyfill.ready;
        return await runOnWebnn();
    }""",
    "module": """async () => {
        const { install } = await import('/package/polyfill.mjs');
        await import('/polyfill_run.js');
        await install();
        return await runOnWebnn();
    }""",
    "classic_worker": """() => new Promise((resolve) => {
        const worker = new Worker('/polyfill_classic_worker.js');
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => resolve(`${message}`);
    })""",
    "module_worker": """() => new Promise((resolve) => {
        const worker = new Worker('/polyfill_module_worker.mjs', { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => resolve(`${message}`);
    })""",
}

# Where the interfaces are compared with the IDL.
IDL_CHECKS = {
    "window": """async () => {
        const { install } = await import('/package/polyfill.mjs');
        await install();
        const script = await (await fetch('/exchange/polyfill_idl_of_page.js')).text();
        return await new Function(`${script}; return tests.problems();`)();
    }""",
    "worker": """() => new Promise((resolve) => {
        const source = `importScripts('${location.origin}/package/webnn_polyfill.js');
            const check = async () => {
                await webnnPolyfill.ready;
                const script = await (await fetch('${location.origin}/exchange/polyfill_idl_of_page.js')).text();
                return await new Function(script + '; return tests.problems();')();
            };
            check().then(postMessage, (error) => postMessage(String(error)));`;
        const worker = new Worker(URL.createObjectURL(new Blob([source])));
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => resolve(message);
    })""",
}


@pytest.fixture
def empty_page(page: EnginePage, server: Server) -> EnginePage:
    page.open(f"{server.origin}/probe.html")
    return page


@pytest.mark.parametrize("start", STARTS)
def test_the_polyfill_computes_however_it_is_started(empty_page: EnginePage, start: str) -> None:
    found: dict[str, Any] = empty_page.evaluate(STARTS[start])
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
@pytest.mark.parametrize("where", IDL_CHECKS)
def test_the_interfaces_are_those_of_the_idl(empty_page: EnginePage, where: str) -> None:
    assert empty_page.evaluate(IDL_CHECKS[where]) == []
