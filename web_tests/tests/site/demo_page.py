"""Drives a demo page: provides samples and files, reads its status and tables."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from site_generator import pages

from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.visit import Visit, visiting

PAGES = pages.load()
# Software-emulated GPUs are slow.
RESULT_MS = 120_000

# Text of the table "Placement" for each execution.
RAN_ON = {
    "webnn": "the browser’s WebNN",
    "polyfill-tflite": ", tflite",
    "polyfill-webgpu": ", webgpu",
    "polyfill-webgl": ", webgl",
    "cpu": "XNNPACK",
}

# An error always ends the wait.
SAYS = """([kind, text]) => {
    const { dataset, innerText } = document.getElementById('status');
    return dataset.kind === kind && innerText.includes(text) && { text: innerText };
}"""
RAN = "text => document.getElementById('where').textContent.includes(text)"
IN_VIEW = """selector => {
    const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight && bottom > top;
}"""
# Reads from a copy: Chromium warns about repeatedly read canvases.
PIXEL = """([x, y]) => {
    const drawing = new OffscreenCanvas(1, 1).getContext('2d');
    drawing.drawImage(document.getElementById('canvas'), -x, -y);
    return [...drawing.getImageData(0, 0, 1, 1).data];
}"""


class DemoPage:
    """One open demo."""

    def __init__(self, visit: Visit) -> None:
        self.page: Page = visit.page

    def choose_sample(self, name: str) -> None:
        self.page.click(f"[data-sample={name}]")

    def choose_task(self, key: str) -> None:
        """Select a task."""
        self.page.check(f"#task-{key}")

    def compute_on(self, execution: str) -> str:
        """Select an execution, and return the status when it has run."""
        self.page.check(f"#execution-{execution}")
        self.page.wait_for_function(RAN, arg=RAN_ON[execution], timeout=RESULT_MS)
        return self.says("ready")

    def says(self, kind: str, text: str = "") -> str:
        """Wait until the status is of this kind and contains this text, after any earlier one; return it."""
        try:
            found = self.page.wait_for_function(SAYS, arg=[kind, text], timeout=RESULT_MS)
        except PlaywrightTimeoutError as error:
            raise AssertionError(f"the page says {self.page.inner_text('#status')!r}, not {text!r} ({kind})") from error
        status: str = found.json_value()["text"]
        return status

    def rows(self) -> list[list[str]]:
        """Return the cells of the results table."""
        rows = self.page.locator("#results tbody tr").all()
        return [[cell.strip() for cell in row.locator("th, td").all_inner_texts()] for row in rows]

    def figures(self) -> dict[str, str]:
        """Return the figures by label."""
        labels = self.page.locator("#figures dt").all_inner_texts()
        return dict(zip(labels, self.page.locator("#figures dd").all_inner_texts(), strict=True))

    def positions(self) -> dict[str, tuple[float, float]]:
        """Return the landmarks of the first detection by name: x and y in pixels."""
        found: dict[str, tuple[float, float]] = {}
        for name, position, *_ in self.rows():
            left, top = re.findall(r"-?\d+", position)
            found.setdefault(name, (float(left), float(top)))
        return found

    def pixel(self, x: int, y: int) -> list[int]:
        """Return red, green and blue of a pixel of the canvas."""
        colour: list[int] = self.page.evaluate(PIXEL, [x, y])
        return colour[:3]


@contextmanager
def demo(browser: Browser, site: ServedSite, name: str, **options: Any) -> Iterator[DemoPage]:
    """Open a demo and wait until its first sample has run; assert at the end that it reported no errors."""
    with visiting(browser, site, PAGES[name].file, **options) as visit:
        page = DemoPage(visit)
        page.says("ready")
        yield page
        assert visit.console_errors == []
        assert visit.foreign_requests(site) == []
