"""`python3 -m tools.kernel_tests`: TFLite's kernel tests with the delegate: a table, docs/reference/kernel-tests.md."""

import json
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from support.console import console
from support.paths import BUILD_DIR
from tools.kernel_tests import document, registry
from tools.kernel_tests.cases import run_file
from tools.kernel_tests.registry import Registry
from tools.kernel_tests.result import FileResult, Totals, totals
from tools.options import HostName
from tools.programs.hosts import Host, open_host
from wasm.toolchain.programs import build_programs

RESULT_FILE = BUILD_DIR / "kernel_tests" / "result.json"
MESSAGE_LINES = 12


def run(patterns: Sequence[str], *, on: HostName, browser: Path | None, write_docs: bool) -> int:
    """Run the tests and return 1 if a delegated case fails that the registry does not list.

    Args:
        patterns: of test files; empty means all.
        on: where they run, see tools/programs/hosts.py.
        browser: the user's own browser.
        write_docs: write docs/reference/kernel-tests.md.

    Raises:
        BuildError: the tests cannot be compiled or run.
    """
    known = registry.load()
    files = known.select(patterns)
    build_programs(files)
    with open_host(on, browser=browser) as host:
        results = [_run_shown(host, file, known) for file in files]
    console.print(_table(results))
    RESULT_FILE.parent.mkdir(parents=True, exist_ok=True)
    RESULT_FILE.write_text(json.dumps([result.to_json() for result in results], indent=2) + "\n")
    if write_docs:
        document.write(results, known)
    return 1 if totals(results).unexplained else 0


def check(host: Host, file: str, known: Registry) -> FileResult:
    """Run one test file; failing cases run again without the delegate."""
    rules = known.skipped_cases(file)
    cases = run_file(host, file, skip=[pattern for rule in rules for pattern in rule.cases])
    failed = [case.name for case in cases if case.outcome == "failed"]
    again = run_file(host, file, webnn=False, only=failed) if failed else []
    reasons = {name: known.why_failing(file, name) for name in failed}
    return FileResult(
        file,
        tuple(cases),
        frozenset(case.name for case in again if case.outcome == "failed"),
        {name: reason for name, reason in reasons.items() if reason},
        tuple((", ".join(rule.cases), rule.reason) for rule in rules),
    )


def _run_shown(host: Host, file: str, known: Registry) -> FileResult:
    result = check(host, file, known)
    console.print(
        f"    {file}: {len(result.cases)} run, {len(result.delegated)} delegated, {len(result.failed)} failed"
        f" ({len(result.unexplained)} unexplained)"
    )
    for case in result.unexplained:
        message = "\n".join(case.message.splitlines()[:MESSAGE_LINES])
        console.print(f"[red]{case.name}[/red]")
        console.print(message, markup=False, highlight=False)
    return result


def _table(results: Sequence[FileResult]) -> Table:
    table = Table("test", title="TFLite's kernel tests on the delegate")
    for column in ("run", "delegated", "passed", "failed", "unexplained", "skipped"):
        table.add_column(column, justify="right" if column != "skipped" else "left")
    for row in results:
        numbers = (len(row.cases), len(row.delegated), row.passed, len(row.failed), len(row.unexplained))
        table.add_row(row.file, *map(str, numbers), "; ".join(reason for _, reason in row.skipped))
    table.add_section()
    suites = {"kernels": False, "XNNPACK's delegate": True}
    for title, is_of_xnnpack in suites.items():
        rows = [row for row in results if row.is_of_xnnpack == is_of_xnnpack]
        if rows:
            table.add_row(*_sums_row(title, totals(rows)))
    return table


def _sums_row(title: str, sums: Totals) -> tuple[str, ...]:
    numbers = (sums.run, sums.delegated, sums.passed, sums.delegated - sums.passed, sums.unexplained)
    return (
        f"{title}: {sums.files} files with delegated cases",
        *map(str, numbers),
        f"{sums.pass_rate:.1%} of the delegated cases pass",
    )
