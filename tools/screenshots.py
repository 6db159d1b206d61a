"""`build.py screenshots`: pictures of the site's pages, in both themes, on a desktop and on a phone."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, ViewportSize, sync_playwright
from playwright.sync_api import Error as PlaywrightError
from rich.markup import escape
from site_generator import pages
from site_generator.paths import OUTPUT_DIR

from tools.measuring.browser import measuring_browser
from tools.support.console import console
from tools.support.paths import BUILD_DIR
from web_tests.server.server import Server, site_routes

SCREENSHOTS_DIR = BUILD_DIR / "site_screenshots"
DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
ColorScheme = Literal["light", "dark"]
LOOKS: Mapping[str, tuple[ViewportSize, ColorScheme]] = {
    "desktop-light": (DESKTOP, "light"),
    "desktop-dark": (DESKTOP, "dark"),
    "phone-light": (PHONE, "light"),
    "phone-dark": (PHONE, "dark"),
}
# Until the page's first result, or for good if it shows none.
SETTLED = "() => !document.querySelector('[data-kind=busy]')"
SETTLE_MS = 60_000


def run(names: Collection[str], browser: Path | None, out: Path | None) -> int:
    """Take the pictures; return 1 if a page does not settle.

    Args:
        names: of pages; see pages.chosen().
        browser: the user's own.
        out: the folder for the pictures; None for build/site_screenshots.

    Raises:
        NoPageError: a name is not a page's.
    """
    wanted = pages.chosen(names)
    folder = out or SCREENSHOTS_DIR
    folder.mkdir(parents=True, exist_ok=True)
    with (
        sync_playwright() as playwright,
        measuring_browser(playwright, browser) as (running, _),
        Server(site_routes(OUTPUT_DIR)) as server,
    ):
        results = [_take(running, f"{server.origin}/{page.file}", folder, page.name) for page in wanted]
    console.print(f"    the pictures are in {folder}")
    return 0 if all(results) else 1


def _take(browser: Browser, address: str, folder: Path, name: str) -> bool:
    """Take a page's pictures, each of a fresh page; return whether all are of its settled state."""
    settled = True
    for look, (viewport, scheme) in LOOKS.items():
        context = browser.new_context(viewport=viewport, color_scheme=scheme)
        page = context.new_page()
        try:
            page.goto(address)
            page.wait_for_load_state("networkidle", timeout=SETTLE_MS)
            page.wait_for_function(SETTLED, timeout=SETTLE_MS)
        except PlaywrightError as error:
            settled = False
            first_line = str(error).splitlines()[0]
            console.print(f"[yellow]{escape(f'{name}, {look}: not settled: {first_line}')}[/yellow]", soft_wrap=True)
        page.screenshot(path=picture_file(folder, name, look), full_page=True)
        context.close()
    console.print(f"[dim]    {escape(name)}[/dim]")
    return settled


def picture_file(folder: Path, page: str, look: str) -> Path:
    """Return where a page's picture is."""
    return folder / f"{page.replace('/', '-')}-{look}.png"
