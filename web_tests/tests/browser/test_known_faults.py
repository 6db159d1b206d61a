"""Every known fault of the browser that is here: its smallest graph still has that outcome."""

import pytest
from playwright.sync_api import Playwright

from js import scripts
from js.limits import CHROMIUM_147, read_limits
from tools.probe import command
from tools.probe.campaign import explore, try_in
from tools.probe.known_faults import KnownFault, known_faults
from web_tests.browsers import installed
from web_tests.browsers.installed import BrowserProgram
from web_tests.server.server import PROBES_DIR, Server


@pytest.fixture(scope="module")
def seen_faults(playwright: Playwright, webnn_program: BrowserProgram) -> list[KnownFault]:
    """The faults that were seen in this browser's version."""
    with installed.launched(playwright, webnn_program) as browser:
        major = browser.version.split(".")[0]
    faults = [fault for fault in known_faults() if f"Chromium {major}" in fault.seen]
    if not faults:
        pytest.skip(f"no fault is known of Chromium {major}: `python3 -m tools.probe` finds them")
    return faults


def test_known_faults_are_there(
    playwright: Playwright, webnn_program: BrowserProgram, seen_faults: list[KnownFault]
) -> None:
    """One operator of each fault: each death of the GPU process costs a browser."""
    scripts.bundle_script(scripts.PROBES, PROBES_DIR)
    by_name = {probe.name: probe for probe in command.probes_for(read_limits(CHROMIUM_147))}
    wanted = {next(name for name in fault.names() if name in by_name): fault for fault in seen_faults}
    with Server() as server:
        findings = explore([by_name[name] for name in wanted], try_in(playwright, webnn_program, server))
        found = {finding.probe.name: (finding.outcome, finding.stage) for finding in findings}
    assert found == {name: (fault.outcome, fault.stage) for name, fault in wanted.items()}
