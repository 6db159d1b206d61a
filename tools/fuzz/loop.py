"""The fuzz loop: mutated models in worker processes. Of each kind of crash one model is saved, with its command."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
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
from tools.fuzz.outcome import Crash
from tools.fuzz.worker import Worker, node_command

FUZZ_DIR = BUILD_DIR / "fuzz"
BATCH_MODELS = 250


@dataclass(frozen=True)
class Plan:
    """The models `first` to `first + count` of `seed`, on a compiled variant."""

    seed: int
    count: int
    first: int = 0
    variant: str = "sanitizer"
    invoke: bool = True

    def batches(self) -> Iterator[range]:
        end = self.first + self.count
        for start in range(self.first, end, BATCH_MODELS):
            yield range(start, min(start + BATCH_MODELS, end))

    def command_of(self, index: int) -> str:
        """Return the command that runs one model again."""
        return f"python3 -m tools.fuzz --variant {self.variant} --seed {self.seed} --first {index} --count 1"

    def worker(self, *, allocation_stacks: bool = False) -> list[str]:
        """Return the command of a worker process."""
        return node_command(self.variant, invoke=self.invoke, allocation_stacks=allocation_stacks)


@dataclass
class Result:
    """Number of models by outcome, and the crashes."""

    counts: Counter[str] = field(default_factory=Counter)
    crashes: list[tuple[int, Crash]] = field(default_factory=list)
    slowest: tuple[float, str] = (0, "")  # seconds to load, and the command that runs the model again

    def add(self, other: "Result") -> None:
        """Add another batch."""
        self.counts += other.counts
        self.crashes += other.crashes
        self.slowest = max(self.slowest, other.slowest)

    @property
    def by_kernel(self) -> Counter[str]:
        """The number of crashes in third-party code, by the kernel."""
        return Counter(crash.kernel or "unknown" for _, crash in self.crashes if not crash.is_own)

    @property
    def by_signature(self) -> dict[str, list[int]]:
        """The indices of the models that crashed, by the crash's signature."""
        found: dict[str, list[int]] = {}
        for index, crash in self.crashes:
            found.setdefault(crash.signature, []).append(index)
        return found


def run(plans: Sequence[Plan], files: Sequence[Path], *, jobs: int) -> int:
    """Fuzz in `jobs` processes, print tables, and return 1 if anything crashed in this project's responsibility."""
    started = time.monotonic()
    total = Result()
    corpus = corpora.collect(files)
    # Each worker has its own process, which also mutates the models: one process cannot feed several workers.
    with ProcessPoolExecutor(jobs, get_context("spawn"), _keep, (corpus,)) as pool:
        for plan in plans:
            title = f"Fuzzing the variant {plan.variant}: {plan.count} models from {plan.first}, seed {plan.seed}"
            batches = [(plan, indices) for indices in plan.batches()]
            with step(title):
                futures = [pool.submit(_run_kept, batch) for batch in batches]
                results = (future.result() for future in as_completed(futures))
                for result in track(results, "fuzzing", len(batches), console=console, transient=True):
                    _save_new(plan, corpus, result, total)
                    total.add(result)
    _print(total, time.monotonic() - started)
    return int(any(crash.is_own for _, crash in total.crashes))


def run_batch(plan: Plan, indices: Sequence[int], corpus: Corpus, command: Sequence[str] | None = None) -> Result:
    """Run models one after the other in this process's own worker; tests pass another worker's `command`.

    A model that crashes runs a second time, in a process that also records allocation stacks.
    """
    result = Result()
    detailed = command or plan.worker(allocation_stacks=True)
    with Worker(command or plan.worker()) as worker, Worker(detailed) as second:
        for index in indices:
            content = corpora.mutated(corpus, plan.seed, index).content
            outcome = worker.run(content)
            result.slowest = max(result.slowest, (outcome.load_seconds, plan.command_of(index)))
            if outcome.crash:
                again = second.run(content)
                outcome = again if again.crash else outcome
            result.counts[outcome.label] += 1
            if outcome.crash:
                result.crashes.append((index, outcome.crash))
    return result


_corpus = Corpus(())


def _keep(corpus: Corpus) -> None:
    """Keep the corpus in a process of the pool, to send it only once."""
    global _corpus
    _corpus = corpus


def _run_kept(batch: tuple[Plan, range]) -> Result:
    return run_batch(*batch, _corpus)


def _save_new(plan: Plan, corpus: Corpus, result: Result, before: Result) -> None:
    crashes, known = dict(result.crashes), before.by_signature
    for signature, (index, *_) in result.by_signature.items():
        if signature not in known:
            console.print(f"    [red]crash[/red] of model {index}: {escape(signature)}", soft_wrap=True)
            model = minimized(corpora.mutated(corpus, plan.seed, index), crashes[index], plan.worker())
            save(FUZZ_DIR / f"{plan.seed}-{index}.tflite", model, crashes[index], plan.command_of(index))


def minimized(model: MutatedModel, crash: Crash, command: Sequence[str]) -> MutatedModel:
    """Return the model without the mutations that its crash, in the same phase, does not need."""
    with Worker(command) as worker:
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


def _print(result: Result, seconds: float) -> None:
    table = Table("outcome, or kernel that crashed while it ran", "models", box=None, pad_edge=False)
    for label, count in [*sorted(result.counts.items()), *result.by_kernel.most_common()]:
        table.add_row(escape(label), str(count))
    table.add_row("all", f"{result.counts.total()} in {seconds:.0f} s")
    output.print(table)
    slowest, command = result.slowest
    output.print(f"the slowest model took {slowest:.2f} s to load or fail: {command}", markup=False, soft_wrap=True)
    for signature, indices in result.by_signature.items():
        output.print(f"{len(indices)} x {signature}", markup=False, soft_wrap=True)
    if result.crashes:
        console.print(f"    models and reports are in {FUZZ_DIR}")
