"""The matrix: its options, the pages of its hosts, and its report, which is generated from what the tests record."""

import json
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from playwright.sync_api import Playwright

from support.errors import BuildError
from tools import result_file
from tools.bench.result import machine_info, now, revision
from tools.matrix.axes import EXECUTIONS, HOSTS, Host
from tools.matrix.result import KEYS, EngineRow, ExecutionRow, HostInfo, Matrix
from web_tests.browsers.page import EngineBrowser
from web_tests.browsers.webdriver_pages import WebDriverBrowser
from web_tests.drivers.harness import PageHarness
from web_tests.models import catalogue
from web_tests.references import native_litert
from web_tests.server.server import LOOPBACK, Server
from web_tests.tests.matrix import grid
from web_tests.tests.matrix.engines import NEEDS, MatrixEngine, local_engines

# Without --matrix: one small model in the two most different hosts.
SAMPLE_MODELS = ("oww_alexa",)
SAMPLE_HOSTS = ("page", "plain-worker")
# Generated models: a well-known network, in float and in int8.
GENERATED_MODELS = ("mobilenet_v2", "mobilenet_v2_int8")
# Pages are replaced, because engines free some things late: threads, graphics memory, compiled code.
CELLS_PER_PAGE = 60


def pytest_addoption(parser: pytest.Parser) -> None:
    add = parser.getgroup("matrix").addoption
    add("--matrix", type=Path, metavar="FILE", help="fill all cells instead of a sample, and write them to this file")
    text = "an earlier result, perhaps from another machine: its cells remain where this run has none"
    add("--add-to", type=Path, metavar="FILE", help=text)
    add("--browser", type=Path, metavar="PATH", help="also your own Chromium-based browser, as the engine `own`")
    text = "the browsers of the WebDriver server at this address instead, e.g. http://grid.example:4444"
    add("--grid", default="", metavar="URL", help=text)
    text = (
        "a browser to start on the grid (repeatable): its name, a JSON object of WebDriver capabilities, or NAME=JSON; "
        "chrome by default"
    )
    add("--capabilities", action="append", default=[], metavar="CAPABILITIES", help=text)
    text = "the address of this machine under which the grid's browsers reach it"
    add("--host", default=LOOPBACK, metavar="ADDRESS", help=text)


def pytest_configure(config: pytest.Config) -> None:
    file = config.getoption("--matrix", None)
    if file and not hasattr(config, "workerinput"):
        config.pluginmanager.register(MatrixReport(file, config.getoption("--add-to")))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    config, is_sample = metafunc.config, not metafunc.config.getoption("--matrix", None)
    if "matrix_engine" in metafunc.fixturenames:
        address, own = config.getoption("--grid", ""), config.getoption("--browser", None)
        requested = [grid.parse(text) for text in config.getoption("--capabilities", [])]
        engines = grid.engines(address, requested) if address else local_engines(own)
        rows = [pytest.param(one, id=one.name, marks=pytest.mark.needs(*NEEDS.get(one.name, []))) for one in engines]
        metafunc.parametrize("matrix_engine", rows, indirect=True, scope="session")
        hosts = [host for host in HOSTS if not is_sample or host.name in SAMPLE_HOSTS]
        metafunc.parametrize("host", hosts, ids=lambda host: host.name)
        metafunc.parametrize("execution", EXECUTIONS, ids=lambda execution: execution.name)
        names = SAMPLE_MODELS if is_sample else (*catalogue.all_models(), *GENERATED_MODELS)
        metafunc.parametrize("model", [catalogue.known_models()[name] for name in names], ids=lambda model: model.name)


class MatrixReport:
    """Collects what the tests have recorded, and writes the result."""

    def __init__(self, file: Path, older: Path | None) -> None:
        self._file, self._older = file, older
        self._rows: defaultdict[str, list[Any]] = defaultdict(list)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for table, row in report.user_properties if report.when == "teardown" else ():
            if table in KEYS:
                self._rows[table].append(row)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self._rows:
            return
        cells = matrix_of(self._rows).cells
        right = sum(cell.status == "right" for cell in cells)
        terminalreporter.line(f"{right} of {len(cells)} cells are right; the result is in {self._file}")
        older = result_file.to_json(result_file.read(Matrix, self._older)) if self._older else {}
        result_file.write(matrix_of(self._rows, older), self._file)


def matrix_of(rows: Mapping[str, Sequence[Any]], older: Mapping[str, Any] = MappingProxyType({})) -> Matrix:
    """Return the result of recorded rows; the last row of each key counts, else that of an older one."""
    frame = Matrix(
        created=now(),
        revision=revision(),
        reference=f"{native_litert.PACKAGE} {version(native_litert.PACKAGE)}",
        executions=[ExecutionRow(row.name, row.title) for row in EXECUTIONS],
        hosts=HOSTS,
        models=[],
        engines=[],
        pages=[],
    )
    members = result_file.to_json(frame)
    for table, key in KEYS.items():
        # An execution that has cells now was impossible then, or the other way round.
        other = {_way(row) for row in rows.get({"cells": "impossible", "impossible": "cells"}.get(table, ""), ())}
        remaining = [row for row in older.get(table, ()) if not other or _way(row) not in other]
        found = [*remaining, *members[table], *rows.get(table, ())]
        members[table] = list({tuple(row[name] for name in key): row for row in found}.values())
    return result_file.parse(Matrix, json.dumps(members), where="the tests")


def _way(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(row[name] for name in KEYS["impossible"])


@pytest.fixture(scope="session")
def matrix_servers(request: pytest.FixtureRequest) -> Iterator[Mapping[bool, Server]]:
    """The page servers: True, with cross-origin isolation; False, without."""
    host = request.config.getoption("--host", LOOPBACK)
    with Server(host=host) as isolated, Server(host=host, headers={}) as plain:
        yield {True: isolated, False: plain}


@pytest.fixture(scope="session")
def matrix_engine(request: pytest.FixtureRequest) -> MatrixEngine:
    engine: MatrixEngine = request.param
    if engine.missing:
        pytest.skip(engine.missing)
    return engine


@pytest.fixture(scope="session")
def engine_hosts(
    matrix_engine: MatrixEngine, matrix_servers: Mapping[bool, Server], playwright: Playwright
) -> Iterator["EngineHosts"]:
    origins = [server.origin for server in matrix_servers.values()]
    with matrix_engine.start(playwright, origins) as browser:
        yield EngineHosts(matrix_engine, browser, matrix_servers)


class EngineHosts:
    """The pages of an engine, one for each host; a page that fails is replaced."""

    def __init__(self, engine: MatrixEngine, browser: EngineBrowser, servers: Mapping[bool, Server]) -> None:
        self.engine = engine
        self._browser, self._servers = browser, servers
        self._pages: dict[str, PageHarness] = {}
        self._uses: defaultdict[str, int] = defaultdict(int)
        self._info: dict[str, Mapping[str, Any]] = {}
        self._measured = now()

    def page(self, host: Host) -> PageHarness:
        """Return a host's page.

        Raises:
            PageError: it does not load.
        """
        page = self._pages.get(host.name)
        if page is None or page.failed or self._uses[host.name] >= CELLS_PER_PAGE:
            if page:
                with suppress(BuildError):
                    page.engine_page.close()
            server = self._servers[host.isolated]
            page = self._pages[host.name] = PageHarness(self._browser.new_page(), server, in_worker=host.in_worker)
            self._uses[host.name] = 0
        self._uses[host.name] += 1
        return page

    def info(self, host: Host) -> HostInfo:
        """Return what a host's page says of itself, see pages/page_info.mjs."""
        if host.name not in self._info:
            self._info[host.name] = self.page(host).page_info()
        found = self._info[host.name]
        return HostInfo(self.engine.name, host.name, found["isolated"], found["lacks"], found["gpu"])

    def row(self, host: Host) -> EngineRow:
        """Return the engine and its machine, if that is this one."""
        browser, found = self._browser, self._info[host.name]
        is_remote = self.engine.is_remote
        return EngineRow(
            self.engine.name,
            self.engine.title,
            self.engine.driver,
            version=browser.version,
            user_agent=found["userAgent"],
            platform=browser.platform if isinstance(browser, WebDriverBrowser) else "",
            cores=found["cores"],
            measured=self._measured,
            revision=revision(),
            machine=None if is_remote else machine_info(),
            load_average=None if is_remote else os.getloadavg()[0],
        )
