"""`build.py lighthouse`, without Lighthouse."""

from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from site_generator import pages

from tools import lighthouse
from tools.lighthouse import Scores


def report(performance: float | None, blocking_ms: float = 0) -> dict[str, Any]:
    audits = {"total-blocking-time": blocking_ms, "cumulative-layout-shift": 0.01, "largest-contentful-paint": 1200}
    return {
        "categories": {name: {"score": 1} for name in lighthouse.CATEGORIES} | {"performance": {"score": performance}},
        "audits": {name: {"numericValue": value} for name, value in audits.items()},
    }


def test_a_page_that_the_site_lacks_is_an_error() -> None:
    with pytest.raises(pages.NoPageError, match="no page 'demo'"):
        lighthouse.run(["demo"], browser=None, runs=1, out=None)


def test_the_median_of_the_runs_counts() -> None:
    fast, slow = Scores.of(report(0.99, 100)), Scores.of(report(0.5, 900))
    assert lighthouse.is_good([fast, slow, fast])
    assert not lighthouse.is_good([fast, slow, slow])
    console = Console(width=120, record=True)
    console.print(lighthouse.table_of({"index": [fast, slow, slow]}))
    assert {"index", "0.50", "900", "0.010", "1200"} <= set(console.export_text().split())


def test_what_could_not_be_measured_counts_as_zero() -> None:
    assert not lighthouse.is_good([Scores.of(report(None))])


def test_each_run_has_its_report() -> None:
    folder = Path("out")
    files = {lighthouse.report_file(folder, page, turn) for page in ("docs", "docs/peers") for turn in range(3)}
    assert len(files) == 6
