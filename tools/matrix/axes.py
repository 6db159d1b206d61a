"""Two axes of the matrix: how a model is executed, and in which thread of which page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from web_tests.drivers.harness import LoadOptions
from web_tests.references.comparison import Table

# What an execution needs of a page; pages/page_info.mjs reports whether it is there.
Need = Literal["webnn", "webgpu", "webgl", "relaxedSimd", "threads"]
# The reason in a report why a model whose runs are short has one thread.
ONE_IS_FASTER = "too short for more to make them faster"

# More than one thread on any machine.
THREADS = 2


@dataclass(frozen=True)
class Host:
    """Where in the browser the package runs. `name` is for options and results, `title` for tables."""

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
        tolerances: the table of tolerances.toml for its outputs.
        variant: the variant of the wasm module that must run; empty for any.
        threads: number of threads that must compute.
        backend: required suffix of the report's `webnn.backend`; None for the browser's own WebNN, "" without WebNN.
    """

    name: str
    title: str
    options: LoadOptions
    needs: tuple[Need, ...]
    tolerances: Table
    variant: str = ""
    threads: int = 1
    backend: str | None = ""

    def impossible(self, lacks: Mapping[str, str]) -> str:
        """Return why it is impossible in a page with these gaps; empty if it is possible."""
        return "; ".join(lacks[need] for need in self.needs if need in lacks)

    def departure(self, report: Mapping[str, Any]) -> str:
        """Return how a model's report deviates from this execution; empty if it does not."""
        webnn, variant, threads = report["webnn"], report["variant"], report["threads"]
        used = self.threads if ONE_IS_FASTER in (threads["reason"] or "") else threads["used"]
        if self.variant and (variant, used) != (self.variant, self.threads):
            why = f": {threads['reason']}" if threads["reason"] else ""
            return f"it ran on the variant {variant} with {threads['used']} threads{why}"
        if self.backend == "":
            return ""
        if not webnn["used"]:
            return f"all of it ran on the CPU: {webnn['reason']}"
        found = webnn["backend"]
        matches = found is None if self.backend is None else (found or "").endswith(self.backend)
        return "" if matches else f"it ran on {found or 'the WebNN of the browser'}"


HOSTS: Sequence[Host] = (
    Host("page", "main thread, isolated", in_worker=False, isolated=True),
    Host("worker", "worker, isolated", in_worker=True, isolated=True),
    Host("plain-page", "main thread, not isolated", in_worker=False, isolated=False),
    Host("plain-worker", "worker, not isolated", in_worker=True, isolated=False),
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
