"""Builds the prerequisites of commands. Only the standard library at the top, as in tools/commands."""

from collections.abc import Collection, Sequence
from pathlib import Path


def bundle(root: Path | None = None) -> None:
    """Bundle the package of the compiled variants below `root` (default: build/)."""
    import js.bundle
    from support.paths import BUILD_DIR

    js.bundle.bundle(root or BUILD_DIR)


def package(variants: Sequence[str]) -> None:
    """Compile variants of the module and bundle the package."""
    from wasm.toolchain import build

    build.build(variants)
    bundle()


def wheel(address: str = "") -> Path:
    """Compile all variants and build the wheel for Pyodide, to be served at `address`."""
    import pyodide_pkg.wheel
    from wasm.toolchain import build

    build.build(["all"])
    return pyodide_pkg.wheel.build_wheel(address)


def site(output: Path) -> None:
    """Build everything that the site serves, and write the site to `output`."""
    from site_generator import generator

    wheel()
    bundle()
    generator.generate(output)


def site_for_browser(browser: Path | None, *, as_built: bool) -> None:
    """Build the prerequisites of a command that opens the site's pages in a browser, perhaps the user's own.

    Args:
        browser: the user's own.
        as_built: leave the site in build/site as it is.
    """
    from site_generator.paths import OUTPUT_DIR

    import web_tests.browsers.setup

    if not as_built:
        site(OUTPUT_DIR)
    web_tests.browsers.setup.prepare(need_browser=browser is None)


def release(version: str | None = None) -> None:
    """Build everything, and the files of a release from it; `version` as for tools.release.release.make()."""
    from site_generator.paths import OUTPUT_DIR

    from tools.release import release

    site(OUTPUT_DIR)
    release.make(version)


def for_browser(variant: str, browser: Path | None) -> None:
    """Build the prerequisites of a command that runs in a browser, perhaps the user's own."""
    import web_tests.browsers.setup

    package([variant])
    web_tests.browsers.setup.prepare(need_browser=browser is None)


def for_tests(needs: Collection[str]) -> None:
    """Build what tests need (tools/suite/needs.py) besides browsers; of the programs, which take long, only some."""
    from site_generator.paths import OUTPUT_DIR

    from tools import options
    from tools.programs import tested
    from tools.suite.needs import PACKAGE, PROGRAMS, RELEASE, SITE, UNIT_TESTS, VARIANTS, WHEEL
    from wasm.toolchain import prebuilt, programs

    if {PACKAGE, VARIANTS, PROGRAMS} & set(needs):
        package(["all" if VARIANTS in needs else options.DEFAULT_VARIANT])
    if WHEEL in needs:
        wheel()
    if RELEASE in needs:
        release()
    elif SITE in needs:
        site(OUTPUT_DIR)
    if PROGRAMS in needs:
        tested.prepare()
    if UNIT_TESTS in needs and prebuilt.chosen() is None:
        programs.build_programs([programs.UNIT_TESTS])
