"""The table of `build.py bench --polyfill`."""

from io import StringIO

from rich.console import Console

from tools.bench.polyfill import Row, show
from tools.bench.statistics import Spread
from tools.measuring.browser import BrowserFacts

FACTS = BrowserFacts("Some Browser", "147.0", "/usr/bin/some-browser", True, "")
TIME = Spread(1, 1, 1, 1)


def row(ratio: float) -> Row:
    return Row("a_model", "own", 7, 7, 20, 100, TIME, TIME, Spread(ratio, 0.9, 1.2, 0.8))


def test_the_goal() -> None:
    assert row(1.10).is_good
    assert not row(1.11).is_good


def test_the_table_shows_rounds_and_load() -> None:
    text = StringIO()
    tiny_graph_ms = {"own": Spread(0.01, 0.01, 0.02, 0.01), "worker": Spread(0.12, 0.1, 0.3, 0.1)}
    show(Console(file=text, width=200), FACTS, 20, [row(1.05), row(1.5)], tiny_graph_ms)
    for words in ("1.050 [0.900, 1.200]", "met", "missed", "0.010 [0.010, 0.020]", "20 rounds", "Load average"):
        assert words in text.getvalue()
