"""`build.py test`."""

import argparse

from tools import making
from tools.registry import Command, register

DESCRIPTION = """\
Builds and installs what the tests need, then runs pytest over Python, TypeScript and the browsers. --tier chooses:
  unit      Python and TypeScript: nothing is compiled, no browser is started
  node      the package in Node, with one wasm variant, and the C++ unit tests
  browser   the package in one engine, with that variant; --engine names the engine, `webnn` is Chromium with WebNN
  other     all others: those of all variants, programs and engines, of the wheel and of the site
  all       every test (the default)
Paths, -k, --lf and whatever else is not known here goes to pytest; then only what the chosen tests need is made.
It first reports browsers that cannot be installed. Their tests are skipped and listed at the end; with CI=true in the
environment they fail, unless --allow-missing names the browser. A missing browser with WebNN always fails.
`build.py lint` is quicker for style and types, which are tests, too. Examples: test --tier unit; test js/runtime, the
TypeScript tests of one package; test web_tests/tests/unit -n0 -x; test --lf, what failed last time"""

# Those of tools/suite/needs.py, which needs installed packages.
TIERS = ("unit", "node", "browser", "other", "all")
ENGINES = ("webnn", "chromium", "chromium-selenium", "firefox", "webkitgtk")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tier", choices=TIERS, default="all", help="run only these tests: %(choices)s")
    parser.add_argument(
        "--engine", choices=ENGINES, default="webnn", help="that of --tier browser: %(choices)s (%(default)s)"
    )
    parser.add_argument(
        "--allow-missing",
        action="append",
        default=[],
        metavar="ENGINE",
        choices=ENGINES,
        help="skip the tests of this engine if it is missing (repeatable): %(choices)s",
    )


def run(arguments: argparse.Namespace) -> int:
    from tools.suite import running
    from tools.suite.needs import WEBNN
    from web_tests.browsers import setup

    tier, engine = arguments.tier, arguments.engine
    needs = running.needs(arguments.rest, tier=tier, engine=engine)
    making.for_tests(needs)
    if WEBNN in needs:
        setup.prepare(need_browser=WEBNN not in arguments.allow_missing)
    setup.prepare_engines(needs)
    return running.run(arguments.rest, tier=tier, engine=engine, allow_missing=arguments.allow_missing)


register(
    Command(
        "test",
        "run every test; arguments go to pytest",
        DESCRIPTION,
        run,
        add_options,
        passes_on_rest=True,
        groups=("run", "site", "measure", "test", "lint"),
    )
)
