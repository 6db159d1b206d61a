"""WebKitGTK's MiniBrowser, driven by Selenium on a screen that nobody sees."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Playwright
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import WebKitGTK
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from web_tests.browsers import BrowserMissingError, BrowserStartError
from web_tests.engines.page import SCRIPT_SECONDS, EngineBrowser, PageError

DRIVER = "WebKitWebDriver"
SCREEN = "Xvfb"
SCREEN_SECONDS = 10

ENVIRONMENT = {
    # bubblewrap needs what neither root nor containers have; only pages of this project are opened.
    "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
    # A page that is drawn on the CPU needs no shared GPU memory, which containers lack too.
    "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
}

# Selenium's scripts are bodies of functions; the last argument takes the answer.
CALL = """
const [argument, answer] = arguments;
const failed = (error) => answer({ error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
Promise.resolve().then(() => (FUNCTION)(argument)).then((value) => answer({ value: value ?? null }), failed);
"""
# There is no event for what nobody catches, so the page keeps it.
KEEP_ERRORS = """
window.uncaughtErrors = [];
addEventListener('error', ({ message }) => uncaughtErrors.push(message));
addEventListener('unhandledrejection', ({ reason }) => uncaughtErrors.push(String(reason)));
"""
TAKE_ERRORS = "return window.uncaughtErrors?.splice(0) ?? [];"


class WebkitgtkPage:
    """A window of MiniBrowser as an EnginePage. A driver talks to one window at a time."""

    def __init__(self, driver: WebKitGTK, handle: str) -> None:
        self._driver = driver
        self._handle = handle

    def open(self, url: str) -> None:
        try:
            self._driver.switch_to.window(self._handle)
            self._driver.get(url)
            self._driver.execute_script(KEEP_ERRORS)
        except WebDriverException as error:
            raise PageError(f"{url} does not load: {error.msg}") from error

    def evaluate(self, function: str, argument: Any = None) -> Any:
        try:
            self._driver.switch_to.window(self._handle)
            answer = self._driver.execute_async_script(CALL.replace("FUNCTION", function), argument)
        except WebDriverException as error:
            raise PageError(f"the page does not answer: {error.msg}") from error
        if "error" in answer:
            raise PageError(f"the page says: {answer['error']}")
        return answer["value"]

    def take_errors(self) -> list[str]:
        try:
            self._driver.switch_to.window(self._handle)
            errors: list[str] = self._driver.execute_script(TAKE_ERRORS)
        except WebDriverException as error:
            raise PageError(f"the page is gone: {error.msg}") from error
        return errors

    def close(self) -> None:
        # The browser's first window stays, for it ends with its last one. A page that crashed is closed already.
        with suppress(WebDriverException):
            self._driver.switch_to.window(self._handle)
            self._driver.close()


class WebkitgtkBrowser:
    """A MiniBrowser as an EngineBrowser. When a page crashes, the driver ends it; the next page starts another."""

    def __init__(self, start: Callable[[], WebKitGTK]) -> None:
        self._start = start
        self._driver = start()

    def new_page(self) -> WebkitgtkPage:
        try:
            first = self._driver.window_handles[0]
        except WebDriverException:
            self._driver.quit()
            self._driver = self._start()
            first = self._driver.window_handles[0]
        self._driver.switch_to.window(first)
        self._driver.switch_to.new_window("window")
        return WebkitgtkPage(self._driver, self._driver.current_window_handle)

    def quit(self) -> None:
        """End the browser."""
        self._driver.quit()


def mini_browser() -> Path | None:
    """Return the newest MiniBrowser, which Debian keeps out of PATH."""
    found = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
    return found[-1] if found else None


@contextmanager
def webkitgtk(_: Playwright) -> Iterator[EngineBrowser]:
    """Run Debian's WebKitGTK."""
    program, executable = shutil.which(DRIVER), mini_browser()
    if program is None or executable is None:
        raise BrowserMissingError(f"{DRIVER} or WebKitGTK's MiniBrowser is missing")
    with screen() as display:
        browser = WebkitgtkBrowser(lambda: _started(program, executable, display))
        try:
            yield browser
        finally:
            browser.quit()


def _started(program: str, executable: Path, display: str) -> WebKitGTK:
    options = Options()
    options.binary_location = str(executable)
    options.add_argument("--automation")
    service = Service(program, env={**os.environ, **ENVIRONMENT, "DISPLAY": display})
    try:
        driver = WebKitGTK(options, service)
    except WebDriverException as error:
        raise BrowserStartError(f"WebKitGTK does not start: {error.msg}", where=str(executable)) from error
    driver.set_script_timeout(SCRIPT_SECONDS)
    return driver


@contextmanager
def screen() -> Iterator[str]:
    """Run an X server without a screen and give the name of its display, which the server chooses."""
    program = shutil.which(SCREEN)
    if program is None:
        raise BrowserMissingError(f"{SCREEN} is missing")
    read, write = os.pipe()
    command = [program, "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as answer:
            number = answer.readline().strip()  # ends when the server does
        if not number:
            raise BrowserStartError(f"{SCREEN} exited with {server.wait(SCREEN_SECONDS)}", where=program)
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(SCREEN_SECONDS)
