"""The step behind `python3 -m tools.matrix`: selects engines and models, fills the matrix, and writes the result."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from playwright.sync_api import sync_playwright
from rich.markup import escape
from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn

from support.console import console, output
from support.paths import BUILD_DIR
from tools import result_file
from tools.bench.result import now, revision
from tools.matrix import engines, grid, questions, result, run, tables
from tools.matrix.axes import EXECUTIONS, PLACES, select
from tools.matrix.grid import Capabilities
from tools.matrix.place_page import Servers
from tools.matrix.result import Cell, ExecutionRow, Impossible, Matrix, ModelRow
from tools.matrix.run import Found, Plan
from tools.measuring.measurement import check_package
from web_tests.references import native_litert
from web_tests.server.server import Server

RESULT_FILE = BUILD_DIR / "matrix" / "matrix.json"
# CI runs every engine in every way, with a float network and an integer one, in the two most different places. That
# takes minutes; the full matrix takes hours.
CI_MODELS = ("face_detection_short_range", "mlperftiny_kws_int8")
CI_PLACES = ("page", "plain-worker")


@dataclass(frozen=True, kw_only=True)
class Request:
    """The options of `python3 -m tools.matrix`.

    Attributes:
        engines, executions, models, places: patterns of names; empty means all.
        part: ci, or all.
        browser: the user's own Chromium-based browser, in addition.
        grid: the address of a WebDriver server with the browsers to use instead.
        capabilities: the browsers to request from it.
        host: this machine's address as those browsers see it.
        sessions: number of concurrent browsers of a grid.
        out: the file of the result.
        add_to: an earlier result, also of other machines, whose cells stay where this run has none.
    """

    engines: Sequence[str] = ()
    executions: Sequence[str] = ()
    models: Sequence[str] = ()
    places: Sequence[str] = ()
    part: str
    browser: Path | None = None
    grid: str = ""
    capabilities: Sequence[Capabilities] = field(default_factory=list)
    host: str
    sessions: int
    out: Path
    add_to: Path | None = None
    json_output: bool = False


def run_matrix(request: Request) -> int:
    """Fill the matrix and return the exit status: 0, or 1 if a cell is red, an engine failed, or none was available.

    Raises:
        BuildError: there is no package, a name is unknown, or the earlier result is unreadable.
    """
    check_package()
    older = result_file.read(Matrix, request.add_to) if request.add_to else None
    with serving(request.host) as servers:
        plan = plan_of(request, servers)
        matrix = matrix_of(plan, _fill(plan, servers))
    found = result.merged(matrix, older) if older else matrix
    result_file.write(found, request.out)
    if request.json_output:
        print(result_file.to_text(found), end="")
    else:
        tables.show(output, matrix)
    console.print(f"    the result is in {request.out}")
    return 0 if matrix.is_good() else 1


@contextmanager
def serving(host: str) -> Iterator[Servers]:
    with Server(host=host) as isolated, Server(host=host, headers={}) as plain:
        yield Servers(isolated, plain)


def plan_of(request: Request, servers: Servers) -> Plan:
    """Return what to fill.

    Raises:
        UnknownNameError: a name is unknown.
        BrowserMissingError: the user's own browser does not exist.
    """
    is_ci = request.part == "ci"
    if request.grid:
        origins = [servers.isolated.origin, servers.plain.origin]
        present = grid.engines(request.grid, request.capabilities, origins)
    else:
        present = engines.local_engines(request.browser)
    return Plan(
        select("engine", present, request.engines),
        select("place", PLACES, request.places or (CI_PLACES if is_ci else ())),
        select("execution", EXECUTIONS, request.executions),
        questions.choose(request.models or (CI_MODELS if is_ci else ())),
        request.sessions,
    )


def _fill(plan: Plan, servers: Servers) -> list[Found]:
    columns = (*Progress.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress, sync_playwright() as playwright:
        bars = {
            engine.name: progress.add_task(engine.name, total=plan.cells_of(engine))
            for engine in plan.engines
            if not engine.missing
        }

        def listen(one: Cell | Impossible) -> None:
            done = 1 if isinstance(one, Cell) else len(plan.questions)
            progress.advance(bars[one.engine], done)
            if isinstance(one, Cell) and one.status != "right":
                console.print(f"[red]{escape(tables.in_words(one))}[/red]", soft_wrap=True)

        return run.fill(plan, servers, playwright, listen)


def matrix_of(plan: Plan, found: Sequence[Found]) -> Matrix:
    """Combine the results with the axes."""
    return Matrix(
        created=now(),
        revision=revision(),
        reference=f"{native_litert.PACKAGE} {version(native_litert.PACKAGE)}",
        executions=[ExecutionRow(row.name, row.title) for row in EXECUTIONS],
        places=PLACES,
        models=[ModelRow(one.name, len(one.model.content()), one.model.quantized) for one in plan.questions],
        engines=[one.row for one in found],
        facts=[facts for one in found for facts in one.facts],
        impossible=[way for one in found for way in one.impossible],
        cells=[cell for one in found for cell in one.cells],
    )
