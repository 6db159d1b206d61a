"""Prepares the machine for demo and tests: the browsers that package registries carry."""

from __future__ import annotations

from wasm.toolchain.support.console import console
from wasm.toolchain.support.errors import BuildError
from web_tests import browser_setup, browsers


def prepare(*, need_browser: bool) -> None:
    """Install the headless shell with WebNN and Debian's Chromium; a second call finds them and does nothing.

    Where one cannot be had but the machine has another browser, a warning says so.

    Raises:
        BuildError: `need_browser`, and in the end there is no browser at all.
    """
    problems: list[BuildError] = []
    for install in (browser_setup.install_shell, browser_setup.install_debian_chromium):
        try:
            install()
        except BuildError as error:
            problems.append(error)
    if need_browser and problems and not browsers.discover():
        raise problems[0]
    for problem in problems:
        console.print(f"[yellow]warning:[/yellow] a browser could not be installed: {problem}", markup=True)
