"""The engines of the matrix: drivers, hosts, and reasons of missing engines."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Playwright

import web_tests.browsers.engines
from support.npm import pinned_node
from tools.matrix.axes import HOSTS
from tools.suite.needs import ENGINES as ENGINE_NEEDS
from tools.suite.needs import WEBNN
from web_tests.browsers import chromium_flags, installed
from web_tests.browsers.engines import CHROMIUM_SELENIUM, ENGINES
from web_tests.browsers.installed import BrowserProgram
from web_tests.browsers.node import node
from web_tests.browsers.page import EngineBrowser
from web_tests.browsers.playwright_pages import PlaywrightBrowser

# What a test needs, by engines whose name is not that of a need (tools/suite/needs.py).
NEEDS: Mapping[str, Sequence[str]] = {"shell": [WEBNN], **{name: [name] for name in ENGINE_NEEDS}}
SETUP = "python3 build.py setup"
NODE_IS_ISOLATED = "Node has no pages: its threads always share memory, as those of an isolated page do"

# Gets the origins of the page servers, which a browser of another machine is to trust.
Start = Callable[[Playwright, Sequence[str]], AbstractContextManager[EngineBrowser]]


@dataclass(frozen=True)
class MatrixEngine:
    """One engine.

    Attributes:
        driver: the tool that controls it.
        start: runs it for a with-block.
        missing: why it cannot start here, with the command that installs it; empty if it can.
        no_host: reasons for missing hosts, by host.
        is_remote: whether it may run on another machine.
    """

    name: str
    title: str
    driver: str
    start: Start
    missing: str = ""
    no_host: dict[str, str] = field(default_factory=dict)
    is_remote: bool = False


def local_engines(own_browser: Path | None = None) -> list[MatrixEngine]:
    """Return the engines of this machine, the user's own Chromium-based browser first.

    Raises:
        BrowserMissingError: there is no program at `own_browser`.
    """
    own = [_playwright_chromium("own", installed.at_path(own_browser))] if own_browser else []
    return [*own, _shell(), *map(_engine, (ENGINES[0], CHROMIUM_SELENIUM, *ENGINES[1:])), _node()]


def _shell() -> MatrixEngine:
    program = installed.shell()
    if program:
        return _playwright_chromium("shell", program, chromium_flags.WEBGPU_FLAGS)
    missing = f"Chromium's headless shell with WebNN is not installed: {SETUP}"
    return MatrixEngine("shell", "Chromium headless shell", "Playwright", _never, missing)


def _playwright_chromium(name: str, program: BrowserProgram, flags: Sequence[str] = ()) -> MatrixEngine:
    @contextmanager
    def start(playwright: Playwright, _: Sequence[str]) -> Iterator[EngineBrowser]:
        with installed.launched(playwright, program, extra_flags=flags) as browser:
            yield PlaywrightBrowser(browser)

    return MatrixEngine(name, program.title, "Playwright", start)


def _engine(engine: web_tests.browsers.engines.Engine) -> MatrixEngine:
    packages = " ".join(engine.missing_packages())
    missing = f"{engine.title} is not installed: {SETUP}, or apt-get install {packages}" if packages else ""
    driver = "Playwright" if engine.name in ("chromium", "firefox") else "Selenium"
    if engine.name == "chromium" and not missing:
        program = installed.debian_chromium()
        assert program, "its requirement is met"
        return _playwright_chromium(engine.name, program, chromium_flags.WEBGPU_FLAGS)
    return MatrixEngine(engine.name, engine.title, driver, lambda playwright, _: engine.start(playwright), missing)


def _node() -> MatrixEngine:
    no_host = {host.name: NODE_IS_ISOLATED for host in HOSTS if not host.isolated}
    return MatrixEngine("node", "Node", "a pipe", lambda _, __: node(pinned_node()), no_host=no_host)


def _never(_: Playwright, __: Sequence[str]) -> AbstractContextManager[EngineBrowser]:
    raise AssertionError("an engine that is missing is not started")
