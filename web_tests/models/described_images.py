"""Networks on images with the metadata that MediaPipe's vision tasks request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from web_tests.models import metadata
from web_tests.models.model_writer import ModelWriter, Quantization

ACTIVATIONS = ("NONE", "SIGMOID", "SOFTMAX")


@dataclass(frozen=True)
class ImageFile:
    """What a file says of its network.

    Attributes:
        mean: subtracted from pixels, which are 0 to 255.
        std: what the difference is divided by.
        labels: names of the output's classes by language; "" is the file without one. None has no names.
        threshold: minimum score.
        activation: of a segmenter's output, one of ACTIVATIONS; None for other networks.
    """

    mean: float = 127.5
    std: float = 127.5
    labels: Mapping[str, Sequence[str]] | None = None
    threshold: float | None = None
    activation: str | None = None


def pixels(size: tuple[int, int] = (32, 24), *, quantized: bool = False) -> bytes:
    """Return a network whose output is its image: [1, height, width, 3] -> [1, values], uint8 if `quantized`.

    Args:
        size: width and height.
        quantized: the image's values are its pixels; else floats.
    """
    width, height = size
    kind = ("uint8", Quantization((1 / 255,), (0,))) if quantized else ("float32", None)
    writer = ModelWriter()
    image = writer.tensor("image", (1, height, width, 3), *kind)
    values = writer.tensor("values", (1, 3 * width * height), *kind)
    shape = writer.constant("shape", np.array([1, 3 * width * height], np.int32))
    writer.node("RESHAPE", [image, shape], [values])
    return writer.finish([image], [values])


def described(model: bytes, about: ImageFile, output: str = "probability") -> bytes:
    """Return a network of one image and one output with metadata."""
    schema = metadata.schema()
    units = schema.ProcessUnitOptions
    normalization = schema.NormalizationOptionsT([about.mean], [about.std])
    image = schema.TensorMetadataT(
        "image", processUnits=[schema.ProcessUnitT(units.NormalizationOptions, normalization)]
    )
    result = schema.TensorMetadataT(output)
    files = {
        f"labels{'-' if locale else ''}{locale}.txt": "\n".join(names).encode()
        for locale, names in (about.labels or {}).items()
    }
    kind = schema.AssociatedFileType.TENSOR_AXIS_LABELS
    result.associatedFiles = [
        schema.AssociatedFileT(name, type=kind, locale=locale or None)
        for name, locale in zip(files, about.labels or {}, strict=True)
    ]
    if about.threshold is not None:
        options = schema.ScoreThresholdingOptionsT(about.threshold)
        result.processUnits = [schema.ProcessUnitT(units.ScoreThresholdingOptions, options)]
    subgraph = schema.SubGraphMetadataT(inputTensorMetadata=[image], outputTensorMetadata=[result])
    if about.activation is not None:
        subgraph.customMetadata = [schema.CustomMetadataT("SEGMENTER_METADATA", list(_segmenter(about.activation)))]
    return metadata.with_metadata(model, schema.ModelMetadataT("image", subgraphMetadata=[subgraph]), files)


def _segmenter(activation: str) -> bytes:
    segmenter = metadata.schema("image_segmenter_metadata_schema")
    options = segmenter.ImageSegmenterOptionsT(ACTIVATIONS.index(activation))
    return metadata.packed(options, b"V001")
