"""Writes subgraphs of transformers op by op: a tensor knows its shape, so that a layer is one line."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from flatbuffers import flexbuffers

from web_tests.models.model_writer import NO_TENSOR, ModelWriter, Quantization
from web_tests.models.op_options import DEFAULTS, Options
from web_tests.models.recipes import SEED, Array


@dataclass(frozen=True)
class Tensor:
    """A tensor of a subgraph."""

    index: int
    shape: tuple[int, ...]
    dtype: str = "float32"


class Graph:
    """One subgraph. Weights are shared with the subgraphs that are created by `another`."""

    def __init__(self, writer: ModelWriter | None = None) -> None:
        """Start the main subgraph of a file, or, with a writer, any."""
        self.writer = writer or ModelWriter()
        self._weights: dict[str, tuple[ModelWriter, Tensor]] = {}
        self._own: dict[str, Tensor] = {}
        self._count = 0

    def another(self) -> "Graph":
        """Return a graph for another subgraph of the file."""
        graph = Graph(self.writer.subgraph())
        graph._weights = self._weights
        return graph

    def tensor(self, name: str, shape: Sequence[int], dtype: str = "float32") -> Tensor:
        """Return a new tensor without content, such as an input."""
        return Tensor(self.writer.tensor(name, shape, dtype), tuple(shape), dtype)

    def constant(self, values: Array) -> Tensor:
        """Return a constant of this subgraph alone."""
        return Tensor(self.writer.constant(self._name("constant"), values), values.shape, values.dtype.name)

    def random_weights(self, name: str, *shape: int) -> Tensor:
        """Return weights that the name seeds, scaled for layers of this width."""
        random = np.random.default_rng([SEED, zlib.crc32(name.encode())])
        scale = np.float32(np.sqrt(shape[-1]))
        return self.weights(name, lambda: random.standard_normal(shape, dtype=np.float32) / scale)

    def weights(self, name: str, create: Callable[[], Array], quantization: Quantization | None = None) -> Tensor:
        """Return the file's weights of this name; the first caller creates them."""
        if name in self._own:
            return self._own[name]
        if name in self._weights:
            owner, tensor = self._weights[name]
            shared = Tensor(self.writer.shared_constant(owner, tensor.index), tensor.shape, tensor.dtype)
        else:
            values = create()
            shared = Tensor(self.writer.constant(name, values, quantization), values.shape, values.dtype.name)
            self._weights[name] = (self.writer, shared)
        self._own[name] = shared
        return shared

    def op(
        self,
        op: str,
        inputs: Sequence[Tensor | None],
        shape: Sequence[int],
        options: Options = DEFAULTS,
        *,
        dtype: str = "float32",
        name: str = "",
        version: int = 1,
    ) -> Tensor:
        """Add a node with one result, and return that."""
        result = self.tensor(name or self._name(op.lower()), shape, dtype)
        indices = [NO_TENSOR if tensor is None else tensor.index for tensor in inputs]
        self.writer.node(op, indices, [result.index], options, version=version)
        return result

    def binary(self, op: str, a: Tensor, b: Tensor, *, dtype: str = "") -> Tensor:
        """Add an elementwise node."""
        shape = np.broadcast_shapes(a.shape, b.shape)
        return self.op(op, [a, b], shape, dtype=dtype or a.dtype)

    def unary(self, op: str, x: Tensor, *, dtype: str = "") -> Tensor:
        """Add a node that maps each element."""
        return self.op(op, [x], x.shape, dtype=dtype or x.dtype)

    def reshape(self, x: Tensor, shape: Sequence[int], name: str = "") -> Tensor:
        """Add a RESHAPE with its shape as a constant."""
        target = self.constant(np.array(shape, np.int32))
        options = {"newShape": list(shape)}
        return self.op("RESHAPE", [x, target], shape, options, dtype=x.dtype, name=name)

    def transpose(self, x: Tensor, order: Sequence[int]) -> Tensor:
        """Add a TRANSPOSE."""
        shape = [x.shape[axis] for axis in order]
        return self.op("TRANSPOSE", [x, self.constant(np.array(order, np.int32))], shape, dtype=x.dtype)

    def dense(self, x: Tensor, weights: Tensor, bias: Tensor | None = None, name: str = "") -> Tensor:
        """Add a FULLY_CONNECTED over the last axis; `weights` is [units, depth]."""
        shape = (*x.shape[:-1], weights.shape[0])
        is_hybrid = weights.dtype == "int8"
        values = {"keepNumDims": True, "asymmetricQuantizeInputs": is_hybrid}
        options = values
        return self.op("FULLY_CONNECTED", [x, weights, bias], shape, options, name=name, version=9 if is_hybrid else 1)

    def matmul(self, a: Tensor, b: Tensor, *, transposed: bool = False) -> Tensor:
        """Add a BATCH_MATMUL: a times b, or its transpose."""
        shape = (*a.shape[:-1], b.shape[-2 if transposed else -1])
        return self.op("BATCH_MATMUL", [a, b], shape, {"adjY": transposed})

    def softmax(self, x: Tensor) -> Tensor:
        """Add a SOFTMAX over the last axis."""
        return self.op("SOFTMAX", [x], x.shape, {"beta": 1.0})

    def mean(self, x: Tensor) -> Tensor:
        """Add a MEAN over the last axis, which remains as 1."""
        axis = self.constant(np.array([len(x.shape) - 1], np.int32))
        return self.op("MEAN", [x, axis], (*x.shape[:-1], 1), {"keepDims": True})

    def composite(self, name: str, inputs: Sequence[Tensor], body: "Graph", shape: Sequence[int]) -> Tensor:
        """Add a STABLEHLO_COMPOSITE whose decomposition is another subgraph of the file, which has ended."""
        index = self.writer.index_of(body.writer)
        attributes = np.frombuffer(bytes(flexbuffers.Dumps({})), np.uint8)
        values = {"name": name.encode(), "decompositionSubgraphIndex": index, "compositeAttributes": attributes}
        options = values
        return self.op("STABLEHLO_COMPOSITE", inputs, shape, options)

    def end(self, inputs: Sequence[Tensor], outputs: Sequence[Tensor], signature: str = "") -> None:
        """End a subgraph other than the main one."""
        self.writer.end(*_indices(inputs, outputs), signature=signature)

    def finish(self, inputs: Sequence[Tensor], outputs: Sequence[Tensor], signature: str = "serving_default") -> bytes:
        """End the main subgraph, and return the .tflite file."""
        return self.writer.finish(*_indices(inputs, outputs), signature=signature)

    def _name(self, what: str) -> str:
        self._count += 1
        return f"{what}_{self._count}"


def _indices(inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> tuple[list[int], list[int]]:
    return [tensor.index for tensor in inputs], [tensor.index for tensor in outputs]
