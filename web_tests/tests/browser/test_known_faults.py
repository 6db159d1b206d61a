"""Every known fault of the browser that is here: its smallest graph still has that outcome."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Playwright

from tools.probe import corpus, report
from tools.probe.known_faults import KnownFault, known_faults
from tools.probe.report import Request, Subject
from web_tests.browsers.installed import BrowserProgram
from web_tests.limits.saved import CHROMIUM_147, read_limits
from web_tests.server.server import Server


@pytest.fixture(scope="module")
def subject(playwright: Playwright, webnn_program: BrowserProgram) -> Subject:
    return report.subject_of(playwright, Request())


@pytest.fixture(scope="module")
def seen_faults(subject: Subject) -> list[KnownFault]:
    """The faults that were seen in this browser's version."""
    name, _, version = subject.name.rpartition(" ")
    browser = f"{name} {version.split('.')[0]}"
    faults = [fault for fault in known_faults() if browser in fault.seen]
    if not faults:
        pytest.skip(f"no fault is known of {browser}: `python3 -m tools.probe --every-rank` finds them")
    return faults


def test_known_faults_are_there(
    subject: Subject, server: Server, seen_faults: list[KnownFault], tmp_path: Path
) -> None:
    """One operator of each fault: each crash of the GPU process costs a context."""
    by_name = {case["name"]: case for case in corpus.document(read_limits(CHROMIUM_147))}
    expected = {next(name for name in fault.names() if name in by_name): fault for fault in seen_faults}
    # All run, also those that are not at the edge of a promise, or that the browser does not promise.
    report.prepare(server, corpus.text([{**by_name[name], "part": "values", "operands": []} for name in expected]))
    request = Request(contexts=["default"], times=False, every_rank=True)
    found = json.loads(report.report_text(subject, request, server, tmp_path / "unfinished.json"))
    outcomes = {
        (row["op"], example): (fault["outcome"], fault["stage"])
        for row in found["contexts"][0]["operators"]
        for fault in row["faults"]
        for example in fault["examples"]
    }
    wanted = {
        (name[: -len(fault.reproduction) - 1], fault.reproduction): (fault.outcome, fault.stage)
        for name, fault in expected.items()
    }
    assert outcomes == wanted
