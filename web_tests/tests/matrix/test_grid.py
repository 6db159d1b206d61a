"""Browsers of a grid: their capabilities, parallel sessions, and errors."""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict

import pytest
from playwright.sync_api import Playwright
from selenium.webdriver.chrome.service import Service

from tools.matrix.axes import EXECUTIONS, HOSTS
from web_tests.browsers import chromium_selenium
from web_tests.browsers.engines import CHROMIUM_SELENIUM
from web_tests.browsers.installed import BrowserStartError
from web_tests.models.catalogue import all_models
from web_tests.server.server import LOOPBACK, Server
from web_tests.tests.conftest import skip_unless_installed
from web_tests.tests.matrix import grid
from web_tests.tests.matrix.conftest import SAMPLE_MODELS, EngineHosts
from web_tests.tests.matrix.grid import CapabilitiesError
from web_tests.tests.matrix.test_matrix import filled, rejection

pytestmark = pytest.mark.needs("variants")

MODEL = all_models()[SAMPLE_MODELS[0]]
HOST = HOSTS[0]
BY_NAME = {execution.name: execution for execution in EXECUTIONS}
# For a Chromium behind a WebDriver server on this machine, which may be a container.
HERE = '{"browserName": "chrome", "goog:chromeOptions": {"args": ["--no-sandbox", "--headless=new"]}}'


@pytest.fixture
def webdriver_end() -> Iterator[str]:
    """The URL of a WebDriver server, as a Selenium Grid on another machine is one: a chromedriver."""
    skip_unless_installed(CHROMIUM_SELENIUM)
    service = Service(shutil.which(chromium_selenium.DRIVER))
    service.start()
    yield service.service_url
    service.stop()


@pytest.mark.needs("chromium-selenium")
def test_two_browsers_of_a_grid_run_in_parallel(
    webdriver_end: str, matrix_servers: Mapping[bool, Server], playwright: Playwright
) -> None:
    requested = [grid.parse(f"{name}={HERE}") for name in ("one", "two")]
    origins = [server.origin for server in matrix_servers.values()]
    with ExitStack() as stack:
        both = [
            EngineHosts(engine, stack.enter_context(engine.start(playwright, origins)), matrix_servers)
            for engine in grid.engines(webdriver_end, requested)
        ]
        for hosts in both:
            info, row = hosts.info(HOST), hosts.row(HOST)
            assert "createContext" in BY_NAME["webnn"].impossible(info.lacks)
            assert row.version
            assert (row.machine, row.load_average) == (None, None)
            assert rejection(hosts.page(HOST), BY_NAME["webnn"], MODEL)
            cell = filled(hosts.page(HOST), (row.name, HOST.name, "simd"), BY_NAME["simd"], MODEL)
            assert cell.status == "right", asdict(cell)


def test_a_grid_that_is_not_there_is_named(playwright: Playwright) -> None:
    (engine,) = grid.engines(f"http://{LOOPBACK}:9", [])
    with (
        pytest.raises(BrowserStartError, match="the grid starts no session of chrome"),
        engine.start(playwright, []) as browser,
    ):
        browser.new_page()


def test_capabilities_are_a_name_or_json() -> None:
    assert grid.parse("firefox").requested == {"browserName": "firefox"}
    windows = '{"browserName": "chrome", "platformName": "Windows 11"}'
    assert grid.parse(windows).name == "chrome-windows-11"
    assert grid.parse(f"mine={windows}") == grid.Capabilities("mine", json.loads(windows))
    for text in ("{}", "mine={", '{"browserName": }'):
        with pytest.raises(CapabilitiesError, match="capabilities"):
            grid.parse(text)
    with pytest.raises(CapabilitiesError, match="several browsers are called chrome"):
        grid.engines("http://grid", [grid.parse("chrome")] * 2)


def test_browsers_of_a_grid_get_what_webnn_needs() -> None:
    origins = ["http://192.168.1.2:1", "http://192.168.1.2:2"]
    mine = {"browserName": "MicrosoftEdge", "ms:edgeOptions": {"args": ["--enable-features=Mine", "--mine"]}}
    flags = grid.completed(mine, origins)["ms:edgeOptions"]["args"]
    assert flags[0] == "--mine"
    assert "--enable-features=Mine,WebMachineLearningNeuralNetwork" in flags
    assert f"--unsafely-treat-insecure-origin-as-secure={','.join(origins)}" in flags
    assert "--no-sandbox" not in flags
    assert mine["ms:edgeOptions"] == {"args": ["--enable-features=Mine", "--mine"]}
    firefox = grid.completed({"browserName": "firefox"}, origins)
    assert firefox["moz:firefoxOptions"]["prefs"] == {"dom.securecontext.allowlist": "192.168.1.2"}
    assert grid.completed({"browserName": "safari"}, origins) == {"browserName": "safari"}
