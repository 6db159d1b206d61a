"""The command `python3 -m tools.fuzz`: runs a plan, or single files again, and prints the outcomes."""

import time
from collections.abc import Sequence
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from support.console import console, output, step
from tools.fuzz import campaign, corpus
from tools.fuzz.campaign import FUZZ_DIR, Plan, Result
from tools.fuzz.worker import Worker, node_command


def run(plans: Sequence[Plan], files: Sequence[Path], *, jobs: int) -> int:
    """Fuzz, print tables, and return 1 if anything crashed in this project's responsibility."""
    started = time.monotonic()
    result = Result()
    for plan in plans:
        with step(f"Fuzzing the variant {plan.variant}: {plan.count} models from {plan.first}, seed {plan.seed}"):
            result.add(campaign.run(plan, corpus.collect(files), jobs=jobs))
    _print(result, time.monotonic() - started)
    return 1 if result.own_crashes else 0


def replay(files: Sequence[Path], variant: str) -> int:
    """Run files as they are, print their outcomes and reports, and return 1 if one crashed."""
    crashed = False
    with Worker(node_command(variant, invoke=True, allocation_stacks=True)) as worker:
        for file in files:
            outcome = worker.run(file.read_bytes())
            output.print(f"{file}: {outcome.label}", markup=False, soft_wrap=True)
            if outcome.crash:
                crashed = True
                output.print(f"{outcome.crash.signature}\n{outcome.crash.report}", markup=False, soft_wrap=True)
    return int(crashed)


def _print(result: Result, seconds: float) -> None:
    table = Table("outcome", "models", box=None, pad_edge=False)
    for label, count in sorted(result.counts.items()):
        table.add_row(escape(label), str(count))
    total = result.counts.total()
    table.add_row("all", f"{total} in {seconds:.0f} s")
    output.print(table)
    if result.by_kernel:
        kernels = Table("kernel that crashed while it ran", "models", box=None, pad_edge=False)
        for name, count in sorted(result.by_kernel.items(), key=lambda row: (-row[1], row[0])):
            kernels.add_row(name, str(count))
        output.print(kernels)
    seconds, command = result.slowest
    output.print(f"the slowest model took {seconds:.2f} s to load or fail: {command}", markup=False, soft_wrap=True)
    for signature, indices in result.by_signature.items():
        output.print(f"{len(indices)} x {signature}", markup=False, soft_wrap=True)
    if result.crashes:
        console.print(f"    models and reports are in {FUZZ_DIR}")
