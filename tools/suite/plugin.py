"""pytest's side of `build.py test`: tiers, needs, and the seed by which op cases are drawn."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from os import environ
from pathlib import Path

import pytest

from tools.suite.needs import ALL, ALWAYS, ENGINES, NOT_UNIT, TIERS, WEBNN, is_of_tier, missing, needs_of
from tools.support import cache as user_cache
from tools.support.sample_seed import SEED_VARIABLE

SLOWEST_FILES = 25
TAKEN = "taken from the cache"  # a property of a test's reports


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tflite-webnn")
    group.addoption("--tier", choices=TIERS, default=ALL, help="run only the tests of this tier")
    group.addoption("--engine", choices=ENGINES, default=WEBNN, help="the engine of the tier `browser`")
    group.addoption("--not-again", action="store_true", help="leave out what has passed before with the same files")
    group.addoption("--needs-file", type=Path, help="write what the collected tests need into this file, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(name, ...): what must be built or installed (tools/suite/needs.py)")
    config.addinivalue_line("markers", f"{ALWAYS}: `build.py test` repeats it though nothing has changed (passed.py)")
    if config.getoption("--not-again"):
        from tools.suite.passed import NotAgain  # and all that it imports

        config.pluginmanager.register(NotAgain())
    # pytest-xdist's workers inherit it: a day that ends meanwhile does not divide them.
    environ.setdefault(SEED_VARIABLE, datetime.now(UTC).strftime("%Y%m%d"))


def pytest_report_header() -> str:
    return f"op cases: drawn by {SEED_VARIABLE}={environ[SEED_VARIABLE]}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if config.getoption("--tier") == "unit" and collection_path in NOT_UNIT else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    tier, engine = config.getoption("--tier"), config.getoption("--engine")
    of_tier = {item: is_of_tier(needs_of(item), tier, engine) for item in items}
    config.hook.pytest_deselected(items=[item for item in items if not of_tier[item]])
    items[:] = [item for item in items if of_tier[item]]


def pytest_collection_finish(session: pytest.Session) -> None:
    file: Path | None = session.config.getoption("--needs-file")
    if file:
        needs = frozenset[str]().union(*map(needs_of, session.items))
        file.write_text(json.dumps(sorted(needs)))


def pytest_runtest_setup(item: pytest.Item) -> None:
    if lacking := _missing_builds(needs_of(item)):
        tests = item.nodeid.partition("::")[0]
        pytest.fail(f"not built: {', '.join(lacking)} (python3 build.py test {tests} builds it)", pytrace=False)


_missing_builds = cache(missing)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> None:
    """Note in a test's reports what the user's cache spared it; pytest-xdist passes it on."""
    item.user_properties += [(TAKEN, title) for title in user_cache.taken]
    user_cache.taken.clear()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what was not done again, and where the workers' time went: seconds by file, fixtures included."""
    reports = [report for kind in terminalreporter.stats.values() for report in kind]
    if taken := _taken(reports):
        terminalreporter.section("taken from the cache: done before, and nothing that it depends on has changed")
        for title, count in sorted(taken.items()):
            terminalreporter.line(f"{count:6} {title}")
    seconds: defaultdict[str, float] = defaultdict(float)
    for report in reports:
        if type(report) is pytest.TestReport:  # not those of subtests, whose time is their test's, too
            seconds[report.nodeid.partition("::")[0]] += report.duration
    if len(seconds) < 2:
        return
    terminalreporter.section(f"slowest files, of {sum(seconds.values()):.0f} s in all workers")
    for file, total in sorted(seconds.items(), key=lambda row: -row[1])[:SLOWEST_FILES]:
        terminalreporter.line(f"{total:8.2f}s {file}")


def _taken(reports: Iterable[object]) -> Counter[str]:
    """Count what tests took from the cache; the last report of a test has the properties of all its phases."""
    ends = [report for report in reports if type(report) is pytest.TestReport and report.when == "teardown"]
    return Counter(str(title) for end in ends for name, title in end.user_properties if name == TAKEN)
