"""Run every test; arguments go to pytest.

Builds and installs what the tests need, then runs pytest over Python, TypeScript and the browsers. --tier chooses:
  unit      Python and TypeScript: nothing is compiled, no browser is started
  node      the package in Node, with one wasm variant, and the C++ unit tests
  browser   the package in one engine, with that variant; --engine names the engine, `webnn` is Chromium with WebNN
  other     all others: those of all variants, programs and engines, of the wheel and of the site
  all       every test (the default)
Paths, -k, --lf and whatever else is not known here goes to pytest; then only what the chosen tests need is created.
It first reports browsers that cannot be installed. Their tests are skipped and listed at the end; with CI=true in the
environment they fail, unless --allow-missing names the browser. A missing browser with WebNN always fails.
--update-goldens rewrites the golden files instead, Python's and TypeScript's: what the delegate makes of each op, what
`explain` prints for each model, which TFLite nodes the polyfill's operators become. With paths or -k, it rewrites those
of the chosen Python tests only. Read the difference before you commit it.
`build.py lint` is quicker for style and types, which are tests, too. Examples: test --tier unit; test js/packages/core,
the TypeScript tests of one package; test web_tests/tests/unit -n0 -x; test --lf, what failed last time
"""

import argparse
from collections.abc import Collection, Sequence

from tools import making, options

GROUPS = ("run", "site", "test", "lint")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tier", choices=options.TIERS, default="all", help="run only these tests: %(choices)s")
    parser.add_argument(
        "--engine", choices=options.ENGINES, default="webnn", help="that of --tier browser: %(choices)s (%(default)s)"
    )
    parser.add_argument(
        "--allow-missing",
        action="append",
        default=[],
        metavar="ENGINE",
        choices=options.ENGINES,
        help="skip the tests of this engine if it is missing (repeatable): %(choices)s",
    )
    text = "rewrite the golden files that tests compare with, and run nothing else"
    parser.add_argument("--update-goldens", action="store_true", help=text)


def run(arguments: argparse.Namespace) -> int:
    from tools.suite import running
    from tools.suite.needs import WEBNN
    from web_tests.browsers import setup

    if arguments.update_goldens:
        return _update_goldens(arguments.remainder)
    tier, engine = arguments.tier, arguments.engine
    needs = running.needs(arguments.remainder, tier=tier, engine=engine)
    _build(needs)
    if WEBNN in needs:
        setup.prepare(need_browser=WEBNN not in arguments.allow_missing)
    setup.prepare_engines(needs)
    return running.run(arguments.remainder, tier=tier, engine=engine, allow_missing=arguments.allow_missing)


def _update_goldens(remainder: Sequence[str]) -> int:
    from support import npm
    from tools.suite import running

    making.package([options.DEFAULT_VARIANT])
    if not remainder:
        npm.run_script("test", "--update")
    return running.update_goldens(remainder)


def _build(needs: Collection[str]) -> None:
    """Build what tests need (tools/suite/needs.py) besides browsers; of the programs, which take long, only some."""
    from site_generator.paths import OUTPUT_DIR

    from tools.commands.release import make_files
    from tools.commands.serve import make_site
    from tools.programs import tested
    from tools.suite.needs import PACKAGE, PROGRAMS, RELEASE, SITE, UNIT_TESTS, VARIANTS, WHEEL
    from wasm.toolchain import prebuilt, programs

    if {PACKAGE, VARIANTS, PROGRAMS} & set(needs):
        making.package(["all" if VARIANTS in needs else options.DEFAULT_VARIANT])
    if WHEEL in needs:
        making.wheel()
    if RELEASE in needs:
        make_files()
    elif SITE in needs:
        make_site(OUTPUT_DIR)
    if PROGRAMS in needs:
        tested.prepare()
    if UNIT_TESTS in needs and prebuilt.chosen() is None:
        programs.build_programs([programs.UNIT_TESTS])
