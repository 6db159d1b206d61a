"""Op cases, and their models of one node with seeded data."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

from web_tests.models.model_writer import NO_TENSOR, ModelWriter, Quantization
from web_tests.models.op_options import Options
from web_tests.models.recipes import SEED, Array
from web_tests.references.native_litert import Kernels


@dataclass(frozen=True)
class Input:
    """A tensor provided at run time: uniform values in [low, high)."""

    shape: tuple[int, ...]
    low: float = -2.0
    high: float = 2.0
    dtype: str = "float32"
    quantization: Quantization | None = None


@dataclass(frozen=True)
class Weights:
    """A constant: uniform values in [low, high); `half` stores float16 and a DEQUANTIZE node, `sparse` few values."""

    shape: tuple[int, ...]
    low: float = -1.0
    high: float = 1.0
    half: bool = False
    sparse: bool = False
    dtype: str = "float32"
    quantization: Quantization | None = None


@dataclass(frozen=True)
class Values:
    """A constant with exactly these values, for example axes or paddings."""

    values: Any
    dtype: str = "int32"
    quantization: Quantization | None = None


@dataclass(frozen=True)
class Provided:
    """A tensor provided at run time: exactly these values."""

    values: Any
    dtype: str = "float32"
    quantization: Quantization | None = None

    @property
    def array(self) -> Array:
        return np.asarray(self.values, dtype=self.dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape


@dataclass(frozen=True)
class Again:
    """The same tensor as an earlier operand, by its index."""

    operand: int


@dataclass(frozen=True)
class State:
    """A variable tensor of float32: zeros before the first run, and what a run leaves in it for the next.

    With `half`, the zeros come from a constant of float16 by a DEQUANTIZE node, which TFLite runs once.
    """

    shape: tuple[int, ...]
    half: bool = False


Operand = Input | Provided | Weights | Values | Again | State | None


@dataclass(frozen=True)
class OpCase:
    """One node, to compare on WebNN with native LiteRT.

    Attributes:
        name: unique; it seeds the data.
        op: the builtin's or custom op's name.
        operands: the node's inputs; None is an absent optional one.
        options: those that differ from the schema's defaults; bytes are a custom op's; None: the node has none.
        outputs: number of outputs.
        output_shape: only for ops that native LiteRT's kernels lack.
        output_dtype: if it differs from the first input's.
        output_dtypes: the same for outputs of different dtypes.
        output_quantization: of the outputs.
        version: the op's version.
        cpu_reason: why the node must stay on the CPU: a part of the report's reason. Empty: WebNN.
        added_to_input: add the output, which TFLite computes while it prepares the model, to an input: a
            constant is not the result of a run.
        native_kernels: those of the reference; "default" for ops that only XNNPACK's delegate has.
        overwrites: add the subgraph that a STABLEHLO_SCATTER names, which returns the second of two numbers.
    """

    name: str
    op: str
    operands: tuple[Operand, ...]
    options: Options = field(default_factory=dict)
    outputs: int = 1
    output_shape: tuple[int, ...] | None = None
    output_dtype: str = ""
    output_dtypes: tuple[str, ...] = ()
    output_quantization: Quantization | None = None
    version: int = 1
    cpu_reason: str = ""
    added_to_input: bool = False
    native_kernels: Kernels = "builtin"
    overwrites: bool = False

    @property
    def has_state(self) -> bool:
        """Whether a second run with the same inputs may return other outputs."""
        return any(isinstance(operand, State) for operand in self.operands)

    @property
    def dtype(self) -> str:
        """The dtype that the case tests: the output's, or the first input's if the output has booleans or indices."""
        inputs = [operand.dtype for operand in self.operands if isinstance(operand, Input | Provided)]
        dtypes = {operand.dtype for operand in self.operands if isinstance(operand, Input | Provided | Weights)}
        output_dtype = self.output_dtypes[0] if self.output_dtypes else self._output_dtype()
        has_indices = output_dtype in ("bool", "int32", "int64") and output_dtype not in dtypes
        return inputs[0] if inputs and has_indices else output_dtype

    def option(self, name: str) -> Any:
        """Return an option of a builtin op; None if the case does not set it."""
        return self.options.get(name) if isinstance(self.options, Mapping) else None

    def inputs(self) -> list[Array]:
        provided = [
            operand.array
            if isinstance(operand, Provided)
            else _uniform(self._seed(index), operand.shape, operand.low, operand.high, operand.dtype)
            for index, operand in enumerate(self.operands)
            if isinstance(operand, Input | Provided)
        ]
        return [*provided, self._addend()] if self.added_to_input else provided

    def model(self) -> bytes:
        """Return the .tflite file, with output shapes from native LiteRT."""
        count = len(self.output_dtypes) or self.outputs
        if self.output_shape is None:
            return self._write(_native_output_shapes(self._write([(1,)] * count)))
        return self._write([self.output_shape] * count)

    def _write(self, output_shapes: list[tuple[int, ...]]) -> bytes:
        writer = ModelWriter()
        tensors: list[int] = []
        for index, operand in enumerate(self.operands):
            tensors.append(self._add(writer, index, operand, tensors))
        dtypes = self.output_dtypes or (self._output_dtype(),) * self.outputs
        outputs = [
            self._add_output(writer, i, shape, dtype)
            for i, (shape, dtype) in enumerate(zip(output_shapes, dtypes, strict=True))
        ]
        writer.node(self.op, tensors, outputs, self.options, version=self.version)
        if self.overwrites:
            computation = writer.subgraph()
            pair = [computation.tensor(name, ()) for name in ("old", "new")]
            computation.end(pair, pair[1:])
        inputs = [
            tensor
            for tensor, operand in zip(tensors, self.operands, strict=True)
            if isinstance(operand, Input | Provided)
        ]
        if self.added_to_input:
            addend, total = (writer.tensor(name, output_shapes[0], dtypes[0]) for name in ("addend", "sum"))
            writer.node("ADD", [addend, *outputs], [total])
            return writer.finish([*inputs, addend], [total])
        return writer.finish(inputs, outputs)

    def _add(self, writer: ModelWriter, index: int, operand: Operand, tensors: list[int]) -> int:
        match operand:
            case None:
                return NO_TENSOR
            case Again(earlier):
                return tensors[earlier]
            case State(shape, half=half):
                state = writer.variable(f"state_{index}", shape)
                if half:
                    zeros = writer.constant(f"zeros_{index}", np.zeros(shape, np.float16))
                    writer.node("DEQUANTIZE", [zeros], [state])
                return state
            case Input() | Provided():
                return writer.tensor(f"input_{index}", operand.shape, operand.dtype, operand.quantization)
            case Values(values, dtype, quantization):
                return writer.constant(f"constant_{index}", np.asarray(values, dtype=dtype), quantization)
            case Weights():
                return self._add_weights(writer, index, operand)

    def _add_weights(self, writer: ModelWriter, index: int, weights: Weights) -> int:
        content = self._content(weights, index)
        if weights.sparse:
            content = np.where(content > (weights.low + weights.high) / 2, content, 0)
            return writer.sparse_constant(f"constant_{index}", content, weights.quantization)
        if weights.half:
            return writer.half_constant(f"constant_{index}", content)
        return writer.constant(f"constant_{index}", content, weights.quantization)

    def _add_output(self, writer: ModelWriter, index: int, shape: tuple[int, ...], dtype: str) -> int:
        return writer.tensor(f"output_{index}", shape, dtype, self.output_quantization)

    def _content(self, operand: Weights, index: int) -> Array:
        return _uniform(self._seed(index), operand.shape, operand.low, operand.high, operand.dtype)

    def _output_dtype(self) -> str:
        return self.output_dtype or next(
            operand.dtype for operand in self.operands if isinstance(operand, Input | Provided)
        )

    def _addend(self) -> Array:
        assert self.output_shape is not None, "what is added needs a shape"
        return _uniform(self._seed(-1), self.output_shape, -9, 9, self._output_dtype())

    def _seed(self, operand: int) -> int:
        return SEED + zlib.crc32(f"{self.op}/{self.name}/{operand}".encode())


def _uniform(seed: int, shape: tuple[int, ...], low: float, high: float, dtype: str) -> Array:
    random = np.random.default_rng(seed)
    if np.dtype(dtype) == np.bool_ or np.issubdtype(np.dtype(dtype), np.integer):
        return random.integers(int(low), int(high), shape).astype(dtype)
    return random.uniform(low, high, shape).astype(dtype)


def _native_output_shapes(model: bytes) -> list[tuple[int, ...]]:
    kind = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    interpreter = Interpreter(model_content=model, num_threads=1, experimental_op_resolver_type=kind)
    interpreter.allocate_tensors()
    return [tuple(int(size) for size in row["shape"]) for row in interpreter.get_output_details()]
