"""Native LiteRT's results of random nodes, by both of its kernel sets, in a process that may crash.

Not one runner with references.native_trials, which starts a process for each model: batches share one, and are split.
"""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from types import TracebackType
from typing import Self

from web_tests.models.recipes import Array
from web_tests.properties.batch import Batch, Shape
from web_tests.properties.spec import NodeSpec
from web_tests.references import native_litert

# State shows in the last of this many runs.
RUNS_WITH_STATE = 2
CRASHED = "native LiteRT crashes"
# Python cannot read an empty output that is known before the run.
UNREADABLE = "native LiteRT cannot run the model: Invalid tensor size."
# A batch takes a tenth of a second.
TIMEOUT_SECONDS = 120.0


@dataclass(frozen=True)
class NativeResult:
    """Native LiteRT's result of a node.

    Attributes:
        shapes: of its outputs.
        outputs: one list per kernel set that accepts the node: TFLite's kernels, and XNNPACK's. Empty: rejected.
        rejection: the reason if neither accepts it.
    """

    shapes: tuple[Shape, ...] = ()
    outputs: tuple[tuple[Array, ...], ...] = ()
    rejection: str = ""


class Native:
    """A process with native LiteRT, for a `with` block."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        """Return it; the process starts with the first batch."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def results(self, specs: Sequence[NodeSpec]) -> list[NativeResult]:
        """Return the result of each node. A batch that is rejected is split in halves."""
        try:
            return self._compute(specs)
        except (native_litert.ReferenceError, ValueError, BrokenProcessPool, TimeoutError) as error:
            is_rejection = isinstance(
                error, (native_litert.ReferenceError, ValueError)
            )  # ValueError: an impossible shape
            if not is_rejection:
                self._end()
            if len(specs) == 1:
                return [NativeResult(rejection=str(error) if is_rejection else CRASHED)]
        half = len(specs) // 2
        return [*self.results(specs[:half]), *self.results(specs[half:])]

    def _compute(self, specs: Sequence[NodeSpec]) -> list[NativeResult]:
        self._pool = self._pool or ProcessPoolExecutor(1, _context())
        return self._pool.submit(compute, tuple(specs)).result(TIMEOUT_SECONDS)

    def _end(self) -> None:
        if self._pool:
            for process in list((self._pool._processes or {}).values()):
                process.kill()
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _context() -> ForkServerContext:
    """Return a context whose processes have already imported this module: some nodes crash a process."""
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


def compute(specs: tuple[NodeSpec, ...]) -> list[NativeResult]:
    """Compute nodes in this process, if native LiteRT accepts all of them.

    Raises:
        ReferenceError: TFLite's kernels reject a node, or XNNPACK one of several.
    """
    batch = Batch(specs)
    inputs = batch.inputs()
    runs = runs_of(specs)
    builtin = batch.by_node(native_litert.run_native(batch.model(), inputs, kernels="builtin", runs=runs))
    shapes = [tuple(array.shape for array in outputs) for outputs in builtin]
    try:
        default = batch.by_node(native_litert.run_native(batch.model(shapes), inputs, runs=runs))
    except native_litert.ReferenceError:
        if len(specs) > 1:
            raise
        return [NativeResult(shapes[0], (tuple(builtin[0]),))]
    return [
        NativeResult(shape, (tuple(one), tuple(other)) if _same_shapes(one, other) else (tuple(one),))
        for shape, one, other in zip(shapes, builtin, default, strict=True)
    ]


def _same_shapes(builtin: Sequence[Array], default: Sequence[Array]) -> bool:
    """Return whether both kernel sets return the same shapes: XNNPACK's pools of an empty batch have any."""
    return [array.shape for array in builtin] == [array.shape for array in default]


def runs_of(specs: Sequence[NodeSpec]) -> int:
    """Return the number of runs of a batch."""
    with_state = any(operand and operand.role == "state" for spec in specs for operand in spec.operands)
    return RUNS_WITH_STATE if with_state else 1
