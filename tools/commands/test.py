"""`build.py test`."""

from __future__ import annotations

import argparse

from tools import making
from tools.registry import Command, register

DESCRIPTION = """\
Builds what is missing (all variants), then runs pytest over Python, TypeScript and the browsers.
It first reports browsers that cannot be installed; their tests are skipped and listed at the end.
Style checks are tests, too. Examples: test -k lint; test web_tests/tests/unit -n0 -x"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--allow-no-webnn", action="store_true", help="do not fail if no browser has WebNN")


def run(arguments: argparse.Namespace) -> int:
    """Build everything, install the browsers, and run pytest."""
    from tools import suite
    from web_tests.browsers import setup

    making.for_tests()
    setup.prepare(need_browser=not arguments.allow_no_webnn)
    setup.prepare_engines()
    return suite.run(arguments.rest, allow_no_webnn=arguments.allow_no_webnn)


register(Command("test", "run every test; arguments go to pytest", DESCRIPTION, run, add_options, passes_on_rest=True))
