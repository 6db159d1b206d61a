"""Opens pages of the site in any engine and waits for conditions on them."""

import time
from contextlib import suppress
from typing import Any

from web_tests.browsers.page import EngineBrowser, EnginePage, PageError

POLL_SECONDS = 0.1


def opened(browser: EngineBrowser, url: str, *, ready: str, timeout_seconds: float = 60.0) -> EnginePage:
    """Open a page and wait until `ready`, a JavaScript function, returns something true.

    Raises:
        PageError: it does not come to that.
    """
    page = browser.new_page()
    page.open(url)
    waited(page, ready, timeout_seconds=timeout_seconds)
    return page


def waited(page: EnginePage, function: str, *, timeout_seconds: float = 60.0) -> Any:
    """Poll a JavaScript function until it returns something true, and return that. A page that reloads is polled again.

    Raises:
        PageError: the time is up.
    """
    end = time.monotonic() + timeout_seconds
    answer: Any = None
    while time.monotonic() < end:
        with suppress(PageError):
            answer = page.evaluate(function)
            if answer:
                return answer
        time.sleep(POLL_SECONDS)
    raise PageError(f"after {timeout_seconds} s the page still returns {answer!r} from {function}")
