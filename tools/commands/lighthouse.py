"""`build.py lighthouse`."""

import argparse

from tools import making, options
from tools.registry import Command, register

DEFAULT_RUNS = 3
DESCRIPTION = """\
Makes the site as `site` does and runs Lighthouse on its pages, in a browser with WebNN, from a host that compresses
text: on a phone with a slow network and a CPU four times slower than this machine's, so measure on an idle machine.
Prints the medians: the scores, total blocking time (TBT), layout shift (CLS) and largest paint (LCP). Lighthouse's
reports are in build/lighthouse. npm keeps Lighthouse in the cache (185 MB). With --as-built, measures the site in
build/site as it is. The exit status is 1 if a page scores below 0.95 in one of performance, accessibility and best
practices."""


def add_options(parser: argparse.ArgumentParser) -> None:
    options.add_pages(parser, "reports")
    parser.add_argument("--runs", type=int, default=DEFAULT_RUNS, metavar="N", help="of each page (%(default)s)")


def run(arguments: argparse.Namespace) -> int:
    from tools import lighthouse

    making.site_for_browser(arguments.browser, as_built=arguments.as_built)
    return lighthouse.run(arguments.page, browser=arguments.browser, runs=arguments.runs, out=arguments.out)


SUMMARY = "Lighthouse's scores of the site's pages"
register(Command("lighthouse", SUMMARY, DESCRIPTION, run, add_options, groups=("run", "site")))
