"""The command: runs the probes in a browser, in slices, and writes the report.

The GPU process of a browser may die of a graph, and after the third time Chromium offers no WebNN: the slices carry
their state, so a fresh browser continues. A page that dies is told by the letter that it left before each graph.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Literal

from playwright.sync_api import Playwright, sync_playwright
from rich.markup import escape
from rich.table import Table

from js import page_scripts
from tools.measuring.browser import choose_browser
from tools.probe import corpus
from tools.support.console import console
from tools.support.errors import BuildError
from tools.support.paths import BUILD_DIR
from web_tests.browsers import installed
from web_tests.browsers.engines import ENGINES
from web_tests.browsers.page import EngineBrowser, PageError
from web_tests.browsers.playwright_pages import PlaywrightBrowser
from web_tests.server.server import PROBES_DIR, Server

On = Literal["webnn", "polyfill"]

OUTPUT_DIR = BUILD_DIR / "webnn"
RUNNING = "webnn-report-running"
CASES = "cases.json"
SLICE_MS = 20_000
# Browsers that end in a row without any progress.
PATIENCE = 3
CALL = "async ([name, request]) => (await import('/webnn_report.mjs'))[name](request)"


class NoReportError(BuildError):
    """The browser cannot make a report."""

    exit_code: ClassVar[int] = 10


@dataclass(frozen=True)
class Request:
    """What to report on.

    Attributes:
        browser: the user's own; None for the first one with WebNN.
        engine: a row of web_tests/browsers/engines.py instead.
        on: the browser's own WebNN, or the polyfill in it.
        ops, contexts: only these; all if empty.
        out: the file to write; None for one in build/webnn, named for the browser.
    """

    browser: Path | None = None
    engine: str = ""
    on: On = "webnn"
    ops: Sequence[str] = ()
    contexts: Sequence[str] = ()
    out: Path | None = None


@dataclass(frozen=True)
class Subject:
    """A browser that can be started again and again; `name` is for tables."""

    name: str
    start: Callable[[], AbstractContextManager[EngineBrowser]]


def prepare() -> None:
    """Write the script and the corpus that pages load."""
    page_scripts.bundle(page_scripts.PROBES, PROBES_DIR)
    (PROBES_DIR / CASES).write_text(corpus.text())


def run(request: Request) -> int:
    """Make a report and print its summary.

    Raises:
        NoReportError: there is no such engine, or browsers end again and again without any progress.
    """
    prepare()
    with sync_playwright() as playwright, Server() as server:
        subject = subject_of(playwright, request)
        console.print(f"WebNN of {escape(subject.name)}, {'the polyfill' if request.on == 'polyfill' else 'its own'}")
        text = report_text(subject, request, server)
    out = request.out or OUTPUT_DIR / f"{file_name(subject.name, request.on)}.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text)
    _show(json.loads(text))
    console.print(f"[bold]{escape(str(out))}[/bold]")
    return 0


def subject_of(playwright: Playwright, request: Request) -> Subject:
    """Return the browser to report on."""
    if request.engine:
        engine = next((one for one in ENGINES if one.name == request.engine), None)
        if engine is None or engine.missing_packages():
            raise NoReportError(f"there is no engine {request.engine!r} on this machine", mend="python3 build.py setup")
        with engine.start(playwright) as browser:
            version = _version(browser)
        return Subject(f"{engine.title} {version}", lambda: engine.start(playwright))
    program, probe = choose_browser(playwright, request.browser)
    if request.on == "webnn" and not probe.webnn:
        what = f"there is no WebNN in {program.title} {probe.version}: {probe.reason}"
        raise NoReportError(what, mend="report on the polyfill there: --on polyfill")

    def start() -> AbstractContextManager[EngineBrowser]:
        return _Launched(playwright, program)

    kind = program.title.removesuffix(" headless shell")
    return Subject(f"{kind} {probe.version}", start)


class _Launched:
    """A Chromium with WebNN as an EngineBrowser."""

    def __init__(self, playwright: Playwright, program: installed.BrowserProgram) -> None:
        self._launched = installed.launched(playwright, program)

    def __enter__(self) -> EngineBrowser:
        return PlaywrightBrowser(self._launched.__enter__())

    def __exit__(self, *error: Any) -> None:
        self._launched.__exit__(*error)


def report_text(subject: Subject, request: Request, server: Server) -> str:
    """Return the report's JSON; fresh browsers take over until it is finished.

    Raises:
        NoReportError: browsers end again and again without any progress.
    """
    state: dict[str, Any] | None = None
    fruitless = 0
    while fruitless < PATIENCE:
        before = json.dumps(state)
        with subject.start() as browser:
            state, text = _attempt(browser, subject, request, server, state)
        if text:
            return text
        fruitless = fruitless + 1 if json.dumps(state) == before else 0
        console.print("[dim]    a fresh browser continues[/dim]")
    raise NoReportError(f"{subject.name} ended {PATIENCE} times without any progress")


def _attempt(
    browser: EngineBrowser, subject: Subject, request: Request, server: Server, state: dict[str, Any] | None
) -> tuple[dict[str, Any] | None, str]:
    """Continue in one browser; return the state, and the report's text if it is finished."""
    wanted = {"on": request.on, "browser": subject.name, "ops": [*request.ops], "contexts": [*request.contexts]}
    try:
        page = browser.new_page()
        page.open(f"{server.origin}/probe.html")
        while True:
            answer = page.evaluate(CALL, ["slice", {**wanted, "state": state, "budgetMs": SLICE_MS}])
            state = answer["state"]
            done = sum(len(context["verdicts"]) for context in answer["state"]["campaign"]["contexts"].values())
            console.print(f"[dim]    {done} graphs[/dim]")
            if answer["progress"] == "exhausted":
                return state, ""
            if answer["progress"] == "finished":
                webnn = answer["polyfill"] if request.on == "polyfill" else "browser"
                created = datetime.now(UTC).isoformat(timespec="seconds")
                about = {"state": state, "browser": subject.name, "webnn": webnn, "created": created}
                return state, str(page.evaluate(CALL, ["text", about]))
    except PageError as error:
        console.print(f"[yellow]{escape(str(error))}[/yellow]", soft_wrap=True)
        letter = server.letters.take(RUNNING)
        if state is not None and letter:
            state["campaign"]["running"] = json.loads(letter)
        return state, ""


def file_name(subject: str, on: On) -> str:
    """Return a name for the report's file: `chromium-147`, `firefox-esr-153-polyfill`."""
    words = subject.lower().split(".")[0].split()
    return "-".join([*words, *(["polyfill"] if on == "polyfill" else [])])


def _version(browser: EngineBrowser) -> str:
    browser.new_page().open("about:blank")
    return browser.version


def _show(report: dict[str, Any]) -> None:
    table = Table("context", "operators", "missing of the required", "graphs that fail")
    for context in report["contexts"]:
        if context["refused"] is not None or context["sameAs"] is not None:
            state = context["refused"] or f"as {context['sameAs']}"
            table.add_row(context["name"], escape(state), "", "")
            continue
        faults = sum(fault["graphs"] for row in context["operators"] for fault in row["faults"])
        graphs = sum(sum(row[part].values()) for row in context["operators"] for part in ("edges", "values"))
        cells = (str(len(context["operators"])), str(len(context["shortfalls"])), f"{faults} of {graphs}")
        table.add_row(context["name"], *cells)
    console.print(table)
