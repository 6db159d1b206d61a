"""Prepares the machine for demo and tests: the browsers that package registries carry."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tools.support.console import console
from tools.support.errors import BuildError
from web_tests.browsers import downloads, installed
from web_tests.browsers.engines import CHROMIUM_SELENIUM, ENGINES


def prepare(*, need_browser: bool) -> None:
    """Install the headless shell with WebNN and Debian's Chromium; a second call finds them and does nothing.

    Where one cannot be had but the machine has another browser, a warning says so.

    Raises:
        BuildError: `need_browser`, and in the end there is no browser at all.
    """
    steps = {
        "the headless shell with WebNN": downloads.install_shell,
        "Debian's Chromium": downloads.install_debian_chromium,
    }
    problems = _attempt(steps)
    if need_browser and problems and not installed.discover():
        raise next(iter(problems.values()))
    _warn(problems)


def prepare_engines() -> None:
    """Install the browsers without WebNN in which the package is tested; what cannot be had is a warning.

    Its tests are then skipped, and say why.
    """
    _warn(_attempt({engine.title: engine.install for engine in (*ENGINES, CHROMIUM_SELENIUM)}))


def _attempt(steps: Mapping[str, Callable[[], object]]) -> dict[str, BuildError]:
    problems: dict[str, BuildError] = {}
    for title, step in steps.items():
        try:
            step()
        except BuildError as error:
            problems[title] = error
    return problems


def _warn(problems: Mapping[str, BuildError]) -> None:
    for title, problem in problems.items():
        console.print(f"[yellow]warning:[/yellow] {title} could not be installed: {problem}", markup=True)
