"""Small networks with what today's converters write: composites, open batches, signatures, int4 weights."""

from collections.abc import Callable
from typing import Any

import numpy as np

from web_tests.models.model_writer import NO_TENSOR, ModelWriter, Quantization
from web_tests.models.recipes import SEED, Array

WIDTH = 16
# flexbuffers' empty map: composite attributes that say nothing.
NO_ATTRIBUTES = np.array([0, 0, 1, 4, 2, 36, 1], np.uint8)


def rows(count: int, width: int = WIDTH) -> Array:
    """Return an input of float32 values [count, width]."""
    return np.random.default_rng(SEED).normal(size=(count, width)).astype(np.float32)


def dense(writer: ModelWriter, x: int, count: int, name: str, *, width: int = WIDTH) -> int:
    """Add a FULLY_CONNECTED node without bias, [count, width] -> [count, width], and return its output."""
    weights = np.random.default_rng(SEED + len(name)).normal(0, width**-0.5, (width, width)).astype(np.float32)
    y = writer.tensor(name, (count, width))
    operands = [x, writer.constant(f"{name}_weights", weights), NO_TENSOR]
    writer.node("FULLY_CONNECTED", operands, [y])
    return y


def composite(name: str, subgraph: int) -> Any:
    """Return the options of a STABLEHLO_COMPOSITE with this decomposition."""
    return {"name": name, "decompositionSubgraphIndex": subgraph, "compositeAttributes": NO_ATTRIBUTES}


def rms_norm(main: ModelWriter, count: int) -> None:
    """Add the subgraph x * rsqrt(mean(x^2) + epsilon) * weights, as litert-torch writes it."""
    body = main.subgraph()
    x, weights = body.tensor("x", (count, WIDTH)), body.tensor("weights", (WIDTH,))
    square, scaled, y = (body.tensor(name, (count, WIDTH)) for name in ("square", "scaled", "y"))
    mean, moved, root = (body.tensor(name, (count, 1)) for name in ("mean", "moved", "root"))
    body.node("MUL", [x, x], [square])
    axes = body.constant("axes", np.array([1], np.int32))
    body.node("MEAN", [square, axes], [mean], {"keepDims": True})
    epsilon = body.constant("epsilon", np.array(1e-6, np.float32))
    body.node("ADD", [mean, epsilon], [moved])
    body.node("RSQRT", [moved], [root])
    body.node("MUL", [x, root], [scaled])
    body.node("MUL", [scaled, weights], [y])
    body.end([x, weights], [y])


def composites(count: int = 6) -> bytes:
    """Return f32[count,16] -> f32[count,16]: dense, rms_norm, and a block with a dense layer and another rms_norm."""
    random = np.random.default_rng(SEED)
    main = ModelWriter()
    rms_norm(main, count)
    block = main.subgraph()
    x, weights, y = (
        block.tensor("x", (count, WIDTH)),
        block.tensor("weights", (WIDTH,)),
        block.tensor("y", (count, WIDTH)),
    )
    hidden = dense(block, x, count, "hidden")
    block.node("STABLEHLO_COMPOSITE", [hidden, weights], [y], composite("odml.rms_norm", 1))
    block.end([x, weights], [y])
    first = main.tensor("x", (count, WIDTH))
    values = dense(main, first, count, "first")
    for name, subgraph in (("odml.rms_norm", 1), ("test.block", 2), ("odml.rms_norm", 1)):
        scales = main.constant(f"scales_{values}", random.uniform(0.5, 2, WIDTH).astype(np.float32))
        result = main.tensor(f"{name}_{values}", (count, WIDTH))
        main.node("STABLEHLO_COMPOSITE", [values, scales], [result], composite(name, subgraph))
        values = result
    return main.finish([first], [values])


def kept_composite(count: int = 6) -> bytes:
    """Return f32[count,16] -> 2 f32[count,16]: a composite returns the sine of its input, and the input."""
    main = ModelWriter()
    body = main.subgraph()
    x, sine = body.tensor("x", (count, WIDTH)), body.tensor("sine", (count, WIDTH))
    body.node("SIN", [x], [sine])
    body.end([x], [sine, x])
    first = main.tensor("x", (count, WIDTH))
    values = dense(main, first, count, "values")
    sine, same = main.tensor("sine", (count, WIDTH)), main.tensor("same", (count, WIDTH))
    main.node("STABLEHLO_COMPOSITE", [values], [sine, same], composite("test.both", 1))
    return main.finish([first], [sine, dense(main, same, count, "last")])


def _size_of(writer: ModelWriter, x: int, axis: int, op: str) -> int:
    """Add SHAPE and a slice of it: SLICE returns int32[1], STRIDED_SLICE a scalar."""
    shape = writer.tensor(f"shape_{x}_{axis}", (4,), "int32")
    writer.node("SHAPE", [x], [shape], {"outType": 2})
    size = writer.tensor(f"size_{x}_{axis}", (1,) if op == "SLICE" else (), "int32")
    begin, end, one = (
        writer.constant(f"{name}_{x}_{axis}", np.array([value], np.int32))
        for name, value in (("begin", axis), ("end", axis + 1), ("one", 1))
    )
    if op == "SLICE":
        writer.node("SLICE", [shape, begin, one], [size])
    else:
        options = {"shrinkAxisMask": 1}
        writer.node("STRIDED_SLICE", [shape, begin, end, one], [size], options)
    return size


def _arithmetic(writer: ModelWriter, op: str, x: int, value: int) -> int:
    y = writer.tensor(f"{op}_{x}", (), "int32")
    operand = writer.constant(f"{op}_{x}_operand", np.array(value, np.int32))
    writer.node(op, [x, operand], [y])
    return y


def split_shape() -> bytes:
    """Return f32[-1,4,6] -> f32[-1,24]: its shape is split, one part is empty, and put together again."""
    writer = ModelWriter()
    x, flat, y = writer.tensor("x", (1, 4, 6)), writer.tensor("flat", (1, 24)), writer.tensor("y", (1, 24))
    parts = [writer.tensor(f"part{index}", (size,), "int32") for index, size in enumerate((1, 2, 0))]
    height, width, pixels = (writer.tensor(name, (), "int32") for name in ("height", "width", "pixels"))
    shape, packed, target = (writer.tensor(f"shape{index}", (size,), "int32") for index, size in enumerate((3, 1, 2)))
    sizes, axis = (
        writer.constant("sizes", np.array([1, 2, 0], np.int32)),
        writer.constant("axis", np.array(0, np.int32)),
    )
    writer.node("SHAPE", [x], [shape], {"outType": 2})
    writer.node("SPLIT_V", [shape, sizes, axis], parts, {"numSplits": 3})
    writer.node("UNPACK", [parts[1]], [height, width], {"num": 2})
    writer.node("MUL", [height, width], [pixels])
    writer.node("PACK", [pixels], [packed], {"valuesCount": 1})
    writer.node("CONCATENATION", [parts[0], packed, parts[2]], [target])
    writer.node("RESHAPE", [x, target], [flat])
    writer.node("SIN", [flat], [y])
    for tensor in (x, flat, y):
        writer.open_dimensions(tensor, [0])
    return writer.finish([x], [y])


def computed_result() -> bytes:
    """Return f32[6] -> f32[2,3], the sine: the file has the result of a node, as onnx2tf leaves it."""
    writer = ModelWriter()
    x, grid, y = writer.tensor("x", (6,)), writer.tensor("grid", (2, 3)), writer.tensor("y", (2, 3))
    parts = [writer.constant(f"part{size}", np.array([size], np.int32)) for size in (2, 3)]
    shape = writer.constant("shape", np.array([2, 3], np.int32))
    writer.node("CONCATENATION", parts, [shape])
    writer.node("RESHAPE", [x, shape], [grid])
    writer.node("SIN", [grid], [y])
    return writer.finish([x], [y])


def written_state(steps: int = 3, first_state: Array | None = None) -> bytes:
    """Return x f32[steps,2,16], first f32[32] -> each step's result, f32[32] the last one.

    A node writes the state of an RNN, and another one reads it afterwards, as onnx2tf does it. With a `first_state`
    f32[32] the file has it, and it is no input.
    """
    random = np.random.default_rng(SEED)
    writer = ModelWriter()
    x = writer.tensor("x", (steps, 2, WIDTH))
    first = writer.tensor("first", (2 * WIDTH,)) if first_state is None else writer.constant("first", first_state)
    scaled, y = writer.tensor("scaled", (steps, 2, WIDTH)), writer.tensor("y", (steps, 2, WIDTH))
    state, last = writer.variable("state", (2, WIDTH)), writer.tensor("last", (2 * WIDTH,))
    matrices = [random.normal(0, 0.3, (WIDTH, WIDTH)).astype(np.float32) for _ in range(2)]
    weights = [writer.constant(f"weights{index}", matrix) for index, matrix in enumerate(matrices)]
    bias = writer.constant("bias", np.zeros(WIDTH, np.float32))
    shapes = [
        writer.constant(f"shape{index}", np.array(shape, np.int32))
        for index, shape in enumerate(([2, WIDTH], [2 * WIDTH]))
    ]
    options = {"timeMajor": True, "fusedActivationFunction": 4}
    writer.node("LOGISTIC", [x], [scaled])
    writer.node("RESHAPE", [first, shapes[0]], [state])
    writer.node("UNIDIRECTIONAL_SEQUENCE_RNN", [scaled, *weights, bias, state], [y], options)
    writer.node("RESHAPE", [state, shapes[1]], [last])
    return writer.finish([x, first] if first_state is None else [x], [y, last])


def open_batch() -> bytes:
    """Return f32[-1,4,4,2] -> f32[-1,10,10,3]: a flattening and a transposed convolution, both to computed shapes.

    The chains are SHAPE, SLICE, CONCATENATION, RESHAPE, and SHAPE, STRIDED_SLICE, arithmetic, PACK, TRANSPOSE_CONV.
    """
    random = np.random.default_rng(SEED)
    writer = ModelWriter()
    x, flat, wide = writer.tensor("x", (1, 4, 4, 2)), writer.tensor("flat", (1, 32)), writer.tensor("wide", (1, 32))
    batch = _size_of(writer, x, 0, "SLICE")
    shape = writer.tensor("flat_shape", (2,), "int32")
    remainder = writer.constant("remainder", np.array([32], np.int32))
    writer.node("CONCATENATION", [batch, remainder], [shape])
    writer.node("RESHAPE", [x, shape], [flat])
    weights = random.normal(0, 0.2, (32, 32)).astype(np.float32)
    operands = [flat, writer.constant("weights", weights), NO_TENSOR]
    writer.node("FULLY_CONNECTED", operands, [wide])
    image, y = writer.tensor("image", (1, 4, 4, 2)), writer.tensor("y", (1, 10, 10, 3))
    writer.node("RESHAPE", [wide, writer.constant("image_shape", np.array([-1, 4, 4, 2], np.int32))], [image])
    height = _arithmetic(writer, "ADD", _arithmetic(writer, "MUL", _size_of(writer, image, 1, "STRIDED_SLICE"), 2), 2)
    width = _arithmetic(writer, "SUB", _arithmetic(writer, "FLOOR_DIV", height, 1), 0)
    sizes = [
        _size_of(writer, image, 0, "STRIDED_SLICE"),
        height,
        width,
        writer.constant("three", np.array(3, np.int32)),
    ]
    packed = writer.tensor("packed", (4,), "int32")
    writer.node("PACK", sizes, [packed], {"valuesCount": 4})
    filters = writer.constant("filters", random.normal(0, 0.3, (3, 4, 4, 2)).astype(np.float32))
    strides = {"padding": 1, "strideH": 2, "strideW": 2}
    writer.node("TRANSPOSE_CONV", [packed, filters, image], [y], strides)
    for tensor in (x, flat, wide, image, y):
        writer.open_dimensions(tensor, [0])
    return writer.finish([x], [y])


def two_signatures(count: int = 4) -> bytes:
    """Return a model with the signatures `prefill` and `decode`, as language models have them.

    prefill: x f32[count,16] -> cache f32[count,16]. decode, in another subgraph: x f32[1,16], cache f32[count,16] ->
    y f32[1,16], grown f32[count+1,16].
    """
    main = ModelWriter()
    body = main.subgraph()
    token, cache = body.tensor("x", (1, WIDTH)), body.tensor("cache", (count, WIDTH))
    value = dense(body, token, 1, "value")
    grown = body.tensor("grown", (count + 1, WIDTH))
    body.node("CONCATENATION", [cache, value], [grown])
    mean, y = body.tensor("mean", (1, WIDTH)), body.tensor("y", (1, WIDTH))
    axes = body.constant("axes", np.array([0], np.int32))
    body.node("MEAN", [grown, axes], [mean], {"keepDims": True})
    body.node("ADD", [value, mean], [y])
    body.end([token, cache], [y, grown], signature="decode")
    x, filled = main.tensor("x", (count, WIDTH)), main.tensor("cache", (count, WIDTH))
    main.node("TANH", [dense(main, x, count, "values")], [filled])
    return main.finish([x], [filled], signature="prefill")


def int4_weights(layers: int = 3) -> bytes:
    """Return f32[5,16] -> f32[5,16]: dense layers whose int4 weights, with a scale per channel, are dequantized."""
    random = np.random.default_rng(SEED)
    writer = ModelWriter()
    values = first = writer.tensor("x", (5, WIDTH))
    for layer in range(layers):
        steps = random.integers(-8, 8, (WIDTH, WIDTH)).astype(np.int8)
        scales = Quantization(tuple(random.uniform(0.02, 0.1, WIDTH).tolist()), (0,), 0)
        stored = writer.int4_constant(f"steps_{layer}", steps, scales)
        weights, y = writer.tensor(f"weights_{layer}", steps.shape), writer.tensor(f"y_{layer}", (5, WIDTH))
        writer.node("DEQUANTIZE", [stored], [weights], version=6)
        writer.node("FULLY_CONNECTED", [values, weights, NO_TENSOR], [y])
        values = y
    return writer.finish([first], [values])


def int4_blocks(size: int = 32) -> bytes:
    """Return i32[3] -> f32[3,64]: an EMBEDDING_LOOKUP of 10 rows and a dense layer, both with int4 in blocks."""
    random = np.random.default_rng(SEED)
    writer = ModelWriter()
    depth = 2 * size

    def stored(name: str, count: int) -> int:
        scales = random.uniform(0.02, 0.1, (count, 2)).astype(np.float16)
        return writer.int4_blocks(name, random.integers(-8, 8, (count, depth)).astype(np.int8), scales)

    return _lookup_and_dense(writer, depth, stored, versions=(4, 13))


def int2_weights() -> bytes:
    """Return i32[3] -> f32[3,16]: an EMBEDDING_LOOKUP of 10 rows and a dense layer, both int2 with scales per row."""
    random = np.random.default_rng(SEED)
    writer = ModelWriter()

    def stored(name: str, count: int) -> int:
        scales = Quantization(tuple(random.uniform(0.02, 0.1, count).tolist()), (0,), 0)
        return writer.int2_constant(name, random.integers(-2, 2, (count, WIDTH)).astype(np.int8), scales)

    return _lookup_and_dense(writer, WIDTH, stored, versions=(5, 14))


def _lookup_and_dense(
    writer: ModelWriter, depth: int, stored: Callable[[str, int], int], versions: tuple[int, int]
) -> bytes:
    """Return the model; `stored` adds a constant of so many rows."""
    tokens = writer.tensor("tokens", (3,), "int32")
    rows_of, y = writer.tensor("rows", (3, depth)), writer.tensor("y", (3, depth))
    writer.node("EMBEDDING_LOOKUP", [tokens, stored("table", 10)], [rows_of], version=versions[0])
    operands = [rows_of, stored("weights", depth), NO_TENSOR]
    writer.node("FULLY_CONNECTED", operands, [y], version=versions[1])
    return writer.finish([tokens], [y])
