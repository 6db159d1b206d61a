"""Writes small .tflite files with the flatbuffers object API: no TensorFlow, the same bytes every time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from ai_edge_litert import schema_py_generated as schema

from web_tests.models.model_file import packed
from web_tests.models.op_options import DEFAULTS, Options, set_options
from web_tests.models.recipes import Array

SCHEMA_VERSION = 3
# An absent optional tensor in a node's inputs.
NO_TENSOR = -1
# Operator.builtin_code's older, one-byte field has this value for every op above 126.
PLACEHOLDER_FOR_GREATER_OP_CODES = 127

_TYPES = {
    "float32": "FLOAT32",
    "float16": "FLOAT16",
    "float64": "FLOAT64",
    "int32": "INT32",
    "int64": "INT64",
    "int16": "INT16",
    "int8": "INT8",
    "int4": "INT4",
    "int2": "INT2",
    "uint64": "UINT64",
    "uint32": "UINT32",
    "uint16": "UINT16",
    "uint8": "UINT8",
    "bool": "BOOL",
    "complex64": "COMPLEX64",
    "string": "STRING",
    "resource": "RESOURCE",
}


@dataclass(frozen=True)
class Quantization:
    """The meaning of a tensor's integers: (integer - zero point) * scale, one scale or one per index of `axis`."""

    scales: tuple[float, ...]
    zero_points: tuple[int, ...] = (0,)
    axis: int = 0

    def to_schema(self) -> Any:
        parameters = schema.QuantizationParametersT()
        parameters.scale = list(self.scales)
        parameters.zeroPoint = list(self.zero_points) * (len(self.scales) // len(self.zero_points))
        parameters.quantizedDimension = self.axis
        return parameters


class ModelWriter:
    """Collects tensors and nodes of one subgraph; `finish` returns the file's bytes.

    The first writer is the main subgraph's; `subgraph` returns writers for others.
    """

    def __init__(self) -> None:
        self._graphs: list[ModelWriter] = [self]
        self._inputs_and_outputs: tuple[Sequence[int], Sequence[int]] = ((), ())
        self._signatures: list[Any] = []
        self._tensors: list[Any] = []
        # Buffer 0 is the empty one by TFLite's convention.
        self._buffers: list[Any] = [schema.BufferT()]
        self._codes: list[Any] = []
        self._nodes: list[Any] = []

    def subgraph(self) -> "ModelWriter":
        """Return a writer for another subgraph, whose index is the number of earlier ones."""
        writer = ModelWriter()
        writer._graphs, writer._signatures = self._graphs, self._signatures
        writer._buffers, writer._codes = self._buffers, self._codes
        self._graphs.append(writer)
        return writer

    def index_of(self, writer: "ModelWriter") -> int:
        """Return the index of another subgraph of the file."""
        return self._graphs.index(writer)

    def tensor(
        self, name: str, shape: Sequence[int], dtype: str = "float32", quantization: Quantization | None = None
    ) -> int:
        """Add a tensor without content and return its index."""
        tensor = schema.TensorT()
        tensor.name = name.encode()
        tensor.shape = list(shape)
        tensor.type = getattr(schema.TensorType, _TYPES[dtype])
        tensor.buffer = 0
        tensor.quantization = quantization and quantization.to_schema()
        self._tensors.append(tensor)
        return len(self._tensors) - 1

    def open_dimensions(self, index: int, axes: Sequence[int]) -> None:
        """Leave these dimensions of a tensor open."""
        shape = self._tensors[index].shape
        self._tensors[index].shapeSignature = [-1 if axis in axes else size for axis, size in enumerate(shape)]

    def variable(self, name: str, shape: Sequence[int]) -> int:
        """Add a float32 tensor that keeps its content between runs, and return its index."""
        index = self.tensor(name, shape)
        self._tensors[index].isVariable = True
        return index

    def constant(self, name: str, values: Array, quantization: Quantization | None = None) -> int:
        """Add a tensor with content and return its index."""
        index = self.tensor(name, values.shape, values.dtype.name, quantization)
        self._fill(index, values)
        return index

    def shared_constant(self, owner: "ModelWriter", index: int) -> int:
        """Add a tensor with the content of another subgraph's constant, which the file has once; return its index."""
        self._tensors.append(owner._tensors[index])
        return len(self._tensors) - 1

    def sparse_constant(self, name: str, values: Array, quantization: Quantization | None = None) -> int:
        """Add a constant that stores only its non-zero values, and the DENSIFY node behind it.

        All dimensions are dense except the last, which is compressed (TFLite's SPARSE_CSR).
        """
        stored = self.tensor(f"{name}_sparse", values.shape, values.dtype.name, quantization)
        rows = values.reshape(-1, values.shape[-1])
        self._fill(stored, rows[rows != 0])
        self._tensors[stored].sparsity = _sparsity(values.shape, rows)
        index = self.tensor(name, values.shape, values.dtype.name, quantization)
        self.node("DENSIFY", [stored], [index])
        return index

    def int4_blocks(self, name: str, values: Array, scales: Array) -> int:
        """Add an int4 constant with a scale for each block of its last axis, and return its index.

        Args:
            name: of the tensor.
            values: from -8 to 7, as int8.
            scales: float16, of the same rank; its last axis has a scale for each block.
        """
        return self._in_blocks(self.int4_constant(name, values, None), name, scales)

    def int2_blocks(self, name: str, values: Array, scales: Array) -> int:
        """Do as `int4_blocks`, with values from -2 to 1."""
        return self._in_blocks(self.int2_constant(name, values, None), name, scales)

    def _in_blocks(self, index: int, name: str, scales: Array) -> int:
        blocks = schema.BlockwiseQuantizationT()
        blocks.scales = self.constant(f"{name}_scales", scales.astype(np.float16))
        blocks.blockSize = self._tensors[index].shape[-1] // scales.shape[-1]
        parameters = schema.QuantizationParametersT()
        parameters.detailsType = schema.QuantizationDetails.BlockwiseQuantization
        parameters.details = blocks
        self._tensors[index].quantization = parameters
        return index

    def int4_constant(self, name: str, values: Array, quantization: Quantization | None) -> int:
        """Add an int4 constant, whose values from -8 to 7 are provided as int8, and return its index."""
        index = self.tensor(name, values.shape, "int4", quantization)
        halves = np.resize(values.reshape(-1), -(-values.size // 2) * 2).view(np.uint8) & 0xF
        self._fill(index, halves[0::2] | halves[1::2] << 4)
        return index

    def int2_constant(self, name: str, values: Array, quantization: Quantization | None) -> int:
        """Add an int2 constant, whose values from -2 to 1 are provided as int8, and return its index."""
        index = self.tensor(name, values.shape, "int2", quantization)
        quarters = np.resize(values.reshape(-1), -(-values.size // 4) * 4).view(np.uint8) & 0x3
        self._fill(index, quarters[0::4] | quarters[1::4] << 2 | quarters[2::4] << 4 | quarters[3::4] << 6)
        return index

    def half_constant(self, name: str, values: Array) -> int:
        """Add a float16 constant and the DEQUANTIZE node behind it, as converters store float16 weights."""
        stored = self.constant(f"{name}_half", values.astype(np.float16))
        index = self.tensor(name, values.shape)
        self.node("DEQUANTIZE", [stored], [index])
        return index

    def node(
        self, op: str, inputs: Sequence[int], outputs: Sequence[int], options: Options = DEFAULTS, *, version: int = 1
    ) -> None:
        """Add a node.

        Args:
            op: a builtin's name, or a custom op's.
            inputs: tensor indices; NO_TENSOR for an absent optional one.
            outputs: tensor indices.
            options: of the builtin, by their names in the schema; bytes for a custom op; None omits them.
            version: the op's version.
        """
        node = schema.OperatorT()
        node.opcodeIndex = self._code(op, version)
        node.inputs = list(inputs)
        node.outputs = list(outputs)
        if isinstance(options, bytes):
            node.customOptions = np.frombuffer(options, dtype=np.uint8)
        elif options is not None:
            set_options(node, op, options)
        self._nodes.append(node)

    def finish(self, inputs: Sequence[int], outputs: Sequence[int], *, signature: str = "") -> bytes:
        """Return the .tflite file with these tensors as the model's inputs and outputs.

        `signature` is the key of a signature with the inputs and outputs by tensor name.
        """
        self.end(inputs, outputs, signature=signature)
        model = schema.ModelT()
        model.version = SCHEMA_VERSION
        model.description = b"made by tflite-webnn's tests"
        model.operatorCodes = self._codes
        model.subgraphs = [graph._packed(index) for index, graph in enumerate(self._graphs)]
        model.buffers = self._buffers
        model.signatureDefs = self._signatures or None
        return packed(model)

    def end(self, inputs: Sequence[int], outputs: Sequence[int], *, signature: str = "") -> None:
        """End a subgraph; for the main one, `finish` does it."""
        self._inputs_and_outputs = (inputs, outputs)
        if signature:
            self._signatures.append(self._signature(signature, inputs, outputs))

    def _packed(self, index: int) -> Any:
        graph = schema.SubGraphT()
        graph.name = b"main" if index == 0 else f"subgraph_{index}".encode()
        graph.tensors = self._tensors
        graph.operators = self._nodes
        graph.inputs, graph.outputs = (list(indices) for indices in self._inputs_and_outputs)
        return graph

    def _signature(self, key: str, inputs: Sequence[int], outputs: Sequence[int]) -> Any:
        signature = schema.SignatureDefT()
        signature.signatureKey = key.encode()
        signature.subgraphIndex = self._graphs.index(self)
        signature.inputs = [self._named(index) for index in inputs]
        signature.outputs = [self._named(index) for index in outputs]
        return signature

    def _named(self, index: int) -> Any:
        entry = schema.TensorMapT()
        entry.name = self._tensors[index].name
        entry.tensorIndex = index
        return entry

    def _fill(self, index: int, values: Array) -> None:
        buffer = schema.BufferT()
        buffer.data = np.frombuffer(np.ascontiguousarray(values).tobytes(), dtype=np.uint8)
        self._buffers.append(buffer)
        self._tensors[index].buffer = len(self._buffers) - 1

    def _code(self, op: str, version: int) -> int:
        code = schema.OperatorCodeT()
        builtin = getattr(schema.BuiltinOperator, op, None)
        code.builtinCode = schema.BuiltinOperator.CUSTOM if builtin is None else builtin
        code.deprecatedBuiltinCode = min(code.builtinCode, PLACEHOLDER_FOR_GREATER_OP_CODES)
        code.customCode = op.encode() if builtin is None else None
        code.version = version
        self._codes.append(code)
        return len(self._codes) - 1


def _sparsity(shape: Sequence[int], rows: Array) -> Any:
    """Return the description of a tensor whose last dimension is compressed; `rows` is its content, two-dimensional."""
    dimensions = []
    for size in shape[:-1]:
        dense = schema.DimensionMetadataT()
        dense.format = schema.DimensionType.DENSE
        dense.denseSize = size
        dimensions.append(dense)
    compressed = schema.DimensionMetadataT()
    compressed.format = schema.DimensionType.SPARSE_CSR
    compressed.arraySegmentsType = compressed.arrayIndicesType = schema.SparseIndexVector.Int32Vector
    compressed.arraySegments, compressed.arrayIndices = schema.Int32VectorT(), schema.Int32VectorT()
    compressed.arraySegments.values = [0, *np.cumsum(np.count_nonzero(rows, axis=1)).tolist()]
    compressed.arrayIndices.values = np.nonzero(rows)[1].tolist()
    sparsity = schema.SparsityParametersT()
    sparsity.traversalOrder = list(range(len(shape)))
    sparsity.dimMetadata = [*dimensions, compressed]
    return sparsity
