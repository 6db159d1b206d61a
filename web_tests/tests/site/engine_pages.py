"""Visits to pages of the site in any engine, and waits for conditions on them."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from web_tests.browsers.page import EngineBrowser, EnginePage, PageError
from web_tests.tests.site.conftest import ServedSite

POLL_SECONDS = 0.1
# A page that needs isolation reloads once; between the loads there is no page to query. A click before that is lost, as
# is one before the page's script has run: `ready` is read in the same document.
SETTLED = """() => document.readyState === 'complete' &&
    (crossOriginIsolated || !('isolated' in document.documentElement.dataset)) && ({ready})()"""
FETCHED = "() => [location, ...performance.getEntriesByType('resource')].map(({ href, name }) => href ?? name)"


@contextmanager
def engine_visit(
    browser: EngineBrowser, site: ServedSite, address: str, *, ready: str = "() => true"
) -> Iterator[EnginePage]:
    """Open a page of the site until it is loaded, and `ready`, a JavaScript function, returns something true.

    At the end, assert that the page reported no error, requested nothing from other servers, and has a heading.

    Raises:
        PageError: it does not become ready.
    """
    page = browser.new_page()
    try:
        page.open(site.address + address)
        waited(page, SETTLED.replace("{ready}", ready))
        yield page
        errors = page.take_errors()
        fetched = page.evaluate(FETCHED)
        heading = page.evaluate("() => document.querySelector('h1').textContent")
    finally:
        page.close()
    assert errors == []
    assert [url for url in fetched if not url.startswith((site.address, "blob:", "data:"))] == []
    assert heading


def waited(page: EnginePage, function: str, *, timeout_seconds: float = 60.0) -> Any:
    """Poll a JavaScript function until it returns something true, and return that. A page that reloads is polled again.

    Raises:
        PageError: the time is up.
    """
    end = time.monotonic() + timeout_seconds
    result: Any = None
    while time.monotonic() < end:
        with suppress(PageError):
            result = page.evaluate(function)
            if result:
                return result
        time.sleep(POLL_SECONDS)
    raise PageError(f"after {timeout_seconds} s the page still returns {result!r} from {function}")
