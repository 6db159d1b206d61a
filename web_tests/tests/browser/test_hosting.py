"""The package where people host it: on another origin, under strict policies, in sandboxed frames."""

from typing import Any

import pytest
from playwright.sync_api import Frame, Page

from web_tests.drivers.page_calls import call_script
from web_tests.models import handmade
from web_tests.server.server import ISOLATION_HEADERS, Server
from web_tests.tests.conftest import Serve

CDN_HEADERS = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
POLICIES = {
    "no_workers": {"Content-Security-Policy": "worker-src 'none'"},
    "trusted_types": {"Content-Security-Policy": "require-trusted-types-for 'script'"},
}
VALUES = [0, 2, 7, 14]


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


def call(page: Page | Frame, name: str, cdn: Server, *arguments: Any) -> Any:
    return call_script(page, "hosting", name, cdn.origin, *arguments)


def test_the_polyfill_of_another_origin_computes_in_its_worker(own_page: Page, serve: Serve, cdn: Server) -> None:
    page = open_page(own_page, serve, {})
    assert call(page, "polyfill", cdn) == {"values": VALUES, "warned": []}
    assert call(page, "polyfillOfScriptTag", cdn) == VALUES


def test_the_polyfill_of_another_origin_computes_in_a_worker_created_from_a_blob(
    own_page: Page, serve: Serve, cdn: Server
) -> None:
    assert call(open_page(own_page, serve, {}), "polyfillInWorker", cdn) == VALUES


@pytest.mark.parametrize("policy", POLICIES)
def test_without_workers_the_polyfill_computes_in_the_page_and_warns_once(
    own_page: Page, serve: Serve, cdn: Server, policy: str
) -> None:
    found: dict[str, Any] = call(open_page(own_page, serve, POLICIES[policy]), "polyfill", cdn)
    assert found["values"] == VALUES
    (warning,) = found["warned"]
    assert "the page's thread" in warning


def test_in_a_sandboxed_frame_the_polyfill_computes_in_the_frame(own_page: Page, serve: Serve, cdn: Server) -> None:
    found: dict[str, Any] = call(sandboxed(own_page, serve, cdn), "polyfill", cdn)
    assert found["values"] == VALUES
    (warning,) = found["warned"]
    assert "the page's thread" in warning


def test_a_model_runs_in_a_worker_of_another_origin(own_page: Page, serve: Serve, cdn: Server) -> None:
    assert call(open_page(own_page, serve, {}), "runInWorker", cdn) == 8


def test_a_worker_in_a_sandboxed_frame_is_an_error_of_the_package(own_page: Page, serve: Serve, cdn: Server) -> None:
    name, message = call(sandboxed(own_page, serve, cdn), "runInWorker", cdn)
    assert name == "WorkerFailedError", message


@pytest.mark.parametrize("policy", POLICIES)
def test_a_forbidden_worker_is_an_error_of_the_package(own_page: Page, serve: Serve, cdn: Server, policy: str) -> None:
    name, message = call(open_page(own_page, serve, POLICIES[policy]), "runInWorker", cdn)
    assert name == "WorkerFailedError", message
    assert "worker-src" in message


def test_blocking_mode_runs_from_another_origin(own_page: Page, serve: Serve, cdn: Server) -> None:
    assert call(open_page(own_page, serve, ISOLATION_HEADERS), "runBlockingInWorker", cdn) == ["blocking", 8]


@pytest.mark.needs("variants")
def test_threads_start_with_the_package_on_another_origin(own_page: Page, serve: Serve, cdn: Server) -> None:
    page = open_page(own_page, serve, ISOLATION_HEADERS)
    found = call(
        page, "runOnThreads", cdn, "/models/face_detection_short_range.tflite", 128 * 128 * 3, {"device": "cpu"}
    )
    assert found == {"length": 896 * 16, "threads": {"requested": 2, "used": 2, "reason": None}}


@pytest.mark.needs("variants")
@pytest.mark.parametrize("policy", POLICIES)
def test_forbidden_threads_leave_one_thread(own_page: Page, serve: Serve, cdn: Server, policy: str) -> None:
    page = open_page(own_page, serve, {**ISOLATION_HEADERS, **POLICIES[policy]})
    found = call(page, "runOnThreads", cdn, "/exchange/sin", 8, {})
    assert (found["length"], found["threads"]["used"]) == (8, 1)
    reason = found["threads"]["reason"]
    assert "a thread could not be started" in reason or "Failed to construct 'Worker'" in reason


@pytest.mark.parametrize("sources", ["blob:", "blob: {cdn}"])
def test_a_policy_decides_about_workers_of_another_origin(
    own_page: Page, serve: Serve, cdn: Server, sources: str
) -> None:
    policy = f"script-src 'self' 'unsafe-eval' 'wasm-unsafe-eval' {cdn.origin}; worker-src {sources}"
    page = open_page(own_page, serve, {"Content-Security-Policy": policy.replace("{cdn}", cdn.origin)})
    found = call(page, "runInWorker", cdn)
    assert found == 8 if "{cdn}" in sources else found[0] == "WorkerFailedError"


def test_a_worker_in_a_shared_worker_is_an_error_of_the_package(own_page: Page, serve: Serve, cdn: Server) -> None:
    name, message = call(open_page(own_page, serve, {}), "runInSharedWorker", cdn)
    assert name == "WorkerFailedError", message
    assert "no SharedWorker" in message


def test_a_policy_that_forbids_the_download_is_named(own_page: Page, serve: Serve, cdn: Server) -> None:
    page = open_page(own_page, serve, {"Content-Security-Policy": "connect-src 'self'"})
    name, message = call(page, "preloadError", cdn)
    assert name == "WasmLoadError"
    assert "CORS, connect-src" in message


def test_a_classic_script_that_is_imported_sets_its_global(own_page: Page, server: Server) -> None:
    own_page.goto(f"{server.origin}/probe.html")
    for script, name in {"tflite_webnn.js": "tfliteWebnn", "webnn_polyfill.js": "webnnPolyfill"}.items():
        imported = "async ([script, name]) => { await import(`/package/${script}`); return typeof globalThis[name]; }"
        assert own_page.evaluate(imported, [script, name]) == "object"


def test_a_policy_that_forbids_wasm_is_named(own_page: Page, serve: Serve, cdn: Server) -> None:
    page = open_page(own_page, serve, {"Content-Security-Policy": f"script-src 'self' {cdn.origin}"})
    name, message = call(page, "loadError", cdn)
    assert name == "WasmLoadError"
    assert "'wasm-unsafe-eval'" in message
    assert "variant directories" not in message


def test_models_run_in_a_classic_worker_created_from_a_blob(own_page: Page, serve: Serve, cdn: Server) -> None:
    assert call(open_page(own_page, serve, ISOLATION_HEADERS), "runInClassicWorker", cdn) == [8, 8, "blocking"]
