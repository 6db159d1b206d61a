"""Pages of the site in any engine: opening them, and waiting until they say something."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

from web_tests.browsers.page import EngineBrowser, EnginePage, PageError

POLL_SECONDS = 0.1


def opened(browser: EngineBrowser, url: str, *, ready: str, timeout_seconds: float = 60.0) -> EnginePage:
    """Open a page and wait until `ready`, a JavaScript function, tells something true.

    Raises:
        PageError: it does not come to that.
    """
    page = browser.new_page()
    page.open(url)
    waited(page, ready, timeout_seconds=timeout_seconds)
    return page


def waited(page: EnginePage, function: str, *, timeout_seconds: float = 60.0) -> Any:
    """Ask until the answer is true, and return it. A page may be loaded anew meanwhile: then there is none to be asked.

    Raises:
        PageError: the answer stays what it is.
    """
    end = time.monotonic() + timeout_seconds
    answer: Any = None
    while time.monotonic() < end:
        with suppress(PageError):
            answer = page.evaluate(function)
            if answer:
                return answer
        time.sleep(POLL_SECONDS)
    raise PageError(f"after {timeout_seconds} s the page still answers {answer!r} to {function}")
