"""The table of docs/reference/models.md, from the result of `benchmarks.backends`."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.backends.result import BEHIND, RESULT, ModelBackends, SignatureBackends, read
from support.console import console
from support.errors import BuildError
from support.markdown_table import table
from support.marked_text import replaced
from support.paths import PROJECT_DIR
from tools import citation

DOCUMENT = PROJECT_DIR / "docs" / "reference" / "models.md"
BEGIN, END = "<!-- Made by `python3 -m benchmarks.backends --document DIR` -->", "<!-- End of the backends -->"


class NoResultsError(BuildError):
    """There are no results to write."""


PLACES = {"direct": "WebNN", "stepped": "WebNN and CPU", "cpu": "CPU", "blocking": "WebNN, blocking"}
TITLES = (
    "model, signature",
    "by default on",
    "our WebNN to our CPU",
    "our WebNN to LiteRT.js on WebNN",
    "our CPU to LiteRT.js in wasm",
)
TEXT = """
{browsers}; {rounds} rounds, load average {min_load:.1f} to {max_load:.1f}, {first_day} to {last_day}. Of what
LiteRT.js runs, this project was faster in {webnn} on WebNN, and in {cpu} on the CPU. By default slower than its faster
backend by more than {percent:.0f} %: {behind}.

{table}
{failures}
"""


def write(rows: Sequence[ModelBackends], file: Path = DOCUMENT) -> None:
    """Write the table between the marks of the document.

    Raises:
        NoPlaceError: the marks are missing.
        NotCitableError: a row was made under load, or of other code.
    """
    citation.check(
        file, [citation.Row(row.started, row.revision, (row.load_average, row.load_average)) for row in rows]
    )
    document = replaced(file.read_text(encoding="utf-8"), BEGIN, END, text(rows), where=file)
    file.write_text(document, encoding="utf-8")


def write_from(folder: Path) -> None:
    """Write a folder's result into the document.

    Raises:
        NoResultsError: it has none.
    """
    rows = read(folder / RESULT)
    if not rows:
        hint = f"python3 -m benchmarks.backends --out {folder}"
        raise NoResultsError(f"the folder has no {RESULT}", where=str(folder), hint=hint)
    write(rows)
    console.print(f"    the table is in {DOCUMENT}")


def text(rows: Sequence[ModelBackends]) -> str:
    """Return the table and how it was made, in Markdown."""
    named = [pair for row in sorted(rows, key=lambda row: row.model) for pair in _named(row)]
    loads = [row.load_average for row in rows]
    days = sorted(row.started[:10] for row in rows)
    behind = [f"{name} {part.behind:.2f}" for name, part in named if part.behind > BEHIND]
    failures = [f"- {row.model} is missing: {row.failure}" for row in rows if row.failure]
    return TEXT.format(
        browsers=", ".join(sorted({row.browser for row in rows})),
        rounds=" or ".join(str(rounds) for rounds in sorted({row.rounds for row in rows})),
        min_load=min(loads),
        max_load=max(loads),
        first_day=days[0],
        last_day=days[-1],
        webnn=_faster([part.webnn_over_litert for _, part in named]),
        cpu=_faster([part.cpu_over_litert for _, part in named]),
        percent=100 * (BEHIND - 1),
        behind=", ".join(behind) or "none",
        table=table(TITLES, [_cells(name, part) for name, part in named]),
        failures="".join(f"\n{line}" for line in failures),
    )


def _named(row: ModelBackends) -> Iterator[tuple[str, SignatureBackends]]:
    for part in row.signatures:
        yield (row.model if len(row.signatures) == 1 else f"{row.model} {part.signature}"), part


def _faster(ratios: Sequence[float | None]) -> str:
    known = [ratio for ratio in ratios if ratio is not None]
    return f"{sum(ratio < 1 for ratio in known)} of {len(known)} rows"


def _cells(name: str, part: SignatureBackends) -> Sequence[str]:
    ratios = (part.webnn_over_cpu, part.webnn_over_litert, part.cpu_over_litert)
    return (name, PLACES[part.by_default], *map(_ratio_text, ratios))


def _ratio_text(ratio: float | None) -> str:
    if ratio is None:
        return "-"
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"
