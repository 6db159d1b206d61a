"""The table of `build.py bench --overhead`."""

from io import StringIO

from rich.console import Console

from tools.bench.overhead import Row, show
from tools.bench.statistics import Spread
from tools.measuring.browser import BrowserFacts

FACTS = BrowserFacts("Some Browser", "147.0", "/usr/bin/some-browser", True, "")
TIME = Spread(1, 1, 1, 1)


def row(ratio: float, difference_ms: float) -> Row:
    return Row("a_model", TIME, TIME, Spread(ratio, 0.9, 1.2, 0.8), Spread(difference_ms, -0.1, 0.1, -0.2))


def test_either_goal_is_enough() -> None:
    assert row(1.5, 0.05).is_good
    assert row(1.02, 3).is_good
    assert not row(1.021, 0.051).is_good


def test_the_table_shows_rounds_and_load() -> None:
    text = StringIO()
    show(Console(file=text, width=200), FACTS, 20, [row(1.5, 0.01), row(1.5, 1)])
    for words in ("0.010 [-0.100, 0.100]", "met", "missed", "20 rounds", "Load average"):
        assert words in text.getvalue()
