"""Writes small .tflite files directly, with the flatbuffers object API: no TensorFlow, the same bytes every time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from web_tests.models import Array

FILE_IDENTIFIER = b"TFL3"
SCHEMA_VERSION = 3
# In a node's inputs: an optional tensor that is not there.
NO_TENSOR = -1
# Operator.builtin_code's older, one-byte sibling holds this for every op above 126.
PLACEHOLDER_FOR_GREATER_OP_CODES = 127

_TYPES = {
    "float32": "FLOAT32",
    "float16": "FLOAT16",
    "int32": "INT32",
    "int64": "INT64",
    "int8": "INT8",
    "uint8": "UINT8",
    "bool": "BOOL",
}


class ModelWriter:
    """Collects tensors and nodes of one subgraph; `finish` gives the file's bytes."""

    def __init__(self) -> None:
        self._tensors: list[Any] = []
        # Buffer 0 is the empty one by TFLite's convention.
        self._buffers: list[Any] = [schema.BufferT()]
        self._codes: list[Any] = []
        self._nodes: list[Any] = []

    def tensor(self, name: str, shape: Sequence[int], dtype: str = "float32") -> int:
        """Add a tensor without content and return its index."""
        tensor = schema.TensorT()
        tensor.name = name.encode()
        tensor.shape = list(shape)
        tensor.type = getattr(schema.TensorType, _TYPES[dtype])
        tensor.buffer = 0
        self._tensors.append(tensor)
        return len(self._tensors) - 1

    def constant(self, name: str, values: Array) -> int:
        """Add a tensor with content and return its index."""
        index = self.tensor(name, values.shape, values.dtype.name)
        buffer = schema.BufferT()
        buffer.data = np.frombuffer(np.ascontiguousarray(values).tobytes(), dtype=np.uint8)
        self._buffers.append(buffer)
        self._tensors[index].buffer = len(self._buffers) - 1
        return index

    def half_constant(self, name: str, values: Array) -> int:
        """Add a float16 constant and the DEQUANTIZE node behind it, as converters store float16 weights."""
        stored = self.constant(f"{name}_half", values.astype(np.float16))
        index = self.tensor(name, values.shape)
        self.node("DEQUANTIZE", [stored], [index], schema.DequantizeOptionsT())
        return index

    def node(
        self, op: str, inputs: Sequence[int], outputs: Sequence[int], options: Any = None, *, version: int = 1
    ) -> None:
        """Add a node.

        Args:
            op: a builtin's name, or a custom op's.
            inputs: tensor indices; NO_TENSOR for an optional one that is left out.
            outputs: tensor indices.
            options: the builtin's options object (a schema class ending in OptionsT), or bytes for a custom op.
            version: the op's version.
        """
        node = schema.OperatorT()
        node.opcodeIndex = self._code(op, version)
        node.inputs = list(inputs)
        node.outputs = list(outputs)
        if isinstance(options, bytes):
            node.customOptions = np.frombuffer(options, dtype=np.uint8)
        elif options is not None:
            node.builtinOptionsType = getattr(schema.BuiltinOptions, type(options).__name__.removesuffix("T"))
            node.builtinOptions = options
        self._nodes.append(node)

    def finish(self, inputs: Sequence[int], outputs: Sequence[int]) -> bytes:
        """Return the .tflite file with these tensors as the model's inputs and outputs."""
        graph = schema.SubGraphT()
        graph.name = b"main"
        graph.tensors = self._tensors
        graph.operators = self._nodes
        graph.inputs = list(inputs)
        graph.outputs = list(outputs)
        model = schema.ModelT()
        model.version = SCHEMA_VERSION
        model.description = b"made by tflite-webnn's tests"
        model.operatorCodes = self._codes
        model.subgraphs = [graph]
        model.buffers = self._buffers
        builder = flatbuffers.Builder(1024)
        builder.Finish(model.Pack(builder), file_identifier=FILE_IDENTIFIER)
        return bytes(builder.Output())

    def _code(self, op: str, version: int) -> int:
        code = schema.OperatorCodeT()
        builtin = getattr(schema.BuiltinOperator, op, None)
        code.builtinCode = schema.BuiltinOperator.CUSTOM if builtin is None else builtin
        code.deprecatedBuiltinCode = min(code.builtinCode, PLACEHOLDER_FOR_GREATER_OP_CODES)
        code.customCode = op.encode() if builtin is None else None
        code.version = version
        self._codes.append(code)
        return len(self._codes) - 1


def options_object(class_name: str, values: Mapping[str, Any]) -> Any:
    """Return a builtin options object, e.g. ("Conv2DOptions", {"strideW": 2}); unknown names raise AttributeError."""
    options = getattr(schema, f"{class_name}T")()
    for name, value in values.items():
        if not hasattr(options, name):
            raise AttributeError(f"{class_name} has no option {name}")
        setattr(options, name, value)
    return options
