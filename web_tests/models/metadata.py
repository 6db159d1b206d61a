"""TFLite Metadata, written and read by MediaPipe's classes, which flatbuffers' compiler generates from its schema."""

import importlib.util
import io
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import flatbuffers
from ai_edge_litert import schema_py_generated as tflite

from web_tests.models import model_file, package_assets
from web_tests.models.model_file import unpacked

NAME = "TFLITE_METADATA"
IDENTIFIER = b"M001"


def schema_file(name: str) -> Path:
    """Return a file of `[schemas]` in models.toml."""
    return package_assets.path_of("schemas", name)


@cache
def schema(name: str = "metadata_schema") -> ModuleType:
    """Return the classes of a schema: `metadata_schema`, or MediaPipe's `object_detector_metadata_schema`."""
    path = schema_file(f"{name}_py_generated.py")
    spec = importlib.util.spec_from_file_location(f"mediapipe_{name}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def packed(table: Any, identifier: bytes | None = IDENTIFIER) -> bytes:
    """Return the flatbuffer of an object with `Pack`."""
    builder = flatbuffers.Builder(1024)
    builder.Finish(table.Pack(builder), identifier)
    return bytes(builder.Output())


def with_metadata(model: bytes, metadata: Any, files: Mapping[str, bytes], *, compressed: bool = False) -> bytes:
    """Return a model with metadata in place of what it has, and with associated files appended.

    Args:
        model: a .tflite file.
        metadata: a ModelMetadataT.
        files: content by name.
        compressed: deflate the files; TFLite's writer stores them.
    """
    content = unpacked(model)
    buffer = tflite.BufferT()
    buffer.data = list(packed(metadata))
    content.buffers.append(buffer)
    entry = tflite.MetadataT()
    entry.name = NAME
    entry.buffer = len(content.buffers) - 1
    others = [row for row in content.metadata or [] if row.name != NAME.encode()]
    content.metadata = [*others, entry]
    return model_file.packed(content) + archive(files, compressed=compressed)


def read_metadata(model: bytes) -> Any:
    """Return a model's ModelMetadataT; None if it has none."""
    content = unpacked(model)
    for entry in content.metadata or []:
        if entry.name == NAME.encode():
            return schema().ModelMetadataT.InitFromPackedBuf(bytes(content.buffers[entry.buffer].data))
    return None


def read_files(model: bytes) -> dict[str, bytes]:
    """Return a model's associated files by name."""
    if not zipfile.is_zipfile(io.BytesIO(model)):
        return {}
    with zipfile.ZipFile(io.BytesIO(model)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def archive(files: Mapping[str, bytes], *, compressed: bool = False) -> bytes:
    """Return a zip archive of files, content by name; deflated if `compressed`, else stored."""
    if not files:
        return b""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()
