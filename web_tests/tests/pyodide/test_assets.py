"""The locations of the package's files, with and without a strict content security policy, in the headless shell."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page

from pyodide_pkg.wheel import LOCK_ENTRY, PYODIDE_DIR, describe
from support.npm import package_version
from web_tests.browsers.playwright_pages import PlaywrightPage
from web_tests.drivers.page_calls import ModelError
from web_tests.drivers.python_page import NUMPY, PythonPage, wheel_url
from web_tests.models import handmade, package_assets
from web_tests.server.server import ISOLATION_HEADERS, Server
from web_tests.tests.pyodide.conftest import SCRIPTS_DIR

pytestmark = pytest.mark.needs("wheel")

MODEL = "sin.tflite"
EXPECTED = handmade.sin_example_output(np.full(8, 0.5, np.float32)).tolist()
STRICT = {**ISOLATION_HEADERS, "Content-Security-Policy": "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'"}
DIRECTORY = "/wheel/"
REGISTERED = "/wheel/tflite_webnn.mjs"


@pytest.fixture(scope="module")
def strict_server() -> Iterator[Server]:
    """A server with a policy that allows WebAssembly but no evaluation of text."""
    with Server(headers=STRICT) as server:
        yield server


def start(page: Page, server: Server, *, in_worker: bool = False, packages: Sequence[str] | None = None) -> PythonPage:
    """Start Python in a new page, with a small model and the functions of assets.py."""
    python = PythonPage(PlaywrightPage(page), server, in_worker=in_worker)
    python.start(packages)
    python.add_module(SCRIPTS_DIR / "assets.py")
    python.write(MODEL, handmade.sin_example(8))
    return python


HOSTS = pytest.mark.parametrize("in_worker", [False, True], ids=["page", "worker"])


@HOSTS
def test_under_a_strict_policy_an_address_or_a_registered_module_helps(
    own_page: Page, strict_server: Server, in_worker: bool
) -> None:
    """The policy forbids evaluating the package's own files; an address helps in a page, a registered module
    everywhere.
    """
    python = start(own_page, strict_server, in_worker=in_worker)
    assert not python.run("assets.evaluates")
    with pytest.raises(ModelError, match=r"EvaluationForbiddenError: .*registerJsModule\('tflite_webnn_js'"):
        python.run("assets.doubled", model=MODEL)
    if in_worker:
        with pytest.raises(ModelError, match="EvaluationForbiddenError"):
            python.run("assets.set_up", model=MODEL, base_url=DIRECTORY)
        python.register("tflite_webnn_js", REGISTERED)
        assert python.run("assets.doubled", model=MODEL) == pytest.approx(EXPECTED, rel=1e-5)
    else:
        assert python.run("assets.set_up", model=MODEL, base_url=DIRECTORY) == pytest.approx(EXPECTED, rel=1e-5)


def test_assets_next_to_the_wheel_are_found(own_page: Page, strict_server: Server) -> None:
    """Without an address, the wheel's own address is used."""
    python = start(own_page, strict_server)
    assert python.run("assets.set_up", model=MODEL) == pytest.approx(EXPECTED, rel=1e-5)


def test_assets_are_loaded_from_an_address(own_page: Page, server: Server) -> None:
    python = start(own_page, server)
    with pytest.raises(ModelError, match=r"AssetsError: Could not load http://.*/nowhere/tflite_webnn\.mjs"):
        python.run("assets.set_up", model=MODEL, base_url="/nowhere")
    assert python.run("assets.set_up", model=MODEL, base_url=DIRECTORY) == pytest.approx(EXPECTED, rel=1e-5)


def test_micropip_installs_a_wheel_that_computes(own_page: Page, server: Server) -> None:
    python = start(own_page, server, packages=[NUMPY, "micropip"])
    python.add_module(SCRIPTS_DIR / "installing.py")
    assert python.run("installing.installed", url=server.origin + wheel_url()) == package_version()
    assert python.run("assets.doubled", model=MODEL) == pytest.approx(EXPECTED, rel=1e-5)


def test_a_wheel_of_the_lock_file_is_loaded_by_name(own_page: Page, server: Server, tmp_path: Path) -> None:
    """Python finds the wheel in its lock file, loads it with numpy by name, and checks its hash."""
    wheel = next(PYODIDE_DIR.glob("*.whl"))
    describe(wheel, tmp_path, f"{server.origin}/wheel")
    lock = json.loads(package_assets.path_of("pyodide", "pyodide-lock.json").read_text())
    lock["packages"] |= json.loads((tmp_path / LOCK_ENTRY).read_text())
    python = PythonPage(PlaywrightPage(own_page), server)
    python.start(["tflite-webnn"], options={"lockFileContents": json.dumps(lock)})
    python.add_module(SCRIPTS_DIR / "assets.py")
    python.write(MODEL, handmade.sin_example(8))
    assert python.run("assets.doubled", model=MODEL) == pytest.approx(EXPECTED, rel=1e-5)
