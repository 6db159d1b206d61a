"""Debian's Chromium, driven by Selenium through its chromedriver."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import Playwright

from web_tests.browsers import chromium_flags, installed
from web_tests.browsers.installed import BrowserMissingError, BrowserStartError
from web_tests.browsers.page import SCRIPT_SECONDS, EngineBrowser

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

DRIVER = "chromedriver"
FLAGS = chromium_flags.combined(
    chromium_flags.HEADLESS_FLAGS,
    chromium_flags.NO_SANDBOX_FLAGS,
    chromium_flags.QUIET_FLAGS,
    chromium_flags.WEBNN_FLAGS,
    chromium_flags.WEBGPU_FLAGS,
)


@contextmanager
def chromium_selenium(_: Playwright) -> Iterator[EngineBrowser]:
    """Run Debian's Chromium."""
    # Only commands that drive it install Selenium.
    from web_tests.browsers.webdriver_pages import WebDriverBrowser

    driver, program = shutil.which(DRIVER), installed.debian_chromium()
    if driver is None or program is None:
        raise BrowserMissingError(f"{DRIVER} or Debian's chromium is not on PATH")
    browser = WebDriverBrowser(lambda: _started(driver, str(program.executable)))
    try:
        yield browser
    finally:
        browser.quit()


def _started(driver: str, executable: str) -> "Chrome":
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver import Chrome
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = executable
    for flag in FLAGS:
        options.add_argument(flag)
    try:
        browser = Chrome(options, Service(driver))
    except WebDriverException as error:
        raise BrowserStartError(f"Chromium does not start: {error.msg}", where=executable) from error
    browser.set_script_timeout(SCRIPT_SECONDS)
    return browser
