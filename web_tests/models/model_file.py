"""A .tflite file as objects of TFLite's schema, and back."""

from collections.abc import Callable
from typing import Any

import flatbuffers
from ai_edge_litert import schema_py_generated as schema

FILE_IDENTIFIER = b"TFL3"


def unpacked(content: bytes) -> Any:
    """Return a file's ModelT."""
    return schema.ModelT.InitFromPackedBuf(content, 0)


def packed(model: Any) -> bytes:
    """Return the file of a ModelT."""
    builder = flatbuffers.Builder(4096)
    builder.Finish(model.Pack(builder), file_identifier=FILE_IDENTIFIER)
    return bytes(builder.Output())


def changed(content: bytes, change: Callable[[Any], None]) -> bytes:
    """Return a file with a change of its ModelT."""
    model = unpacked(content)
    change(model)
    return packed(model)
