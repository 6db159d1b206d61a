"""`build.py screenshots`: pictures of the site's pages, in both themes, on a desktop and on a phone."""

import io
import os
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, ViewportSize
from playwright.sync_api import Error as PlaywrightError
from rich.markup import escape
from site_generator import pages
from site_generator.paths import OUTPUT_DIR

from support.console import console
from support.marked_text import write_between
from support.paths import BUILD_DIR, PROJECT_DIR
from tools.measuring.browser import BrowserFacts, measuring_browser
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

README = PROJECT_DIR / "README.md"
README_PICTURE = PROJECT_DIR / "docs" / "pictures" / "site.webp"
BEGIN, END = "<!-- Made by `python3 build.py screenshots --readme` -->", "<!-- End of the site's picture -->"
# By page, row by row: what it shows when its models have run.
README_PAGES = {
    "index": "#figures dt",
    "explorer": ".graph-box",
    "demo-segmentation": "#figures dt:text-is('Median')",
    "webnn": "#saved-title",
}
README_VIEWPORT: ViewportSize = {"width": 1280, "height": 800}
README_COLUMNS = 2
TILE_SIZE = (800, 500)
GAP_PIXELS = 16
GAP_COLOUR = "#8a8f98"
WEBP_QUALITY = 80
README_TEXT = """
![The home page, the explorer, the demo of segmentation and the WebNN report](docs/pictures/site.webp)
`screenshots` took this picture on {day}, in {title} {version} on {cores} cores
(load average {load:.1f}): the home page, the explorer, the demo of segmentation, and saved WebNN reports.

"""


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
    with measuring_browser(browser) as (running, _), Server(site_routes(OUTPUT_DIR)) as server:
        results = [_take(running, f"{server.origin}/{page.file}", folder, page.name) for page in wanted]
    console.print(f"    the pictures are in {folder}")
    return 0 if all(results) else 1


def run_readme(browser: Path | None) -> int:
    """Take the picture of the README: four pages as a visitor sees them first, side by side.

    Args:
        browser: the user's own.

    Raises:
        NoPlaceError: the README has no marks for it.
    """
    with measuring_browser(browser) as (running, facts), Server(site_routes(OUTPUT_DIR)) as server:
        views = [
            _first_view(running, f"{server.origin}/{page.file}", README_PAGES[page.name])
            for page in pages.chosen(README_PAGES)
        ]
    README_PICTURE.parent.mkdir(exist_ok=True)
    tiled(views).save(README_PICTURE, quality=WEBP_QUALITY)
    write_between(README, BEGIN, END, readme_text(facts))
    console.print(f"    the picture is {README_PICTURE}: look at it")
    return 0


def _first_view(browser: Browser, address: str, shown: str) -> Image.Image:
    """Take what a page shows on a desktop when an element is there."""
    context = browser.new_context(viewport=README_VIEWPORT, color_scheme="light")
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(shown, timeout=SETTLE_MS)
    page.wait_for_function(SETTLED, timeout=SETTLE_MS)
    page.locator(shown).first.scroll_into_view_if_needed()
    view = Image.open(io.BytesIO(page.screenshot()))
    context.close()
    return view


def tiled(views: Sequence[Image.Image]) -> Image.Image:
    """Return the views as one picture, row by row."""
    width, height = TILE_SIZE
    rows = -(-len(views) // README_COLUMNS)
    whole = Image.new(
        "RGB",
        (README_COLUMNS * (width + GAP_PIXELS) + GAP_PIXELS, rows * (height + GAP_PIXELS) + GAP_PIXELS),
        GAP_COLOUR,
    )
    for place, view in enumerate(views):
        row, column = divmod(place, README_COLUMNS)
        corner = (GAP_PIXELS + column * (width + GAP_PIXELS), GAP_PIXELS + row * (height + GAP_PIXELS))
        whole.paste(view.convert("RGB").resize(TILE_SIZE, Image.Resampling.LANCZOS), corner)
    return whole


def readme_text(facts: BrowserFacts) -> str:
    """Return the picture and how it was made, in Markdown."""
    return README_TEXT.format(
        day=date.today().isoformat(),
        title=facts.title,
        version=facts.version,
        cores=os.cpu_count(),
        load=os.getloadavg()[0],
    )


def _take(browser: Browser, address: str, folder: Path, name: str) -> bool:
    """Take a page's pictures, each of a fresh page; return whether all are of its settled state."""
    settled = True
    for look, (viewport, scheme) in LOOKS.items():
        context = browser.new_context(viewport=viewport, color_scheme=scheme)
        page = context.new_page()
        try:
            page.goto(address, timeout=SETTLE_MS)
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
