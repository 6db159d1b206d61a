"""The command `build.py properties`: campaigns of families on executions, and what they found."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.properties import campaign, engines, known
from tools.properties.batch import Batch
from tools.properties.campaign import Plan, Result
from tools.properties.engines import Execution
from tools.properties.examiner import Examiner, Failure
from tools.properties.families import FAMILIES, nodes
from tools.properties.native import Native
from tools.support.console import console, output, step
from tools.support.paths import BUILD_DIR
from web_tests.server.server import Server

PROPERTIES_DIR = BUILD_DIR / "properties"
# Below so many examples of a family, a known difference need not be met.
FULL_CAMPAIGN = 20_000


@dataclass(frozen=True)
class Request:
    """What is asked for: families (empty: all), one op of theirs or all, executions of a kind, examples a family."""

    families: Sequence[str]
    op: str
    on: str
    examples: int
    seed: int


def run(request: Request) -> int:
    """Run the campaigns, print what they found, and return 1 if a node differs that no row of known.toml names."""
    families = [name for name in request.families or FAMILIES if not request.op or request.op in FAMILIES[name]]
    found = 0
    with Server() as server, Native() as native:
        for execution in engines.executions(request.on):
            met: Counter[str] = Counter()
            with engines.engine(execution, server) as engine:
                for family in families:
                    title = f"{request.op or family} on {execution.name}, seed {request.seed}"
                    with step(title):
                        result = _campaign(request, family, execution, Examiner(native, engine, execution))
                    found += len(result.failures)
                    met += result.known
            if request.examples >= FULL_CAMPAIGN and not request.op:
                _print_never_met(execution, families, met)
    return 1 if found else 0


def _campaign(request: Request, family: str, execution: Execution, examiner: Examiner) -> Result:
    started = time.monotonic()
    printed: set[str] = set()

    def progress(result: Result) -> None:
        rate = result.examples / (time.monotonic() - started)
        console.print(
            f"    {result.examples} nodes, {rate:.0f} a second, {examiner.refused_by_native} refused by native LiteRT, "
            f"{examiner.delegated} on WebNN, {result.known.total()} known differences, {len(result.failures)} failures",
            highlight=False,
        )
        for signature in result.failures.keys() - printed:
            printed.add(signature)
            _print(result.failures[signature], execution)

    plan = Plan(nodes(family, request.op), request.examples, request.seed, execution.name)
    return campaign.run(plan, examiner, known.load(), progress)


def _print(failure: Failure, execution: Execution) -> None:
    path = save(failure, PROPERTIES_DIR, execution)
    for line in (f"FAILURE {failure.signature}", failure.message, f"{failure.spec}", f"the model is {path}"):
        output.print(f"    {line}", markup=False, highlight=False, soft_wrap=True)


def save(failure: Failure, folder: Path, execution: Execution) -> Path:
    """Write the smallest model of a failure, and return its file."""
    folder.mkdir(parents=True, exist_ok=True)
    number = sum(1 for _ in folder.glob("*.tflite"))
    path = folder / f"{execution.name}-{failure.spec.op}-{number}.tflite"
    path.write_bytes(Batch((failure.spec,)).model())
    return path


def _print_never_met(execution: Execution, families: Sequence[str], met: Counter[str]) -> None:
    ops = [op for family in families for op in FAMILIES[family]]
    for name in known.load().never_met(execution.name, ops, met):
        output.print(f"    known.toml: no node on {execution.name} has matched {name}", markup=False)
