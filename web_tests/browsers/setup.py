"""Installs the browsers for demo and tests."""

from collections.abc import Callable, Collection, Mapping

from support.console import console
from support.errors import BuildError
from web_tests.browsers import downloads, installed
from web_tests.browsers.engines import CHROMIUM_SELENIUM, ENGINES

ALL_ENGINES = (*ENGINES, CHROMIUM_SELENIUM)
ENGINE_NAMES = tuple(engine.name for engine in ALL_ENGINES)


def prepare(*, need_browser: bool) -> None:
    """Install the headless shell with WebNN and Debian's Chromium unless they are installed.

    If one cannot be installed but the machine has another browser, print a warning.

    Raises:
        BuildError: `need_browser`, and there is no browser at all.
    """
    steps = {
        "the headless shell with WebNN": downloads.install_shell,
        "Debian's Chromium": downloads.install_debian_chromium,
    }
    problems = _attempt(steps)
    if need_browser and problems and not installed.discover():
        raise next(iter(problems.values()))
    _warn(problems)


def prepare_engines(names: Collection[str] = ENGINE_NAMES) -> None:
    """Install browsers without WebNN for the tests, by name; failures are warnings.

    The tests of a missing browser are skipped with the reason.
    """
    _warn(_attempt({engine.title: engine.install for engine in ALL_ENGINES if engine.name in names}))


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
