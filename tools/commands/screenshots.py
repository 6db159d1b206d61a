"""`build.py screenshots`."""

import argparse
from pathlib import Path

from tools import making, options
from tools.registry import Command, register

DESCRIPTION = """\
Makes the site as `site` does, opens its pages in a browser with WebNN, waits for their first results, and takes
pictures: light and dark, on a desktop and on a phone, as build/site_screenshots/PAGE-LOOK.png. With --as-built, of the
site in build/site as it is. The exit status is 1 if a page was still busy after a minute."""


def add_options(parser: argparse.ArgumentParser) -> None:
    text = "only this page, e.g. demos or docs/peers (repeatable; all but the documents if not given)"
    parser.add_argument("--page", action="append", default=[], metavar="NAME", help=text)
    parser.add_argument("--as-built", action="store_true", help="do not make the site again")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where the pictures go")
    options.add_browser(parser)


def run(arguments: argparse.Namespace) -> int:
    from site_generator.paths import OUTPUT_DIR

    import web_tests.browsers.setup
    from tools import screenshots

    if not arguments.as_built:
        making.site(OUTPUT_DIR)
    web_tests.browsers.setup.prepare(need_browser=arguments.browser is None)
    return screenshots.run(arguments.page, arguments.browser, arguments.out)


SUMMARY = "pictures of the site's pages, in both themes, on a desktop and on a phone"
register(Command("screenshots", SUMMARY, DESCRIPTION, run, add_options))
