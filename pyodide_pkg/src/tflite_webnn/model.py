"""A model behind an interpreter and its signature runners: its session and its tensors."""

import contextlib
import dataclasses
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

import numpy as np

from tflite_webnn.backend import Backend, HeapView, Session, can_wait, wait_for
from tflite_webnn.errors import InterpreterBusyError, InterpreterError, translated
from tflite_webnn.tensors import STRING, Array, Tensor, parse_tensors

MAIN_SUBGRAPH = 0


class Model:
    """A loaded model.

    Attributes:
        inputs: indices of the main subgraph's inputs.
        outputs: those of its outputs.
        signatures: JSON of the signatures: `key`, `subgraph`, `inputs` and `outputs`.
        subgraph_count: how many subgraphs the model has.
    """

    def __init__(self, session: Session, *, uses_webnn: bool) -> None:
        self._session = session
        self._uses_webnn = uses_webnn
        info = json.loads(session.describe())
        self.inputs: list[int] = info["inputs"]
        self.outputs: list[int] = info["outputs"]
        self._input_set = frozenset(self.inputs)
        self.signatures: list[dict[str, Any]] = info["signatures"]
        self.subgraph_count: int = info["subgraphCount"]
        self._tensors: dict[int, list[Tensor]] = {}
        self._allocated: set[int] = set()
        self._mirrors: dict[int, Array] = {}
        self._is_busy = False

    @classmethod
    def load(cls, backend: Backend, size_bytes: int, fill: Callable[[HeapView], None], options: dict[str, Any]) -> Self:
        """Load a model.

        Args:
            backend: opens the session.
            size_bytes: size of the file.
            fill: copies the file into memory of this size.
            options: see `Backend.openSession()`.

        Raises:
            ModelError: TensorFlow Lite rejects the file.
            BackendUnavailableError: WebAssembly does not start.
        """
        with translated(loading=True):
            session = backend.openSession(size_bytes, json.dumps(options))
            fill(session.modelBytes())
            session.load()
            return cls(session, uses_webnn=options["webnn"] is not None)

    def tensors(self, subgraph: int) -> list[Tensor]:
        """Return the present tensors of a subgraph."""
        known = self._tensors.get(subgraph)
        if known is None:
            self._check_idle()
            with translated():
                known = parse_tensors(self._session.describeTensors(subgraph))
            self._tensors[subgraph] = known
        return known

    def tensor(self, index: int, subgraph: int = MAIN_SUBGRAPH) -> Tensor:
        """Return a tensor.

        Raises:
            ValueError: there is no such tensor or subgraph.
        """
        if not 0 <= subgraph < self.subgraph_count:
            raise ValueError(f"Invalid subgraph index {subgraph} exceeds max subgraph index {self.subgraph_count}")
        tensors = self.tensors(subgraph)
        if not 0 <= index < len(tensors):
            raise ValueError(f"Invalid tensor index {index} exceeds max tensor index {len(tensors)}")
        return tensors[index]

    def details(self, index: int, subgraph: int = MAIN_SUBGRAPH) -> dict[str, Any]:
        """Return a tensor's details; ValueError for one that `Interpreter.get_tensor_details()` leaves out."""
        tensor = self.tensor(index, subgraph)
        scales = tensor.block_scales
        return tensor.details(None if scales is None else self._values(scales, subgraph))

    def op_details(self) -> list[dict[str, Any]]:
        """Return details of the main subgraph's nodes, as native TFLite's _get_ops_details()."""
        self._check_idle()
        with translated():
            nodes = json.loads(self._session.describeNodes(MAIN_SUBGRAPH))
        return [self._op_details(node) for node in nodes]

    def set(self, index: int, value: object, subgraph: int = MAIN_SUBGRAPH) -> None:
        """Set a tensor's values.

        Raises:
            ValueError: they do not fit, or the tensor has no memory yet.
        """
        self._check_idle()
        tensor = self.tensor(index, subgraph)
        content = tensor.encoded(value)
        if tensor.type_name == STRING:
            with translated():
                self._session.reserveBytes(index, subgraph, content.size).assign(content)
            self._tensors[subgraph][index] = dataclasses.replace(tensor, is_allocated=True)
            return
        if not tensor.is_allocated:
            raise ValueError("Cannot set tensor: Tensor is unallocated. Try calling allocate_tensors() first")
        if subgraph == MAIN_SUBGRAPH and index in self._mirrors:
            self._mirrors[index][...] = tensor.values(content)
        self._write(index, subgraph, content)

    def get(self, index: int, subgraph: int = MAIN_SUBGRAPH) -> Any:
        """Return a copy of a tensor's values; a scalar if it has no dimensions.

        Raises:
            ValueError: there is no such tensor, or it has no memory yet.
        """
        self._check_idle()
        if subgraph == MAIN_SUBGRAPH and index in self._mirrors and self._is_written(index):
            return self._mirrors[index].copy()[()]
        values = self._values(index, subgraph)
        return values if values.dtype == np.object_ else values[()]

    def mirror(self, index: int) -> Array:
        """Return an array that mirrors a tensor: each run reads it before and writes it after.

        Raises:
            ValueError: as get(), or the tensor holds strings.
        """
        self._check_idle()
        if index not in self._mirrors:
            if self.tensor(index).type_name == STRING:
                raise ValueError(f"Tensor {index} holds strings, whose memory numpy cannot share: use get_tensor().")
            self._mirrors[index] = self._values(index, MAIN_SUBGRAPH)
        return self._mirrors[index]

    def resize(self, index: int, shape: Sequence[int], *, strict: bool = False, subgraph: int = MAIN_SUBGRAPH) -> None:
        """Change the shape of an input; the subgraph must be allocated next. An unchanged shape has no effect.

        Raises:
            InterpreterError: TensorFlow Lite rejects it.
        """
        self._check_idle()
        if self._has_shape(index, tuple(shape), subgraph):
            return
        self._tensors.pop(subgraph, None)
        with translated():
            self._session.resizeInput(index, subgraph, json.dumps([int(size) for size in shape]), strict)
        self._allocated.discard(subgraph)

    def allocate(self, subgraph: int = MAIN_SUBGRAPH) -> None:
        """Allocate a subgraph. Repeating it has no effect unless the model has tensors of dynamic shape.

        Raises:
            InterpreterError: a node cannot run with these shapes.
        """
        self._check_idle()
        with translated():
            self._session.allocate(subgraph)
        if subgraph in self._allocated and not self._has_dynamic(subgraph):
            return
        self._tensors.pop(subgraph, None)
        self._allocated.add(subgraph)
        if subgraph == MAIN_SUBGRAPH:
            self._drop_mirrors()

    def invoke(self, subgraph: int = MAIN_SUBGRAPH) -> None:
        """Run a subgraph synchronously.

        Raises:
            InterpreterError: the subgraph is not allocated, or fails.
            AsyncInvokeRequiredError: it would have to wait for WebNN, and cannot.
        """
        with self._running(subgraph):
            if subgraph == MAIN_SUBGRAPH and self._uses_webnn and self._session.needsPromise() and can_wait():
                wait_for(self._session.invokeAsync())
            else:
                self._session.invoke(subgraph)

    async def invoke_async(self, subgraph: int = MAIN_SUBGRAPH) -> None:
        """Run a subgraph, also on WebNN. Raises as invoke()."""
        with self._running(subgraph):
            if subgraph == MAIN_SUBGRAPH:
                await self._session.invokeAsync()
            else:
                self._session.invoke(subgraph)

    async def prepare_async(self) -> None:
        with self._busy(), translated():
            await self._session.prepareAsync()

    def reset_variables(self) -> None:
        self._check_idle()
        with translated():
            self._session.resetVariables()
        self._refresh_mirrors()

    def report(self) -> dict[str, Any]:
        with translated():
            report: dict[str, Any] = json.loads(self._session.report())
        return report

    def dispose(self) -> None:
        """Free what the model holds outside Python."""
        self._session.dispose()

    @contextlib.contextmanager
    def _busy(self) -> Iterator[None]:
        self._check_idle()
        self._is_busy = True
        try:
            yield
        finally:
            self._is_busy = False

    @contextlib.contextmanager
    def _running(self, subgraph: int) -> Iterator[None]:
        if self._uses_webnn and subgraph == MAIN_SUBGRAPH and subgraph not in self._allocated:
            raise InterpreterError("Invoke called on model that is not ready.", "INVOKE_FAILED")
        if subgraph == MAIN_SUBGRAPH:
            for index, mirror in self._mirrors.items():
                if self._is_written(index):
                    self.set(index, mirror)
        with self._busy(), translated():
            yield
        if self._has_dynamic(subgraph):
            self._tensors.pop(subgraph)
        if subgraph == MAIN_SUBGRAPH:
            self._refresh_mirrors()

    def _check_idle(self) -> None:
        if self._is_busy:
            raise InterpreterBusyError(
                "The interpreter is running: await the result of invoke_async() before using it again.", "BUSY"
            )

    def _is_written(self, index: int) -> bool:
        """Return whether Python sets the tensor's values, not a node."""
        return index in self._input_set or self.tensor(index).is_variable

    def _has_shape(self, index: int, shape: tuple[int, ...], subgraph: int) -> bool:
        tensors = self.tensors(subgraph) if subgraph in self._allocated else []
        return 0 <= index < len(tensors) and tensors[index].is_allocated and tensors[index].dimensions == shape

    def _has_dynamic(self, subgraph: int) -> bool:
        return any(tensor.is_dynamic for tensor in self.tensors(subgraph))

    def _drop_mirrors(self) -> None:
        """Drop the mirrors of tensors whose shape has changed."""
        for index, mirror in list(self._mirrors.items()):
            if mirror.shape != self.tensor(index).dimensions:
                del self._mirrors[index]

    def _refresh_mirrors(self) -> None:
        self._drop_mirrors()
        for index, mirror in self._mirrors.items():
            if index not in self._input_set:
                mirror[...] = self._values(index, MAIN_SUBGRAPH)

    def _write(self, index: int, subgraph: int, content: Array) -> None:
        if content.size > 0:
            with translated():
                self._session.tensorBytes(index, subgraph).assign(content)

    def _values(self, index: int, subgraph: int) -> Array:
        tensor = self.tensor(index, subgraph)
        if not tensor.is_allocated:
            raise ValueError("Tensor data is null. Run allocate_tensors() first")
        with translated():
            view = self._session.tensorBytes(index, subgraph)
            content = np.empty(view.byteLength, np.uint8)
            if content.size > 0:
                view.assign_to(content)
        return tensor.values(content)

    def _op_details(self, node: dict[str, Any]) -> dict[str, Any]:
        def types(indices: list[int]) -> list[Any]:
            return [self.tensor(index).details()["dtype"] for index in indices if index != -1]

        return {
            "index": node["index"],
            "op_name": node["op"],
            "inputs": np.array(node["inputs"], np.int32),
            "outputs": np.array(node["outputs"], np.int32),
            "operand_types": types(node["inputs"]),
            "result_types": types(node["outputs"]),
        }
