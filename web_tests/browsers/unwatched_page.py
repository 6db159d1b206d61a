"""A page of Chromium that nothing watches.

Playwright listens to the network of each of its pages, and Chromium then keeps a copy of all that the page fetches:
2 ms of the page's thread for each megabyte. Playwright leaves pages alone whose browser context it has not created.
"""

import json
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, CDPSession
from playwright.sync_api import Error as PlaywrightError

from web_tests.browsers.page import SCRIPT_SECONDS, PageError

POLL_SECONDS = 0.002
CRASHED = "Inspector.targetCrashed"


class UnwatchedPage:
    """An `EnginePage`, which also accepts commands of the DevTools protocol."""

    def __init__(self, browser: Browser) -> None:
        self._browser: CDPSession = browser.new_browser_cdp_session()
        self._events: list[str] = []
        self._responses: dict[int, Any] = {}
        self._browser.on("Target.receivedMessageFromTarget", self._on_message)
        context = self._browser.send("Target.createBrowserContext")["browserContextId"]
        target = {"url": "about:blank", "browserContextId": context}
        self._target = self._browser.send("Target.createTarget", target)["targetId"]
        # Without `flatten`, messages travel inside of the browser's own, which is all that Playwright has.
        self._session = self._browser.send("Target.attachToTarget", {"targetId": self._target})["sessionId"]
        self._count = 0
        self.send("Page.enable")
        self.send("Inspector.enable")

    def send(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """Send a command of the DevTools protocol, and return its result.

        Raises:
            PageError: the command fails, or the page is gone.
        """
        self._count += 1
        number = self._count
        message = json.dumps({"id": number, "method": method, "params": params or {}})
        try:
            self._browser.send("Target.sendMessageToTarget", {"sessionId": self._session, "message": message})
        except PlaywrightError as error:
            raise PageError(f"the page is gone: {error}") from error
        self._until(lambda: number in self._responses, method)
        response = self._responses.pop(number)
        if "error" in response:
            raise PageError(f"the browser says: {response['error']['message']}")
        return response["result"]

    def open(self, url: str) -> None:
        self._events.clear()
        self.send("Page.navigate", {"url": url})
        self._until(lambda: "Page.loadEventFired" in self._events, url)

    def evaluate(self, function: str, argument: Any = None) -> Any:
        call = {"expression": f"({function})({json.dumps(argument)})", "awaitPromise": True, "returnByValue": True}
        response = self.send("Runtime.evaluate", call)
        if "exceptionDetails" in response:
            raise PageError(f"the page says: {response['exceptionDetails'].get('exception', {}).get('description')}")
        return response["result"].get("value")

    def take_errors(self) -> list[str]:
        """Return nothing: uncaught errors are not watched, either."""
        self.send("Target.getTargetInfo")
        return []

    def close(self) -> None:
        self._browser.send("Target.closeTarget", {"targetId": self._target})

    def _until(self, is_done: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + SCRIPT_SECONDS
        while True:
            if CRASHED in self._events:
                raise PageError("the page crashed")
            if is_done():
                return
            if time.monotonic() > end:
                raise PageError(f"the page did not respond within {SCRIPT_SECONDS:g} s: {what}")
            time.sleep(POLL_SECONDS)
            self._browser.send("Target.getTargetInfo", {"targetId": self._target})  # lets Playwright deliver its events

    def _on_message(self, event: dict[str, Any]) -> None:
        message = json.loads(event["message"])
        if "id" in message:
            self._responses[message["id"]] = message
        else:
            self._events.append(message["method"])
