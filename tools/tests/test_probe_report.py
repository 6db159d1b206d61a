"""The report of `python3 -m tools.probe`, with fake browsers."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest

from tools.probe import report
from tools.probe.report import NoReportError, ProbedBrowser, Request, file_name, report_text
from web_tests.browsers.installed import BrowserStartError
from web_tests.browsers.page import EngineBrowser, PageError
from web_tests.server.server import Server

# What a page returns from one call: a progress, or its crash.
Script = Sequence[str]


# A browser that does not start.
NO_START: Script = ["does not start"]


class FakePage:
    """Handles calls of web_tests/pages/webnn_report.mjs; a slice adds one verdict."""

    def __init__(self, script: Script, server: Server) -> None:
        self._script = list(script)
        self._server = server

    def open(self, url: str) -> None:
        assert url == f"{self._server.origin}/probe.html"

    def evaluate(self, _: str, argument: tuple[str, Mapping[str, Any]]) -> Any:
        name, request = argument
        if name == "text":
            return json.dumps(request["state"])
        event = self._script.pop(0)
        state = json.loads(json.dumps(request["state"] or {"probeRun": {"contexts": {"default": {"verdicts": {}}}}}))
        if event == "crashes":
            self._server.mailbox.put(report.RUNNING, b'{"context": "default", "name": "crashing"}')
            raise PageError("the page crashed")
        verdicts = state["probeRun"]["contexts"]["default"]["verdicts"]
        if event != "exhausted from the start":
            verdicts[str(len(verdicts))] = {"outcome": "works"}
        return {"state": state, "progress": event.split()[0], "polyfill": "polyfill, tflite 1"}


class FakeBrowser:
    version = "1.0"

    def __init__(self, page: FakePage) -> None:
        self._page = page

    def new_page(self) -> FakePage:
        return self._page


def browsers(server: Server, *scripts: Script) -> tuple[ProbedBrowser, list[int]]:
    """Return a browser whose starts follow the scripts, one after the other, and their number so far."""
    started: list[int] = []

    @contextmanager
    def start() -> Iterator[Any]:
        started.append(len(started))
        if scripts[len(started) - 1] == NO_START:
            raise BrowserStartError("Fake does not start: too many processes")
        yield FakeBrowser(FakePage(scripts[len(started) - 1], server))

    starter: Callable[[], AbstractContextManager[EngineBrowser]] = start
    return ProbedBrowser("Fake 1.0", starter), started


def verdicts_of(text: str) -> int:
    return len(json.loads(text)["probeRun"]["contexts"]["default"]["verdicts"])


def test_slices_go_on_until_the_report_is_finished() -> None:
    with Server({}) as server:
        probed, started = browsers(server, ["unfinished", "unfinished", "finished"])
        assert verdicts_of(report_text(probed, Request(), server)) == 3
    assert len(started) == 1


def test_a_fresh_browser_continues_the_state() -> None:
    with Server({}) as server:
        probed, started = browsers(server, ["unfinished", "exhausted"], ["finished"])
        assert verdicts_of(report_text(probed, Request(), server)) == 3
    assert len(started) == 2


def test_a_page_that_crashes_leaves_the_name_of_its_graph() -> None:
    with Server({}) as server:
        probed, _ = browsers(server, ["unfinished", "crashes"], ["finished"])
        state = json.loads(report_text(probed, Request(), server))
    assert state["probeRun"]["running"] == {"context": "default", "name": "crashing"}


def test_a_browser_that_never_works_ends_the_report() -> None:
    with Server({}) as server:
        probed, started = browsers(server, *[["exhausted from the start"]] * 5)
        with pytest.raises(NoReportError, match="without any progress"):
            report_text(probed, Request(), server)
    assert len(started) == 4  # the first one has the state of the start


def test_a_browser_that_does_not_start_is_started_again() -> None:
    with Server({}) as server:
        probed, started = browsers(server, NO_START, ["unfinished", "exhausted"], NO_START, ["finished"])
        assert verdicts_of(report_text(probed, Request(), server)) == 3
    assert len(started) == 4


@pytest.mark.parametrize(
    ("title", "on", "name"),
    [
        ("Chromium 147.0.7727.0", "webnn", "chromium-147"),
        ("Firefox ESR 153.1.0", "polyfill", "firefox-esr-153-polyfill"),
        ("WebKitGTK 2.50.1", "polyfill", "webkitgtk-2-polyfill"),
    ],
)
def test_files_are_named_for_browsers(title: str, on: report.On, name: str) -> None:
    assert file_name(title, on) == name
