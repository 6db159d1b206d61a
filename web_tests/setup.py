"""Prepares the machine for demo and tests: the browsers that package registries carry."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wasm.toolchain.support.console import console
from wasm.toolchain.support.errors import BuildError
from web_tests import browser_setup, browsers
from web_tests.engines import ENGINES


def prepare(*, need_browser: bool) -> None:
    """Install the headless shell with WebNN and Debian's Chromium; a second call finds them and does nothing.

    Where one cannot be had but the machine has another browser, a warning says so.

    Raises:
        BuildError: `need_browser`, and in the end there is no browser at all.
    """
    problems = _attempt([browser_setup.install_shell, browser_setup.install_debian_chromium])
    if need_browser and problems and not browsers.discover():
        raise problems[0]
    _warn(problems)


def prepare_engines() -> None:
    """Install the browsers without WebNN in which the package is tested; what cannot be had is a warning.

    Its tests are then skipped, and say why.
    """
    _warn(_attempt([engine.install for engine in ENGINES]))


def _attempt(steps: Sequence[Callable[[], object]]) -> list[BuildError]:
    problems: list[BuildError] = []
    for step in steps:
        try:
            step()
        except BuildError as error:
            problems.append(error)
    return problems


def _warn(problems: Sequence[BuildError]) -> None:
    for problem in problems:
        console.print(f"[yellow]warning:[/yellow] a browser could not be installed: {problem}", markup=True)
