"""Native LiteRT's outputs of changed graphs, in a process that may crash, or be in a loop without an end.

Each new process imports this module, so it imports little. Not one runner with properties.native: the limit here is
processor time, because some graphs never end, and the file is written with the shapes of tensors inside the graph.
"""

from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from signal import ITIMER_PROF, setitimer

from ai_edge_litert.interpreter import Interpreter, OpResolverType

from web_tests.models.changed_graphs import Graph
from web_tests.models.recipes import Array

# A graph runs for milliseconds of processor time; some changed loops have no end.
PROCESSOR_SECONDS = 0.2

FileAndOutputs = tuple[bytes, list[Array]]


class Native:
    """Native LiteRT in a process that may crash; the executions share its outputs."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._outputs: dict[bytes, FileAndOutputs | None] = {}

    def outputs(self, graph: Graph) -> FileAndOutputs | None:
        """Return the file with its shapes, and its outputs; None where native LiteRT rejects the graph."""
        key = graph.model() + b"".join(values.tobytes() for values in graph.inputs.values())
        if key not in self._outputs:
            self._outputs[key] = self._computed(graph)
        return self._outputs[key]

    def _computed(self, graph: Graph) -> FileAndOutputs | None:
        if self._pool is None:
            context = get_context("forkserver")
            context.set_forkserver_preload([__name__])
            self._pool = ProcessPoolExecutor(1, mp_context=context)
        try:
            return self._pool.submit(limited_outputs, graph).result()
        except BrokenProcessPool:
            self.close()
            return None

    def close(self) -> None:
        if self._pool:
            self._pool.shutdown()
        self._pool = None


def limited_outputs(graph: Graph) -> FileAndOutputs | None:
    """Compute the outputs, or end this process: the clock counts its own time, so a busy machine changes nothing."""
    setitimer(ITIMER_PROF, PROCESSOR_SECONDS)
    try:
        return outputs(graph)
    finally:
        setitimer(ITIMER_PROF, 0)


def outputs(graph: Graph) -> FileAndOutputs | None:
    names = [name for node in graph.nodes for name in node.outputs]
    try:
        rows = {row["name"]: row for row in _ran(graph, graph.model()).get_tensor_details()}
        content = graph.model({name: tuple(int(size) for size in rows[name]["shape"]) for name in names})
        interpreter = _ran(graph, content)
    except (RuntimeError, ValueError):
        return None
    return content, [interpreter.get_tensor(row["index"]).copy() for row in interpreter.get_output_details()]


def _ran(graph: Graph, content: bytes) -> Interpreter:
    resolver = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    interpreter = Interpreter(model_content=content, num_threads=1, experimental_op_resolver_type=resolver)
    interpreter.allocate_tensors()
    for detail, array in zip(interpreter.get_input_details(), graph.inputs.values(), strict=True):
        interpreter.set_tensor(detail["index"], array)
    interpreter.invoke()
    return interpreter
