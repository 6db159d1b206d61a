"""The browser that a tool measures in."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from playwright.sync_api import Browser as PlaywrightBrowser
from playwright.sync_api import Playwright, sync_playwright

from support.errors import BuildError
from web_tests.browsers import installed
from web_tests.browsers.installed import BrowserProgram, Probe


class NoBrowserError(BuildError):
    """No browser starts."""


def choose_browser(playwright: Playwright, path: Path | None) -> tuple[BrowserProgram, Probe]:
    """Return the user's browser, else the first one with WebNN, else the first one that starts.

    Raises:
        NoBrowserError: none starts; the message has each one's reason.
        BrowserMissingError: `path` is not a program.
    """
    programs = [installed.at_path(path)] if path else installed.discover()
    found = installed.survey(playwright, programs)
    started = [(program, probe) for program, probe in found if probe.version]
    if not started:
        reasons = "; ".join(f"{program.title}: {probe.reason}" for program, probe in found)
        raise NoBrowserError(
            f"no browser starts: {reasons or 'none was found'}",
            hint="`python3 build.py setup` installs one; or name your own with --browser PATH",
        )
    return next((pair for pair in started if pair[1].webnn), started[0])


class NoWebnnError(BuildError):
    """No browser of this machine has WebNN."""


def choose_webnn_browser(playwright: Playwright, path: Path | None, hint: str = "") -> tuple[BrowserProgram, Probe]:
    """Return the user's browser, else the first one with WebNN; `hint` is for the error.

    Raises:
        NoBrowserError, BrowserMissingError: as `choose_browser`.
        NoWebnnError: it has no WebNN.
    """
    program, probe = choose_browser(playwright, path)
    if not probe.webnn:
        what = f"there is no WebNN in {program.title} {probe.version}: {probe.reason}"
        raise NoWebnnError(what, where=str(program.executable), hint=hint)
    return program, probe


@dataclass(frozen=True)
class BrowserInfo:
    """The browser in use; `webnn_reason` is why WebNN does not work there."""

    title: str
    version: str
    executable: str
    webnn: bool
    webnn_reason: str

    @classmethod
    def of(cls, program: BrowserProgram, probe: Probe) -> Self:
        return cls(program.title, probe.version, str(program.executable), probe.webnn, probe.reason)


@contextmanager
def measuring_browser(path: Path | None) -> Iterator[tuple[PlaywrightBrowser, BrowserInfo]]:
    """Run the browser that `choose_browser` chooses, for a with-block."""
    with sync_playwright() as playwright:
        program, probe = choose_browser(playwright, path)
        with installed.launched(playwright, program) as running:
            yield running, BrowserInfo.of(program, probe)
