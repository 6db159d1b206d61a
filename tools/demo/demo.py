"""`build.py demo`: real models in a real browser, on WebNN and on the CPU, against native LiteRT."""

import json
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser as PlaywrightBrowser
from rich.markup import escape

from support.console import console, output
from support.errors import BuildError
from tools.demo import demo_table
from tools.measuring.browser import measuring_browser
from tools.measuring.measurement import MeasuredModel, Measurement, check_package, load_models, measure
from web_tests.browsers.page import PageError
from web_tests.drivers.harness import Harness
from web_tests.models import catalogue
from web_tests.server.server import Server


def run(model_files: Sequence[Path], *, json_output: bool, browser: Path | None, rounds: int) -> int:
    """Run the demo and return the exit status: 0, or 1 when a model failed.

    Args:
        model_files: the user's own models; none means the demo models of models.toml.
        json_output: print JSON, and nothing else, on standard output.
        browser: the user's own Chromium-based browser; None means the first one with WebNN.
        rounds: number of timings per model and backend.

    Raises:
        BuildError: there is no model, no package or no browser.
    """
    check_package()
    models = load_models(model_files, [model.name for model in catalogue.demo_models()])
    with measuring_browser(browser) as (running, info):
        measurements, failures = _measure_all(models, running, rounds)
    if json_output:
        print(json.dumps(demo_table.to_json(info, rounds, measurements, failures), indent=2, allow_nan=False))
    else:
        demo_table.show(output, info, rounds, measurements)
    for name, error in failures.items():
        console.print(f"[red]{escape(name)}:[/red] {escape(str(error))}", soft_wrap=True)
    return 1 if failures else 0


def _measure_all(
    models: Sequence[MeasuredModel], browser: PlaywrightBrowser, rounds: int
) -> tuple[list[Measurement], dict[str, BuildError]]:
    """Measure each model; failures do not stop the others."""
    measurements: list[Measurement] = []
    failures: dict[str, BuildError] = {}
    with Server() as server:
        harness = Harness(browser.new_page(), server)
        for model in models:
            console.print(f"[dim]{escape(model.name)}[/dim]")
            try:
                measurements.append(measure(harness, model, rounds=rounds))
            except PageError as error:
                failures[model.name] = error
                harness.page.close()
                harness = Harness(browser.new_page(), server)
            except BuildError as error:
                failures[model.name] = error
    return measurements, failures
