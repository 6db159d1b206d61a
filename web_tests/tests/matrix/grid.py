"""Browsers of a Selenium Grid, or of any other WebDriver server, on this machine or another."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Playwright
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.options import ArgOptions
from selenium.webdriver.remote.webdriver import WebDriver
from urllib3.exceptions import HTTPError

from support.errors import BuildError
from web_tests.browsers import chromium_flags
from web_tests.browsers.installed import BrowserStartError
from web_tests.browsers.page import SCRIPT_SECONDS, EngineBrowser
from web_tests.browsers.webdriver_pages import WebDriverBrowser
from web_tests.tests.matrix.engines import MatrixEngine

# Keys of the flags of Chromium-based browsers.
CHROMIUM_OPTIONS = {"chrome": "goog:chromeOptions", "chromium": "goog:chromeOptions", "MicrosoftEdge": "ms:edgeOptions"}
FIREFOX_OPTIONS = "moz:firefoxOptions"


class CapabilitiesError(BuildError):
    """The request for a browser is not a set of WebDriver capabilities."""


@dataclass(frozen=True)
class Capabilities:
    """A browser of a grid: `name` is the engine's in the matrix, `requested` WebDriver's capabilities."""

    name: str
    requested: Mapping[str, Any]


def parse(text: str) -> Capabilities:
    """Parse the user's capabilities: a browser's name (`chrome`), a JSON object, or NAME=JSON.

    Raises:
        CapabilitiesError: the text is none of these.
    """
    name, is_named, json_text = text.partition("={")
    if not text.startswith("{") and not is_named:
        return Capabilities(text, {"browserName": text})
    try:
        requested = json.loads("{" + json_text if is_named and not text.startswith("{") else text)
        browser = requested["browserName"]
    except (ValueError, KeyError) as error:
        raise CapabilitiesError(
            f"{text} is not a set of capabilities: {error}",
            hint="""write for example chrome, or windows='{"browserName": "chrome", "platformName": "Windows 11"}'""",
        ) from error
    default = "-".join(filter(None, (browser, requested.get("platformName", "").replace(" ", "-").lower())))
    return Capabilities(default if text.startswith("{") else name, requested)


def engines(address: str, capabilities: Sequence[Capabilities]) -> list[MatrixEngine]:
    """Return the browsers of a grid as engines.

    Args:
        address: of the WebDriver server, for example http://grid.example:4444.
        capabilities: the browsers; none means Chrome.

    Raises:
        CapabilitiesError: two browsers have the same name.
    """
    requested = list(capabilities) or [parse("chrome")]
    names = [one.name for one in requested]
    if len(set(names)) < len(names):
        raise CapabilitiesError(
            f"several browsers are called {', '.join(sorted({n for n in names if names.count(n) > 1}))}",
            hint="name each browser: NAME=JSON",
        )
    return [_engine(address, one) for one in requested]


def _engine(address: str, capabilities: Capabilities) -> MatrixEngine:
    def start(_: Playwright, origins: Sequence[str]) -> AbstractContextManager[EngineBrowser]:
        return _session(address, completed(capabilities.requested, origins))

    title = f"{capabilities.requested['browserName']} of a grid"
    return MatrixEngine(capabilities.name, title, "Selenium", start, is_remote=True)


def completed(requested: Mapping[str, Any], origins: Sequence[str]) -> dict[str, Any]:
    """Return capabilities with the flags that WebNN needs, and that make pages without https trusted."""
    full = deepcopy(dict(requested))
    browser = full["browserName"]
    if browser in CHROMIUM_OPTIONS:
        options = full.setdefault(CHROMIUM_OPTIONS[browser], {})
        flags = (chromium_flags.QUIET_FLAGS, chromium_flags.WEBNN_FLAGS, chromium_flags.trusted(origins))
        options["args"] = chromium_flags.combined(options.get("args", []), *flags)
    elif browser == "firefox":
        hosts = {origin.partition("://")[2].rpartition(":")[0] for origin in origins}
        preferences = full.setdefault(FIREFOX_OPTIONS, {}).setdefault("prefs", {})
        preferences.setdefault("dom.securecontext.allowlist", ",".join(sorted(hosts)))
    return full


@contextmanager
def _session(address: str, requested: Mapping[str, Any]) -> Iterator[EngineBrowser]:
    browser = WebDriverBrowser(lambda: _started(address, requested))
    try:
        yield browser
    finally:
        browser.quit()


class _Options(ArgOptions):  # type: ignore[misc]  # mypy does not read Selenium
    """Passes capabilities on unchanged."""

    def __init__(self, requested: Mapping[str, Any]) -> None:
        super().__init__()
        self._requested = dict(requested)

    @property
    def default_capabilities(self) -> dict[str, Any]:
        return {}

    def to_capabilities(self) -> dict[str, Any]:
        return self._requested


def _started(address: str, requested: Mapping[str, Any]) -> WebDriver:
    try:
        driver = WebDriver(address, options=_Options(requested))
    except (WebDriverException, HTTPError) as error:
        message = getattr(error, "msg", None) or error
        raise BrowserStartError(
            f"the grid starts no session of {requested['browserName']}: {message}",
            where=address,
            hint="check the WebDriver server's /status for this browser",
        ) from error
    driver.set_script_timeout(SCRIPT_SECONDS)
    return driver
