"""metadata.mjs in a page, and in a service worker, where import() is forbidden."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from web_tests.models import handmade, metadata
from web_tests.server.server import Server, kit_routes

SCRIPT = """
import * as library from '/package/metadata.mjs';

async function outcomeOf({ source, options, call }) {
  try {
    const found = await library[call](source, options);
    return call === 'openTaskBundle' ? found.models : [found.name, found.files.map((file) => file.text())];
  } catch (error) {
    return [error.name, error.code, error.message, Object.values(library).some((kind) => error.constructor === kind)];
  }
}
addEventListener('message', async ({ data, ports: [port] }) => port.postMessage(await outcomeOf(data)));
"""
# In the page: what the script downloads and unpacks on demand.
IN_PAGE = """async () => {
    const { openTaskBundle, readModelMetadata, ModelFetchError, NotATFLiteModelError } =
        await import('/package/metadata.mjs');
    const errorOf = (call) => call.then(() => null, (error) => error);
    const scripts = () => performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1)).filter(
        (name) => name.startsWith('metadata'));
    const bytes = await (await fetch('/exchange/stored')).arrayBuffer();
    const names = [(await readModelMetadata(bytes)).name];
    const before = scripts();
    const compressed = await readModelMetadata('/exchange/compressed');
    names.push(compressed.name, compressed.files[0].text(), (await openTaskBundle('/exchange/bundle')).models[0]);
    names.push((await readModelMetadata(new Blob([bytes]), { signal: new AbortController().signal })).name);
    const errors = [await errorOf(readModelMetadata('/exchange/none')),
        await errorOf(readModelMetadata('/exchange/text')),
        await errorOf(readModelMetadata(new TextEncoder().encode('<html>')))];
    const kinds = [ModelFetchError, NotATFLiteModelError, NotATFLiteModelError];
    return { names, before, after: scripts().length, errors: errors.map(({ message }) => message),
        own: errors.map((error, index) => error instanceof kinds[index]) };
}"""
# In the worker: reads the file at `address` as `kind`.
READ = """async ({ address, kind, call }) => {
    const script = await navigator.serviceWorker.register('/worker/script.mjs', { type: 'module' });
    const bytes = await (await fetch(address)).arrayBuffer();
    const sources = { bytes, Blob: new Blob([bytes]), URL: new URL(address, location).href };
    const message = { source: sources[kind] ?? bytes, options: kind === 'options' ? {} : undefined, call };
    const { port1, port2 } = new MessageChannel();
    (script.active ?? script.installing ?? script.waiting).postMessage(message, [port2]);
    return new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
}"""


@pytest.fixture
def page(own_page: Page, tmp_path: Path) -> Any:
    (tmp_path / "script.mjs").write_text(SCRIPT)
    routes = {"worker/": lambda path: tmp_path / path, **kit_routes()}
    with Server(routes) as server:
        schema = metadata.schema()
        model = schema.ModelMetadataT(name="sine", subgraphMetadata=[schema.SubGraphMetadataT()])
        for name, compressed in (("stored", False), ("compressed", True)):
            content = metadata.with_metadata(handmade.sin_example(), model, {"a.txt": b"a" * 9}, compressed=compressed)
            server.mailbox.put(name, content)
        server.mailbox.put("bundle", metadata.archive({"sin.tflite": handmade.sin_example()}))
        server.mailbox.put("text", b"<html>nothing of the kind</html>")
        own_page.goto(f"{server.origin}/probe.html")
        yield own_page


def outcome(page: Page, name: str, kind: str, call: str = "readModelMetadata") -> list[Any]:
    result: list[Any] = page.evaluate(READ, {"address": f"/exchange/{name}", "kind": kind, "call": call})
    return result


def test_a_page_downloads_and_unpacks_by_scripts_that_are_loaded_on_demand(page: Page) -> None:
    found = page.evaluate(IN_PAGE)
    assert found["names"] == ["sine", "sine", "a" * 9, "sin.tflite", "sine"]
    assert (found["before"], found["after"]) == (["metadata.mjs"], 3)
    assert found["own"] == [True, True, True]
    fetched, downloaded, provided = found["errors"]
    assert "HTTP 404" in fetched
    for message in (downloaded, provided):
        assert "as an error page does" in message


@pytest.mark.parametrize("kind", ["bytes", "Blob"])
def test_what_is_in_memory_is_read(page: Page, kind: str) -> None:
    assert outcome(page, "stored", kind) == ["sine", ["a" * 9]]
    assert outcome(page, "bundle", kind, "openTaskBundle") == ["sin.tflite"]


@pytest.mark.parametrize("call", ["readModelMetadata", "openTaskBundle"])
@pytest.mark.parametrize("kind", ["URL", "options"])
def test_what_needs_the_download_says_to_provide_bytes(page: Page, kind: str, call: str) -> None:
    name, code, message, is_exported = outcome(page, "stored", kind, call)
    assert (name, code, is_exported) == ("WasmLoadError", "PACKAGE_FILE_MISSING", True)
    assert "provide bytes, as from `await (await fetch(url)).arrayBuffer()`, without options" in message


def test_compressed_files_say_to_store_them(page: Page) -> None:
    name, code, message, is_exported = outcome(page, "compressed", "bytes")
    assert (name, code, is_exported) == ("WasmLoadError", "PACKAGE_FILE_MISSING", True)
    assert "Service workers cannot unpack files: store them (zip -0)" in message


def test_wrong_bytes_are_rejected_as_such(page: Page) -> None:
    assert outcome(page, "text", "bytes")[:2] == ["NotATFLiteModelError", "NOT_A_TFLITE_MODEL"]
    assert outcome(page, "text", "bytes", "openTaskBundle")[0] == "ArchiveError"
