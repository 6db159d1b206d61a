"""Reads the .tflite models that Chromium writes for WebNN graphs: they show which kernels run.

Chromium's TFLite backend writes the model of each MLGraph into the directory of the flag
`--webnn-tflite-dump-model`, as model0.tflite, model1.tflite, ... in the order of the builds (the sandbox must be off:
`chromium_flags.NO_SANDBOX_FLAGS`). Only there does it show whether a quantized operator was fused.
"""

import struct
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ai_edge_litert import schema_py_generated as schema

from support.errors import BuildError
from web_tests.models.model_writer import NO_TENSOR

# The browser writes a dump in a low-priority task, after build() has resolved.
DUMP_TIMEOUT_SECONDS = 20.0
POLL_SECONDS = 0.02


class NoDumpError(BuildError):
    """The browser did not write the model of a graph."""


@dataclass(frozen=True)
class Operand:
    """An input or output of a node: `dtype` is numpy's name, or TFLite's in lower case (int4)."""

    name: str
    dtype: str
    constant: bool


@dataclass(frozen=True)
class Node:
    """A node of a .tflite model, without absent inputs (e.g. a bias)."""

    op: str
    inputs: tuple[Operand, ...]
    outputs: tuple[Operand, ...]

    @property
    def dtypes(self) -> frozenset[str]:
        """The types of all inputs and outputs."""
        return frozenset(operand.dtype for operand in (*self.inputs, *self.outputs))

    def __str__(self) -> str:
        """Return for example CONV_2D(int8, int8 constant, int32 constant) -> int8."""
        sources = ", ".join(f"{one.dtype} constant" if one.constant else one.dtype for one in self.inputs)
        return f"{self.op}({sources}) -> {', '.join(one.dtype for one in self.outputs)}"


def nodes_of(content: bytes) -> list[Node]:
    """Return the nodes of a model's first subgraph, in order. A custom op's name is its `op`."""
    model = schema.ModelT.InitFromPackedBuf(content)
    graph = model.subgraphs[0]
    operands = [_operand(model, tensor) for tensor in graph.tensors]

    def pick(indices: Iterable[int]) -> tuple[Operand, ...]:
        return tuple(operands[index] for index in indices if index != NO_TENSOR)

    return [
        Node(_op_name(model.operatorCodes[node.opcodeIndex]), pick(node.inputs), pick(node.outputs))
        for node in graph.operators or []
    ]


class DumpDirectory:
    """The directory for the models of one browser process; `flag` is its command-line switch."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._taken = 0

    @property
    def flag(self) -> str:
        return f"--webnn-tflite-dump-model={self._directory}"

    def skip(self) -> None:
        """Skip the dumps of earlier tests."""
        self._taken = len(list(self._directory.glob("model*.tflite")))

    def take(self, count: int = 1) -> list[list[Node]]:
        """Wait for the files of the next `count` graphs, and return the nodes of each.

        Raises:
            NoDumpError: one is not written in time.
        """
        paths = [self._directory / f"model{self._taken + number}.tflite" for number in range(count)]
        graphs = [_nodes_in(path) for path in paths]
        self._taken += count
        return graphs


def _nodes_in(path: Path) -> list[Node]:
    """Return the nodes of a dump once it is written."""
    end = time.monotonic() + DUMP_TIMEOUT_SECONDS
    while time.monotonic() < end:
        if path.is_file():
            # A half-written flatbuffer has offsets beyond its end.
            with suppress(struct.error, ValueError):
                return nodes_of(path.read_bytes())
        time.sleep(POLL_SECONDS)
    raise NoDumpError(
        f"the browser did not write this model within {DUMP_TIMEOUT_SECONDS:g} s",
        where=str(path),
        hint="use Chromium with WebNN's TFLite backend, started without a sandbox",
    )


def _operand(model: Any, tensor: Any) -> Operand:
    buffer = model.buffers[tensor.buffer]
    # A model above 2 GB, and Chromium's with external weights, have buffers behind the flatbuffer.
    constant = (buffer.data is not None and len(buffer.data) > 0) or bool(buffer.size)
    return Operand((tensor.name or b"").decode(), _DTYPES[tensor.type], constant)


def _op_name(code: Any) -> str:
    builtin = max(code.builtinCode, code.deprecatedBuiltinCode)
    return code.customCode.decode() if builtin == schema.BuiltinOperator.CUSTOM else _OPS[builtin]


def _names(enumeration: type) -> dict[int, str]:
    return {value: name for name, value in vars(enumeration).items() if not name.startswith("_")}


_OPS = _names(schema.BuiltinOperator)
_DTYPES = {value: name.lower() for value, name in _names(schema.TensorType).items()}
