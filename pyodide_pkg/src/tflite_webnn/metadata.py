"""A model file's TFLite Metadata, read without loading the model."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tflite_webnn.arguments import with_file
from tflite_webnn.assets import current_backend
from tflite_webnn.errors import translated


@dataclass(frozen=True)
class Labels:
    """Names of classes.

    Attributes:
        locale: language, as in BCP 47; None if the file does not say.
        of: `axis`, names of the positions on an axis of the tensor; `value`, names of the values in it.
        names: by index of the class.
    """

    locale: str | None
    of: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class TensorMetadata:
    """What the file says of an input or output.

    Attributes:
        name: chosen by the author, unlike the tensor's own name.
        description: for people.
        labels: one for each language; labels_for() chooses.
        mean: with `std`, how values become the model's: `(value - mean) / std`; for all channels, or one for each.
            Empty where nothing is said.
        std: as many as `mean`.
        score_threshold: lower scores do not count; None where there is no such limit.
        values: everything that is said, by the names of JavaScript's `TensorMetadata`.
    """

    name: str | None
    description: str | None
    labels: tuple[Labels, ...]
    mean: tuple[float, ...]
    std: tuple[float, ...]
    score_threshold: float | None
    values: Mapping[str, Any]


@dataclass(frozen=True)
class ModelMetadata:
    """What the file says of the model.

    Attributes:
        name: of the model.
        description: for people.
        version: as its author counts.
        author: who made it.
        license: the model's terms.
        inputs: in the order of the model's inputs; empty where nothing is said of them.
        outputs: likewise.
        files: names of the files that are packed into the model file; zipfile.ZipFile(path) reads them.
        values: everything that is said, by the names of JavaScript's `ModelMetadata`.
    """

    name: str | None
    description: str | None
    version: str | None
    author: str | None
    license: str | None
    inputs: tuple[TensorMetadata, ...]
    outputs: tuple[TensorMetadata, ...]
    files: tuple[str, ...]
    values: Mapping[str, Any]


def read_model_metadata(
    model_path: str | os.PathLike[str] | None = None, model_content: bytes | bytearray | memoryview | None = None
) -> ModelMetadata | None:
    """Read a model file's metadata.

    Args:
        model_path: path of the file, in Python's file system.
        model_content: the file's bytes, instead of model_path.

    Returns:
        None where the file has none.

    Raises:
        ValueError: an argument is wrong, the file does not exist or is not a model (ModelError), or its metadata is
            damaged or contradicts the model (MetadataError).
        TypeError: the content is not bytes.
    """
    values = json.loads(with_file(model_path, model_content, _read))
    if values is None:
        return None
    return ModelMetadata(
        **{name: values[name] for name in ("name", "description", "version", "author", "license")},
        inputs=tuple(map(_tensor, values["inputs"])),
        outputs=tuple(map(_tensor, values["outputs"])),
        files=tuple(values["files"]),
        values=values,
    )


def labels_for(tensor: TensorMetadata, locale: str | None = None) -> tuple[str, ...] | None:
    """Choose the names of a tensor's classes.

    Args:
        tensor: an output.
        locale: language, as in BCP 47. Without it, or where the file lacks it: names of no language, else the first.

    Returns:
        Names by index of the class; None where the file has none.
    """
    requested = [row for row in tensor.labels if locale is not None and row.locale == locale]
    neutral = [row for row in tensor.labels if row.locale is None]
    chosen = [*requested, *neutral, *tensor.labels]
    return chosen[0].names if chosen else None


def _read(size_bytes: int, fill: Any) -> str:
    with translated():
        session = current_backend().openMetadata(size_bytes)
        fill(session.modelBytes())
        return session.read()


def _tensor(values: Mapping[str, Any]) -> TensorMetadata:
    normalization = values["normalization"] or {"mean": (), "std": ()}
    labels = (Labels(row["locale"], row["of"], tuple(row["names"])) for row in values["labels"])
    return TensorMetadata(
        name=values["name"],
        description=values["description"],
        labels=tuple(labels),
        mean=tuple(normalization["mean"]),
        std=tuple(normalization["std"]),
        score_threshold=values["scoreThreshold"],
        values=values,
    )
