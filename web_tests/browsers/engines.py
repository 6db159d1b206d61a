"""The browser engines, all from Debian, in which the package must work: requirements, and how to start them.

None of these builds has WebNN. Their pages have the same interface (page.EnginePage), whatever drives them.
"""

import shutil
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Playwright

from support import debian
from web_tests.browsers import chromium_selenium, playwright_pages, webkitgtk
from web_tests.browsers.page import EngineBrowser


@dataclass(frozen=True)
class Requirement:
    """A program that an engine needs, how to find it, and its Debian package."""

    program: str
    package: str
    find: Callable[[], str | Path | None]


@dataclass(frozen=True)
class Engine:
    """One engine. `title` is for tables; `start` runs the browser, without windows, for a with-block."""

    name: Literal["chromium", "chromium-selenium", "firefox", "webkitgtk", "node"]
    title: str
    requirements: Sequence[Requirement]
    start: Callable[[Playwright], AbstractContextManager[EngineBrowser]]

    def executable(self) -> Path | None:
        """Return the browser's own program, None if it is missing."""
        found = self.requirements[0].find()
        return Path(found) if found else None

    def missing_packages(self) -> list[str]:
        """Return the Debian packages that it still needs."""
        return list(dict.fromkeys(need.package for need in self.requirements if not need.find()))

    def install(self) -> None:
        """Install the missing packages.

        Raises:
            NoAptError, NotRootError, CommandError: apt failed.
        """
        packages = self.missing_packages()
        if packages:
            debian.install(packages, why=f"the tests in {self.title}: it")


def _on_path(program: str, package: str) -> Requirement:
    return Requirement(program, package, lambda: shutil.which(program))


ENGINES: Sequence[Engine] = (
    Engine("chromium", "Debian Chromium", [_on_path("chromium", "chromium")], playwright_pages.chromium),
    Engine(
        "firefox",
        "Firefox ESR",
        [_on_path(playwright_pages.FIREFOX, "firefox-esr")],
        playwright_pages.firefox,
    ),
    Engine(
        "webkitgtk",
        "WebKitGTK",
        [
            Requirement("MiniBrowser", "webkit2gtk-driver", webkitgtk.mini_browser),
            _on_path(webkitgtk.DRIVER, "webkit2gtk-driver"),
            _on_path(webkitgtk.SCREEN, "xvfb"),
        ],
        webkitgtk.webkitgtk,
    ),
)

# The matrix also drives the same Chromium as a grid does.
CHROMIUM_SELENIUM = Engine(
    "chromium-selenium",
    "Debian Chromium by chromedriver",
    [_on_path("chromium", "chromium"), _on_path(chromium_selenium.DRIVER, "chromium-driver")],
    chromium_selenium.chromium_selenium,
)
