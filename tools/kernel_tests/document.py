"""docs/reference/kernel-tests.md, from the result of a run."""

from collections.abc import Iterable, Sequence
from textwrap import fill

from support.markdown_table import table
from support.paths import PROJECT_DIR
from tools.kernel_tests.registry import XNNPACK_PREFIX, Registry
from tools.kernel_tests.result import FileResult, totals

DOCUMENT = PROJECT_DIR / "docs" / "reference" / "kernel-tests.md"
MAX_NAMES = 3
INTRODUCTION = """\
# TensorFlow Lite's kernel tests on the delegate

Written by `python3 -m tools.kernel_tests --write-docs`: do not edit. TensorFlow Lite's own tests of its kernels
(`tensorflow/lite/kernels/*_test.cc`, unmodified, with googletest) are compiled to WebAssembly and run in a worker with
`--use_webnn=true`: each model that they make is offered to the WebNN delegate, which computes its nodes while
`Invoke()` waits. A case is *delegated* if WebNN computed a part of it; the others run on the CPU, because the
delegate rejects the node (see [ops.md](ops.md)). Cases that also fail without the delegate are not counted.
"""
XNNPACK_INTRODUCTION = """\
## TensorFlow Lite's tests of XNNPACK's delegate

`tensorflow/lite/delegates/xnnpack/*_test.cc`, unmodified, with the WebNN delegate in place of XNNPACK's
(`wasm/tests/kernels/webnn_as_xnnpack.cc`): each case makes a model of random shapes and data from a fixed seed, and
compares the delegate with TensorFlow Lite's kernels, with XNNPACK's tolerances.
Without the delegate, a case runs with XNNPACK's: cases that also fail there are not counted.
"""


def write(results: Sequence[FileResult], known: Registry) -> None:
    DOCUMENT.write_text(text(results, known))


def text(results: Sequence[FileResult], known: Registry) -> str:
    """Return the document."""
    of_xnnpack = [row for row in results if row.is_of_xnnpack]
    parts = [
        INTRODUCTION,
        *_suite([row for row in results if not row.is_of_xnnpack], known, heading="##"),
        XNNPACK_INTRODUCTION,
        *_suite(of_xnnpack, known, heading="###", is_of_xnnpack=True),
        "### Cases that are not delegated, and why\n",
        table(("test", "cases", "reason"), _rejected(of_xnnpack)) + "\n",
    ]
    return "\n".join(parts)


def _suite(
    results: Sequence[FileResult], known: Registry, *, heading: str, is_of_xnnpack: bool = False
) -> Iterable[str]:
    """Yield the sections about test files of one kind."""
    sums = totals(results)
    failing = [each for row in results for each in _failing(row)]
    left_out: dict[str, list[str]] = {}
    for file, reason in known.left_out.items():
        if file.startswith(XNNPACK_PREFIX) == is_of_xnnpack:
            left_out.setdefault(reason, []).append(file)
    yield (
        f"Of {sums.run} cases {sums.delegated} are delegated, in {sums.files} test files; "
        f"{sums.passed} of these pass ({sums.pass_rate:.1%}).\n"
    )
    yield from _files(results)
    yield f"{heading} Cases that fail, and why\n"
    yield (table(("test", "cases", "reason"), failing) if failing else "None.") + "\n"
    yield f"{heading} Skipped cases\n"
    yield table(("test", "cases", "reason"), _skipped(results, known)) + "\n"
    yield f"{heading} Omitted test files\n"
    yield "\n".join(_wrapped(f"- {reason}: {', '.join(files)}") for reason, files in left_out.items()) + "\n"


def _files(results: Sequence[FileResult]) -> Iterable[str]:
    """Yield a line for each kind of file: with failing cases, with delegated cases that all pass, and without any."""
    failing = [row for row in results if row.failed]
    passing = [f"{row.file} {row.passed} of {len(row.cases)}" for row in results if row.delegated and not row.failed]
    without = [row.file for row in results if not row.delegated]
    yield table(("test", "run", "delegated", "passed", "failed"), map(_row, failing)) + "\n"
    yield _wrapped(f"All delegated cases pass in: {', '.join(passing) or 'none'}.") + "\n"
    yield _wrapped(f"No case is delegated in: {', '.join(without) or 'none'}.") + "\n"


def _wrapped(text: str) -> str:
    return fill(text, 120, subsequent_indent="  " * text.startswith("- "), break_long_words=False)


def _row(row: FileResult) -> tuple[str, ...]:
    return (row.file, str(len(row.cases)), str(len(row.delegated)), str(row.passed), str(len(row.failed)))


def _failing(row: FileResult) -> Iterable[tuple[str, ...]]:
    cases: dict[str, list[str]] = {}
    for case in row.failed:
        cases.setdefault(row.known.get(case.name, "not known yet"), []).append(f"`{case.name}`")
    return ((row.file, _some(names), reason) for reason, names in cases.items())


def _some(names: Sequence[str]) -> str:
    """Return the first names, and the number of the others."""
    others = len(names) - MAX_NAMES
    return ", ".join(names[:MAX_NAMES]) + (f" and {others} more" if others > 0 else "")


def _skipped(results: Sequence[FileResult], known: Registry) -> Iterable[tuple[str, ...]]:
    return (
        (", ".join(rule.files), ", ".join(f"`{case}`" for case in rule.cases), rule.reason)
        for rule in known.skipped
        if any(rule.is_about(row.file) for row in results)
    )


def _rejected(results: Sequence[FileResult]) -> Iterable[tuple[str, ...]]:
    return ((row.file, str(count), reason) for row in results for reason, count in row.rejections.most_common())
