"""`python3 -m tools.kernel_tests`: TFLite's kernel tests with the delegate: sums, docs/reference/kernel-tests.md."""

from collections.abc import Sequence
from pathlib import Path

from support.console import console
from tools.kernel_tests import document, registry
from tools.kernel_tests.cases import run_file
from tools.kernel_tests.registry import Registry
from tools.kernel_tests.result import FileResult, totals
from tools.options import HostName
from tools.programs.hosts import Host, open_host
from wasm.toolchain.programs import build_programs

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
    _print_sums(results)
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


def _print_sums(results: Sequence[FileResult]) -> None:
    for title, is_of_xnnpack in {"kernels": False, "XNNPACK's delegate": True}.items():
        rows = [row for row in results if row.is_of_xnnpack == is_of_xnnpack]
        sums = totals(rows)
        if rows:
            console.print(
                f"{title}: {sums.delegated} of {sums.run} cases are delegated, in {sums.files} files; {sums.passed} of "
                f"these pass ({sums.pass_rate:.1%}); {sums.unexplained} failures are unexplained"
            )
