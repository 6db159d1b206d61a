"""SSDs of seeded weights, float and int8, and the metadata that TFLite's writer adds to detectors."""

from collections.abc import Sequence

import numpy as np
from flatbuffers import flexbuffers

from web_tests.models import metadata
from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.recipes import SEED, Array

SAME = 0
# Names of the outputs in TFLite Metadata.
OUTPUTS = ("location", "category", "score", "number of detections")
# Positions of left, top, right and bottom in the boxes of TFLite_Detection_PostProcess.
ORDER = (1, 0, 3, 2)
PIXELS = 1 / 127.5
# The scale of the int8 model's scores.
SCORE_STEP = 1 / 256


def ssd(*, quantized: bool = False) -> bytes:
    """Return an SSD with TFLite_Detection_PostProcess.

    f32[1,32,32,3] -> boxes [1,10,4], classes [1,10], scores [1,10], count [1]. 4 x 4 cells have
    two anchors each; two classes and the background. Quantized, the image is uint8 and the layers
    are int8 up to the post-processing, as in converted EfficientDets.
    """
    random = np.random.default_rng(SEED)
    writer = ModelWriter()
    image = writer.tensor("image", (1, 32, 32, 3), *_if(quantized, "uint8", PIXELS, 127))
    seen = image
    if quantized:
        seen = writer.tensor("image_int8", (1, 32, 32, 3), "int8", Quantization((PIXELS,), (-1,)))
        writer.node("QUANTIZE", [image], [seen])
    heads = []
    # The first anchor of a cell leans to the first class, the second to the second.
    leanings = {"boxes": random.normal(0, 0.3, 8), "logits": np.array([0, 0.5, -1, 0, -1, 1])}
    for name, numbers in (("boxes", 4), ("logits", 3)):
        weights = random.normal(0, 0.08, (2 * numbers, 8, 8, 3)).astype(np.float32)
        filters, bias = _filters(writer, name, weights, leanings[name].astype(np.float32), quantized=quantized)
        int8 = _if(quantized, "int8", 1 / 24, 0)
        cells = writer.tensor(f"{name}_cells", (1, 4, 4, 2 * numbers), *int8)
        rows = writer.tensor(name, (1, 32, numbers), *int8)
        options = {"padding": SAME, "strideH": 8, "strideW": 8}
        writer.node("CONV_2D", [seen, filters, bias], [cells], options, version=3 if quantized else 1)
        shape = writer.constant(f"{name}_shape", np.array([1, 32, numbers], np.int32))
        writer.node("RESHAPE", [cells, shape], [rows])
        heads.append(rows)
    scores = writer.tensor("class_scores", (1, 32, 3), *_if(quantized, "int8", SCORE_STEP, -128))
    writer.node("LOGISTIC", [heads[1]], [scores], version=2 if quantized else 1)
    found = [
        writer.tensor(name, shape)
        for name, shape in (("boxes_found", (1, 10, 4)), ("classes", (1, 10)), ("scores", (1, 10)), ("count", (1,)))
    ]
    read = [heads[0], scores]
    if quantized:
        read = [_dequantized(writer, "boxes", heads[0], 4), _dequantized(writer, "class_scores", scores, 3)]
    anchors = writer.constant("anchors", _anchors())
    writer.node("TFLite_Detection_PostProcess", [*read, anchors], found, _post_processing())
    return writer.finish([image], found)


def _if(quantized: bool, dtype: str, scale: float, zero_point: int) -> tuple[str, Quantization | None]:
    return (dtype, Quantization((scale,), (zero_point,))) if quantized else ("float32", None)


def _filters(writer: ModelWriter, name: str, weights: Array, bias: Array, *, quantized: bool) -> tuple[int, int]:
    """Return the filters and the bias of a convolution; quantized, with a scale for each output channel."""
    if not quantized:
        return writer.constant(f"{name}_filters", weights), writer.constant(f"{name}_bias", bias)
    scales = np.abs(weights).max(axis=(1, 2, 3)) / 127
    steps = np.round(weights / scales[:, None, None, None]).astype(np.int8)
    filters = writer.constant(f"{name}_filters", steps, Quantization(tuple(scales.tolist())))
    bias_scales = scales * np.float32(PIXELS)
    bias_steps = np.round(bias / bias_scales).astype(np.int32)
    return filters, writer.constant(f"{name}_bias", bias_steps, Quantization(tuple(bias_scales.tolist())))


def _dequantized(writer: ModelWriter, name: str, index: int, numbers: int) -> int:
    output = writer.tensor(f"{name}_float", (1, 32, numbers))
    writer.node("DEQUANTIZE", [index], [output], version=2)
    return output


def _anchors() -> Array:
    """Return the middle (y, x), height and width of two anchors for each of 4 x 4 cells."""
    y, x = np.mgrid[:4, :4]
    centers = np.repeat(np.stack([y, x], axis=-1).reshape(-1, 2) / 4 + 0.125, 2, axis=0)
    sizes = np.tile([[0.25, 0.25], [0.4, 0.2]], (16, 1))
    anchors: Array = np.concatenate([centers, sizes], axis=1).astype(np.float32)
    return anchors


def _post_processing() -> bytes:
    settings = {
        "max_detections": 10,
        "max_classes_per_detection": 1,
        "detections_per_class": 10,
        "use_regular_nms": False,
        "nms_score_threshold": 0.3,
        "nms_iou_threshold": 0.5,
        "num_classes": 2,
        "y_scale": 10.0,
        "x_scale": 10.0,
        "h_scale": 5.0,
        "w_scale": 5.0,
    }
    return bytes(flexbuffers.Dumps(settings))


def described(model: bytes, order: Sequence[int] | None = ORDER, threshold: float | None = None) -> bytes:
    """Return a detector with metadata: floats from -1 to 1, and labels for three classes.

    Args:
        model: a .tflite file with the four outputs of TFLite_Detection_PostProcess.
        order: positions of left, top, right and bottom in a box; None leaves it out.
        threshold: of the scores; None leaves it out.
    """
    schema = metadata.schema()
    units = schema.ProcessUnitOptions
    normalization = schema.ProcessUnitT(units.NormalizationOptions, schema.NormalizationOptionsT([127.5], [127.5]))
    types = schema.BoundingBoxType, schema.CoordinateType
    box = schema.BoundingBoxPropertiesT(None if order is None else list(order), types[0].BOUNDARIES, types[1].RATIO)
    labels = schema.AssociatedFileT("labels.txt", type=schema.AssociatedFileType.TENSOR_VALUE_LABELS)
    tensors = [schema.TensorMetadataT(name) for name in OUTPUTS]
    tensors[0].content = schema.ContentT(schema.ContentProperties.BoundingBoxProperties, box)
    tensors[1].associatedFiles = [labels]
    if threshold is not None:
        options = schema.ScoreThresholdingOptionsT(threshold)
        tensors[2].processUnits = [schema.ProcessUnitT(units.ScoreThresholdingOptions, options)]
    subgraph = schema.SubGraphMetadataT(
        inputTensorMetadata=[schema.TensorMetadataT("image", processUnits=[normalization])],
        outputTensorMetadata=tensors,
    )
    about = schema.ModelMetadataT("boxes", subgraphMetadata=[subgraph])
    return metadata.with_metadata(model, about, {"labels.txt": b"cat\ndog\nbird"})
