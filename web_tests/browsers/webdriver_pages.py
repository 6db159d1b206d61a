"""Browsers behind a WebDriver server, on this machine or another: pages by Selenium."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.remote.webdriver import WebDriver
from urllib3.exceptions import HTTPError

from web_tests.browsers.page import PageError

# What Selenium raises: the driver's own errors, and those of the connection if the driver hangs or ends.
DRIVER_ERRORS = (WebDriverException, HTTPError)

# Selenium's scripts are function bodies; the last argument is a callback for the result.
CALL = """
const [argument, callback] = arguments;
const text = (error) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));
Promise.resolve().then(() => (FUNCTION)(argument)).then(
  (value) => callback({ value: value ?? null }),
  (error) => callback({ error: text(error) }),
);
"""
# There is no event for uncaught errors: pages/keep_errors.js keeps them, loaded before everything else.
TAKE_ERRORS = "return location.href === 'about:blank' ? [] : (window.uncaughtErrors?.splice(0) ?? null);"


def _text(error: Exception) -> str:
    return (error.msg if isinstance(error, WebDriverException) else None) or repr(error)


class WebDriverPage:
    """A window of a browser as an EnginePage. A driver controls one window at a time."""

    def __init__(self, driver: WebDriver, handle: str) -> None:
        self._driver = driver
        self._handle = handle

    def open(self, url: str) -> None:
        try:
            self._driver.switch_to.window(self._handle)
            self._driver.get(url)
        except DRIVER_ERRORS as error:
            raise PageError(f"{url} does not load: {_text(error)}") from error

    def evaluate(self, function: str, argument: Any = None) -> Any:
        try:
            self._driver.switch_to.window(self._handle)
            result = self._driver.execute_async_script(CALL.replace("FUNCTION", function), argument)
        except DRIVER_ERRORS as error:
            raise PageError(f"the page does not respond: {_text(error)}") from error
        if "error" in result:
            raise PageError(f"the page says: {result['error']}")
        return result["value"]

    def take_errors(self) -> list[str]:
        try:
            self._driver.switch_to.window(self._handle)
            errors: list[str] | None = self._driver.execute_script(TAKE_ERRORS)
        except DRIVER_ERRORS as error:
            raise PageError(f"the page is gone: {_text(error)}") from error
        if errors is None:
            raise PageError("the page does not keep its errors: its first script must be /keep_errors.js")
        return errors

    def close(self) -> None:
        # The browser's first window remains open, because it ends with its last one. A crashed page is already closed.
        with suppress(*DRIVER_ERRORS):
            self._driver.switch_to.window(self._handle)
            self._driver.close()


class WebDriverBrowser:
    """A browser as an EngineBrowser. If a crashing page ends the browser, the next page starts another.

    Args:
        start: starts the browser.
    """

    def __init__(self, start: Callable[[], WebDriver]) -> None:
        self._start = start
        self._driver = start()

    def new_page(self) -> WebDriverPage:
        try:
            first = self._driver.window_handles[0]
        except DRIVER_ERRORS:
            self.quit()
            self._driver = self._start()
            first = self._driver.window_handles[0]
        self._driver.switch_to.window(first)
        self._driver.switch_to.new_window("window")
        return WebDriverPage(self._driver, self._driver.current_window_handle)

    @property
    def version(self) -> str:
        """The browser's version, from its driver."""
        return str(self._driver.capabilities.get("browserVersion", ""))

    @property
    def platform(self) -> str:
        """The browser's system, from its driver."""
        return str(self._driver.capabilities.get("platformName", ""))

    def quit(self) -> None:
        """End the browser; its driver may have ended before it."""
        with suppress(*DRIVER_ERRORS):
            self._driver.quit()
