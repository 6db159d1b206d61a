"""The command `python3 -m tools.properties`: campaigns of families on executions, and their findings."""

import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from rich.table import Table

from support.console import console, output, step
from support.paths import BUILD_DIR
from tools.properties import campaign, engines, known
from tools.properties.batch import Batch
from tools.properties.campaign import Met, Plan, Result
from tools.properties.engines import Execution
from tools.properties.examiner import Examiner, Failure
from tools.properties.families import FAMILIES, nodes
from tools.properties.native import Native
from web_tests.server.server import Server

PROPERTIES_DIR = BUILD_DIR / "properties"
# With fewer examples of a family, a known difference need not occur.
FULL_CAMPAIGN = 20_000


@dataclass(frozen=True)
class Request:
    """The options: families (empty: all), one op of theirs or all, executions of a kind, examples per family."""

    families: Sequence[str]
    op: str
    on: str
    examples: int
    seed: int


def run(request: Request) -> int:
    """Run the campaigns, print the findings, and return 1 if a node differs that no row of known.toml names."""
    families = [name for name in request.families or FAMILIES if not request.op or request.op in FAMILIES[name]]
    executions = engines.executions(request.on)
    met: Counter[Met] = Counter()
    found = 0
    with ExitStack() as stack:
        server, native = stack.enter_context(Server()), stack.enter_context(Native())
        drawer = stack.enter_context(ProcessPoolExecutor(1, get_context("forkserver")))
        subjects = [stack.enter_context(engines.engine(each, server)) for each in executions]
        for family in families:
            title = f"{request.op or family} on {', '.join(each.name for each in executions)}, seed {request.seed}"
            with step(title):
                result = _campaign(request, family, Examiner(native, subjects), drawer)
            found += len(result.failures)
            met += result.met
    _print_met(met)
    if request.examples >= FULL_CAMPAIGN and not request.op:
        for execution in executions:
            _print_never_met(execution, families, met)
    return 1 if found else 0


def _campaign(request: Request, family: str, examiner: Examiner, drawer: Executor) -> Result:
    started = time.monotonic()
    printed: set[str] = set()

    def progress(result: Result) -> None:
        rate = result.examples / (time.monotonic() - started)
        known_count = sum(count for met, count in result.met.items() if met.known)
        console.print(
            f"    {result.examples} nodes ({result.distinct} different), {rate:.0f} per second, "
            f"{examiner.refused_by_native} refused by native LiteRT, {examiner.delegated} on WebNN, "
            f"{known_count} known differences, {len(result.failures)} failures",
            highlight=False,
        )
        for signature in result.failures.keys() - printed:
            printed.add(signature)
            _print(result.failures[signature])

    plan = Plan(partial(nodes, family, request.op), request.examples, request.seed)
    return campaign.run(plan, examiner, known.load(), progress, drawer)


def _print(failure: Failure) -> None:
    path = save(failure, PROPERTIES_DIR)
    for line in (f"FAILURE {failure.signature}", failure.message, f"{failure.spec}", f"the model is {path}"):
        output.print(f"    {line}", markup=False, highlight=False, soft_wrap=True)


def save(failure: Failure, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    number = sum(1 for _ in folder.glob("*.tflite"))
    path = folder / f"{failure.execution}-{failure.spec.op}-{number}.tflite"
    path.write_bytes(Batch((failure.spec,)).model())
    return path


def _print_met(met: Counter[Met]) -> None:
    """Print the number of differing nodes, in a table that fits a terminal."""
    table = Table("op", "execution", "kind", "nodes", "known.toml", title="Differences from native LiteRT")
    for each, count in sorted(met.items()):
        table.add_row(each.op, each.execution, each.kind, str(count), each.known or "not named")
    output.print(table if met else "    no node differed from native LiteRT")


def _print_never_met(execution: Execution, families: Sequence[str], met: Counter[Met]) -> None:
    ops = [op for family in families for op in FAMILIES[family]]
    names = {each.known for each in met if each.execution == execution.name}
    for name in known.load().never_met(execution.name, ops, names):
        output.print(f"    known.toml: no node on {execution.name} has matched {name}", markup=False)
