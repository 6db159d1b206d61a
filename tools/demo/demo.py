"""`build.py demo`: real models in a real browser, on WebNN and on the CPU, against native LiteRT."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser as PlaywrightBrowser
from playwright.sync_api import Playwright, sync_playwright
from rich.markup import escape

from tools.demo import demo_table
from tools.demo.demo_table import BrowserFacts
from tools.demo.measurement import Measurement, Subject, measure
from tools.support.console import console, output
from tools.support.errors import BuildError
from tools.support.paths import PACKAGE_DIR
from web_tests.browsers import installed
from web_tests.browsers.installed import BrowserProgram, Probe
from web_tests.browsers.page import PageError
from web_tests.drivers.harness import Harness
from web_tests.models import catalogue
from web_tests.server.server import Server


class NoBrowserError(BuildError):
    """There is no browser that starts."""


class NoPackageError(BuildError):
    """build/package has not been built."""


class ModelFileError(BuildError):
    """A model file that the user named cannot be read."""


def run(model_files: Sequence[Path], *, json_output: bool, browser: Path | None, rounds: int) -> int:
    """Run the demo and return the exit status: 0, or 1 when a model failed.

    Args:
        model_files: the user's own models; none means the demo models of models.toml.
        json_output: print JSON, and nothing else, on standard output.
        browser: the user's own Chromium-based browser; None means the first one with WebNN.
        rounds: how often each model is timed on either side.

    Raises:
        BuildError: there is nothing to run, or nothing to run it in.
    """
    check_package()
    subjects = _subjects(model_files)
    with sync_playwright() as playwright:
        program, probe = choose_browser(playwright, browser)
        facts = BrowserFacts(program.title, probe.version, str(program.executable), probe.webnn, probe.reason)
        with installed.launched(playwright, program) as running:
            measurements, failures = _measure_all(subjects, running, rounds)
    if json_output:
        print(json.dumps(demo_table.to_json(facts, rounds, measurements, failures), indent=2, allow_nan=False))
    else:
        demo_table.show(output, facts, rounds, measurements)
    for name, error in failures.items():
        console.print(f"[red]{escape(name)}:[/red] {escape(str(error))}", soft_wrap=True)
    return 1 if failures else 0


def check_package() -> None:
    """Make sure that there is a package to run.

    Raises:
        NoPackageError: there is none.
    """
    if not (PACKAGE_DIR / "index.mjs").is_file():
        raise NoPackageError("the package is not built", where=str(PACKAGE_DIR), mend="python3 build.py build")


def subject_of_file(file: Path) -> Subject:
    """Return the user's own model.

    Raises:
        ModelFileError: the file cannot be read.
    """
    try:
        return Subject(file.name, file.read_bytes())
    except OSError as error:
        raise ModelFileError(f"cannot read the model file: {error.strerror}", where=str(file)) from error


def choose_browser(playwright: Playwright, path: Path | None) -> tuple[BrowserProgram, Probe]:
    """Return the user's browser, else the first one with WebNN, else the first one that starts.

    Raises:
        NoBrowserError: none starts; the message tells each one's reason.
        BrowserMissingError: there is no program at `path`.
    """
    programs = [installed.at_path(path)] if path else installed.discover()
    found = installed.survey(playwright, programs)
    started = [(program, probe) for program, probe in found if probe.version]
    if not started:
        reasons = "; ".join(f"{program.title}: {probe.reason}" for program, probe in found)
        raise NoBrowserError(
            f"no browser starts: {reasons or 'none was found'}",
            mend="`python3 build.py setup` installs one; or give your own with --browser PATH",
        )
    return next((pair for pair in started if pair[1].webnn), started[0])


def _subjects(files: Sequence[Path]) -> list[Subject]:
    if files:
        return [subject_of_file(file) for file in files]
    return [Subject(model.name, model.content(), model) for model in catalogue.demo_models()]


def _measure_all(
    subjects: Sequence[Subject], browser: PlaywrightBrowser, rounds: int
) -> tuple[list[Measurement], dict[str, BuildError]]:
    """Measure each model in turn; one that fails does not stop the others."""
    measurements: list[Measurement] = []
    failures: dict[str, BuildError] = {}
    with Server() as server:
        harness = Harness(browser.new_page(), server)
        for subject in subjects:
            console.print(f"[dim]{escape(subject.name)}[/dim]")
            try:
                measurements.append(measure(harness, subject, rounds=rounds))
            except PageError as error:
                failures[subject.name] = error
                harness.page.close()
                harness = Harness(browser.new_page(), server)
            except BuildError as error:
                failures[subject.name] = error
    return measurements, failures
