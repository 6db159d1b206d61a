"""docs/kernel-tests.md, of the result of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wasm.toolchain.support.paths import PROJECT_DIR
from web_tests.kernel_tests.registry import Registry
from web_tests.kernel_tests.result import FileResult, totals

DOCUMENT = PROJECT_DIR / "docs" / "kernel-tests.md"
INTRODUCTION = """\
# TensorFlow Lite's kernel tests on the delegate

Written by `python3 build.py kernel-tests --write-docs`: do not edit. TensorFlow Lite's own tests of its kernels
(`tensorflow/lite/kernels/*_test.cc`, unmodified, with googletest) are compiled to WebAssembly and run in a worker with
`--use_webnn=true`: every model that they make is offered to the WebNN delegate, which computes what it takes while
`Invoke()` waits. A case is *delegated* when WebNN computed something of it; the others run on the CPU, because the
delegate refuses the node ([ops.md](ops.md) tells what it takes). What fails without the delegate, too, is not counted.
"""


def write(results: Sequence[FileResult], known: Registry) -> None:
    """Write the document."""
    DOCUMENT.write_text(text(results, known))


def text(results: Sequence[FileResult], known: Registry) -> str:
    """Return the document."""
    sums = totals(results)
    failing = {name: reason for row in results for name, reason in _failing(row)}
    parts = [
        INTRODUCTION,
        f"Of {sums.run} cases {sums.delegated} are delegated, in {sums.files} test files; "
        f"{sums.passed} of these pass ({sums.pass_rate:.1%}).\n",
        _table(("test", "run", "delegated", "passed", "failed"), map(_row, results)),
        "## Cases that fail, and why\n",
        _table(("case", "reason"), failing.items()) if failing else "None.\n",
        "## Cases that are not run\n",
        _table(("test", "cases", "reason"), _skipped(results)),
        "## Tests that are left out\n",
        _table(("test", "reason"), known.left_out.items()),
    ]
    return "\n".join(parts)


def _row(row: FileResult) -> tuple[str, ...]:
    return (row.file, str(len(row.cases)), str(len(row.delegated)), str(row.passed), str(len(row.failed)))


def _failing(row: FileResult) -> Iterable[tuple[str, str]]:
    return ((f"{row.file}: {case.name}", row.known.get(case.name, "not known yet")) for case in row.failed)


def _skipped(results: Sequence[FileResult]) -> Iterable[tuple[str, ...]]:
    return ((row.file, f"`{cases}`", reason) for row in results for cases, reason in row.skipped)


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [" | ".join(columns), " | ".join("---" for _ in columns), *(" | ".join(row) for row in rows)]
    return "".join(f"| {line} |\n" for line in lines)
