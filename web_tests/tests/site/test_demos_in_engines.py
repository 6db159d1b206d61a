"""The demos in Debian's Chromium, Firefox and WebKitGTK, none of which has WebNN: on the CPU and on the polyfill."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from operator import attrgetter

import pytest
from playwright.sync_api import Playwright
from site_generator import pages

from web_tests.engines import ENGINES, Engine
from web_tests.engines.page import EngineBrowser, EnginePage, PageError
from web_tests.tests.site.conftest import ServedSite

PAGES = pages.load()
RESULT_SECONDS = 90.0

STATUS = "() => `${document.getElementById('status')?.dataset.kind}: ${document.getElementById('status')?.textContent}`"
CLICK = "selector => document.querySelector(selector).click()"
WHERE = "() => document.getElementById('where').textContent"


@pytest.fixture(scope="module", params=ENGINES, ids=attrgetter("name"))
def browser(request: pytest.FixtureRequest, playwright: Playwright) -> Iterator[EngineBrowser]:
    """Each engine in turn; one that is not installed is skipped, with the command that installs it."""
    engine: Engine = request.param
    if missing := engine.missing_packages():
        pytest.skip(f"{engine.title} is not installed: apt-get install {' '.join(missing)}")
    with engine.start(playwright) as running:
        yield running


@pytest.fixture
def page(browser: EngineBrowser) -> Iterator[EnginePage]:
    """A new page; the test fails when it reports an error that nobody caught."""
    page = browser.new_page()
    yield page
    errors = page.take_errors()
    page.close()
    assert errors == []


def open_demo(page: EnginePage, site: ServedSite, name: str) -> None:
    """Open a demo; it is loaded a second time to become isolated, and then tells that something can be chosen."""
    page.open(site.address + PAGES[name].file)
    wait_for_status(page, "ready: Choose a sample")


def wait_for_status(page: EnginePage, *words: str) -> str:
    """Ask until the status has one of these words; return it."""
    end = time.monotonic() + RESULT_SECONDS
    status = ""
    while time.monotonic() < end:
        with suppress(PageError):  # between the two loads there is no page
            status = str(page.evaluate(STATUS))
            if any(word in status for word in words):
                return status
        if status.startswith("error"):
            break
        time.sleep(0.05)
    raise PageError(f"the page says {status!r}, and none of {words}")


def test_classification(page: EnginePage, site: ServedSite) -> None:
    open_demo(page, site, "demo-classification")
    page.evaluate(CLICK, "[data-sample=chelsea]")
    wait_for_status(page, "ready: Cat: Egyptian cat")
    page.evaluate(CLICK, "#execution-polyfill")
    wait_for_status(page, "busy")
    wait_for_status(page, "ready: Cat: Egyptian cat")
    end = time.monotonic() + RESULT_SECONDS
    while "polyfill" not in page.evaluate(WHERE) and time.monotonic() < end:
        time.sleep(0.05)
    assert "polyfill" in page.evaluate(WHERE)


def test_segmentation(page: EnginePage, site: ServedSite) -> None:
    open_demo(page, site, "demo-segmentation")
    page.evaluate(CLICK, "[data-sample=astronaut]")
    assert "person on 46." in wait_for_status(page, "ready: Astronaut: person on")
    page.evaluate(CLICK, "#task-person")
    assert "covers 54." in wait_for_status(page, "ready: Astronaut: the person covers")


def test_landmarks(page: EnginePage, site: ServedSite) -> None:
    open_demo(page, site, "demo-landmarks")
    page.evaluate(CLICK, "[data-sample=astronaut]")
    wait_for_status(page, "ready: Astronaut: 1 face found")
    page.evaluate(CLICK, "#task-pose")
    wait_for_status(page, "ready: Astronaut: 1 body found")
    page.evaluate(CLICK, "[data-sample=drawn_hand]")
    wait_for_status(page, "ready: Drawn hand: ")
    page.evaluate(CLICK, "#task-hand")
    wait_for_status(page, "ready: Drawn hand: 1 hand found")


def test_notes(page: EnginePage, site: ServedSite) -> None:
    open_demo(page, site, "demo-audio")
    page.evaluate(CLICK, "[data-sample=chords]")
    wait_for_status(page, "ready: Three chords: 9 notes: ")
