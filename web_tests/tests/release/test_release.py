"""Proves build/release: each file is installed or served as a user would, and runs a model."""

import hashlib
import json
import tarfile
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from support import cache
from support.command import run
from support.npm import package_version, pinned_node
from support.paths import PACKAGE_DIR, artefact_dir
from tools.release import release as release_step
from wasm.toolchain import prebuilt
from wasm.toolchain.variants import packaged_variants
from web_tests.browsers.playwright_pages import PlaywrightPage
from web_tests.drivers.python_page import NUMPY, PythonPage
from web_tests.drivers.tfjs_client import OWN_WASM, TfjsPage
from web_tests.models import handmade
from web_tests.models.catalogue import all_models
from web_tests.references import native_litert
from web_tests.references.inputs import inputs_for
from web_tests.server.server import PAGES_DIR, kit_routes, site_routes
from web_tests.tests.browser.test_models import assert_native_outputs
from web_tests.tests.conftest import CDN_HEADERS, Serve, first_message
from web_tests.tests.pyodide.conftest import SCRIPTS_DIR

pytestmark = pytest.mark.needs("release")

USE = """
const model = await loadTFLiteModel('/model.tflite', { enableWebnnDelegate: true });
const [scores] = await model.run(new Float32Array(model.inputs[0].shape.reduce((a, b) => a * b)));
console.log(model.executionMode, (await model.report()).webnn.reason, scores.data);
"""
EXPECTED = "direct null Float32Array(5)"
IN_NODE = """
import { loadTFLiteModel } from 'tflite-webnn';
const model = await loadTFLiteModel('model.tflite');
console.log(model.executionMode, (await model.run(new Float32Array(768)))[0].data.length);
"""
# What a page loads.
LOADED = {".js", ".mjs", ".wasm"}
QUIET = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]


@pytest.fixture
def installed(release: Path, model: bytes, tmp_path: Path) -> Path:
    """An empty directory into which npm has installed the package, with a model."""
    (tmp_path / "package.json").write_text('{ "private": true, "type": "module" }')
    run(["npm", "install", *QUIET, *release.glob("*.tgz")], cwd=tmp_path)
    (tmp_path / "model.tflite").write_bytes(model)
    return tmp_path


@pytest.fixture(scope="module")
def network(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The npm package's files as a content delivery network serves them."""
    directory = tmp_path_factory.mktemp("network")
    with tarfile.open(next(release.glob("*.tgz"))) as archive:
        archive.extractall(directory, filter="data")
    return directory / "package"


def unpacked(release: Path, name: str, directory: Path) -> Path:
    with zipfile.ZipFile(release / f"tflite-webnn-{name}-{package_version()}.zip") as archive:
        archive.extractall(directory)
    return directory


def page_of(script: str, head: str = "") -> str:
    return f'<!doctype html><title>Proof</title>{head}<script type="module">{script}</script>'


def test_the_npm_package_runs_in_a_page(installed: Path, own_page: Page, serve: Serve) -> None:
    imports = json.dumps({"imports": {"tflite-webnn": "/node_modules/tflite-webnn/index.mjs"}})
    head = f'<script type="importmap">{imports}</script>'
    (installed / "index.html").write_text(page_of(f"import {{ loadTFLiteModel }} from 'tflite-webnn';{USE}", head))
    server = serve(site_routes(installed), headers={})
    requested: list[str] = []
    own_page.on("request", lambda request: requested.append(urlsplit(request.url).path))
    assert first_message(own_page, server.origin).startswith(EXPECTED)
    package = "/node_modules/tflite-webnn/"
    loaded = {path.removeprefix(package) for path in requested if path.startswith(package)}
    assert loaded == {"index.mjs", "relaxed-simd/tflite_webnn.mjs", "relaxed-simd/tflite_webnn.wasm"}


def test_the_npm_package_runs_in_node(installed: Path) -> None:
    (installed / "main.js").write_text(IN_NODE)
    assert run([pinned_node(), "main.js"], cwd=installed, capture=True).split() == ["cpu", "5"]


def test_the_module_loads_from_another_origin(
    network: Path, model: bytes, tmp_path: Path, own_page: Page, serve: Serve
) -> None:
    cdn = serve(site_routes(network), headers=CDN_HEADERS)
    (tmp_path / "model.tflite").write_bytes(model)
    script = f"import {{ loadTFLiteModel }} from '{cdn.origin}/index.mjs';{USE}"
    (tmp_path / "index.html").write_text(page_of(script))
    assert first_message(own_page, serve(site_routes(tmp_path), headers={}).origin).startswith(EXPECTED)


def test_a_script_from_another_origin_runs_with_its_integrity(
    network: Path, release: Path, model: bytes, tmp_path: Path, own_page: Page, serve: Serve
) -> None:
    cdn = serve(site_routes(network), headers=CDN_HEADERS)
    hashes = json.loads((release / release_step.INTEGRITY).read_text())
    integrity = f'integrity="{hashes["tflite_webnn.js"]}" crossorigin="anonymous"'
    head = f'<script src="{cdn.origin}/tflite_webnn.js" {integrity}></script>'
    (tmp_path / "model.tflite").write_bytes(model)
    (tmp_path / "index.html").write_text(page_of(f"const {{ loadTFLiteModel }} = tfliteWebnn;{USE}", head))
    assert first_message(own_page, serve(site_routes(tmp_path), headers={}).origin).startswith(EXPECTED)


def test_it_has_what_the_samples_were_tested_with(network: Path) -> None:
    """Tests of workers, extensions and worklets use build/package: the files that npm packs are the same."""
    packed = {str(file.relative_to(network)): file.read_bytes() for file in network.rglob("*") if file.is_file()}
    assert {"index.mjs", "tflite_cpu.js", "model_worker.mjs", "simd/tflite_webnn.wasm"} <= packed.keys()
    assert [name for name, data in packed.items() if (PACKAGE_DIR / name).read_bytes() != data] == []
    scripts = {str(file.relative_to(PACKAGE_DIR)) for file in PACKAGE_DIR.rglob("*") if file.suffix in LOADED}
    assert scripts - packed.keys() == set()


def test_every_loaded_file_has_its_integrity(network: Path, release: Path) -> None:
    hashes = json.loads((release / release_step.INTEGRITY).read_text())
    assert hashes == release_step.integrity(network)
    assert {f"{variant}/tflite_webnn.wasm" for variant in packaged_variants()} <= hashes.keys()


def test_micropip_installs_the_released_wheel(release: Path, own_page: Page, serve: Serve) -> None:
    server = serve({"release/": lambda name: release / name, **kit_routes()})
    python = PythonPage(PlaywrightPage(own_page), server).start([NUMPY, "micropip"])
    for script in ("installing.py", "assets.py"):
        python.add_module(SCRIPTS_DIR / script)
    wheel = next(release.glob("*.whl"))
    python.write("sin.tflite", handmade.sin_example(8))
    assert python.run("installing.installed", url=f"{server.origin}/release/{wheel.name}") == package_version()
    assert len(python.run("assets.doubled", model="sin.tflite")) == 8


def test_the_released_drop_in_computes_as_native_litert(
    release: Path, tmp_path: Path, own_page: Page, serve: Serve
) -> None:
    directory = unpacked(release, "tfjs-tflite", tmp_path)
    server = serve({OWN_WASM.strip("/") + "/": lambda name: directory / name, **kit_routes(tmp_path / "nothing")})
    model = all_models()["face_detection_short_range"]
    inputs = inputs_for(model)
    client = TfjsPage(PlaywrightPage(own_page), server)
    outputs = client.load(model.name, OWN_WASM).predict(inputs, native_litert.outputs_of(model.content(), inputs))
    assert_native_outputs(model, outputs, inputs, "cpu")


def test_the_released_polyfill_computes_in_a_page(release: Path, tmp_path: Path, own_page: Page, serve: Serve) -> None:
    unpacked(release, "polyfill", tmp_path)
    (tmp_path / "run.js").write_bytes((PAGES_DIR / "polyfill_run.js").read_bytes())
    script = """import './run.js'; import { install } from './polyfill.mjs';
        await install({ force: true });
        const { engine, values } = await runOnWebnn();
        console.log(engine, `${values}`);"""
    (tmp_path / "index.html").write_text(page_of(script))
    assert first_message(own_page, serve(site_routes(tmp_path), headers={}).origin) == "tflite 0,2,7,14"


def test_the_released_site_explores_a_sample_model(release: Path, tmp_path: Path, own_page: Page, serve: Serve) -> None:
    server = serve(site_routes(unpacked(release, "site", tmp_path)), headers={})
    own_page.goto(f"{server.origin}/explorer.html#view=graph")
    own_page.get_by_label("Sample model").select_option("efficientnet_lite0_int8")
    own_page.get_by_text("64 of 64").wait_for()


@pytest.mark.parametrize("variant", packaged_variants())
def test_a_release_has_the_modules_that_other_checkouts_take(release: Path, variant: str) -> None:
    key = json.loads((artefact_dir(variant) / "manifest.json").read_text())["key"]
    files = prebuilt.Prebuilt(str(release)).files_of(variant, key)
    assert files
    for name, content in files.items():
        assert content == (artefact_dir(variant) / name).read_bytes()


def test_the_sums_are_of_all_files(release: Path) -> None:
    listed = sorted(line.split() for line in (release / prebuilt.SUMS).read_text().splitlines())
    files = [file for file in release.iterdir() if file.name != prebuilt.SUMS]
    assert listed == sorted([cache.file_sha256(file), file.name] for file in files)


def test_the_bill_of_materials_names_what_is_inside(release: Path) -> None:
    bill = json.loads(next(release.glob("*.cdx.json")).read_text())
    assert bill["bomFormat"] == "CycloneDX"
    assert bill["metadata"]["component"]["version"] == package_version()
    components = {row["name"]: row for row in bill["components"]}
    assert {"tensorflow", "xnnpack", "wasm-feature-detect"} <= components.keys()
    assert all(row["licenses"] and row["version"] for row in components.values())


def test_the_notes_are_those_of_the_changelog(release: Path) -> None:
    notes = (release / release_step.NOTES).read_text()
    assert notes.startswith(f"# tflite-webnn {package_version()}\n")
    assert "### Added" in notes
    assert "## [" not in notes


def test_two_runs_return_the_same_bytes(release: Path, tmp_path: Path) -> None:
    release_step.make(directory=tmp_path / "again")
    hashes = [
        {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in directory.iterdir()}
        for directory in (release, tmp_path / "again")
    ]
    assert hashes[0] == hashes[1]
