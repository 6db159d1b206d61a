"""Native LiteRT and packages in Node on the same models, interleaved."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.kernels.cases import Case
from benchmarks.kernels.document import KernelResult
from benchmarks.kernels.document import KernelRow as Row
from support.console import console, output
from support.errors import BuildError
from support.npm import find_node
from tools import result_file
from tools.bench.models import Task
from tools.bench.native import NativeProcess, NativeSession
from tools.bench.result import machine_info, now, revision
from tools.bench.runtimes import Runtime
from tools.bench.sessions import NativeCrashError
from tools.measuring.measurement import MeasuredModel

SCRIPT = Path(__file__).with_name("package_process.mjs")
TURN_MS = 10.0
# The file in a result's directory.
FILE = "kernels.json"


class PackageError(BuildError):
    """A package rejects a model, or crashes on it."""


class PackageProcess:
    """A Node with a package, which has one model."""

    def __init__(self, package: Path, variant: str) -> None:
        command: list[str | Path] = [find_node(), SCRIPT, package, variant]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)

    def load(self, model: Path, inputs: Sequence[Path]) -> None:
        self._call({"model": str(model), "inputs": list(map(str, inputs))})

    def turn(self) -> float:
        ms: float = self._call({"minMs": TURN_MS})["ms"]
        return ms

    def close(self) -> None:
        self._process.kill()
        self._process.wait()

    def _call(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            print(json.dumps(request), file=self._process.stdin, flush=True)
            response: dict[str, Any] = json.loads(self._process.stdout.readline())
        except (OSError, ValueError) as error:
            raise PackageError("Node has crashed") from error
        if "error" in response:
            raise PackageError(response["error"])
        return response


class Measurer:
    """The processes; those that crash are started again."""

    def __init__(self, packages: Sequence[Path], variant: str, rounds: int) -> None:
        self._packages, self._variant, self._rounds = packages, variant, rounds
        self._native: NativeProcess | None = None
        self._nodes: list[PackageProcess] = []

    def measure(self, case: Case, directory: Path) -> Row:
        """Measure a case, all interleaved."""
        self._start()
        try:
            return self._measure(case, directory)
        except (NativeCrashError, PackageError) as error:
            self.close()
            return Row(case.name, error=str(error))

    def close(self) -> None:
        if self._native is not None:
            self._native.close()
        for node in self._nodes:
            node.close()
        self._native, self._nodes = None, []

    def _start(self) -> None:
        if self._native is None:
            self._native = NativeProcess(Runtime("native", "CPU, 1 thread", ""))
            self._nodes = [PackageProcess(package, self._variant) for package in self._packages]

    def _measure(self, case: Case, directory: Path) -> Row:
        model, inputs = directory / "model.tflite", [directory / f"{i}.bin" for i in range(len(case.inputs))]
        model.write_bytes(case.content)
        for path, array in zip(inputs, case.inputs, strict=True):
            path.write_bytes(array.tobytes())
        session = self._native_session(case)
        for node in self._nodes:
            node.load(model, inputs)
        turns = [[session.turn(TURN_MS), *(node.turn() for node in self._nodes)] for _ in range(self._rounds)]
        session.dispose()
        native, *others = (min(times) for times in zip(*turns, strict=True))
        return Row(case.name, native, tuple(others))

    def _native_session(self, case: Case) -> NativeSession:
        assert self._native is not None
        task = Task(
            MeasuredModel(case.name, case.content), case.inputs, [], [], [], [], "", 0, {"tflite": case.content}
        )
        return self._native.load(task)


def measure(cases: Iterable[Case], packages: Sequence[Path], *, variant: str, rounds: int) -> KernelResult:
    """Measure all cases, and print each on standard error."""
    started, load_before = now(), os.getloadavg()[0]
    measurer, rows = Measurer(packages, variant, rounds), []
    with tempfile.TemporaryDirectory() as directory:
        try:
            for case in cases:
                rows.append(measurer.measure(case, Path(directory)))
                console.print(_text(rows[-1]), soft_wrap=True, markup=False)
        finally:
            measurer.close()
    return KernelResult(
        started=started,
        revision=revision(),
        machine=machine_info(),
        load_average=(load_before, os.getloadavg()[0]),
        variant=variant,
        rounds=rounds,
        packages=[path.name for path in packages],
        rows=rows,
    )


def report(result: KernelResult, *, ratio: float, out: Path | None = None) -> None:
    """Print the rows with a large ratio, and how many there are; write the result into the directory `out`."""
    if out is not None:
        result_file.write(result, out / FILE)
        console.print(f"    {FILE} is in {out}")
    slow = sorted((row for row in result.rows if row.ratio >= ratio), key=lambda row: -row.ratio)
    failed = [row for row in result.rows if row.error]
    for row in [*failed, *slow]:
        output.print(_text(row), soft_wrap=True, markup=False)
    counts = f"{len(slow)} of {len(result.rows)} take at least {ratio:g} of native LiteRT's time, {len(failed)} fail"
    output.print(f"{counts}; load {result.load_average[0]:.1f}", soft_wrap=True, markup=False)


def _text(row: Row) -> str:
    if row.error:
        return f"{row.case}: {row.error}"
    times = "  ".join(f"{ms:9.3f}" for ms in row.ms)
    return f"{row.case:60} native {row.native_ms:9.3f} ms  {times}  x{row.ratio:.1f}"
