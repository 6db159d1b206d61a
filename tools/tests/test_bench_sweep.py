"""The lines of `build.py bench --sweep`."""

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from tools.bench.plots import draw_sweep
from tools.bench.statistics import fit_line, spread
from tools.bench.sweep import Growth, Point, show, times, to_json
from tools.bench.sweep_models import all_series, partitioned
from tools.measuring.browser import BrowserFacts
from web_tests.references.native_litert import input_details

FACTS = BrowserFacts("Some Browser", "147.0", "/usr/bin/some-browser", True, "")


def growth(mode: str = "direct") -> Growth:
    """A series whose runs take 1 ms and 1 us per byte, 0.5 ms of it overhead."""
    xs = [0, 1000, 3000]
    points = [Point(x, spread([1 + x / 1000, 9]), spread([0.5 + x / 1000, 9]), 0.5) for x in xs]
    lines = [fit_line(xs, [times(point)[key] for point in points]) for key in ("run", "compared", "overhead")]
    return Growth("input size", "border bytes", mode, points, *lines)


def test_lines_are_through_the_least_times() -> None:
    found = growth()
    assert (found.run.constant, found.run.slope) == pytest.approx((1, 0.001))
    assert (found.overhead.constant, found.overhead.slope) == pytest.approx((0.5, 0))


@pytest.mark.parametrize(("mode", "words"), [("direct", "by hand"), ("stepped", "on the CPU")])
def test_the_table_shows_slopes_per_megabyte(mode: str, words: str) -> None:
    text = StringIO()
    show(Console(file=text, width=200), FACTS, 20, [growth(mode)])
    for expected in (words, "1000000.00", "MB", "20 rounds", "Load average"):
        assert expected in text.getvalue()


def test_the_plot_has_all_series(tmp_path: Path) -> None:
    found = to_json(FACTS, 20, "now", [growth(), growth("stepped")])
    assert draw_sweep(found, tmp_path / "sweep.png").read_bytes().startswith(b"\x89PNG")


def test_models_of_a_series_differ_in_one_number() -> None:
    for series in all_series():
        assert len(set(series.xs)) == len(series.xs) >= 3
    sizes, _, batches, *_ = all_series()
    assert input_details(sizes.model(8 * 1024))[0].shape == (1, 1024)
    assert input_details(batches.model(8))[0].shape == (8, 16, 16, 3)
    assert len(partitioned(3, 4)) < len(partitioned(4, 4))
