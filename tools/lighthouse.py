"""`build.py lighthouse`: Lighthouse's scores of the site's pages, on its slowed-down phone."""

import json
import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from playwright.sync_api import sync_playwright
from rich.markup import escape
from rich.progress import Progress
from rich.table import Column, Table
from site_generator import pages
from site_generator.paths import OUTPUT_DIR

from js.node import run_package
from support.console import console
from support.paths import BUILD_DIR
from tools.measuring.browser import choose_browser
from web_tests.browsers.chromium_flags import HEADLESS_FLAGS, NO_SANDBOX_FLAGS, QUIET_FLAGS, WEBNN_FLAGS, combined
from web_tests.server.server import Server, site_routes

# Not in package.json: its 185 MB are for this command alone.
PACKAGE = "lighthouse@12.8.2"
REPORTS_DIR = BUILD_DIR / "lighthouse"
CATEGORIES = ("performance", "accessibility", "best-practices")
LEAST_SCORE = 0.95


@dataclass(frozen=True)
class Scores:
    """One run of Lighthouse on one page.

    Attributes:
        categories: by name of CATEGORIES, 0 to 1.
        blocking_ms: total blocking time: of each task of the page's thread, what exceeds 50 ms.
        layout_shift: cumulative layout shift.
        largest_paint_ms: largest contentful paint.
    """

    categories: Mapping[str, float]
    blocking_ms: float
    layout_shift: float
    largest_paint_ms: float

    @classmethod
    def of(cls, report: Mapping[str, Any]) -> Self:
        """Take the scores from a report. A category that could not be measured counts as 0."""
        audits = report["audits"]
        return cls(
            {name: report["categories"][name]["score"] or 0.0 for name in CATEGORIES},
            audits["total-blocking-time"].get("numericValue", 0.0),
            audits["cumulative-layout-shift"].get("numericValue", 0.0),
            audits["largest-contentful-paint"].get("numericValue", 0.0),
        )


def run(names: Collection[str], *, browser: Path | None, runs: int, out: Path | None) -> int:
    """Print each page's scores, the median of its runs; return 1 if one is below LEAST_SCORE.

    Args:
        names: of pages; see pages.chosen().
        browser: the user's own.
        runs: of Lighthouse on each page.
        out: the folder for Lighthouse's reports; None for build/lighthouse.

    Raises:
        NoPageError: a name is not a page's.
        CommandError: Lighthouse fails.
    """
    wanted = pages.chosen(names)
    folder = out or REPORTS_DIR
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        program, _ = choose_browser(playwright, browser)
    found: dict[str, list[Scores]] = {}
    progress = Progress(console=console, transient=True)
    with progress, Server(site_routes(OUTPUT_DIR), compresses=True) as server:
        bar = progress.add_task("", total=len(wanted) * runs)
        for page in wanted:
            progress.update(bar, description=page.name)
            for turn in range(runs):
                report = report_file(folder, page.name, turn)
                scores = measure(f"{server.origin}/{page.file}", report, program.executable)
                found.setdefault(page.name, []).append(scores)
                progress.advance(bar)
    console.print(table_of(found))
    console.print(f"    the reports are in {escape(str(folder))}")
    return 0 if all(is_good(scores) for scores in found.values()) else 1


def measure(address: str, report: Path, browser: Path) -> Scores:
    """Run Lighthouse once; its report stays."""
    flags = combined(HEADLESS_FLAGS, NO_SANDBOX_FLAGS, QUIET_FLAGS, WEBNN_FLAGS)
    run_package(
        PACKAGE,
        address,
        "--quiet",
        "--output=json",
        f"--output-path={report}",
        f"--only-categories={','.join(CATEGORIES)}",
        f"--chrome-flags={' '.join(flags)}",
        env={"CHROME_PATH": str(browser)},
    )
    return Scores.of(json.loads(report.read_text(encoding="utf-8")))


def report_file(folder: Path, page: str, turn: int) -> Path:
    """Return where the report of a page's run is."""
    return folder / f"{page.replace('/', '-')}-{turn}.json"


def is_good(runs: Sequence[Scores]) -> bool:
    """Whether the medians of a page's scores reach LEAST_SCORE."""
    return all(statistics.median([scores.categories[name] for scores in runs]) >= LEAST_SCORE for name in CATEGORIES)


def table_of(found: Mapping[str, Sequence[Scores]]) -> Table:
    """Return the table of the pages' medians."""
    table = Table(Column("page", no_wrap=True), *CATEGORIES, "TBT, ms", "CLS", "LCP, ms")
    for page, runs in found.items():
        table.add_row(
            page,
            *(f"{statistics.median([scores.categories[name] for scores in runs]):.2f}" for name in CATEGORIES),
            f"{statistics.median([scores.blocking_ms for scores in runs]):.0f}",
            f"{statistics.median([scores.layout_shift for scores in runs]):.3f}",
            f"{statistics.median([scores.largest_paint_ms for scores in runs]):.0f}",
        )
    return table
