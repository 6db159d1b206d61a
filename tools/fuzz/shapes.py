"""The op cases in changed shapes: resized again and again in one runner, or written in the file."""

import base64
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain
from multiprocessing import get_context
from typing import Any

import numpy as np
from rich.progress import track

from support.console import console, output, step
from tools.fuzz.worker import Worker, node_command
from web_tests.models.recipes import Array
from web_tests.op_cases import case_id
from web_tests.op_cases.changed_shapes import ChangedShape, Shape, changed_shapes, native_outcomes, problem
from web_tests.references import native_trials
from web_tests.references.native_trials import Outcome, Trial

BATCH_SHAPES = 250
CRASHED = "crashed: "
DIFFERENT = "different"
RunResult = str | list[Array]
Group = list[ChangedShape]


def run(seeds: Sequence[int], count: int, variant: str, *, jobs: int) -> int:
    """Run the first `count` changed shapes in the order of each seed, and print their outcomes.

    Returns 1 if a result differs from native LiteRT's.
    """
    started = time.monotonic()
    labels = Counter[str]()
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for seed in seeds:
            with step(f"Fuzzing the variant {variant}: {count} changed shapes of op cases, seed {seed}"):
                # Each process makes the same batches: sending models would take longer.
                indices = range(len(batches(seed, count)))
                results = pool.map(partial(run_batch, seed, count, variant), indices)
                shown = track(results, "fuzzing", len(indices), console=console, transient=True)
                for label, text in chain.from_iterable(shown):
                    labels[label] += 1
                    if text:
                        console.print(f"    {text}", markup=False, soft_wrap=True)
    for label, number in sorted(labels.items()):
        output.print(f"{number:6} {label}", markup=False)
    output.print(f"{labels.total():6} in {time.monotonic() - started:.0f} s", markup=False)
    return int(DIFFERENT in labels)


def batches(seed: int, count: int) -> list[list[Group]]:
    """Return changed shapes, in groups of one case and way."""
    groups: dict[tuple[str, str], Group] = defaultdict(list)
    for change in changed_shapes(every_case=True):
        groups[case_id(change.case), change.way].append(change)
    shuffled = list(groups.values())
    random.Random(seed).shuffle(shuffled)
    found: list[list[Group]] = []
    for group in shuffled:
        if not found or sum(map(len, found[-1])) >= BATCH_SHAPES:
            found.append([])
        found[-1].append(group[:count])
        count -= len(found[-1][-1])
        if count == 0:
            break
    return found


def run_batch(seed: int, count: int, variant: str, index: int) -> list[tuple[str, str]]:
    """Return of each changed shape of one batch the outcome, and what differs from native LiteRT, or nothing."""
    batch = batches(seed, count)[index]
    native = native_outcomes([change for group in batch for change in group])
    found = []
    with Worker(node_command(variant, invoke=False)) as worker:
        for change, actual in (pair for group in batch for pair in _results(worker, group)):
            outcome, _ = native[change]
            text = _problem(change, actual, outcome)
            found.append((DIFFERENT, f"{change.name}: {text}") if text else (_label(actual, outcome), ""))
    return found


def _problem(change: ChangedShape, actual: RunResult, native: Outcome) -> str:
    """Return what is wrong with a result, or nothing. An error is always right: a test bounds what is rejected."""
    if isinstance(actual, str):
        return actual if actual.startswith(CRASHED) else ""
    found = problem(actual, native, may_reject=True)
    if not found or _is_known(change, actual, found):
        return ""
    if native.outputs is None:
        return found
    trial = Trial(change.model(), change.inputs(), "builtin", resize=change.way == "resize")
    one, other = (native_trials.outcomes([trial], memory_byte=byte)[0] for byte in (85, 170))
    if one.outputs is None or other.outputs is None or not _are_same(one.outputs, other.outputs):
        return ""
    # The reference kernels may be right where the optimized ones are not.
    (reference,) = native_trials.outcomes([replace(trial, kernels="reference")])
    return problem(actual, reference, may_reject=True)


def _is_known(change: ChangedShape, actual: list[Array], found: str) -> bool:
    """Return whether a result differs from native LiteRT's on purpose."""
    is_shape = found.startswith(("ran, where", "the shape"))
    # Without elements there is nothing that may be wrong. A result's batch is the input's, its size the file's.
    if is_shape and (all(array.size == 0 for array in actual) or change.case.op == "TRANSPOSE_CONV"):
        return True
    # Extremes next to NaN depend on the kernel's vectors.
    has_nan = any(array.dtype.kind == "f" and np.isnan(array).any() for array in change.inputs())
    return has_nan and change.case.op in ("ARG_MAX", "ARG_MIN", "MAXIMUM", "MINIMUM")


def _label(actual: RunResult, native: Outcome) -> str:
    status = "rejected" if isinstance(actual, str) else "ran"
    if native.outputs is None:
        return f"{status}, native LiteRT {'crashes' if native.problem.startswith('crashed') else 'rejects'}"
    return f"{status}, native LiteRT runs"


def _results(worker: Worker, group: Group) -> Iterator[tuple[ChangedShape, RunResult]]:
    """Yield the results of changes of one case. Between two resizes the model runs in its own shapes."""
    if group[0].way == "file":
        for change in group:
            yield change, _run_all(worker, change.model(), [_run(None, change.inputs())])[0]
        return
    model, provided = group[0].model(), group[0].case.inputs()
    unchanged = _run([array.shape for array in provided], provided)
    runs = [run for change in group for run in (unchanged, _run(change.shapes, change.inputs()))]
    results = _run_all(worker, model, [*runs, unchanged])
    for index, change in enumerate(group):
        actual = results[2 * index + 1]
        if isinstance(actual, str) and actual.startswith(CRASHED):
            actual = _run_all(worker, model, [unchanged, runs[2 * index + 1], unchanged])[1]
        elif not _are_same(results[0], results[2 * index + 2]):
            actual = f"{CRASHED}the next run in the file's shapes: {results[2 * index + 2]}, not {results[0]}"
        yield change, actual


def _run(shapes: Sequence[Shape] | None, inputs: Sequence[Array]) -> dict[str, Any]:
    values = [base64.b64encode(array.tobytes()).decode() for array in inputs]
    return {"shapes": shapes, "inputs": values}


def _run_all(worker: Worker, model: bytes, runs: Sequence[dict[str, Any]]) -> list[RunResult]:
    outcome = worker.run(model, runs)
    if outcome.crash:
        return [f"{CRASHED}{outcome.crash.signature}\n{outcome.crash.report}"] * len(runs)
    return [actual if isinstance(actual, str) else [_array(row) for row in actual] for actual in outcome.results]


def _array(row: dict[str, Any]) -> Array:
    return np.frombuffer(base64.b64decode(row["data"]), row["dtype"]).reshape(row["shape"])


def _are_same(one: RunResult, other: RunResult) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str)
    return all(a.shape == b.shape and a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True))
