"""The matrix in every engine, with one small model: all its executions, in two of its places."""

import dataclasses
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from playwright.sync_api import Playwright
from selenium.webdriver.chrome.service import Service

from tools import command_line, result_file
from tools.matrix import __main__ as tool
from tools.matrix import command, engines, grid, run
from tools.matrix.command import Request
from tools.matrix.engines import MatrixEngine
from tools.matrix.place_page import Servers
from tools.matrix.result import Cell, Impossible, Matrix
from web_tests.browsers import chromium_selenium, selenium_grid
from web_tests.browsers.engines import CHROMIUM_SELENIUM
from web_tests.server.server import LOOPBACK
from web_tests.tests.conftest import skip_unless_installed

pytestmark = pytest.mark.needs("variants")

SMALL = "oww_alexa"
PLACES = ("page", "plain-worker")
SESSION_SECONDS = 60.0
# Of engines that are not named like what they need.
NEEDS: dict[str, list[str]] = {"shell": ["webnn"], "node": []}
# For a Chromium behind a WebDriver server on this machine, which may be a container.
HERE = '{"browserName": "chrome", "goog:chromeOptions": {"args": ["--no-sandbox", "--headless=new"]}}'


def request_for(**wanted: Any) -> Request:
    """Return a request for the small model; other options have the command line's defaults."""
    arguments = command_line.tool_parser(tool, "").parse_args(["--model", SMALL])
    return dataclasses.replace(tool.request_of(arguments), **wanted)


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    with command.serving(LOOPBACK) as both:
        yield both


@pytest.mark.parametrize(
    "engine",
    [
        pytest.param(engine, id=engine.name, marks=pytest.mark.needs(*NEEDS.get(engine.name, [engine.name])))
        for engine in engines.local_engines()
    ],
)
def test_engine(engine: MatrixEngine, servers: Servers, playwright: Playwright, tmp_path: Path) -> None:
    """No cell is red, and each impossible execution and place has a reason."""
    if engine.missing:
        pytest.skip(engine.missing)
    plan = command.plan_of(request_for(engines=[engine.name], places=PLACES), servers)
    found = run.fill(plan, servers, playwright, lambda _: None)
    matrix = command.matrix_of(plan, found)
    assert matrix.red() == []
    assert matrix.is_good(), matrix.engines
    ways = [(cell.place, cell.execution) for cell in matrix.cells]
    ways += [(row.place, row.execution) for row in matrix.impossible]
    assert len(set(ways)) == len(ways) == len(PLACES) * len(plan.executions)
    assert all(row.reason for row in matrix.impossible)
    check_result(matrix, tmp_path / "matrix.json")


def check_result(matrix: Matrix, file: Path) -> None:
    result_file.write(matrix, file)
    assert result_file.to_json(result_file.read(Matrix, file)) == result_file.to_json(matrix)


@pytest.fixture(params=["chromedriver", "selenium grid"])
def webdriver_end(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a WebDriver server, as on other machines: a chromedriver, and a Selenium Grid."""
    if request.param == "selenium grid":
        missing = selenium_grid.missing()
        if missing:
            pytest.skip(missing)
        with selenium_grid.running(tmp_path) as address:
            yield address
        return
    skip_unless_installed(CHROMIUM_SELENIUM)
    service = Service(shutil.which(chromium_selenium.DRIVER))
    service.start()
    yield service.service_url
    service.stop()


@pytest.mark.needs("chromium-selenium")
def test_two_sessions_of_a_grid_at_once(
    webdriver_end: str, servers: Servers, playwright: Playwright, tmp_path: Path
) -> None:
    request = request_for(
        places=["page"],
        executions=["webnn", "simd"],
        grid=webdriver_end,
        capabilities=[grid.parse(f"one={HERE}"), grid.parse(f"two={HERE}")],
    )
    plan = command.plan_of(request, servers)
    both_are_there = Barrier(2)

    def listen(one: Cell | Impossible) -> None:
        """Make each session wait for the other one; sequential sessions would break the barrier."""
        if one.execution == "simd":
            both_are_there.wait(SESSION_SECONDS)

    matrix = command.matrix_of(plan, run.fill(plan, servers, playwright, listen))
    assert [(row.engine, row.status) for row in matrix.cells] == [("one", "right"), ("two", "right")]
    assert {row.engine: "createContext" in row.reason for row in matrix.impossible} == {"one": True, "two": True}
    assert matrix.is_good()
    assert all(row.version and row.machine is None for row in matrix.engines)
    check_result(matrix, tmp_path / "matrix.json")


def test_a_grid_that_is_not_there(servers: Servers, playwright: Playwright) -> None:
    plan = command.plan_of(request_for(grid=f"http://{LOOPBACK}:9"), servers)
    matrix = command.matrix_of(plan, run.fill(plan, servers, playwright, lambda _: None))
    assert "the grid gives no session of chrome" in matrix.engines[0].failure
    assert not matrix.is_good()
