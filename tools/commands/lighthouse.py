"""`build.py lighthouse`."""

import argparse
from pathlib import Path

from tools import making, options
from tools.registry import Command, register

DEFAULT_RUNS = 3
DESCRIPTION = """\
Makes the site as `site` does and runs Lighthouse on its pages, in a browser with WebNN: on a phone with a slow network
and a CPU four times slower than this machine's, so measure on an idle machine. Prints the medians: the scores, total
blocking time (TBT), layout shift (CLS) and largest paint (LCP). Lighthouse's reports are in build/lighthouse. npm keeps
Lighthouse in the cache (185 MB). With --as-built, measures the site in build/site as it is. The exit status is 1 if a
page scores below 0.95 in performance, accessibility or best practices."""


def add_options(parser: argparse.ArgumentParser) -> None:
    text = "only this page, e.g. demos or docs/peers (repeatable; all but the documents if not given)"
    parser.add_argument("--page", action="append", default=[], metavar="NAME", help=text)
    parser.add_argument("--runs", type=int, default=DEFAULT_RUNS, metavar="N", help="of each page (%(default)s)")
    parser.add_argument("--as-built", action="store_true", help="do not make the site again")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where the reports go")
    options.add_browser(parser)


def run(arguments: argparse.Namespace) -> int:
    from site_generator.paths import OUTPUT_DIR

    import web_tests.browsers.setup
    from tools import lighthouse

    if not arguments.as_built:
        making.site(OUTPUT_DIR)
    web_tests.browsers.setup.prepare(need_browser=arguments.browser is None)
    return lighthouse.run(arguments.page, browser=arguments.browser, runs=arguments.runs, out=arguments.out)


SUMMARY = "Lighthouse's scores of the site's pages"
register(Command("lighthouse", SUMMARY, DESCRIPTION, run, add_options))
