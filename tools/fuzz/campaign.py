"""The fuzz step: thousands of mutated models in worker processes. Every crash is saved with its command."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from support.console import console
from support.paths import BUILD_DIR
from tools.fuzz import corpus as corpora
from tools.fuzz.corpus import Corpus, MutatedModel
from tools.fuzz.crash_file import CrashFile, minimized
from tools.fuzz.outcome import Crash
from tools.fuzz.worker import Worker, node_command

FUZZ_DIR = BUILD_DIR / "fuzz"
BATCH_MODELS = 250
SHOWN_EVERY = 10  # batches between lines if the output is not a terminal


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
    def own_crashes(self) -> list[tuple[int, Crash]]:
        """The crashes in this project's responsibility."""
        return [(index, crash) for index, crash in self.crashes if crash.is_own]

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


def run_batch(plan: Plan, indices: Sequence[int], corpus: Corpus, command: Sequence[str] | None = None) -> Result:
    """Run models one after the other in this process's own worker; tests pass another worker's `command`.

    A model that crashes runs a second time, in a process that also records allocation stacks.
    """
    result = Result()
    detailed = command or node_command(plan.variant, invoke=plan.invoke, allocation_stacks=True)
    with Worker(command or node_command(plan.variant, invoke=plan.invoke)) as worker, Worker(detailed) as second:
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


def run(plan: Plan, corpus: Corpus, *, jobs: int, folder: Path = FUZZ_DIR) -> Result:
    """Run all models in `jobs` processes; save one model of each crash in `folder`, with its report."""
    started = time.monotonic()
    total = Result()
    batches = list(plan.batches())
    # Each worker has its own process, which also mutates the models: one process cannot feed several workers.
    with (
        ProcessPoolExecutor(jobs, get_context("spawn"), _keep_corpus, (corpus,)) as pool,
        _progress(plan.count) as progress,
    ):
        task = progress.add_task("fuzzing", total=plan.count)
        futures = [pool.submit(_run_batch, plan, indices) for indices in batches]
        for done, future in enumerate(as_completed(futures), start=1):
            result = future.result()
            _save_new(plan, corpus, result, total, folder)
            total.add(result)
            progress.update(task, completed=total.counts.total())
            if not console.is_terminal and (done % SHOWN_EVERY == 0 or done == len(batches)):
                rate = total.counts.total() / (time.monotonic() - started)
                console.print(f"    {total.counts.total()} models, {rate:.0f} a second, {len(total.crashes)} crashes")
    return total


def _save_new(plan: Plan, corpus: Corpus, result: Result, before: Result, folder: Path) -> None:
    known = set(before.by_signature)
    for signature, indices in result.by_signature.items():
        if signature not in known:
            console.print(f"    [red]crash[/red] of model {indices[0]}: {signature}", markup=True, soft_wrap=True)
            crash = next(crash for index, crash in result.crashes if index == indices[0])
            save(plan, corpora.mutated(corpus, plan.seed, indices[0]), crash, folder)


def save(plan: Plan, model: MutatedModel, crash: Crash, folder: Path) -> CrashFile:
    """Write the report, and the model with as few mutations as still crash it."""
    command = node_command(plan.variant, invoke=plan.invoke, allocation_stacks=True)
    smallest = minimized(model, crash, command)
    saved = CrashFile(folder / f"{plan.seed}-{model.index}.tflite", smallest, crash, plan.command_of(model.index))
    saved.write()
    return saved


_corpus: Corpus | None = None


def _keep_corpus(corpus: Corpus) -> None:
    """Keep the corpus in a process of the pool, to send it only once."""
    global _corpus
    _corpus = corpus


def _run_batch(plan: Plan, indices: Sequence[int]) -> Result:
    assert _corpus is not None
    return run_batch(plan, indices, _corpus)


def _progress(count: int) -> Progress:
    columns = (TextColumn("    {task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal or count < BATCH_MODELS)
