"""What commands make before they do their work. Standard library only at the top, as in tools/commands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def bundle(root: Path | None = None) -> None:
    """Make the package of what has been compiled; its folder is below `root`, build/ where none is given."""
    import js.bundle
    from tools.support.paths import BUILD_DIR

    js.bundle.bundle(root or BUILD_DIR)


def package(variants: Sequence[str]) -> None:
    """Compile variants of the module and make the package."""
    from wasm.toolchain import build

    build.build(variants)
    bundle()


def wheel(address: str = "") -> Path:
    """Compile all variants and return the wheel for Pyodide, which will be served at `address`."""
    import pyodide_pkg.wheel
    from wasm.toolchain import build

    build.build(["all"])
    return pyodide_pkg.wheel.build_wheel(address)


def site(output: Path) -> None:
    """Make everything that the site serves, and write the site to `output`."""
    from site_generator import generator

    wheel()
    bundle()
    generator.generate(output)


def for_browser(variant: str, browser: Path | None) -> None:
    """Make what a command needs that runs in a browser: the user's own, where one is given."""
    import web_tests.browsers.setup

    package([variant])
    web_tests.browsers.setup.prepare(need_browser=browser is None)


def for_tests() -> None:
    """Make all that `test` needs but browsers: of the programs, which take long, only some."""
    from tools.programs import tested

    package(["all"])
    wheel()
    tested.prepare()
