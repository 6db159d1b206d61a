"""The option `cache` in a browser: a second visit without network, and browsers that keep nothing."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page

from support.cache import subresource_integrity
from web_tests.drivers.page_calls import call_script
from web_tests.models.catalogue import all_models
from web_tests.server.server import Server
from web_tests.tests.conftest import first_message

MODEL = all_models()["mlperftiny_kws_int8"]
KEPT_FILES = re.compile(r"\.(wasm|tflite)$")


@pytest.fixture
def page(own_page: Page, server: Server) -> Page:
    own_page.goto(f"{server.origin}/probe.html")
    return own_page


def load(page: Page, loader: str = "page", **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = call_script(page, "offline", "load", loader, f"/models/{MODEL.name}.tflite", options)
    return found


@pytest.mark.parametrize("loader", ["page", "worker"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_second_visit_fetches_neither_model_nor_module(loader: str, threads: int, page: Page, server: Server) -> None:
    first = load(page, loader, numThreads=threads)
    assert first["scores"] == 12
    assert ([f"{server.origin}/models/{MODEL.name}.tflite", "model", len(MODEL.content())]) in first["kept"]
    assert len(first["kept"]) == 2
    page.goto(f"{server.origin}/probe.html")
    page.route(KEPT_FILES, lambda route: route.abort())
    assert load(page, loader, numThreads=threads) == first


def test_without_the_option_a_second_visit_fetches_them(page: Page, server: Server) -> None:
    assert load(page, cache=False)["kept"] == []
    page.route(KEPT_FILES, lambda route: route.abort())
    page.goto(f"{server.origin}/probe.html")
    assert load(page, cache=False)["name"] in {"WasmLoadError", "ModelFetchError"}


def test_deleted_models_are_fetched_again(page: Page) -> None:
    load(page)
    delete = "async (url) => (await import('/package/index.mjs')).deleteCachedModel(url)"
    assert page.evaluate(delete, f"/models/{MODEL.name}.tflite")
    page.route("**/*.tflite", lambda route: route.abort())
    assert load(page)["name"] == "ModelFetchError"


def test_without_disk_space_a_model_runs_with_a_warning(page: Page, server: Server) -> None:
    inspector = page.context.new_cdp_session(page)
    inspector.send("Storage.overrideQuotaForOrigin", {"origin": server.origin, "quotaSize": 1000})
    warnings: list[str] = []
    page.on("console", lambda message: warnings.append(message.text) if message.type == "warning" else None)
    found = load(page)
    assert found == {"scores": 12, "kept": []}
    assert any(re.search(r"tflite-webnn: .*\.tflite is not kept: QuotaExceededError", text) for text in warnings), (
        warnings
    )


def test_the_browser_checks_the_integrity(page: Page, tmp_path: Any) -> None:
    (tmp_path / "model").write_bytes(MODEL.content())
    right = subresource_integrity(tmp_path / "model")
    assert load(page, integrity=right)["scores"] == 12
    wrong = load(page, integrity=f"{right[:-4]}AAAA")
    assert wrong["name"] == "ModelFetchError"
    assert "does the file have the integrity sha384-" in wrong["message"]


def test_the_sample_works_without_its_server(own_page: Page) -> None:
    with Server() as server:
        url = f"{server.origin}/examples/offline/index.html"
        assert first_message(own_page, url, "12") == "12 model,wasm"
    assert first_message(own_page, url, "12") == "12 model,wasm"
