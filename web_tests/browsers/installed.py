"""The Chromium-based browsers of this machine: finds and starts them, and checks whether WebNN works."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser as PlaywrightBrowser
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Playwright

from support.errors import BuildError, UsageError
from web_tests.browsers import downloads
from web_tests.browsers.chromium_flags import NO_SANDBOX_FLAGS, QUIET_FLAGS, WEBNN_FLAGS, combined
from web_tests.server.server import Server

Kind = Literal["shell", "chrome", "edge", "debian", "user"]

# Returns why a page has no WebNN; empty if it has.
PROBE = "async () => (await import('/page_info.mjs')).whyNoWebnn()"


class BrowserMissingError(BuildError):
    """The requested browser does not exist."""


class BrowserStartError(BuildError):
    """A browser does not start, or does not load a page."""


@dataclass(frozen=True)
class BrowserProgram:
    """A browser on this machine. `kind` is its origin, `title` is for tables."""

    kind: Kind
    title: str
    executable: Path


@dataclass(frozen=True)
class Probe:
    """The browser's version, and whether and why not a page can create a WebNN context."""

    version: str
    webnn: bool
    reason: str


def shell() -> BrowserProgram | None:
    """Chromium's headless shell with native WebNN, from the npm registry (see downloads)."""
    executable = downloads.shell_path()
    return BrowserProgram("shell", "Chromium headless shell", executable) if executable.is_file() else None


def chrome() -> BrowserProgram | None:
    """Google Chrome, if installed."""
    return _on_path("chrome", "Google Chrome", ("google-chrome", "google-chrome-stable"))


def edge() -> BrowserProgram | None:
    """Microsoft Edge, if installed."""
    return _on_path("edge", "Microsoft Edge", ("microsoft-edge", "microsoft-edge-stable"))


def debian_chromium() -> BrowserProgram | None:
    """Debian's chromium package: built without WebNN's backends, an example of a browser without WebNN."""
    return _on_path("debian", "Debian Chromium", ("chromium",))


# Search order for a browser with WebNN: the pinned one first, for comparable runs.
FINDERS: Sequence[Callable[[], BrowserProgram | None]] = (shell, chrome, edge, debian_chromium)


def discover() -> list[BrowserProgram]:
    """Return the browsers of this machine, in search order."""
    return [program for finder in FINDERS if (program := finder())]


def at_path(path: Path) -> BrowserProgram:
    """Return the user's own Chromium-based browser.

    Raises:
        UsageError: `path` is not an executable file.
    """
    if not path.is_file() or not os.access(path, os.X_OK):
        raise UsageError(
            "this is not an executable file",
            where=str(path),
            hint="provide the path of a Chromium-based browser's program, for example --browser /usr/bin/chromium",
        )
    return BrowserProgram("user", path.name, path)


@contextmanager
def launched(
    playwright: Playwright, program: BrowserProgram, *, extra_flags: Sequence[str] = ()
) -> Iterator[PlaywrightBrowser]:
    """Run a browser, headless and with the WebNN flags, for a with-block.

    Raises:
        BrowserStartError: it does not start; the message quotes the browser.
    """
    flags = combined(NO_SANDBOX_FLAGS, QUIET_FLAGS, WEBNN_FLAGS, extra_flags)
    try:
        browser = playwright.chromium.launch(executable_path=program.executable, args=flags)
    except PlaywrightError as error:
        raise BrowserStartError(
            f"{program.title} does not start: {_first_lines(str(error), 12)}",
            where=str(program.executable),
            hint="if shared libraries are missing, install them (Debian: apt-get install chromium brings them all)",
        ) from error
    try:
        yield browser
    finally:
        browser.close()


def probe(browser: PlaywrightBrowser, server: Server) -> Probe:
    """Request a WebNN context in a new page of a running browser."""
    page = browser.new_page()
    try:
        page.goto(f"{server.origin}/probe.html")
        reason = str(page.evaluate(PROBE))
    except PlaywrightError as error:
        raise BrowserStartError(f"the browser does not load a page: {_first_lines(str(error), 3)}") from error
    finally:
        page.close()
    return Probe(browser.version, not reason, reason)


def survey(playwright: Playwright, programs: Sequence[BrowserProgram]) -> list[tuple[BrowserProgram, Probe]]:
    """Start browsers one after the other until WebNN works in one, and return the result of each.

    A browser that does not start counts as one without WebNN; its reason is the browser's own message.
    """
    found: list[tuple[BrowserProgram, Probe]] = []
    with Server() as server:
        for program in programs:
            try:
                with launched(playwright, program) as browser:
                    found.append((program, probe(browser, server)))
            except BrowserStartError as error:
                found.append((program, Probe("", False, error.what)))
            if found[-1][1].webnn:
                break
    return found


def _on_path(kind: Kind, title: str, names: Sequence[str]) -> BrowserProgram | None:
    paths = (shutil.which(name) for name in names)
    return next((BrowserProgram(kind, title, Path(path)) for path in paths if path), None)


def _first_lines(text: str, count: int) -> str:
    return "\n".join(text.strip().splitlines()[:count])
