"""The polyfill in pages and workers of each engine, as a classic script and as a module."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from js.node import JS_DIR, run_tool
from web_tests.engines.page import EnginePage
from web_tests.server import Server

CASES = JS_DIR / "webnn-polyfill" / "tests" / "browser" / "cases.ts"
GLOBAL = "polyfillCases"

# How each is started; the result is that of runOnWebnn in pages/polyfill_run.js.
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


@pytest.fixture
def empty_page(page: EnginePage, server: Server) -> EnginePage:
    page.open(f"{server.origin}/probe.html")
    return page


@pytest.mark.parametrize("start", STARTS)
def test_it_computes(empty_page: EnginePage, start: str) -> None:
    answer: dict[str, Any] = empty_page.evaluate(STARTS[start])
    assert answer == {
        "engine": "tflite",
        "values": [0, 2, 7, 14],
        "lost": "The context was lost because destroy() was called.",
        "builder": "[object MLGraphBuilder]",
        "names": [],
    }


def test_all_operators_follow_the_rules(empty_page: EnginePage, server: Server, tmp_path: Path) -> None:
    script = tmp_path / "cases.js"
    run_tool("esbuild", CASES, "--bundle", "--format=iife", f"--global-name={GLOBAL}", f"--outfile={script}")
    server.letters.put("polyfill_cases", script.read_bytes())
    answer = empty_page.evaluate(
        f"""async () => {{
            const script = await (await fetch('/exchange/polyfill_cases')).text();
            return await new Function(`${{script}}; return {GLOBAL}.failingCases();`)();
        }}"""
    )
    assert answer["failing"] == []
    assert answer["count"] > 1000
