"""Chromium and Firefox, driven by Playwright."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, Playwright
from playwright.sync_api import Error as PlaywrightError

from web_tests.browsers import installed
from web_tests.browsers.installed import BrowserMissingError, BrowserStartError
from web_tests.browsers.page import SCRIPT_SECONDS, EngineBrowser, PageError

FIREFOX = "firefox-esr"
# Drives the browser as shipped by its makers, instead of Playwright's own build.
FIREFOX_CHANNEL = "moz-firefox"


class PlaywrightPage:
    def __init__(self, page: Page) -> None:
        self._page = page
        self._errors: list[str] = []
        self._crashed = False
        page.set_default_timeout(SCRIPT_SECONDS * 1000)
        page.on("pageerror", self._on_error)
        page.on("crash", self._on_crash)

    def open(self, url: str) -> None:
        try:
            self._page.goto(url)
        except PlaywrightError as error:
            raise PageError(f"{url} does not load: {error}") from error

    def evaluate(self, function: str, argument: Any = None) -> Any:
        try:
            return self._page.evaluate(function, argument)
        except PlaywrightError as error:
            raise PageError(f"the page says: {error}") from error

    def take_errors(self) -> list[str]:
        try:
            self._page.wait_for_timeout(1)  # lets Playwright deliver its events
        except PlaywrightError as error:
            raise PageError(f"the page is gone: {error}") from error
        if self._crashed:
            raise PageError("the page crashed")
        taken, self._errors = self._errors, []
        return taken

    def close(self) -> None:
        self._page.close()

    def _on_error(self, error: PlaywrightError) -> None:
        # Firefox reports its own remarks, e.g. about a missing script, the same way: with a stack, without a name.
        if error.name or not error.stack:
            self._errors.append(str(error))

    def _on_crash(self, _: Page) -> None:
        self._crashed = True


class PlaywrightBrowser:
    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    @property
    def version(self) -> str:
        return self._browser.version

    def new_page(self) -> PlaywrightPage:
        return PlaywrightPage(self._browser.new_page())


@contextmanager
def chromium(playwright: Playwright) -> Iterator[EngineBrowser]:
    program = installed.debian_chromium()
    if program is None:
        raise BrowserMissingError("Debian's chromium is not on PATH")
    with installed.launched(playwright, program) as browser:
        yield PlaywrightBrowser(browser)


@contextmanager
def firefox(playwright: Playwright) -> Iterator[EngineBrowser]:
    executable = shutil.which(FIREFOX)
    if executable is None:
        raise BrowserMissingError(f"{FIREFOX} is not on PATH")
    try:
        browser = playwright.firefox.launch(
            executable_path=executable, channel=FIREFOX_CHANNEL, timeout=SCRIPT_SECONDS * 1000
        )
    except PlaywrightError as error:
        raise BrowserStartError(f"Firefox does not start: {error}", where=executable) from error
    try:
        yield PlaywrightBrowser(browser)
    finally:
        browser.close()
