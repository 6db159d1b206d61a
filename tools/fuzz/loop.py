"""The fuzz loop: mutated models in worker processes. Of each kind of crash one model is saved, with its command.

Hypothesis would be no shorter and drew worse models: of 1,500, 298 different base models instead of 1,054, in twice the
time.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from rich.markup import escape
from rich.progress import track
from rich.table import Table

from support.console import console, output, step
from support.paths import BUILD_DIR
from tools.fuzz import corpus as corpora
from tools.fuzz import mutator
from tools.fuzz.corpus import Corpus, MutatedModel
from tools.fuzz.outcome import Crash, Outcome
from tools.fuzz.worker import Worker, node_command

FUZZ_DIR = BUILD_DIR / "fuzz"
# A process gets so many at a time.
BATCH_MODELS = 250


def run(seeds: Sequence[int], indices: range, files: Sequence[Path], variant: str, *, jobs: int) -> int:
    """Fuzz in `jobs` processes, print tables, and return 1 if anything crashed in this project's responsibility."""
    started = time.monotonic()
    outcomes: dict[str, Outcome] = {}
    saved: set[str] = set()
    corpus, command = corpora.collect(files), node_command(variant, invoke=True)
    detailed = node_command(variant, invoke=True, allocation_stacks=True)
    # Each worker has its own process, which also mutates the models: one process cannot feed several workers.
    with ProcessPoolExecutor(jobs, get_context("spawn"), _start, (corpus, command, detailed)) as pool:
        for seed in seeds:
            with step(f"Fuzzing the variant {variant}: {len(indices)} models from {indices.start}, seed {seed}"):
                results = pool.map(partial(_outcome, seed), indices, chunksize=BATCH_MODELS)
                shown = track(results, "fuzzing", len(indices), console=console, transient=True)
                for index, outcome in zip(indices, shown, strict=True):
                    again = f"python3 -m tools.fuzz --variant {variant} --seed {seed} --first {index} --count 1"
                    outcomes[again] = outcome
                    if outcome.crash and outcome.crash.signature not in saved:
                        saved.add(outcome.crash.signature)
                        console.print(f"    [red]crash[/red]: {escape(outcome.crash.signature)}", soft_wrap=True)
                        with Worker(command) as worker:
                            model = minimized(corpora.mutated(corpus, seed, index), outcome.crash, worker)
                        save(FUZZ_DIR / f"{seed}-{index}.tflite", model, outcome.crash, again)
    _print(outcomes, time.monotonic() - started)
    return int(any(outcome.crash and outcome.crash.is_own for outcome in outcomes.values()))


_corpus: Corpus
_worker: Worker
_detailed: Worker


def _start(corpus: Corpus, command: Sequence[str], detailed: Sequence[str]) -> None:
    """Keep the corpus in a process of the pool, to send it only once, and its workers, which end with the process."""
    global _corpus, _worker, _detailed
    _corpus, _worker, _detailed = corpus, Worker(command), Worker(detailed)


def _outcome(seed: int, index: int) -> Outcome:
    """Run a model; one that crashes also in a worker that records allocation stacks."""
    content = corpora.mutated(_corpus, seed, index).content
    outcome = _worker.run(content)
    again = outcome.crash and _detailed.run(content).crash
    return replace(outcome, crash=again) if again else outcome


def minimized(model: MutatedModel, crash: Crash, worker: Worker) -> MutatedModel:
    """Return the model without the mutations that its crash, in the same phase, does not need."""
    for one in model.steps:
        fewer = tuple(other for other in model.steps if other != one)
        content = mutator.apply(model.base.content, fewer)
        found = worker.run(content).crash if fewer else None
        if found and (found.phase, found.kind) == (crash.phase, crash.kind):
            model = replace(model, steps=fewer, content=content)
    return model


def save(file: Path, model: MutatedModel, crash: Crash, command: str) -> None:
    """Write the model, and a report with the suffix .txt: the crash, the mutations, the command that repeats it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(model.content)
    file.with_suffix(".txt").write_text(
        f"{crash.signature}\n"
        f"whose:     {'this project' if crash.is_own else 'third-party kernels'}\n"
        f"base:      {model.base.name}\n"
        f"mutations: {', '.join(f'{step.mutation} ({step.seed})' for step in model.steps)}\n"
        f"again:     {command}\n"
        f"this file: python3 -m tools.fuzz --replay {file}\n\n{crash.report}\n"
    )


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


def _print(outcomes: Mapping[str, Outcome], seconds: float) -> None:
    """Print the outcomes, which are by the command that repeats them."""
    crashes = [outcome.crash for outcome in outcomes.values() if outcome.crash]
    labels = Counter(outcome.label for outcome in outcomes.values())
    kernels = Counter(crash.kernel or "unknown" for crash in crashes if not crash.is_own)
    table = Table("outcome, or kernel that crashed while it ran", "models", box=None, pad_edge=False)
    for label, count in [*sorted(labels.items()), *kernels.most_common()]:
        table.add_row(escape(label), str(count))
    table.add_row("all", f"{len(outcomes)} in {seconds:.0f} s")
    output.print(table)
    if outcomes:
        slowest, outcome = max(outcomes.items(), key=lambda item: item[1].load_seconds)
        text = f"the slowest model took {outcome.load_seconds:.2f} s to load or fail: {slowest}"
        output.print(text, markup=False, soft_wrap=True)
    for signature, count in Counter(crash.signature for crash in crashes).items():
        output.print(f"{count} x {signature}", markup=False, soft_wrap=True)
    if crashes:
        console.print(f"    models and reports are in {FUZZ_DIR}")
