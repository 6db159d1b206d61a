"""Runs the model of each workaround in a browser without it: what still fails there, and what a newer one has fixed."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from playwright.sync_api import Playwright, sync_playwright
from rich.markup import escape

from support.console import console
from tools.measuring.browser import choose_webnn_browser
from tools.probe.workaround_models import WorkaroundModel, models
from tools.probe.workarounds import Workaround, workarounds
from web_tests.browsers import installed
from web_tests.browsers.installed import BrowserProgram
from web_tests.browsers.page import PageError
from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.models.recipes import Array
from web_tests.references.comparison import output_range
from web_tests.server.server import Server

# Of the range of the outputs.
TOLERANCE = 1e-4
WORKS = "works"


def show(browser: Path | None) -> None:
    """Print what becomes of the model of each workaround in a browser without it.

    Raises:
        NoWebnnError: there is no WebNN.
    """
    with sync_playwright() as playwright, Server() as server:
        program, _ = choose_webnn_browser(playwright, browser)
        for line in summary(trials(playwright, program, server)):
            console.print(escape(line), soft_wrap=True)


def trials(
    playwright: Playwright, program: BrowserProgram, server: Server, rows: Sequence[Workaround] = workarounds()
) -> Iterator[tuple[Workaround, str]]:
    """Yield what becomes of each row's model without its workaround: WORKS, or as `without` in the table.

    Each has a fresh browser: Chromium creates no context after the third crash of its GPU process.
    """
    for row in rows:
        with installed.launched(playwright, program) as browser:
            others = [other.id for other in workarounds() if other != row]
            yield row, outcome(Harness(browser.new_page(), server), models()[row.id](), others)


def summary(results: Iterable[tuple[Workaround, str]]) -> Iterator[str]:
    """Yield a line for each result of `trials`."""
    for row, found in results:
        yield f"{row.id}: {found} without the workaround{_remark(row, found)}"


def _remark(row: Workaround, found: str) -> str:
    if found == WORKS:
        return ", which this browser no longer needs (set its last version in `to`)"
    return "" if found == row.without else f"; the table says {row.without}"


def outcome(harness: Harness, model: WorkaroundModel, ids: Sequence[str]) -> str:
    """Return what becomes of a model with these workarounds."""
    options = LoadOptions(webnn_options={"ignorePartitionCost": True, "workarounds": [*ids]})
    try:
        loaded = harness.load(model.content, options)
        found = loaded.run(model.inputs)
        webnn = loaded.report_now()["webnn"]
    except PageError:
        return "ends the page"
    if webnn["contextLosses"] > 0:
        return "crashes"
    if webnn["excludedNodes"] or not webnn["used"]:
        return "rejected"
    return WORKS if is_right(found, model) else "wrong"


def is_right(found: Sequence[Array], model: WorkaroundModel) -> bool:
    """Return whether these are the model's outputs."""
    return all(map(_is_close, found, model.outputs()))


def _is_close(found: Array, expected: Array) -> bool:
    if expected.dtype.kind != "f":
        steps = 1 if expected.dtype == np.int8 else 0  # kernels round differently
        return bool(np.allclose(found, expected, rtol=0, atol=steps))
    return bool(np.allclose(found, expected, rtol=0, atol=TOLERANCE * output_range(expected), equal_nan=True))
