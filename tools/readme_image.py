"""Make README's image: the site's home page and its benchmark, in a browser with WebNN.

Serves the site (`build.py serve --output build/site` makes it), waits for the results of the home page's models, and
writes docs/images/site.webp.
"""

import argparse
import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, ViewportSize

from support.console import console
from support.paths import PROJECT_DIR
from tools import command_line, options
from tools.measuring.browser import measuring_browser
from web_tests.server.server import ISOLATION_HEADERS, Server, site_routes

GROUPS = ("run", "site", "measure")
FILE = PROJECT_DIR / "docs" / "images" / "site.webp"
SIZE: ViewportSize = {"width": 900, "height": 640}
QUALITY = 80
READY_MS = 120_000


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--site", type=Path, default=PROJECT_DIR / "build" / "site", metavar="DIRECTORY", help="the site (build/site)"
    )
    options.add_browser(parser)


def run(arguments: argparse.Namespace) -> None:
    with (
        Server(site_routes(arguments.site), headers=ISOLATION_HEADERS) as server,
        measuring_browser(arguments.browser) as (browser, _),
    ):
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        images = [Image.open(io.BytesIO(content)) for content in (home(page, server), benchmark(page, server))]
    both = Image.new("RGB", (sum(image.width for image in images), SIZE["height"]), "white")
    for index, image in enumerate(images):
        both.paste(image, (index * SIZE["width"], 0))
    both.save(FILE, quality=QUALITY)
    console.print(f"    {FILE}: {FILE.stat().st_size / 1000:.0f} kB")


def home(page: Page, server: Server) -> bytes:
    """Return the home page with its result."""
    page.goto(f"{server.origin}/index.html")
    page.wait_for_selector("#compare:enabled", timeout=READY_MS)
    # Times of this moment: the committed result has those of an idle machine.
    page.evaluate("for (const id of ['bars', 'ratio']) document.getElementById(id).style.visibility = 'hidden'")
    page.evaluate("scrollTo(0, 0)")
    return page.screenshot()


def benchmark(page: Page, server: Server) -> bytes:
    """Return the bars of the committed benchmark, one for each runtime."""
    page.goto(f"{server.origin}/benchmark.html")
    page.locator("table:has(.times-box)").first.evaluate("(table) => table.scrollIntoView()")
    return page.screenshot()


if __name__ == "__main__":
    command_line.start_tool()
