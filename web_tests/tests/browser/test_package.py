"""The package in use: installed and bundled by Vite, by a script tag, in a classic worker."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, Page

from support.command import run
from support.npm import MODULES_DIR
from support.paths import PACKAGE_DIR
from wasm.toolchain.variants import built_variants
from web_tests.models import handmade
from web_tests.server.server import PAGES_DIR, Server, kit_routes
from web_tests.tests.conftest import first_message

USE = """
const model = await loadTFLiteModel('/exchange/tiny.tflite', { enableWebnnDelegate: true });
const [scores] = await model.run(new Float32Array(model.inputs[0].shape.reduce((a, b) => a * b)));
await model.metadata; // by a script that is loaded on demand
console.log(model.executionMode, (await model.report()).webnn.reason, scores.data);
"""
SCRIPTS_DIR = PAGES_DIR / "tests"
EXPECTED = "direct null Float32Array(5)"


@pytest.fixture
def page(own_page: Page, server: Server) -> Page:
    """A fresh page, with a model served to it."""
    server.mailbox.put("tiny.tflite", handmade.wide_network())
    return own_page


def bundle(project: Path, script: str) -> Path:
    """Return Vite's bundle of a page whose project has the packed package installed."""
    (project / "package.json").write_text('{ "private": true, "type": "module" }')
    (project / "index.html").write_text(
        '<!doctype html><title>Vite</title><script type="module" src="main.js"></script>'
    )
    (project / "main.js").write_text(script)
    quiet = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    run(["npm", "pack", PACKAGE_DIR, *quiet, "--pack-destination", project], capture=True)
    run(["npm", "install", *quiet, *project.glob("*.tgz")], cwd=project)
    run([MODULES_DIR / ".bin" / "vite", "build", "--base=./"], cwd=project)
    return project / "dist"


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page, bundled without configuration."""
    script = f"import {{ loadTFLiteModel }} from 'tflite-webnn';\n{USE}"
    return bundle(tmp_path_factory.mktemp("project"), script)


def test_a_page_bundled_by_vite_runs_on_webnn(page: Page, bundled: Path) -> None:
    with Server(kit_routes(bundled)) as server:
        server.mailbox.put("tiny.tflite", handmade.wide_network())
        assert first_message(page, f"{server.origin}/package/index.html").startswith(EXPECTED)


def test_a_worker_bundled_by_vite_runs_on_webnn(page: Page, tmp_path: Path) -> None:
    with Server(kit_routes(bundle(tmp_path, (SCRIPTS_DIR / "bundled_worker.js").read_text()))) as server:
        server.mailbox.put("tiny.tflite", handmade.wide_network())
        assert first_message(page, f"{server.origin}/package/index.html").startswith(EXPECTED)


def test_the_blocking_helper_bundled_by_vite_starts(page: Page, tmp_path: Path) -> None:
    shutil.copy(SCRIPTS_DIR / "bundled_blocking_worker.js", tmp_path / "own_worker.js")
    # Vite's default format of workers has no parts, which `tflite-webnn` has.
    (tmp_path / "vite.config.js").write_text("export default { worker: { format: 'es' } };")
    script = """const worker = new Worker(new URL('own_worker.js', import.meta.url), { type: 'module' });
        worker.onmessage = ({ data }) => console.log(...data);"""
    with Server(kit_routes(bundle(tmp_path, script))) as server:
        server.mailbox.put("tiny.tflite", handmade.wide_network())
        assert first_message(page, f"{server.origin}/package/index.html") == "blocking 5"


@pytest.mark.needs("webnn")
def test_a_bundle_carries_only_what_is_imported(bundled: Path) -> None:
    assert [file.name for file in bundled.rglob("*") if "worker" in file.name or "polyfill" in file.name] == []


def test_a_polyfill_that_a_bundle_lacks_is_a_warning_with_the_next_step(page: Page, tmp_path: Path) -> None:
    script = """
        import { loadTFLiteModel } from 'tflite-webnn';
        const webnnDelegateOptions = { polyfill: 'tflite' };
        const model = await loadTFLiteModel('/exchange/tiny.tflite', { webnnDelegateOptions });
        console.log('mode', model.executionMode);"""
    with Server(kit_routes(bundle(tmp_path, script))) as server:
        server.mailbox.put("tiny.tflite", handmade.wide_network())
        messages: list[ConsoleMessage] = []
        page.on("console", lambda message: messages.append(message))
        assert first_message(page, f"{server.origin}/package/index.html", "mode") == "mode cpu"
    (warning,) = (message.text for message in messages if message.type == "warning")
    assert "polyfill.mjs" in warning
    assert "Bundles import tflite-webnn/polyfill" in warning


@pytest.mark.needs("webnn")
def test_vite_carries_the_module_along_once(bundled: Path) -> None:
    modules = (bundled / "assets").glob("*.wasm")
    assert len(list(modules)) == len(built_variants())


def test_the_global_of_the_script_tag_runs_a_model(page: Page, server: Server) -> None:
    body = f'<script src="/package/tflite_webnn.js"></script><script>{in_function("tfliteWebnn")}</script>'
    page.route("**/script.html", lambda route: route.fulfill(body=body, content_type="text/html"))
    assert first_message(page, f"{server.origin}/script.html").startswith(EXPECTED)


def test_a_classic_worker_finds_the_files_next_to_the_script(page: Page, server: Server) -> None:
    # The worker's own URL is a blob's: files next to the script were found by the script's URL.
    use = USE.replace("'/exchange", f"'{server.origin}/exchange")
    worker = f"importScripts('{server.origin}/package/tflite_webnn.js');{in_function('self.tfliteWebnn', use)}"
    body = f"<script>new Worker(URL.createObjectURL(new Blob([{worker!r}])));</script>"
    page.route("**/worker.html", lambda route: route.fulfill(body=body, content_type="text/html"))
    assert first_message(page, f"{server.origin}/worker.html").startswith(EXPECTED)


def in_function(package: str, use: str = USE) -> str:
    """Return a classic script, which has no top-level await."""
    return f"(async () => {{ const {{ loadTFLiteModel }} = {package}; {use} }})();"
