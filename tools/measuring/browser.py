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
