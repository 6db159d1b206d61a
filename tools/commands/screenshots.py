"""`build.py screenshots`."""

import argparse

from tools import making, options
from tools.registry import Command, register

DESCRIPTION = """\
Makes the site as `site` does, opens its pages in a browser with WebNN, waits for their first results, and takes
pictures: light and dark, on a desktop and on a phone, as build/site_screenshots/PAGE-LOOK.png. With --as-built, of the
site in build/site as it is. The exit status is 1 if a page was still busy after a minute. With --readme, takes one
picture of four pages for README.md instead, docs/pictures/site.webp."""


def add_options(parser: argparse.ArgumentParser) -> None:
    options.add_pages(parser, "pictures")
    text = "take the picture of README.md instead, and write there where and when"
    parser.add_argument("--readme", action="store_true", help=text)


def run(arguments: argparse.Namespace) -> int:
    from tools import screenshots

    making.site_for_browser(arguments.browser, as_built=arguments.as_built)
    if arguments.readme:
        return screenshots.run_readme(arguments.browser)
    return screenshots.run(arguments.page, arguments.browser, arguments.out)


SUMMARY = "pictures of the site's pages, in both themes, on a desktop and on a phone"
register(Command("screenshots", SUMMARY, DESCRIPTION, run, add_options, groups=("run", "site")))
