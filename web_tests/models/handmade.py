"""Small models built in memory: the classic partition example, a tiny network, unknown custom ops, damaged files."""

import io
import json
import zipfile
from collections.abc import Sequence

import numpy as np

from web_tests.models.model_writer import NO_TENSOR, ModelWriter, Quantization
from web_tests.models.recipes import SEED, Array

RELU6 = 3
SAME = 0


def sin_example(length: int = 8) -> bytes:
    """Return f(x) = sin(x) + x + sin(2x) over a vector, as the nodes SIN, ADD, MUL, SIN, ADD."""
    writer = ModelWriter()
    shape = (length,)
    x = writer.tensor("x", shape)
    two = writer.constant("two", np.array(2, dtype=np.float32))
    sin_x, sum_x, double_x, sin_double_x, y = (
        writer.tensor(name, shape) for name in ("sin_x", "sin_x_plus_x", "double_x", "sin_double_x", "y")
    )
    writer.node("SIN", [x], [sin_x])
    writer.node("ADD", [sin_x, x], [sum_x])
    writer.node("MUL", [x, two], [double_x])
    writer.node("SIN", [double_x], [sin_double_x])
    writer.node("ADD", [sum_x, sin_double_x], [y])
    return writer.finish([x], [y])


def sin_example_output(x: Array) -> Array:
    """Return the result of `sin_example`, in float64."""
    wide = x.astype(np.float64)
    result: Array = np.sin(wide) + wide + np.sin(2 * wide)
    return result


def tiny_network(batch: int = 1, *, channels: int = 8) -> bytes:
    """Return a classifier f32[batch,16,16,3] -> f32[batch,5]: convolution, mean over the image, dense, softmax."""
    random = np.random.default_rng(SEED)
    writer = ModelWriter()
    image = writer.tensor("image", (batch, 16, 16, 3))
    filters = writer.constant("filters", random.normal(0, 0.3, (channels, 3, 3, 3)).astype(np.float32))
    bias = writer.constant("bias", random.normal(0, 0.1, channels).astype(np.float32))
    features = writer.tensor("features", (batch, 8, 8, channels))
    window = {"padding": SAME, "strideH": 2, "strideW": 2, "fusedActivationFunction": RELU6}
    writer.node("CONV_2D", [image, filters, bias], [features], window)
    axes = writer.constant("axes", np.array([1, 2], dtype=np.int32))
    means = writer.tensor("means", (batch, channels))
    writer.node("MEAN", [features, axes], [means], {"keepDims": False})
    weights = writer.constant("weights", random.normal(0, 0.5, (5, channels)).astype(np.float32))
    logits = writer.tensor("logits", (batch, 5))
    writer.node("FULLY_CONNECTED", [means, weights, -1], [logits])
    scores = writer.tensor("scores", (batch, 5))
    writer.node("SOFTMAX", [logits], [scores], {"beta": 1.0})
    return writer.finish([image], [scores])


def wide_network() -> bytes:
    """Return the same classifier with so many channels that it is faster on WebNN, by the delegate's estimate."""
    return tiny_network(channels=8192)


def inverted_image(side: int) -> bytes:
    """Return NEG of an image f32[1,side,side,3] with values in [-1, 1]."""
    writer = ModelWriter()
    x, y = (writer.tensor(name, (1, side, side, 3)) for name in ("x", "y"))
    writer.node("NEG", [x], [y])
    return writer.finish([x], [y])


def sum_of_two(dtype: str = "int32", shape: Sequence[int] = (1,)) -> bytes:
    """Return a model that adds its inputs `a` and `b`."""
    writer = ModelWriter()
    a, b, total = (writer.tensor(name, shape, dtype) for name in ("a", "b", "sum"))
    writer.node("ADD", [a, b], [total])
    return writer.finish([a, b], [total])


def flattened(dtype: str) -> bytes:
    """Return a model that reshapes its input `x`, a matrix of 2 x 3, into the vector `y`: RESHAPE has every type."""
    writer = ModelWriter()
    x, y = writer.tensor("x", (2, 3), dtype), writer.tensor("y", (6,), dtype)
    writer.node("RESHAPE", [x, writer.constant("shape", np.array([6], np.int32))], [y])
    return writer.finish([x], [y])


def yolo_export(boxes: int = 100, *, side: int = 320) -> bytes:
    """Return what Ultralytics exports of a detector of 80 classes, with random weights and the metadata of its exports.

    f32[1,3,side,side] -> f32[1,84,boxes]: center, width and height in pixels, then the scores. `side` is a multiple
    of 32.
    """
    cells = side // 32
    size = 3 * cells**2
    random = np.random.default_rng(SEED)
    writer = ModelWriter()
    image, rows = writer.tensor("images", (1, 3, side, side)), writer.tensor("rows", (1, side, side, 3))
    patches, flat = writer.tensor("patches", (1, cells, cells, 3)), writer.tensor("flat", (1, size))
    dense, grid = writer.tensor("dense", (1, 84 * boxes)), writer.tensor("grid", (1, 84, boxes))
    shares, found = writer.tensor("shares", (1, 84, boxes)), writer.tensor("output0", (1, 84, boxes))
    pool = {"padding": 1, "strideW": 32, "strideH": 32, "filterWidth": 32, "filterHeight": 32}
    weights = random.normal(0, 0.35, (84 * boxes, size)).astype(np.float32)
    bias = np.repeat(np.where(np.arange(84) < 4, 0, -4), boxes).astype(np.float32)
    scale = np.where(np.arange(84) < 4, side, 1).astype(np.float32).reshape(1, 84, 1)
    writer.node("TRANSPOSE", [image, writer.constant("order", np.array([0, 2, 3, 1], np.int32))], [rows])
    writer.node("AVERAGE_POOL_2D", [rows], [patches], pool)
    writer.node("RESHAPE", [patches, writer.constant("flat_shape", np.array([1, size], np.int32))], [flat])
    operands = [flat, writer.constant("weights", weights), writer.constant("bias", bias)]
    writer.node("FULLY_CONNECTED", operands, [dense])
    writer.node("RESHAPE", [dense, writer.constant("grid_shape", np.array([1, 84, boxes], np.int32))], [grid])
    writer.node("LOGISTIC", [grid], [shares])
    writer.node("MUL", [shares, writer.constant("scale", scale)], [found])
    names = {str(index): f"class {index}" for index in range(80)}
    metadata = {"task": "detect", "batch": 1, "imgsz": [side, side], "stride": 32, "names": names, "channels": 3}
    file = io.BytesIO(writer.finish([image], [found], signature="serving_default"))
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("metadata.json", json.dumps(metadata))
    return file.getvalue()


def quantized_sine() -> bytes:
    """Return `sine`, sin(x) of four floats, and `steps`, the same as int8 with Quantization((1 / 64,), (-3,))."""
    writer = ModelWriter()
    x, sine = writer.tensor("x", (4,)), writer.tensor("sine", (4,))
    steps = writer.tensor("steps", (4,), "int8", Quantization((1 / 64,), (-3,)))
    writer.node("SIN", [x], [sine])
    writer.node("QUANTIZE", [sine], [steps])
    return writer.finish([x], [sine, steps], signature="main")


def positives() -> bytes:
    """Return `indices`, those of x's positive values: their number is known only after the run."""
    writer = ModelWriter()
    x, is_positive = writer.tensor("x", (6,)), writer.tensor("is_positive", (6,), "bool")
    indices = writer.tensor("indices", (1, 1), "int64")
    zero = writer.constant("zero", np.zeros(1, np.float32))
    writer.node("GREATER", [x, zero], [is_positive])
    writer.node("WHERE", [is_positive], [indices])
    return writer.finish([x], [indices])


def dense_stack(layers: int, units: int) -> bytes:
    """Return `layers` FULLY_CONNECTED nodes over a vector of `units` floats: 4 * layers * units^2 bytes of weights."""
    random = np.random.default_rng(SEED)
    writer = ModelWriter()
    values = first = writer.tensor("x", (1, units))
    for layer in range(layers):
        weights = random.standard_normal((units, units), dtype=np.float32) / np.float32(np.sqrt(units))
        stored = writer.constant(f"weights{layer}", weights)
        result = writer.tensor(f"y{layer}", (1, units))
        writer.node("FULLY_CONNECTED", [values, stored, NO_TENSOR], [result])
        values = result
    return writer.finish([first], [values])


def wide_layer(units: int, depth: int) -> bytes:
    """Return one FULLY_CONNECTED node f32[1,depth] -> f32[1,units] with a bias: 4 * units * depth bytes of weights."""
    random = np.random.default_rng(SEED)
    writer = ModelWriter()
    x, y = writer.tensor("x", (1, depth)), writer.tensor("y", (1, units))
    weights = writer.constant("weights", random.standard_normal((units, depth), dtype=np.float32))
    bias = writer.constant("bias", random.standard_normal(units, dtype=np.float32))
    writer.node("FULLY_CONNECTED", [x, weights, bias], [y])
    return writer.finish([x], [y])


def embedding(rows: int, depth: int) -> bytes:
    """Return a look-up of two rows, and their sines: i32[2] -> f32[2,depth]; row r of the table is r, r + 1, ..."""
    writer = ModelWriter()
    values = np.arange(rows, dtype=np.float32)[:, None] + np.arange(depth, dtype=np.float32)
    ids, found, y = (
        writer.tensor("ids", (2,), "int32"),
        writer.tensor("found", (2, depth)),
        writer.tensor("y", (2, depth)),
    )
    table = writer.constant("table", values)
    writer.node("GATHER", [table, ids], [found], {"axis": 0})
    writer.node("SIN", [found], [y])
    return writer.finish([ids], [y])


def custom_op_model(op: str) -> bytes:
    """Return a model whose only node is a custom op, for example FlexErf or edgetpu-custom-op."""
    writer = ModelWriter()
    x = writer.tensor("x", (1, 4))
    y = writer.tensor("y", (1, 4))
    writer.node(op, [x], [y], b"\0")
    return writer.finish([x], [y])


def out_of_order() -> bytes:
    """Return a model whose first node reads the output of its second node."""
    writer = ModelWriter()
    x, early, y = (writer.tensor(name, (4,)) for name in ("x", "early", "y"))
    writer.node("SIN", [early], [y])
    writer.node("COS", [x], [early])
    return writer.finish([x], [y])


def truncated(content: bytes, fraction: float = 0.6) -> bytes:
    """Return the first part of a model file, as an aborted download leaves it."""
    return content[: int(len(content) * fraction)]


def zeros(size_bytes: int = 4096) -> bytes:
    return bytes(size_bytes)
