"""The package where people host it: on another origin, under strict policies, in sandboxed frames."""

from typing import Any

import pytest
from playwright.sync_api import Frame, Page

from web_tests.models import handmade
from web_tests.server.server import ISOLATION_HEADERS, Server
from web_tests.tests.conftest import Serve

CDN_HEADERS = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
POLICIES = {
    "no_workers": {"Content-Security-Policy": "worker-src 'none'"},
    "trusted_types": {"Content-Security-Policy": "require-trusted-types-for 'script'"},
}
# Starts the polyfill, and computes relu(a x b + c); `warned` has what the console was told.
POLYFILL = """async (cdn) => {
    const warned = [];
    console.warn = (text) => warned.push(text);
    const { install } = await import(`${cdn}/package/polyfill.mjs`);
    await import(`${cdn}/polyfill_run.js`);
    await install({ force: true });
    const { values } = await runOnWebnn();
    await runOnWebnn();
    return { values, warned };
}"""
VALUES = [0, 2, 7, 14]
# The same by a script tag without `crossorigin`.
SCRIPT_TAG = """async (cdn) => {
    const load = (src) => new Promise((onload, onerror) => {
        document.head.append(Object.assign(document.createElement('script'), { src, onload, onerror }));
    });
    await load(`${cdn}/package/webnn_polyfill.js`);
    await webnnPolyfill.install({ force: true });
    return (await runOnWebnn()).values;
}"""
WORKER = """async ([cdn, url, options]) => {
    const { TFLiteWorker } = await import(`${cdn}/package/worker.mjs`);
    try {
        const worker = new TFLiteWorker();
        const model = await worker.loadTFLiteModel(url, options);
        const [{ data }] = await model.run(new Float32Array(8));
        return data.length;
    } catch (error) {
        return [error.name, error.message];
    }
}"""
# A worker of the page's own origin loads a model in blocking mode.
BLOCKING = """(cdn) => new Promise((resolve) => {
    const source = `
        import { loadTFLiteModel } from '${cdn}/package/index.mjs';
        const webnnDelegateOptions = { blocking: true, ignorePartitionCost: true };
        loadTFLiteModel('${cdn}/exchange/sin', { enableWebnnDelegate: true, webnnDelegateOptions }).then(
            (model) => postMessage([model.executionMode, model.runSync(new Float32Array(8))[0].data.length]),
            (error) => postMessage([error.name, error.message]));`;
    const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })), { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => resolve(['error', message]);
})"""


@pytest.fixture
def cdn(serve: Serve) -> Server:
    """Another origin that has the package."""
    server = serve(headers=CDN_HEADERS)
    server.mailbox.put("sin", handmade.sin_example())
    return server


def open_page(page: Page, serve: Serve, headers: dict[str, str]) -> Page:
    page.goto(f"{serve(headers=headers).origin}/probe.html")
    return page


def sandboxed(page: Page, serve: Serve, cdn: Server) -> Frame:
    """A frame without an origin of its own."""
    open_page(page, serve, {})
    page.set_content(f'<iframe sandbox="allow-scripts" src="{cdn.origin}/probe.html"></iframe>')
    frame = page.frames[-1]
    frame.wait_for_load_state()
    return frame


def test_the_polyfill_of_another_origin_computes_in_its_worker(own_page: Page, serve: Serve, cdn: Server) -> None:
    page = open_page(own_page, serve, {})
    assert page.evaluate(POLYFILL, cdn.origin) == {"values": VALUES, "warned": []}
    assert page.evaluate(SCRIPT_TAG, cdn.origin) == VALUES


def test_the_polyfill_of_another_origin_in_a_worker_created_from_a_blob(
    own_page: Page, serve: Serve, cdn: Server
) -> None:
    page = open_page(own_page, serve, {})
    script = """(cdn) => new Promise((resolve) => {
        const source = `importScripts('${cdn}/package/webnn_polyfill.js', '${cdn}/polyfill_run.js');
            webnnPolyfill.install({ force: true }).then(runOnWebnn).then(
                postMessage, (error) => postMessage({ values: String(error) }));`;
        const worker = new Worker(URL.createObjectURL(new Blob([source])));
        worker.onmessage = ({ data }) => resolve(data.values);
        worker.onerror = ({ message }) => resolve(message);
    })"""
    assert page.evaluate(script, cdn.origin) == VALUES


@pytest.mark.parametrize("policy", POLICIES)
def test_without_workers_the_polyfill_computes_in_the_page_and_warns_once(
    own_page: Page, serve: Serve, cdn: Server, policy: str
) -> None:
    found: dict[str, Any] = open_page(own_page, serve, POLICIES[policy]).evaluate(POLYFILL, cdn.origin)
    assert found["values"] == VALUES
    (warning,) = found["warned"]
    assert "the page's thread" in warning


def test_in_a_sandboxed_frame_the_polyfill_computes_in_the_frame(own_page: Page, serve: Serve, cdn: Server) -> None:
    found: dict[str, Any] = sandboxed(own_page, serve, cdn).evaluate(POLYFILL, cdn.origin)
    assert found["values"] == VALUES
    (warning,) = found["warned"]
    assert "the page's thread" in warning


def test_a_worker_of_another_origin(own_page: Page, serve: Serve, cdn: Server) -> None:
    page = open_page(own_page, serve, {})
    assert page.evaluate(WORKER, [cdn.origin, f"{cdn.origin}/exchange/sin", {}]) == 8


def test_a_worker_in_a_sandboxed_frame_is_an_error_of_the_package(own_page: Page, serve: Serve, cdn: Server) -> None:
    frame = sandboxed(own_page, serve, cdn)
    name, message = frame.evaluate(WORKER, [cdn.origin, f"{cdn.origin}/exchange/sin", {}])
    assert name == "WorkerFailedError", message


@pytest.mark.parametrize("policy", POLICIES)
def test_a_forbidden_worker_is_an_error_of_the_package(own_page: Page, serve: Serve, cdn: Server, policy: str) -> None:
    page = open_page(own_page, serve, POLICIES[policy])
    name, message = page.evaluate(WORKER, [cdn.origin, f"{cdn.origin}/exchange/sin", {}])
    assert name == "WorkerFailedError", message
    assert "worker-src" in message


def test_blocking_mode_from_another_origin(own_page: Page, serve: Serve, cdn: Server) -> None:
    page = open_page(own_page, serve, ISOLATION_HEADERS)
    assert page.evaluate(BLOCKING, cdn.origin) == ["blocking", 8]


@pytest.mark.needs("variants")
def test_threads_start_with_the_package_on_another_origin(own_page: Page, serve: Serve, cdn: Server) -> None:
    page = open_page(own_page, serve, ISOLATION_HEADERS)
    script = """async (cdn) => {
        const { loadTFLiteModel } = await import(`${cdn}/package/index.mjs`);
        const options = { device: 'cpu', numThreads: 2 };
        const model = await loadTFLiteModel(`${cdn}/models/face_detection_short_range.tflite`, options);
        const [{ data }] = await model.run(new Float32Array(128 * 128 * 3));
        return [data.length, (await model.report()).threads];
    }"""
    assert page.evaluate(script, cdn.origin) == [896 * 16, {"requested": 2, "used": 2, "reason": None}]


@pytest.mark.needs("variants")
@pytest.mark.parametrize("policy", POLICIES)
def test_forbidden_threads_leave_one_thread(own_page: Page, serve: Serve, cdn: Server, policy: str) -> None:
    page = open_page(own_page, serve, {**ISOLATION_HEADERS, **POLICIES[policy]})
    script = """async (cdn) => {
        const { loadTFLiteModel } = await import(`${cdn}/package/index.mjs`);
        const model = await loadTFLiteModel(`${cdn}/exchange/sin`, { numThreads: 2 });
        const [{ data }] = await model.run(new Float32Array(8));
        const { used, reason } = (await model.report()).threads;
        return [data.length, used, reason];
    }"""
    length, used, reason = page.evaluate(script, cdn.origin)
    assert (length, used) == (8, 1)
    assert "a thread could not be started" in reason or "Failed to construct 'Worker'" in reason


@pytest.mark.parametrize("sources", ["blob:", "blob: {cdn}"])
def test_a_policy_for_workers_of_another_origin(own_page: Page, serve: Serve, cdn: Server, sources: str) -> None:
    policy = f"script-src 'self' 'unsafe-eval' 'wasm-unsafe-eval' {cdn.origin}; worker-src {sources}"
    page = open_page(own_page, serve, {"Content-Security-Policy": policy.replace("{cdn}", cdn.origin)})
    found = page.evaluate(WORKER, [cdn.origin, f"{cdn.origin}/exchange/sin", {}])
    assert found == 8 if "{cdn}" in sources else found[0] == "WorkerFailedError"


def test_a_shared_worker_has_no_workers(own_page: Page, serve: Serve, cdn: Server) -> None:
    script = """async ([cdn, script]) => {
        const source = `onconnect = ({ ports: [port] }) => (${script})(['${cdn}', '', {}]).then(
            (found) => port.postMessage(found));`;
        const { port } = new SharedWorker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
        return new Promise((resolve) => { port.onmessage = ({ data }) => resolve(data); });
    }"""
    name, message = open_page(own_page, serve, {}).evaluate(script, [cdn.origin, WORKER])
    assert name == "WorkerFailedError", message
    assert "no SharedWorker" in message


def test_a_policy_that_forbids_the_download_is_named(own_page: Page, serve: Serve, cdn: Server) -> None:
    page = open_page(own_page, serve, {"Content-Security-Policy": "connect-src 'self'"})
    load = """async (cdn) => {
        const { preloadTFLite } = await import(`${cdn}/package/index.mjs`);
        return preloadTFLite().catch(({ name, message }) => [name, message]);
    }"""
    name, message = page.evaluate(load, cdn.origin)
    assert name == "WasmLoadError"
    assert "CORS, connect-src" in message


def test_a_classic_script_that_is_imported_sets_its_global(own_page: Page, server: Server) -> None:
    own_page.goto(f"{server.origin}/probe.html")
    for script, name in {"tflite_webnn.js": "tfliteWebnn", "webnn_polyfill.js": "webnnPolyfill"}.items():
        imported = "async ([script, name]) => { await import(`/package/${script}`); return typeof globalThis[name]; }"
        assert own_page.evaluate(imported, [script, name]) == "object"


def test_a_policy_that_forbids_wasm_is_named(own_page: Page, serve: Serve, cdn: Server) -> None:
    page = open_page(own_page, serve, {"Content-Security-Policy": f"script-src 'self' {cdn.origin}"})
    load = """async (cdn) => {
        const { loadTFLiteModel } = await import(`${cdn}/package/index.mjs`);
        return loadTFLiteModel(`${cdn}/exchange/sin`).catch(({ name, message }) => [name, message]);
    }"""
    name, message = page.evaluate(load, cdn.origin)
    assert name == "WasmLoadError"
    assert "'wasm-unsafe-eval'" in message
    assert "variant directories" not in message


def test_models_in_a_classic_worker_created_from_a_blob(own_page: Page, serve: Serve, cdn: Server) -> None:
    page = open_page(own_page, serve, ISOLATION_HEADERS)
    script = """(cdn) => new Promise((resolve) => {
        const source = `importScripts('${cdn}/package/tflite_webnn.js');
            const lengths = async () => {
                const here = await tfliteWebnn.loadTFLiteModel('${cdn}/exchange/sin');
                const there = await new tfliteWebnn.TFLiteWorker().loadTFLiteModel('${cdn}/exchange/sin');
                const webnnDelegateOptions = { blocking: true, ignorePartitionCost: true };
                const blocking = { enableWebnnDelegate: true, webnnDelegateOptions };
                const { executionMode } = await tfliteWebnn.loadTFLiteModel('${cdn}/exchange/sin', blocking);
                const x = new Float32Array(8);
                return [(await here.run(x))[0].data.length, (await there.run(x))[0].data.length, executionMode];
            };
            lengths().then(postMessage, (error) => postMessage(String(error)));`;
        const worker = new Worker(URL.createObjectURL(new Blob([source])));
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => resolve(message);
    })"""
    assert page.evaluate(script, cdn.origin) == [8, 8, "blocking"]
