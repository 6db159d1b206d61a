"""The sample apps of js/apps/examples, built as their READMEs say, with the release's npm package.

Each app also imports all entries of the package, runs a model with `tflite-webnn/cpu`, and starts what a bundler has to
find by its address: threads, a worker with threads, the polyfill's worker, and the scripts that read metadata.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Page

from support.command import run
from support.npm import package_version
from support.paths import cache_dir
from web_tests.server.server import EXAMPLES_DIR, site_routes
from web_tests.tests.conftest import Serve, first_message
from web_tests.tests.release.test_release import EXPECTED

pytestmark = [pytest.mark.needs("release"), pytest.mark.timeout(600)]

# Before an app's only message, which then begins with the threads in the page, those in the worker, the polyfill,
# the model's metadata, and the number of results of tflite-webnn/cpu.
USES = """const features = new Float32Array(768);
  const threaded = await loadTFLiteModel('model.tflite', { numThreads: 2 });
  await threaded.run(features);
  await threaded.metadata;
  const read = await entries['tflite-webnn/metadata'].readModelMetadata('model.tflite');
  const address = new URL('model.tflite', document.baseURI);
  const { TFLiteWorker } = entries['tflite-webnn/worker'];
  const there = await new TFLiteWorker().loadTFLiteModel(address, { numThreads: 2 });
  await there.run(features);
  const polyfill = { device: 'webnn', webnnDelegateOptions: { polyfill: 'tflite' } };
  const polyfilled = await loadTFLiteModel('model.tflite', polyfill);
  await polyfilled.run(features);
  const module = await WebAssembly.compileStreaming(fetch('module.wasm'));
  const cpu = entries['tflite-webnn/cpu'].createTFLite({ module });
  const { length } = cpu.loadModel(await (await fetch(address)).arrayBuffer()).predict(features);
  const threadsIn = async (model) => Number((await model.report()).variant.endsWith('-threads')) + 1;
  const { backend } = (await polyfilled.report()).webnn;
  console.log(await threadsIn(threaded), await threadsIn(there), backend, read, length, """
USED = f"2 2 polyfill {package_version()}, tflite null 5 {EXPECTED}"

# The app's configuration, and what its server has to send.
ISOLATED = """import config from './vite.config.js';
const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
export default { ...config, server: { headers } };
"""

SERVER_SECONDS = 60
APPS = sorted(file.parent.name for file in EXAMPLES_DIR.glob("*/package.json"))
# Newer than what the apps pin.
NEWEST = {"rollup": "rollup@4.68.8", "vite": "vite@8.3.8", "webpack": "webpack@5.113.0"}
VERSIONS = [*((app, None) for app in APPS), *NEWEST.items()]


@pytest.mark.parametrize(("app", "newest"), VERSIONS, ids=[newest or app for app, newest in VERSIONS])
def test_a_sample_app_builds_and_runs_from_the_release(
    app: str, newest: str | None, release: Path, model: bytes, tmp_path: Path, own_page: Page, serve: Serve
) -> None:
    directory = install(app, newest, [*release.glob("*.tgz")], tmp_path / app)
    run(["npm", "run", "build"], cwd=directory, env={"NEXT_TELEMETRY_DISABLED": "1"})
    add_files(directory, "dist", model)
    assert message_of(own_page, serve(site_routes(directory / "dist")).origin).startswith(USED)


@pytest.mark.parametrize("newest", [None, NEWEST["vite"]])
def test_a_sample_app_runs_on_the_development_server_of_vite(
    newest: str | None, release: Path, model: bytes, tmp_path: Path, own_page: Page
) -> None:
    directory = install("vite", newest, [*release.glob("*.tgz")], tmp_path / "vite")
    add_files(directory, "public", model)
    with development_server(directory) as address:
        assert message_of(own_page, address).startswith(USED)


def install(app: str, newest: str | None, packages: list[Path], directory: Path) -> Path:
    """Install a copy of the app in `directory`, with the newest version of its bundler if there is one."""
    shutil.copytree(EXAMPLES_DIR / app, directory)
    options = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", f"--cache={cache_dir() / 'npm'}"]
    run(["npm", "install", *options, *packages, *([newest] if newest else [])], cwd=directory)
    use_entries(directory / ("app/scores.js" if app == "next" else "main.js"), entries_for_pages(package_of(directory)))
    return directory


def package_of(directory: Path) -> Path:
    return directory / "node_modules" / "tflite-webnn"


def entries_for_pages(package: Path) -> list[str]:
    """Return what apps import, from the export map: its plain files are for tags and workers, and node/ is for Node."""
    exports = json.loads((package / "package.json").read_text())["exports"]
    scripts = {name: script_for_pages(target) for name, target in exports.items() if isinstance(target, dict)}
    return [f"tflite-webnn{name[1:]}" for name, script in scripts.items() if not script.startswith("./node/")]


def script_for_pages(target: Any) -> str:
    """Return an entry's script where no condition of the export map applies."""
    return target if isinstance(target, str) else script_for_pages(target["default"])


def use_entries(script: Path, names: list[str]) -> None:
    """Have an app's script import these entries, and use those that start workers or run models."""
    text = script.read_text()
    directive = "'use client';\n" if text.startswith("'use client'") else ""
    imports = [f"import * as entry{i} from '{name}';\n" for i, name in enumerate(names)]
    entries = ", ".join(f"'{name}': entry{i}" for i, name in enumerate(names))
    uses = f"const entries = {{ {entries} }};\n  {USES}"
    script.write_text(directive + "".join(imports) + text.removeprefix(directive).replace("console.log(", uses))


def add_files(app: Path, directory: str, model: bytes) -> None:
    """Add what the app's page fetches by name to one of its directories: the model, and the module for the CPU."""
    (app / directory).mkdir(exist_ok=True)
    (app / directory / "model.tflite").write_bytes(model)
    shutil.copy(package_of(app) / "simd" / "tflite_webnn.wasm", app / directory / "module.wasm")


def message_of(page: Page, address: str) -> str:
    """Return an app's message. Warnings fail the test: without its worker, the polyfill warns."""
    messages: list[ConsoleMessage] = []
    page.on("console", lambda message: messages.append(message))
    text = first_message(page, address, ("0 ", "1 ", "2 "))
    assert [message.text for message in messages if message.type in {"warning", "error"}] == []
    return text


@contextmanager
def development_server(directory: Path) -> Iterator[str]:
    """Run Vite's development server, with the headers that threads need; yield its address."""
    with socket.socket() as found:
        found.bind(("localhost", 0))
        port = found.getsockname()[1]
    (directory / "isolated.config.js").write_text(ISOLATED)
    command = ["node_modules/.bin/vite", f"--port={port}", "--strictPort", "--config=isolated.config.js"]
    address = f"http://localhost:{port}/"
    with (directory / "server.log").open("w") as log:
        process = subprocess.Popen(command, cwd=directory, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            wait_until_served(address, process, directory / "server.log")
            yield address
        finally:
            with suppress(ProcessLookupError):  # it has ended
                os.killpg(process.pid, signal.SIGTERM)  # PyPI's launcher of Node does not pass the signal on
            process.wait()


def wait_until_served(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Retry until the server responds. Its output is no sign: it is colored where the variable CI is set."""
    end = time.monotonic() + SERVER_SECONDS
    while process.poll() is None and time.monotonic() < end:
        with suppress(OSError), urllib.request.urlopen(address, timeout=SERVER_SECONDS):
            return
        time.sleep(0.1)
    pytest.fail(f"no response from {address}; Vite has printed:\n{log.read_text()}")


def test_every_app_says_how_to_build_it() -> None:
    assert {"esbuild", "next", "parcel", "rollup", "vite", "webpack"} <= set(APPS)
    for app in APPS:
        assert "npm run build" in (EXAMPLES_DIR / app / "README.md").read_text()
