"""Fixtures of the tests in Pyodide, which starts once per host, shared by all its tests."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Playwright

from support.npm import pinned_node
from tools.suite.needs import WEBNN, WHEEL
from web_tests.browsers import installed
from web_tests.browsers.engines import ENGINES
from web_tests.browsers.installed import BrowserProgram
from web_tests.browsers.node import NodePage
from web_tests.browsers.page import EnginePage
from web_tests.browsers.playwright_pages import PlaywrightPage
from web_tests.drivers.python_page import PythonPage
from web_tests.models import package_assets
from web_tests.server.server import Server
from web_tests.tests.conftest import skip_unless_installed

SCRIPTS_DIR = Path(__file__).with_name("scripts")
MODULES = (SCRIPTS_DIR / "running.py",)


@dataclass(frozen=True)
class Host:
    """Where Python runs: an engine's page, a module worker of it, or Node."""

    engine: str
    in_worker: bool = False

    def needs(self) -> list[str]:
        """Return what its tests need."""
        return [WHEEL, *({"node": [], "shell": [WEBNN]}.get(self.engine, [self.engine]))]

    def __str__(self) -> str:
        return f"{self.engine}-worker" if self.in_worker else self.engine


HOSTS = (
    Host("shell"),
    Host("shell", in_worker=True),
    Host("chromium", in_worker=True),
    Host("firefox"),
    Host("firefox", in_worker=True),
    Host("webkitgtk"),
    Host("webkitgtk", in_worker=True),
    Host("node"),
)


@pytest.fixture(scope="session")
def node_pyodide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pyodide's files in a directory, which Node needs; return its module."""
    directory = tmp_path_factory.mktemp("pyodide")
    for name, row in package_assets.table()["pyodide"].items():
        shutil.copyfile(package_assets.fetch(package_assets.member_of(row)), directory / name)
    return directory / "pyodide.mjs"


@pytest.fixture(
    scope="session",
    params=[pytest.param(host, id=str(host), marks=pytest.mark.needs(*host.needs())) for host in HOSTS],
)
def host(request: pytest.FixtureRequest) -> Host:
    """Each host."""
    host: Host = request.param
    return host


@pytest.fixture(scope="session")
def python(host: Host, request: pytest.FixtureRequest, playwright: Playwright, server: Server) -> Iterator[PythonPage]:
    """Python with numpy and the wheel, in each host; skipped with the reason if the engine is not installed."""
    with ExitStack() as stack:
        page = _open_page(host, request, playwright, stack)
        python = PythonPage(page, server, in_worker=host.in_worker)
        if host.engine == "node":
            pyodide: Path = request.getfixturevalue("node_pyodide")
            # Otherwise Node stores downloads in a directory named like the URL.
            python.start(module=pyodide.as_uri(), options={"packageBaseUrl": f"{pyodide.parent}/"})
        else:
            python.start()
        for module in MODULES:
            python.add_module(module)
        yield python
        errors = python.take_errors()
        page.close()
        assert errors == []


def _open_page(host: Host, request: pytest.FixtureRequest, playwright: Playwright, stack: ExitStack) -> EnginePage:
    if host.engine == "node":
        return NodePage(pinned_node())
    if host.engine == "shell":
        program: BrowserProgram = request.getfixturevalue("webnn_program")
        browser = stack.enter_context(installed.launched(playwright, program))
        return PlaywrightPage(browser.new_page())
    engine = next(engine for engine in ENGINES if engine.name == host.engine)
    skip_unless_installed(engine)
    return stack.enter_context(engine.start(playwright)).new_page()


@pytest.fixture(scope="session")
def has_webnn(host: Host) -> bool:
    return host.engine == "shell"


@pytest.fixture
def put_model(python: PythonPage) -> Callable[[str, bytes], str]:
    """Writes a model into Python's file system, once, and returns its path."""

    def put(name: str, content: bytes) -> str:
        path = f"{name}.tflite"
        if path not in python.files:
            python.write(path, content)
        return path

    return put
