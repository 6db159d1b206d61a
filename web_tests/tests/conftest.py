"""Fixtures of all tests: the server, the browsers, and one page per worker that its tests share for speed."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, Generic, TypeVar

import pytest
from playwright.sync_api import Page, Playwright

from tools.suite.browsers import skip_or_fail
from tools.suite.needs import PACKAGE, needing
from web_tests.browsers import chromium_flags, installed
from web_tests.browsers.engines import ENGINES, Engine
from web_tests.browsers.installed import BrowserProgram
from web_tests.browsers.page import EngineBrowser, EnginePage
from web_tests.drivers.harness import Harness, PageHarness
from web_tests.server.server import Server

H = TypeVar("H", bound=PageHarness)
Call = Callable[..., Any]
Serve = Callable[..., Server]
Served = Callable[[bytes], str]

# What a content delivery network sends: any page may load its files.
CDN_HEADERS = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}

# Firefox 153 driven by WebDriver BiDi sometimes hangs where a worker starts workers: 9 of 130 times on a page that has
# none of our code, and 0 of 350 times without BiDi. Only such a hang is tried again.
FIREFOX_HANG = "did not respond within"
FIREFOX_RERUNS = 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the tests in Firefox run again after a hang."""
    for item in items:
        if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
            params = item.callspec.params
            if getattr(params.get("engine") or params.get("matrix_engine"), "name", "") == "firefox":
                item.add_marker(pytest.mark.flaky(reruns=FIREFOX_RERUNS, only_rerun=[FIREFOX_HANG]))


class SharedPage(Generic[H]):
    """A browser's page, shared by tests; a failed page is replaced for the next test."""

    def __init__(self, open_page: Callable[[], H]) -> None:
        self._open_page = open_page
        self._harness: H | None = None

    def harness(self) -> H:
        """Return the page, a new one if there is none or the last one failed."""
        if self._harness is None or self._harness.failed:
            self.close()
            self._harness = self._open_page()
        return self._harness

    def close(self) -> None:
        """Close the page, if there is one."""
        if self._harness:
            self._harness.engine_page.close()


@pytest.fixture(scope="session")
@needing(PACKAGE)
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts servers that end with the test; arguments as for Server."""
    with ExitStack() as stack:
        yield lambda *provided, **options: stack.enter_context(Server(*provided, **options))


@pytest.fixture
def served(server: Server) -> Iterator[Served]:
    """A function that serves a file, and returns its address."""
    with server.serving() as serve:
        yield serve


@pytest.fixture(scope="session")
def webnn_page(playwright: Playwright, server: Server, webnn_program: BrowserProgram) -> Iterator[SharedPage[Harness]]:
    """A page of a browser with WebNN."""
    with installed.launched(playwright, webnn_program, extra_flags=chromium_flags.BOUNDS_CHECK_FLAGS) as browser:
        yield SharedPage(lambda: Harness(browser.new_page(), server))


@pytest.fixture
def webnn(webnn_page: SharedPage[Harness]) -> Iterator[Harness]:
    """The shared page with WebNN; the test fails when the page reports an uncaught error."""
    yield from watched(webnn_page.harness())


@pytest.fixture
def own_page(webnn: Harness) -> Iterator[Page]:
    """A new page of the browser with WebNN; the test fails when it reports an uncaught error."""
    browser = webnn.page.context.browser
    assert browser
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    page.close()
    assert errors == []


@pytest.fixture(
    scope="session",
    params=[pytest.param(engine, id=engine.name, marks=pytest.mark.needs(engine.name)) for engine in ENGINES],
)
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine; skipped if not installed, with the command that installs it."""
    engine: Engine = request.param
    skip_unless_installed(engine)
    return engine


@pytest.fixture(scope="session")
def engine_browser(engine: Engine, playwright: Playwright) -> Iterator[EngineBrowser]:
    """The running browser, shared by all tests of the engine."""
    with engine.start(playwright) as browser:
        yield browser


@pytest.fixture
def api(harness: PageHarness) -> Call:
    """Calls of pages/api.mjs."""

    def call(name: str, *arguments: Any) -> Any:
        script = "async ([name, args]) => (await import('/api.mjs'))[name](...args)"
        return harness.engine_page.evaluate(script, [name, list(arguments)])

    return call


def skip_unless_installed(engine: Engine) -> None:
    """Skip the test if the engine is not installed; in CI, fail."""
    if missing := engine.missing_packages():
        skip_or_fail(engine.name, f"{engine.title} is not installed: apt-get install {' '.join(missing)}")


def new_page(browser: EngineBrowser) -> Iterator[EnginePage]:
    """Open a fresh page for a test; then close it, and fail for an uncaught error."""
    page = browser.new_page()
    yield page
    errors = page.take_errors()
    page.close()
    assert errors == []


def first_message(page: Page, url: str, start: str | tuple[str, ...] = "") -> str:
    """Open a page and return its first log message that starts so."""
    with page.expect_console_message(lambda message: message.text.startswith(start)) as waiting:
        page.goto(url)
    text: str = waiting.value.text
    return text


def watched(harness: H) -> Iterator[H]:
    """Pass a page to a test; then free its models, and fail for an uncaught error."""
    yield harness
    harness.dispose_all()
    errors = harness.take_errors()
    assert not errors, f"uncaught errors in the page: {errors}"
