"""Builds the prerequisites of commands. Only the standard library at the top, as in tools/commands."""

from collections.abc import Sequence
from pathlib import Path


def bundle(root: Path | None = None) -> None:
    """Bundle the package of the compiled variants below `root` (default: build/), unless it is up to date."""
    from support.npm import run_script
    from support.paths import BUILD_DIR

    run_script("build", "package", root or BUILD_DIR)


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


def for_browser(variant: str, browser: Path | None) -> None:
    """Build the prerequisites of a command that runs in a browser, perhaps the user's own."""
    import web_tests.browsers.setup

    package([variant])
    web_tests.browsers.setup.prepare(need_browser=browser is None)
