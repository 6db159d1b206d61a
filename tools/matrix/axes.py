"""The axes of the matrix beside engines and models: how a model is executed, and in which thread of which page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Literal, Protocol, TypeVar

from tools.support.errors import BuildError
from web_tests.drivers.harness import LoadOptions
from web_tests.references.comparison import Table

# What an execution needs of a page; pages/facts.mjs tells of each whether it is there.
Need = Literal["webnn", "webgpu", "webgl", "relaxedSimd", "threads"]

# Enough to see that threads compute, on any machine.
THREADS = 2


class UnknownNameError(BuildError):
    """Nothing on an axis is called what the user asked for."""


@dataclass(frozen=True)
class Place:
    """Where in the browser the package runs. `name` is for options and results, `title` for people."""

    name: str
    title: str
    in_worker: bool
    isolated: bool


@dataclass(frozen=True)
class Execution:
    """A way to run a model.

    Attributes:
        options: for loadTFLiteModel.
        needs: what the page must have.
        tolerances: the table of tolerances.toml that its answers are held to.
        variant: the build of the wasm module that must run; empty where any may.
        threads: how many threads must compute.
        backend: how the report's `webnn.backend` must end; None is the browser's own WebNN, "" none at all.
    """

    name: str
    title: str
    options: LoadOptions
    needs: tuple[Need, ...]
    tolerances: Table
    variant: str = ""
    threads: int = 1
    backend: str | None = ""

    def departure(self, report: Mapping[str, Any]) -> str:
        """Return what a model's report tells of another way than this one; empty if it ran as it was asked to."""
        webnn, variant, threads = report["webnn"], report["variant"], report["threads"]
        if self.variant and (variant, threads["used"]) != (self.variant, self.threads):
            why = f": {threads['reason']}" if threads["reason"] else ""
            return f"it ran on the variant {variant} with {threads['used']} threads{why}"
        if self.backend == "":
            return ""
        if not webnn["used"]:
            return f"all of it ran on the CPU: {webnn['reason']}"
        found = webnn["backend"]
        matches = found is None if self.backend is None else (found or "").endswith(self.backend)
        return "" if matches else f"it ran on {found or 'the WebNN of the browser'}"


PLACES: Sequence[Place] = (
    Place("page", "main thread, isolated", in_worker=False, isolated=True),
    Place("worker", "worker, isolated", in_worker=True, isolated=True),
    Place("plain-page", "main thread, not isolated", in_worker=False, isolated=False),
    Place("plain-worker", "worker, not isolated", in_worker=True, isolated=False),
)


def _webnn(polyfill: str) -> LoadOptions:
    return LoadOptions(webnn=True, webnn_options={"polyfill": polyfill})


def _polyfill(engine: str, title: str, needs: tuple[Need, ...], tolerances: Table) -> Execution:
    options = _webnn(engine)
    return Execution(f"polyfill-{engine}", title, options, needs, tolerances, backend=f", {engine}")


def _xnnpack(variant: str, title: str, needs: tuple[Need, ...]) -> Execution:
    threads = THREADS if "threads" in needs else 1
    options = LoadOptions(webnn=False, extra={"variant": variant, "numThreads": threads})
    return Execution(variant, title, options, needs, "cpu", variant=variant, threads=threads)


EXECUTIONS: Sequence[Execution] = (
    Execution("webnn", "the browser's WebNN", _webnn("never"), ("webnn",), "webnn", backend=None),
    _polyfill("tflite", "polyfill on TFLite in wasm", (), "cpu"),
    _polyfill("webgpu", "polyfill on WebGPU", ("webgpu",), "gpu"),
    _polyfill("webgl", "polyfill on WebGL", ("webgl",), "gpu"),
    _xnnpack("simd", "XNNPACK, SIMD", ()),
    _xnnpack("relaxed-simd", "XNNPACK, relaxed SIMD", ("relaxedSimd",)),
    _xnnpack("simd-threads", "XNNPACK, SIMD, 2 threads", ("threads",)),
    _xnnpack("relaxed-simd-threads", "XNNPACK, relaxed SIMD, 2 threads", ("relaxedSimd", "threads")),
)


class Named(Protocol):
    """Something on an axis."""

    @property
    def name(self) -> str:
        """What users call it."""


T = TypeVar("T", bound=Named)


def select(axis: str, things: Sequence[T], patterns: Sequence[str]) -> list[T]:
    """Return what matches one of the patterns, as file names do in a shell; all without a pattern.

    Raises:
        UnknownNameError: a pattern matches nothing.
    """
    for pattern in patterns:
        if not any(fnmatchcase(thing.name, pattern) for thing in things):
            names = ", ".join(thing.name for thing in things)
            raise UnknownNameError(f"no {axis} is called {pattern}", mend=f"one of: {names}; * stands for any text")
    return [thing for thing in things if not patterns or any(fnmatchcase(thing.name, p) for p in patterns)]
