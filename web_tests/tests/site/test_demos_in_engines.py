"""The demos on the CPU and on the polyfill in Debian's Chromium, Firefox and WebKitGTK, which lack WebNN."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from site_generator import pages

from web_tests.browsers.page import EngineBrowser, EnginePage
from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.engine_pages import engine_visit, waited

PAGES = pages.load()
RESULT_SECONDS = 90.0

STATUS = "() => `${document.getElementById('status')?.dataset.kind}: ${document.getElementById('status')?.textContent}`"
CLICK = "selector => document.querySelector(selector).click()"
IS_ON_POLYFILL = "() => document.getElementById('where').textContent.includes('polyfill')"


@contextmanager
def demo(browser: EngineBrowser, site: ServedSite, name: str) -> Iterator[EnginePage]:
    """Open a demo, which reloads once to become isolated, and wait until it is ready."""
    with engine_visit(browser, site, PAGES[name].file) as page:
        wait_for_status(page, "ready: ")
        yield page


def wait_for_status(page: EnginePage, text: str) -> str:
    """Poll until the status contains this text or is an error; return it."""
    expected = f"""() => {{
        const status = ({STATUS})();
        return status.startsWith('error') || status.includes({json.dumps(text)}) ? status : null;
    }}"""
    status = str(waited(page, expected, timeout_seconds=RESULT_SECONDS))
    assert text in status
    return status


def test_the_classification_demo_runs_in_each_engine(engine_browser: EngineBrowser, site: ServedSite) -> None:
    with demo(engine_browser, site, "demo-classification") as page:
        page.evaluate(CLICK, "[data-sample=chelsea]")
        wait_for_status(page, "ready: Cat: Egyptian cat")
        page.evaluate(CLICK, "#execution-polyfill-tflite")
        waited(page, IS_ON_POLYFILL, timeout_seconds=RESULT_SECONDS)
        wait_for_status(page, "ready: Cat: Egyptian cat")


def test_the_segmentation_demo_runs_in_each_engine(engine_browser: EngineBrowser, site: ServedSite) -> None:
    with demo(engine_browser, site, "demo-segmentation") as page:
        page.evaluate(CLICK, "[data-sample=astronaut]")
        assert "person covers 46." in wait_for_status(page, "ready: Astronaut: person covers")
        page.evaluate(CLICK, "#task-person")
        assert "covers 54." in wait_for_status(page, "ready: Astronaut: the person covers")


def test_the_landmarks_demo_runs_in_each_engine(engine_browser: EngineBrowser, site: ServedSite) -> None:
    with demo(engine_browser, site, "demo-landmarks") as page:
        page.evaluate(CLICK, "[data-sample=astronaut]")
        wait_for_status(page, "ready: Astronaut: 1 face found")
        page.evaluate(CLICK, "#task-pose")
        wait_for_status(page, "ready: Astronaut: 1 body found")
        page.evaluate(CLICK, "[data-sample=drawn_hand]")
        wait_for_status(page, "ready: Drawn hand: ")
        page.evaluate(CLICK, "#task-hand")
        wait_for_status(page, "ready: Drawn hand: 1 hand found")


def test_the_audio_demo_finds_notes_in_each_engine(engine_browser: EngineBrowser, site: ServedSite) -> None:
    with demo(engine_browser, site, "demo-audio") as page:
        page.evaluate(CLICK, "[data-sample=chords]")
        wait_for_status(page, "ready: Three chords: 9 notes: ")
