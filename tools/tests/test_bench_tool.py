"""The table of `build.py bench --tool`."""

from io import StringIO

import pytest
from rich.console import Console

from tools.bench.statistics import Spread
from tools.bench.tool import Row, ToolFailedError, executions, show, times_of
from tools.measuring.browser import BrowserFacts

FACTS = BrowserFacts("Some Browser", "147.0", "/usr/bin/some-browser", True, "")
TIME = Spread(1, 1, 1, 1)
PRINTED = """\
INFO: count=24 first=48570 curr=33326 min=3375 max=83250 avg=17115.7 std=18899 p5=3470 median=10616 p95=55046

INFO: count=25 first=19421 curr=14920 min=7015 max=30470 avg=1.61592e+04 std=5516 p5=7545 median=15526 p95=27946

INFO: Inference timings in us: Init: 412955, First inference: 48570, Warmup (avg): 17115.7, Inference (avg): 16159.2
"""


def row(ratio: float) -> Row:
    return Row("a_model", "WebNN", TIME, TIME, Spread(ratio, 0.9, 1.2, 0.8), 0.987)


def test_the_goal_has_two_sides() -> None:
    assert row(1.10).is_good
    assert row(0.91).is_good
    assert not row(1.11).is_good
    assert not row(0.90).is_good


def test_the_last_times_in_the_output_count() -> None:
    times = times_of(PRINTED, 0)
    assert (times.mean, times.least) == pytest.approx((16.1592, 7.015))
    with pytest.raises(ToolFailedError, match="ended with status 1"):
        times_of(PRINTED, 1)
    with pytest.raises(ToolFailedError, match="no such file"):
        times_of("no such file", 0)


@pytest.mark.needs("package")
def test_both_sides_compute_on_the_same_objects() -> None:
    ways = executions(has_webnn=True)
    assert [way.title for way in ways] == ["WebNN", "CPU, 1 thread", "CPU, 2 threads"]
    assert all(way.runtime.place == "worker" for way in ways)
    assert [way.runtime.load_options["variant"] for way in ways] == ["simd", "simd", "simd-threads"]
    assert [way.title for way in executions(has_webnn=False)] == ["CPU, 1 thread", "CPU, 2 threads"]


def test_the_table_shows_rounds_and_load() -> None:
    text = StringIO()
    show(Console(file=text, width=200), FACTS, 5, [row(1.05), row(1.5)])
    for words in ("1.050 [0.900, 1.200]", "0.987", "met", "missed", "5 rounds", "within 10%", "Load average"):
        assert words in text.getvalue()
