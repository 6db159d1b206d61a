"""A result as tables."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import get_args

from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape
from rich.table import Table

from tools.bench.peers_document import loading_table
from tools.bench.result import LoadRow, Result, SpeedRow
from tools.bench.runtimes import HAND_WRITTEN, MIN_HAND_WRITTEN_MS, Group, RuntimeRow
from tools.measuring.printing import ABSENT, browser_line, on_wide_paper

GROUP_ORDER = get_args(Group)
# No runtime can beat a hand-written graph; a smaller ratio than this means that it did.
HAND_WRITTEN_MIN_RATIO = 1 / 1.02
# Target: first results in half the time of the fastest peer.
LOAD_FACTOR = 2.0
PEERS = ("litert.js", "tfjs-tflite")
LONGEST_WAIT_MS = 50.0


def show(console: Console, result: Result) -> None:
    """Print everything."""
    console = on_wide_paper(console)
    console.print(browser_line(result.browser), soft_wrap=True)
    console.print(_machine_line(result), soft_wrap=True)
    console.print(speed_table(result))
    for line in failure_lines(result.speed):
        console.print(line, soft_wrap=True)
    if result.loading:
        console.print(first_results_table(result))
        console.print(Markdown(loading_table(result)))
    for line in shortfalls(result):
        console.print(line, soft_wrap=True)
    console.print(
        f"ms: median \\[quartiles] of {result.rounds} interleaved rounds; min: the fastest. Ratio: time "
        "over that of the group's reference runtime, round by round; above 1 that one is faster. Output: largest "
        "difference to native LiteRT over its range; off: beyond web_tests/references/tolerances.toml. "
        "See docs/contributing/benchmarking.md.",
        style="dim",
        soft_wrap=True,
    )


def _machine_line(result: Result) -> str:
    machine = result.machine
    features = " ".join(machine.features)
    before, after = result.load_average
    return escape(
        f"{machine.processor}, {machine.cores} cores, {features}; load average {before:.1f} before, "
        f"{after:.1f} after; {result.started}, {result.revision or 'no revision'}"
    )


def speed_table(result: Result) -> Table:
    """Return a row for each runtime on each model."""
    grid = Table(title="Speed", title_justify="left")
    grid.add_column("runtime", no_wrap=True)
    for title in ("ms", "min", "ratio"):
        grid.add_column(title, justify="right", no_wrap=True)
    grid.add_column("output", no_wrap=True)
    grid.add_column("placement")
    by_name = {runtime.name: runtime for runtime in result.runtimes}
    nodes = {model.name: model.nodes for model in result.models}
    timed = [row for row in result.speed if row.ms]
    for model, of_model in groupby(timed, attrgetter("model")):
        grid.add_section()
        grid.add_row(f"[bold]{escape(model)}[/bold]")
        ordered = sorted(of_model, key=lambda row: GROUP_ORDER.index(by_name[row.runtime].group))
        for group, of_group in groupby(ordered, lambda row: by_name[row.runtime].group):
            grid.add_row(f"[dim]{group}[/dim]")
            for row in of_group:
                grid.add_row(*_speed_cells(row, by_name[row.runtime], nodes[row.model]))
    return grid


def first_results_table(result: Result) -> Table:
    """Return a row for the first results of each runtime on each model."""
    grid = Table(title="First results", title_justify="left")
    for title in ("model", "runtime"):
        grid.add_column(title, no_wrap=True)
    for title in ("library, ms", "load", "first run", "sum", "ratio"):
        grid.add_column(title, justify="right", no_wrap=True)
    for row in result.loading:
        if row.total_ms and row.library_ms and row.compile_ms and row.first_run_ms:
            phases = [f"{phase.median:.1f}" for phase in (row.library_ms, row.compile_ms, row.first_run_ms)]
            grid.add_row(row.model, row.runtime, *phases, escape(str(row.total_ms)), _ratio_text(row))
    return grid


def _speed_cells(row: SpeedRow, runtime: RuntimeRow, nodes: int) -> Iterator[str]:
    yield f"  [bold]{row.runtime}[/bold]" if runtime.is_own else f"  {row.runtime}"
    yield escape(str(row.ms)) if row.ms else ABSENT
    yield f"{row.ms.min:.3f}" if row.ms else ABSENT
    yield _ratio_text(row)
    yield verdict_text(row)
    yield _placement_text(row, nodes)


def _ratio_text(row: SpeedRow | LoadRow) -> str:
    if row.ratio is None:
        return ABSENT
    return "measure" if row.measure in (row.runtime, row.model) else escape(str(row.ratio))


def verdict_text(row: SpeedRow) -> str:
    """Return for example close 3e-06, or WRONG: all zeros."""
    verdict = row.verdict
    if verdict.grade == "WRONG":
        return f"[red]WRONG: {escape(verdict.note)}[/red]"
    if verdict.relative is None or verdict.grade == "same bits":
        return verdict.grade
    text = f"{verdict.grade} {verdict.relative:.0e}"
    return f"[yellow]{text}[/yellow]" if verdict.grade == "off" else text


def _placement_text(row: SpeedRow, nodes: int) -> str:
    placement = row.placement
    if placement is None:
        return ""
    if placement.execution_mode == "cpu":
        return f"CPU, dot product: {placement.dot_product}" if placement.dot_product else ""
    return f"{placement.execution_mode}, {placement.nodes_delegated}/{nodes} in {placement.partitions}"


def failure_lines(rows: Sequence[SpeedRow | LoadRow]) -> list[str]:
    """Return one line for each runtime and reason of failure."""
    models: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.failure:
            models.setdefault((row.runtime, row.failure), []).append(row.model)
    return [
        f"{escape(runtime)} on {escape(', '.join(names))}: {escape(reason)}"
        for (runtime, reason), names in models.items()
    ]


def shortfalls(result: Result) -> list[str]:
    """Return the missed targets; see docs/contributing/benchmarking.md."""
    own = {runtime.name for runtime in result.runtimes if runtime.is_own}
    lines = []
    for row in result.speed:
        if row.runtime in own or row.ratio is None or row.measure not in own:
            continue
        min_ratio = HAND_WRITTEN_MIN_RATIO if row.runtime == HAND_WRITTEN else 1.0
        is_long = row.ms is not None and row.ms.median >= MIN_HAND_WRITTEN_MS
        has_target = is_long if row.runtime == HAND_WRITTEN else row.runtime.startswith(PEERS)
        if has_target and row.ratio.median < min_ratio and row.verdict.grade != "WRONG":
            lines.append(
                f"behind: {row.model}: {row.measure} takes {1 / row.ratio.median:.2f} times as long as {row.runtime}"
            )
    for load in result.loading:
        behind = load.ratio is not None and load.ratio.median < LOAD_FACTOR and load.measure in own
        if behind and load.runtime.startswith("litert.js") and load.ratio:
            lines.append(
                f"behind: {load.model}: the first result of {load.measure} takes {1 / load.ratio.median:.2f} of "
                f"{load.runtime}'s time, not half"
            )
        if load.runtime in own and load.longest_wait_ms and load.longest_wait_ms.median > LONGEST_WAIT_MS:
            wait = f"{load.longest_wait_ms.median:.0f} ms"
            lines.append(f"behind: {load.model}: {load.runtime} keeps the page's thread busy for {wait} while it loads")
    return [escape(line) for line in lines]
