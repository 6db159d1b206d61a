"""The WebNN page: a report on this browser, by keyboard, stopped and continued; two reports compared."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, FilePayload, Page

from web_tests.browsers.page import EngineBrowser
from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.engine_pages import engine_visit, waited
from web_tests.tests.site.visit import visiting

PAGE = "webnn.html"
READY = "() => document.getElementById('status')?.textContent.includes('This browser has')"
SHOWN_MS = 120_000
START = "() => document.getElementById('start').click()"
SHOWN = "() => document.getElementById('report').textContent.includes('Promises and results')"
STOP = "() => document.getElementById('stop').click()"


def report(**changes: Any) -> dict[str, Any]:
    return {
        "format": 1,
        "created": "2026-11-22T10:00:00Z",
        "browser": "Chromium 147",
        "userAgent": "",
        "webnn": "browser",
        "requirements": "",
        "contexts": [],
        "speed": [],
        "fusion": [],
        "features": [{"feature": "MLTensor", "there": True, "detail": ""}],
        **changes,
    }


def choose(page: Page, field: str, content: str) -> None:
    payload = FilePayload(name=f"{field}.json", mimeType="application/json", buffer=content.encode())
    page.set_input_files(f"#{field}", payload)


def test_a_report_is_stopped_saved_and_continued_with_the_keyboard(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, PAGE) as visit:
        page = visit.page
        page.wait_for_function(READY)
        page.focus("#start")
        page.keyboard.press("Enter")
        page.wait_for_selector("#results:not([hidden])", timeout=SHOWN_MS)
        page.focus("#stop")
        page.keyboard.press("Enter")
        page.wait_for_selector("#stop", state="hidden", timeout=SHOWN_MS)
        assert page.inner_text("#status") == "Stopped. Press Continue to go on."
        with page.expect_download() as download:
            page.click("#save-report")
        saved = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
        page.reload()
        page.wait_for_function(READY)
        assert page.inner_text("#start") == "Continue"
        assert visit.console_errors == []
        assert visit.foreign_requests(site) == []
    default = saved["contexts"][0]
    assert (saved["format"], saved["webnn"], default["name"], default["rejected"]) == (1, "browser", "default", None)
    assert saved["browser"].startswith("Chromium ")
    assert {row["op"] for row in default["operators"]} >= {"abs", "conv2d", "where"}
    assert sum(sum(row["edges"].values()) + sum(row["values"].values()) for row in default["operators"]) > 0


def test_two_reports_are_compared(webnn_browser: Browser, site: ServedSite) -> None:
    after = report(features=[{"feature": "MLTensor", "there": False, "detail": ""}], created="2026-12-22T10:00:00Z")
    with visiting(webnn_browser, site, PAGE) as visit:
        page = visit.page
        page.wait_for_function(READY)
        choose(page, "before", json.dumps(report()))
        choose(page, "after", json.dumps(after))
        page.wait_for_selector("#differences table")
        cells = page.locator("#differences tbody tr > *").all_inner_texts()
        assert cells == ["MLTensor", "feature", "yes", "no"]
        choose(page, "after", json.dumps(report()))
        page.wait_for_selector("#differences p")
        assert "do not differ" in page.inner_text("#differences")
        choose(page, "after", "no report")
        page.wait_for_selector("#compare-status[data-kind=error]")
        assert "not JSON" in page.inner_text("#compare-status")


def test_the_polyfill_is_tested_where_webnn_is_missing(engine_browser: EngineBrowser, site: ServedSite) -> None:
    with engine_visit(engine_browser, site, PAGE, ready=READY) as page:
        assert page.evaluate("() => document.getElementById('engine').value") == "polyfill"
        page.evaluate(START)
        waited(page, SHOWN, timeout_seconds=SHOWN_MS / 1000)
        page.evaluate(STOP)
