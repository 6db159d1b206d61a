"""The engines' requirements: what is installed, and the message if installation fails."""

import os
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import Mock, PropertyMock

import pytest
from selenium.common.exceptions import InvalidSessionIdException
from urllib3.exceptions import MaxRetryError, ReadTimeoutError

from web_tests.browsers import setup, webkitgtk
from web_tests.browsers.engines import ENGINES
from web_tests.browsers.installed import BrowserStartError
from web_tests.browsers.page import PageError
from web_tests.browsers.webdriver_pages import WebDriverBrowser, WebDriverPage
from web_tests.tests.unit.conftest import program


@pytest.fixture
def apt_calls(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bare machine; this file logs the calls of apt-get."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    log = bare_machine / "apt.log"
    program(bare_machine / "apt-get").write_text(f'#!/bin/sh\necho "$@" >> {log}\n')
    return log


def packages() -> list[Sequence[str]]:
    return [engine.missing_packages() for engine in ENGINES]


def test_the_packages_that_a_bare_machine_lacks_are_named(bare_machine: Path) -> None:
    chromium, firefox, webkit = packages()
    assert (chromium, firefox) == (["chromium"], ["firefox-esr"])
    assert webkit == ["webkit2gtk-driver", "xvfb"]


def test_only_what_is_missing_is_installed(bare_machine: Path, apt_calls: Path) -> None:
    for name in ("chromium", "chromedriver", "firefox-esr", "Xvfb"):
        program(bare_machine / name)
    setup.prepare_engines()
    installs = [line for line in apt_calls.read_text().splitlines() if line.startswith("install")]
    assert installs == ["install --yes --no-install-recommends webkit2gtk-driver"]


def test_without_root_the_command_is_printed(
    bare_machine: Path, apt_calls: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("chromium", "Xvfb", webkitgtk.DRIVER):
        program(bare_machine / name)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    setup.prepare_engines()
    shown = " ".join(capsys.readouterr().err.split())
    assert "Firefox ESR could not be installed" in shown
    assert "as root, run: apt-get install --yes --no-install-recommends firefox-esr" in shown
    assert not apt_calls.exists()


def test_a_crashed_browser_is_started_again() -> None:
    crashed, fresh = Mock(), Mock(window_handles=["first"])
    type(crashed).window_handles = PropertyMock(side_effect=InvalidSessionIdException())
    browser = WebDriverBrowser(Mock(side_effect=[crashed, fresh]))
    browser.new_page()
    crashed.quit.assert_called_once()
    fresh.switch_to.new_window.assert_called_once()


def test_a_driver_that_hangs_is_the_page_s_error() -> None:
    """Selenium passes on what its HTTP client raises."""
    driver = Mock()
    driver.execute_async_script.side_effect = ReadTimeoutError(Mock(), "/execute/async", "Read timed out.")
    driver.quit.side_effect = MaxRetryError(Mock(), "/session")
    browser = WebDriverBrowser(lambda: driver)
    with pytest.raises(PageError, match=r"does not respond: .*Read timed out"):
        WebDriverPage(driver, "first").evaluate("() => 1")
    browser.quit()


def test_a_screen_that_does_not_start_is_reported(bare_machine: Path) -> None:
    program(bare_machine / webkitgtk.SCREEN).write_text("#!/bin/sh\nexit 3\n")
    with pytest.raises(BrowserStartError, match="exited with 3"), webkitgtk.screen():
        pass
