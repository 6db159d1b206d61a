"""`build.py bench --document DIR`: writes a folder's results into documents.

bench.json and sweep.json go into docs/performance.md, sides.jsonl into docs/todays-models.md. First run the benchmark
with `--out DIR`, also with `--sweep`, or with `--sides`.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.text import Text

from support.console import console
from support.errors import BuildError
from support.markdown_table import table
from support.marked_text import write_between
from support.paths import PROJECT_DIR
from tools import result_file
from tools.bench import sides_document, tables
from tools.bench.result import LoadRow, Result, SpeedRow
from tools.bench.runtimes import RuntimeRow
from tools.bench.sides_result import RESULT as SIDES_RESULT
from tools.bench.sides_result import read as read_sides
from tools.bench.statistics import Spread
from tools.measuring.printing import ABSENT

DOCUMENT = PROJECT_DIR / "docs" / "performance.md"
BEGIN, END = "<!-- Results: made by `python3 build.py bench --document DIR` -->", "<!-- End of the results -->"


class NoResultsError(BuildError):
    """There are no results to write."""


def run(folder: Path) -> int:
    """Write the results of a folder into their documents and return the exit status.

    Raises:
        NoResultsError: the folder has neither bench.json nor sides.jsonl.
        NoPlaceError: the document has no marks.
    """
    sides = read_sides(folder / SIDES_RESULT)
    if sides:
        sides_document.write(sides)
        console.print(f"    the sides are in {sides_document.DOCUMENT}")
    if not sides or (folder / "bench.json").is_file():
        write_between(DOCUMENT, BEGIN, END, f"\n{render(folder)}")
        console.print(f"    the results are in {DOCUMENT}")
    return 0


def render(folder: Path) -> str:
    """Return the results of a folder as Markdown.

    Raises:
        NoResultsError: it has no bench.json.
        ResultFileError: its bench.json is of another version.
    """
    file, sweep_file = folder / "bench.json", folder / "sweep.json"
    if not file.is_file():
        raise NoResultsError(
            "the folder has no bench.json", where=str(folder), hint=f"python3 build.py bench --out {folder}"
        )
    found = result_file.read(Result, file)
    lines = [*_facts(found)]
    for group in tables.GROUP_ORDER:
        lines += _speed(found, group)
    lines += _loading(found)
    if sweep_file.is_file():
        lines += _sweep(json.loads(sweep_file.read_text(encoding="utf-8")))
    lines += _shortfalls(found)
    return "\n".join([*lines, ""])


def _facts(found: Result) -> Iterator[str]:
    machine = found.machine
    before, after = found.load_average
    yield (
        f"{machine.processor}, {machine.cores} cores ({', '.join(machine.features)}), {machine.system}; "
        f"{found.browser.title} {found.browser.version}; {found.rounds} rounds; load average {before:.1f} before, "
        f"{after:.1f} after; {found.started}, revision {found.revision}."
    )


def _speed(found: Result, group: str) -> Iterator[str]:
    """A group's table: our milliseconds, and the others' times over ours."""
    runtimes = [runtime for runtime in found.runtimes if runtime.group == group]
    rows = {(row.model, row.runtime): row for row in found.speed}
    measure = next((runtime for runtime in runtimes if runtime.is_measure), None)
    if measure is None or not any((model.name, measure.name) in rows for model in found.models):
        return
    others = [runtime for runtime in runtimes if runtime is not measure]
    yield f"\n### {group}"
    yield f"Milliseconds of `{measure.name}`; the others' time over its, median [quartiles] of the rounds."
    cells = []
    for model in found.models:
        own = rows.get((model.name, measure.name))
        ratios = [_ratio(rows.get((model.name, runtime.name))) for runtime in others]
        cells.append((model.name, _spread(own.ms if own else None), *ratios))
    yield f"\n{table(('model', f'{measure.name}, ms', *map(_title, others)), cells)}"


def _title(runtime: RuntimeRow) -> str:
    return f"{runtime.name} {runtime.version}" if runtime.version and not runtime.is_ours else runtime.name


def _ratio(row: SpeedRow | None) -> str:
    """A ratio, and the verdict on the runtime's answer."""
    if row is None or row.ratio is None:
        return ABSENT
    return f"{_spread(row.ratio)} WRONG" if row.verdict.grade == "WRONG" else _spread(row.ratio)


def _loading(found: Result) -> Iterator[str]:
    loaded = [row for row in found.loading if row.total_ms]
    if not loaded:
        return
    yield f"\n### First results ({found.load_rounds} fresh browsers each)"
    parts = ("library, ms", "model, ms", "first run, ms", "sum, ms", "ratio", "longest wait, ms", "gzip, MB")
    yield f"\n{table(('model', 'runtime', *parts), ((row.model, row.runtime, *_load_cells(row)) for row in loaded))}"


def _load_cells(row: LoadRow) -> Iterator[str]:
    for value in (row.library_ms, row.compile_ms, row.first_run_ms, row.total_ms):
        yield f"{value.median:.0f}" if value else ABSENT
    yield f"{row.ratio.median:.2f}" if row.ratio else ABSENT
    yield f"{row.longest_wait_ms.median:.0f}" if row.longest_wait_ms else ABSENT
    yield f"{row.gzip_bytes / tables.MB:.2f}" if row.gzip_bytes else ABSENT


def _sweep(found: dict[str, Any]) -> Iterator[str]:
    yield "\n### How the delegate's cost grows"
    yield (
        "Lines through the least times of generated models: `model.run()`, and its overhead over the graph by hand "
        "(direct), or over the same model on the CPU (stepped: its partitions have nodes on the CPU between them)."
    )
    lines = ("run(): constant, ms", "slope, us", "R²", "more: constant, ms", "slope, us", "±")
    rows = []
    for series in found["series"]:
        scale, per = (1e9, "MB") if series["unit"] == "border bytes" else (1e3, series["unit"].removesuffix("s"))
        of_run, more = series["run"], series["overhead"]
        cells = [f"{of_run['constant']:.3f}", f"{scale * of_run['slope']:.2f}", f"{of_run['r_squared']:.3f}"]
        cells += [f"{more['constant']:.3f}", *(f"{scale * more[key]:.2f}" for key in ("slope", "slope_error"))]
        rows.append((series["name"], series["mode"], *cells, per))
    yield f"\n{table(('what grows', 'mode', *lines, 'per'), rows)}"


def _shortfalls(found: Result) -> Iterator[str]:
    lines = [Text.from_markup(line).plain for line in tables.shortfalls(found)]
    yield "\n### Missed targets"
    yield from (f"- {line.removeprefix('behind: ')}" for line in lines or ["nowhere"])


def _spread(value: Spread | None) -> str:
    return str(value) if value else ABSENT
