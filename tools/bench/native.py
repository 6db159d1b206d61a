"""Native LiteRT as a session: in a separate process, because a model can crash it."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, TypeVar

from ai_edge_litert.interpreter import Interpreter

from tools.bench.models import Task
from tools.bench.runtimes import Runtime
from tools.bench.sessions import FirstRun, NativeCrashError
from web_tests.models.recipes import Array

T = TypeVar("T")
MAX_RUNS_PER_TURN = 1000

# Models loaded in the process, not here.
_interpreters: dict[int, tuple[Any, Sequence[Array]]] = {}


class NativeProcess:
    """A process with native LiteRT and its loaded models."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
        self._count = 0

    def open(self) -> float:
        """Start the process; it responds when it has imported the library."""
        return 0.0

    def load(self, task: Task) -> "NativeSession":
        self._count += 1
        ms = self._do(_load, self._count, task.form("tflite"), self.runtime.threads, list(task.inputs))
        return NativeSession(self, self._count, ms, task.expected_names)

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)

    def _do(self, function: Callable[..., T], *arguments: Any) -> T:
        try:
            return self._pool.submit(function, *arguments).result()
        except BrokenProcessPool as error:
            raise NativeCrashError("native LiteRT crashes on this model") from error
        except (RuntimeError, ValueError) as error:
            raise NativeCrashError(f"native LiteRT rejects the model: {error}") from error


class NativeSession:
    """A model in native LiteRT; `report` is empty."""

    def __init__(self, process: NativeProcess, number: int, load_ms: float, names: Sequence[str]) -> None:
        self._process, self._number, self._names = process, number, names
        self.load_ms = load_ms
        self.report: dict[str, Any] = {}

    def first_run(self) -> FirstRun:
        ms, outputs = self._process._do(_first_run, self._number)
        return FirstRun(ms, outputs, self._names)

    def turn(self, min_ms: float) -> float:
        return self._process._do(_turn, self._number, min_ms)

    def dispose(self) -> None:
        self._process._do(_dispose, self._number)


def _load(number: int, content: bytes, threads: int, inputs: Sequence[Array]) -> float:
    start = time.perf_counter()
    interpreter = Interpreter(model_content=content, num_threads=threads)
    interpreter.allocate_tensors()
    _interpreters[number] = (interpreter, inputs)
    return (time.perf_counter() - start) * 1000


def _run(number: int) -> list[Array]:
    interpreter, inputs = _interpreters[number]
    for detail, array in zip(interpreter.get_input_details(), inputs, strict=True):
        interpreter.set_tensor(detail["index"], array)
    interpreter.invoke()
    return [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]


def _first_run(number: int) -> tuple[float, list[Array]]:
    start = time.perf_counter()
    outputs = _run(number)
    return (time.perf_counter() - start) * 1000, outputs


def _turn(number: int, min_ms: float) -> float:
    _run(number)
    start = time.perf_counter()
    runs, ms = 0, 0.0
    while runs == 0 or (ms < min_ms and runs < MAX_RUNS_PER_TURN):
        _run(number)
        runs += 1
        ms = (time.perf_counter() - start) * 1000
    return ms / runs


def _dispose(number: int) -> None:
    _interpreters.pop(number, None)
