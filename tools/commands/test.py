"""`build.py test`."""

from __future__ import annotations

import argparse

from tools import making
from tools.registry import Command, register

DESCRIPTION = """\
Builds what is missing (all variants), then runs pytest over Python, TypeScript and the browsers.
It first reports browsers that cannot be installed. Their tests are skipped and listed at the end; with CI=true in the
environment they fail, unless --allow-missing names the browser. A missing browser with WebNN always fails.
Style checks are tests, too. Examples: test -k lint; test web_tests/tests/unit -n0 -x"""

# suite.ENGINE_NAMES, which needs installed packages.
ENGINE_NAMES = ("webnn", "chromium", "chromium-selenium", "firefox", "webkitgtk")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--allow-missing",
        action="append",
        default=[],
        metavar="ENGINE",
        choices=ENGINE_NAMES,
        help="skip the tests of this engine if it is missing (repeatable): %(choices)s",
    )


def run(arguments: argparse.Namespace) -> int:
    """Build everything, install the browsers, and run pytest."""
    from tools import suite
    from web_tests.browsers import setup

    making.for_tests()
    setup.prepare(need_browser=suite.WEBNN not in arguments.allow_missing)
    setup.prepare_engines()
    return suite.run(arguments.rest, allow_missing=arguments.allow_missing)


register(Command("test", "run every test; arguments go to pytest", DESCRIPTION, run, add_options, passes_on_rest=True))
