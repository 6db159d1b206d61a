"""Runs the probes in a browser, in slices, and writes the report.

The GPU process of a browser may crash, and after the third time Chromium offers no WebNN: the slices carry their state,
so a fresh browser continues. A page that crashes is known by the message that it left before each graph.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Playwright, sync_playwright
from rich.markup import escape
from rich.table import Table

from support.console import console
from support.errors import BuildError
from support.npm import run_script
from support.paths import BUILD_DIR
from tools.measuring.browser import choose_browser, choose_webnn_browser
from tools.probe import corpus
from tools.probe.browser_limits import capture
from tools.probe.known_bugs import FILE, unknown_bugs
from web_tests.browsers import installed
from web_tests.browsers.engines import ENGINES
from web_tests.browsers.installed import BrowserStartError
from web_tests.browsers.page import EngineBrowser, PageError
from web_tests.browsers.playwright_pages import PlaywrightBrowser
from web_tests.server.server import PROBES_DIR, Server

On = Literal["webnn", "polyfill"]

OUTPUT_DIR = BUILD_DIR / "webnn"
RUNNING = "webnn-report-running"
CASES = "webnn-report-cases"
SLICE_MS = 20_000
# Browsers that end in a row without any progress.
MAX_FRUITLESS_RUNS = 3
CALL = "async ([name, request]) => (await import('/webnn_report.mjs'))[name](request)"


class NoReportError(BuildError):
    """The browser cannot make a report."""


@dataclass(frozen=True)
class Request:
    """What to report on.

    Attributes:
        browser: the user's own; None for the first one with WebNN.
        engine: a row of web_tests/browsers/engines.py instead.
        on: the browser's own WebNN, or the polyfill in it.
        ops, contexts: only these; all if empty.
        times: whether speed and fusion are measured.
        every_rank: whether all graphs run that the limits of the browser promise, also after crashes.
        out: the file to write; None for one in build/webnn, named for the browser.
    """

    browser: Path | None = None
    engine: str = ""
    on: On = "webnn"
    ops: Sequence[str] = ()
    contexts: Sequence[str] = ()
    times: bool = True
    every_rank: bool = False
    out: Path | None = None


@dataclass(frozen=True)
class ProbedBrowser:
    """A browser that can be started again and again; `name` is for tables."""

    name: str
    start: Callable[[], AbstractContextManager[EngineBrowser]]


def prepare(server: Server, cases: str) -> None:
    """Provide the script and the corpus that pages load."""
    run_script("build", "script", "probes", PROBES_DIR, quiet=True)
    server.mailbox.put(CASES, cases.encode())


def run(request: Request) -> int:
    """Make a report, print its summary and the bugs that are not known, and return the exit status.

    Raises:
        NoReportError: there is no such engine, or browsers end again and again without any progress.
        NoWebnnError: there is no WebNN whose every rank could be probed.
    """
    if request.every_rank and (request.engine or request.on == "polyfill"):
        raise NoReportError("--every-rank is for the own WebNN of --browser", hint="leave out --engine and --on")
    limits = capture(request.browser)["opSupportLimits"] if request.every_rank else None
    with sync_playwright() as playwright, Server() as server:
        prepare(server, corpus.text(corpus.document(limits)))
        probed = probed_browser(playwright, request)
        console.print(f"WebNN of {escape(probed.name)}, {'the polyfill' if request.on == 'polyfill' else 'its own'}")
        out = request.out or OUTPUT_DIR / f"{file_name(probed.name, request.on)}.json"
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(report_text(probed, request, server))
    report = json.loads(out.read_text())
    _show(report)
    for op, bug in unknown_bugs(report) if request.on == "webnn" else ():
        text = f"not in {FILE.name}: {op} {bug['outcome']} {bug['stage']}, e.g. {bug['examples'][0]}"
        console.print(f"[yellow]{escape(text)}[/yellow]", soft_wrap=True)
    console.print(f"[bold]{escape(str(out))}[/bold]")
    return 0


def probed_browser(playwright: Playwright, request: Request) -> ProbedBrowser:
    """Return the browser to report on."""
    if request.engine:
        engine = next((one for one in ENGINES if one.name == request.engine), None)
        if engine is None or engine.missing_packages():
            raise NoReportError(f"there is no engine {request.engine!r} on this machine", hint="python3 build.py setup")
        with engine.start(playwright) as browser:
            version = _version(browser)
        return ProbedBrowser(f"{engine.title} {version}", lambda: engine.start(playwright))
    if request.on == "webnn":
        program, probe = choose_webnn_browser(playwright, request.browser, "report on the polyfill: --on polyfill")
    else:
        program, probe = choose_browser(playwright, request.browser)

    @contextmanager
    def start() -> Iterator[EngineBrowser]:
        with installed.launched(playwright, program) as browser:
            yield PlaywrightBrowser(browser)

    return ProbedBrowser(f"{program.title.removesuffix(' headless shell')} {probe.version}", start)


def report_text(probed: ProbedBrowser, request: Request, server: Server) -> str:
    """Return the report's JSON; fresh browsers take over until it is finished.

    Raises:
        NoReportError: browsers end again and again without any progress.
    """
    requested = {
        "on": request.on,
        "browser": probed.name,
        "ops": [*request.ops],
        "contexts": [*request.contexts],
        "times": request.times,
        "everyRank": request.every_rank,
    }
    state: dict[str, Any] | None = None
    fruitless = 0
    while fruitless < MAX_FRUITLESS_RUNS:
        before = json.dumps(state)
        try:
            for after, text in _slices(probed, requested, server, state):
                state = after
                if text:
                    return text
        except (PageError, BrowserStartError) as error:
            console.print(f"[yellow]{escape(str(error))}[/yellow]", soft_wrap=True)
            message = server.mailbox.take(RUNNING)
            if state is not None and message:
                state["probeRun"]["running"] = json.loads(message)
        fruitless = fruitless + 1 if json.dumps(state) == before else 0
        console.print("[dim]    a fresh browser continues[/dim]")
    raise NoReportError(f"{probed.name} ended {MAX_FRUITLESS_RUNS} times without any progress")


def _slices(
    probed: ProbedBrowser, requested: Mapping[str, Any], server: Server, state: dict[str, Any] | None
) -> Iterator[tuple[dict[str, Any], str]]:
    """Continue in one browser; yield the state after each slice, and the report's text if it is finished.

    Raises:
        PageError, BrowserStartError: the browser does not start, or its page is gone.
    """
    with probed.start() as browser:
        page = browser.new_page()
        page.open(f"{server.origin}/probe.html")
        while True:
            response = page.evaluate(CALL, ["slice", {**requested, "state": state, "budgetMs": SLICE_MS}])
            state, progress = response["state"], response["progress"]
            done = sum(len(context["verdicts"]) for context in response["state"]["probeRun"]["contexts"].values())
            console.print(f"[dim]    {done} graphs[/dim]")
            if progress == "finished":
                webnn = response["polyfill"] if requested["on"] == "polyfill" else "browser"
                created = datetime.now(UTC).isoformat(timespec="seconds")
                about = {"state": state, "browser": probed.name, "webnn": webnn, "created": created}
                yield response["state"], str(page.evaluate(CALL, ["text", about]))
                return
            yield response["state"], ""
            if progress == "exhausted":
                return


def file_name(title: str, on: On) -> str:
    """Return a name for the report's file: `chromium-147`, `firefox-esr-153-polyfill`."""
    parts = title.lower().split(".")[0].split()
    return "-".join([*parts, *(["polyfill"] if on == "polyfill" else [])])


def _version(browser: EngineBrowser) -> str:
    browser.new_page().open("about:blank")
    return browser.version


def _show(report: dict[str, Any]) -> None:
    table = Table("context", "operators", "missing of the required", "graphs that fail")
    for context in report["contexts"]:
        if context["rejected"] is not None or context["sameAs"] is not None:
            state = context["rejected"] or f"as {context['sameAs']}"
            table.add_row(context["name"], escape(state), "", "")
            continue
        bugs = sum(bug["graphs"] for row in context["operators"] for bug in row["bugs"])
        graphs = sum(sum(row[part].values()) for row in context["operators"] for part in ("edges", "values"))
        cells = (str(len(context["operators"])), str(len(context["shortfalls"])), f"{bugs} of {graphs}")
        table.add_row(context["name"], *cells)
    console.print(table)
