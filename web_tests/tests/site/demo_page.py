"""A demo page in use: samples and files go in, words and tables come out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page
from site_generator import pages

from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.visit import Visit, visiting

PAGES = pages.load()
# Software that does the work of a GPU takes its time.
RESULT_MS = 120_000

# What the table "Where it ran" says of each way of computing.
RAN_ON = {
    "webnn": "the browser’s WebNN",
    "polyfill-tflite": ", tflite",
    "polyfill-webgpu": ", webgpu",
    "polyfill-webgl": ", webgl",
    "cpu": "XNNPACK",
}

# An error ends the waiting, whatever is waited for.
SAYS = """([kind, words]) => {
    const { dataset, textContent } = document.getElementById('status');
    return (dataset.kind === kind && textContent.includes(words)) || dataset.kind === 'error';
}"""
RAN = "words => document.getElementById('where').textContent.includes(words)"
# Read from a copy: Chromium remarks on canvases that are drawn on and read by turns.
PIXEL = """([x, y]) => {
    const drawing = new OffscreenCanvas(1, 1).getContext('2d');
    drawing.drawImage(document.getElementById('canvas'), -x, -y);
    return [...drawing.getImageData(0, 0, 1, 1).data];
}"""


class DemoPage:
    """One open demo."""

    def __init__(self, visit: Visit) -> None:
        self.page: Page = visit.page
        self.complaints = visit.complaints

    def choose_sample(self, name: str) -> None:
        """Click a sample."""
        self.page.click(f"[data-sample={name}]")

    def choose_task(self, key: str) -> None:
        """Click what is looked for."""
        self.page.check(f"#task-{key}")

    def compute_on(self, execution: str) -> str:
        """Choose what computes, and return the status when that has."""
        self.page.check(f"#execution-{execution}")
        self.page.wait_for_function(RAN, arg=RAN_ON[execution], timeout=RESULT_MS)
        return self.says("ready")

    def says(self, kind: str, words: str = "") -> str:
        """Wait until the status is of this kind, with these words in it; return it."""
        self.page.wait_for_function(SAYS, arg=[kind, words], timeout=RESULT_MS)
        status = self.page.inner_text("#status")
        assert self.page.get_attribute("#status", "data-kind") == kind, status
        assert words in status
        return status

    def rows(self) -> list[list[str]]:
        """Return the cells of the table of results."""
        rows = self.page.locator("#results tbody tr").all()
        return [[cell.strip() for cell in row.locator("th, td").all_inner_texts()] for row in rows]

    def figures(self) -> dict[str, str]:
        """Return the numbers by label."""
        labels = self.page.locator("#figures dt").all_inner_texts()
        return dict(zip(labels, self.page.locator("#figures dd").all_inner_texts(), strict=True))

    def places(self) -> dict[str, tuple[float, float]]:
        """Return the landmarks of the first thing found: pixels from the left and from the top, by name."""
        found: dict[str, tuple[float, float]] = {}
        for name, place, *_ in self.rows():
            left, top = re.findall(r"-?\d+", place)
            found.setdefault(name, (float(left), float(top)))
        return found

    def pixel(self, x: int, y: int) -> list[int]:
        """Return red, green and blue of what the canvas shows."""
        colour: list[int] = self.page.evaluate(PIXEL, [x, y])
        return colour[:3]


@contextmanager
def demo(browser: Browser, site: ServedSite, name: str, **options: Any) -> Iterator[DemoPage]:
    """Open a demo and wait until something can be chosen; it must not have complained at the end."""
    with visiting(browser, site, PAGES[name].file, **options) as visit:
        page = DemoPage(visit)
        page.says("ready", "Choose a sample")
        yield page
        assert visit.complaints == []
        assert visit.foreign_requests(site) == []
