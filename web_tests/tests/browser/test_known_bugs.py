"""Every known bug of the browser that is here: its smallest graph still has that outcome."""

import json

import pytest
from playwright.sync_api import Playwright

from tools.probe import corpus, report
from tools.probe.known_bugs import KnownBug, known_bugs
from tools.probe.report import ProbedBrowser, Request
from web_tests.browsers.installed import BrowserProgram
from web_tests.limits.saved import CHROMIUM_147, read_limits
from web_tests.server.server import Server


@pytest.fixture(scope="module")
def probed(playwright: Playwright, webnn_program: BrowserProgram) -> ProbedBrowser:
    return report.probed_browser(playwright, Request())


@pytest.fixture(scope="module")
def seen_bugs(probed: ProbedBrowser) -> list[KnownBug]:
    """The bugs that were seen in this browser's version."""
    name, _, version = probed.name.rpartition(" ")
    browser = f"{name} {version.split('.')[0]}"
    bugs = [bug for bug in known_bugs() if browser in bug.seen]
    if not bugs:
        pytest.skip(f"no bug is known of {browser}: `python3 -m tools.probe --every-rank` finds them")
    return bugs


def test_known_bugs_are_there(probed: ProbedBrowser, server: Server, seen_bugs: list[KnownBug]) -> None:
    """One operator of each bug: each crash of the GPU process costs a context."""
    by_name = {case["name"]: case for case in corpus.document(read_limits(CHROMIUM_147))}
    expected = {next(name for name in bug.names() if name in by_name): bug for bug in seen_bugs}
    # All run, also those that are not at the edge of a promise, or that the browser does not promise.
    report.prepare(server, corpus.text([{**by_name[name], "part": "values", "operands": []} for name in expected]))
    request = Request(contexts=["default"], times=False, every_rank=True)
    found = json.loads(report.report_text(probed, request, server))
    outcomes = {
        (row["op"], example): (bug["outcome"], bug["stage"])
        for row in found["contexts"][0]["operators"]
        for bug in row["bugs"]
        for example in bug["examples"]
    }
    expected_outcomes = {
        (name[: -len(bug.reproduction) - 1], bug.reproduction): (bug.outcome, bug.stage)
        for name, bug in expected.items()
    }
    assert outcomes == expected_outcomes
