"""Models of which one thing is there `size` times."""

import itertools
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from web_tests.models import metadata
from web_tests.models.converted import composite
from web_tests.models.model_writer import ModelWriter, Quantization

SHAPE = (1, 4)
INT8 = Quantization((0.05,), (1,))
ONES = np.ones(SHAPE, np.float32)


def nodes(size: int) -> bytes:
    """Return a chain of ADD, each with a constant of its own."""
    return _chain(size, lambda writer, x, y: writer.node("ADD", [x, writer.constant("c", ONES)], [y]))


def partitions(size: int) -> bytes:
    """Return a chain in which each second node stays on TFLite's kernels."""

    def link(writer: ModelWriter, x: int, y: int) -> None:
        sums = writer.tensor("sums", SHAPE)
        writer.node("CUMSUM", [x, writer.constant("axis", np.array(1, np.int32))], [sums])
        writer.node("NEG", [sums], [y])

    return _chain(size // 2, link)


def quantized_nodes(size: int) -> bytes:
    """Return a chain of ADD in int8 that keeps leaving int8."""

    def link(writer: ModelWriter, x: int, y: int) -> None:
        real, total = writer.tensor("real", SHAPE), writer.tensor("total", SHAPE)
        writer.node("DEQUANTIZE", [x], [real])
        writer.node("ADD", [real, real], [total])
        writer.node("QUANTIZE", [total], [y])

    return _chain(size // 3, link, "int8", INT8)


def float16_weights(size: int) -> bytes:
    """Return a chain of layers with weights in float16."""

    def link(writer: ModelWriter, x: int, y: int) -> None:
        writer.node("FULLY_CONNECTED", [x, writer.half_constant("w", np.eye(4, dtype=np.float32)), -1], [y])

    return _chain(size // 2, link)


def computed_shapes(size: int) -> bytes:
    """Return a chain of RESHAPE to the shape that SHAPE returns."""

    def link(writer: ModelWriter, x: int, y: int) -> None:
        shape = writer.tensor("shape", (2,), "int32")
        writer.node("SHAPE", [x], [shape], {"outType": 2})
        writer.node("RESHAPE", [x, shape], [y])

    return _chain(size // 2, link)


def repeated_operands(size: int) -> bytes:
    """Return a chain of products by a factor that BROADCAST_TO repeats."""

    def link(writer: ModelWriter, x: int, y: int) -> None:
        parts = [writer.tensor(name, shape) for name, shape in _FACTOR_SHAPES.items()]
        factor = writer.constant("factor", np.ones((1, 1, 1, 2, 2), np.float32))
        writer.node("MUL", [factor, writer.constant("one", np.array(1, np.float32))], [parts[0]])
        writer.node("BROADCAST_TO", [parts[0], _ints(writer, 1, 1, 2, 2, 2)], [parts[1]], version=2)
        writer.node("RESHAPE", [parts[1], _ints(writer, 1, 2, 2, 2)], [parts[2]])
        writer.node("RESHAPE", [x, _ints(writer, 1, 2, 1, 2)], [parts[3]])
        writer.node("BATCH_MATMUL", [parts[3], parts[2]], [parts[4]])
        writer.node("RESHAPE", [parts[4], _ints(writer, *SHAPE)], [y])

    return _chain(size // 6, link)


def normalizations(size: int) -> bytes:
    """Return a chain of layer normalizations, which are lowered as one."""

    def link(writer: ModelWriter, x: int, y: int) -> None:
        mean, variance, total, root, factor, left = (writer.tensor(name, (1, 1)) for name in _COLUMNS)
        squares, product = writer.tensor("squares", SHAPE), writer.tensor("product", SHAPE)
        axis = _ints(writer, 1)
        writer.node("MEAN", [x, axis], [mean], {"keepDims": True})
        writer.node("SQUARED_DIFFERENCE", [x, mean], [squares])
        writer.node("MEAN", [squares, axis], [variance], {"keepDims": True})
        writer.node("ADD", [variance, writer.constant("epsilon", np.array(1e-3, np.float32))], [total])
        writer.node("RSQRT", [total], [root])
        writer.node("MUL", [x, root], [product])
        writer.node("MUL", [mean, root], [factor])
        writer.node("SUB", [writer.constant("bias", np.zeros((1, 1), np.float32)), factor], [left])
        writer.node("ADD", [product, left], [y])

    return _chain(size // 9, link)


def inputs_of_a_node(size: int) -> bytes:
    """Return the concatenation of as many constants and an input."""
    writer = ModelWriter()
    x, y = writer.tensor("x", SHAPE), writer.tensor("y", (1, 4 * size + 4))
    writer.node("CONCATENATION", [x, *(writer.constant("c", ONES) for _ in range(size))], [y], {"axis": 1})
    return writer.finish([x], [y])


def inputs_and_outputs(size: int) -> bytes:
    """Return NEG of as many inputs, with a signature."""
    writer = ModelWriter()
    inputs, outputs = ([writer.tensor(f"{name}{index}", SHAPE) for index in range(size)] for name in "xy")
    for x, y in zip(inputs, outputs, strict=True):
        writer.node("NEG", [x], [y])
    return writer.finish(inputs, outputs, signature="main")


def readers(size: int) -> bytes:
    """Return the sum of as many negatives of one input."""
    writer = ModelWriter()
    x, y = writer.tensor("x", SHAPE), writer.tensor("y", SHAPE)
    negatives = [writer.tensor(f"n{index}", SHAPE) for index in range(max(size, 2))]
    for negative in negatives:
        writer.node("NEG", [x], [negative])
    writer.node("ADD_N", negatives, [y])
    return writer.finish([x], [y])


def unused_tensors(size: int) -> bytes:
    """Return NEG next to constants that nothing reads."""
    writer = ModelWriter()
    x, y = writer.tensor("x", SHAPE), writer.tensor("y", SHAPE)
    for index in range(size):
        writer.constant(f"c{index}", ONES)
    writer.node("NEG", [x], [y])
    return writer.finish([x], [y])


def composites(size: int) -> bytes:
    """Return a chain of composites, each with its own decomposition."""
    return _calling(
        size, 1, lambda writer, x, y, body: writer.node("STABLEHLO_COMPOSITE", [x], [y], composite("c", body))
    )


def branches(size: int) -> bytes:
    """Return a chain of IF, each with two subgraphs of its own."""

    def link(writer: ModelWriter, x: int, y: int, body: int) -> None:
        chosen = writer.constant("chosen", np.array([True]))
        writer.node("IF", [chosen, x], [y], {"thenSubgraphIndex": body, "elseSubgraphIndex": body + 1})

    return _calling(size // 2, 2, link)


def loops(size: int) -> bytes:
    """Return a chain of WHILE of two iterations, each with two subgraphs of its own."""
    main = ModelWriter()
    x = first = main.tensor("x", SHAPE)
    for index in range(max(size // 8, 1)):
        condition, body = main.subgraph(), main.subgraph()
        counts = [graph.tensor("i", (), "int32") for graph in (condition, body)]
        values = [graph.tensor("v", SHAPE) for graph in (condition, body)]
        goes_on = condition.tensor("goes_on", (), "bool")
        condition.node("LESS", [counts[0], condition.constant("end", np.array(2, np.int32))], [goes_on])
        condition.end([counts[0], values[0]], [goes_on])
        count, value = body.tensor("next_i", (), "int32"), body.tensor("next_v", SHAPE)
        body.node("ADD", [counts[1], body.constant("one", np.array(1, np.int32))], [count])
        body.node("NEG", [values[1]], [value])
        body.end([counts[1], values[1]], [count, value])
        ends = main.tensor(f"i{index}", (), "int32"), main.tensor(f"v{index}", SHAPE)
        subgraphs = {"condSubgraphIndex": 2 * index + 1, "bodySubgraphIndex": 2 * index + 2}
        main.node("WHILE", [main.constant("zero", np.array(0, np.int32)), x], list(ends), subgraphs)
        x = ends[1]
    return main.finish([first], [x])


def variables(size: int) -> bytes:
    """Return a chain that adds the values of as many variables, and assigns them."""

    def link(writer: ModelWriter, x: int, y: int) -> None:
        handle, value = writer.tensor("handle", (1,), "resource"), writer.tensor("value", SHAPE)
        writer.node("VAR_HANDLE", [], [handle], {"container": "", "sharedName": f"v{y}"})
        writer.node("READ_VARIABLE", [handle], [value])
        writer.node("ADD", [x, value], [y])
        writer.node("ASSIGN_VARIABLE", [handle, y], [])

    return _chain(size // 4, link)


def signatures(size: int) -> bytes:
    """Return NEG under a quarter as many signatures: a file may have 1,000."""
    writer = ModelWriter()
    x, y = writer.tensor("x", SHAPE), writer.tensor("y", SHAPE)
    writer.node("NEG", [x], [y])
    for index in range(size // 4):
        writer.end([x], [y], signature=f"s{index}")
    return writer.finish([x], [y])


def subgraphs_of_signatures(size: int) -> bytes:
    """Return an eighth as many signatures, each with its own subgraph."""
    main = ModelWriter()
    for index, writer in enumerate([main, *(main.subgraph() for _ in range(size // 8))]):
        x, y = writer.tensor("x", SHAPE), writer.tensor("y", SHAPE)
        writer.node("NEG", [x], [y])
        writer.end([x], [y], signature=f"s{index}")
    return main.finish([0], [1])


def described_outputs(size: int) -> bytes:
    """Return a model whose metadata names as many outputs, each with a file of labels."""
    writer = ModelWriter()
    x, ys = writer.tensor("x", SHAPE), [writer.tensor(f"y{index}", SHAPE) for index in range(size)]
    for y in ys:
        writer.node("NEG", [x], [y])
    schema = metadata.schema()
    kind = schema.AssociatedFileType.TENSOR_AXIS_LABELS
    outputs = [
        schema.TensorMetadataT(f"y{index}", associatedFiles=[schema.AssociatedFileT(f"{index}.txt", type=kind)])
        for index in range(size)
    ]
    subgraph = schema.SubGraphMetadataT(inputTensorMetadata=[schema.TensorMetadataT("x")], outputTensorMetadata=outputs)
    files = {f"{index}.txt": b"a\nb\nc\nd" for index in range(size)}
    return metadata.with_metadata(
        writer.finish([x], ys), schema.ModelMetadataT("m", subgraphMetadata=[subgraph]), files, compressed=True
    )


def labels(size: int) -> bytes:
    """Return a model with 64 times as many labels for one output."""
    writer, size = ModelWriter(), 64 * size
    x, y = writer.tensor("x", (1, size)), writer.tensor("y", (1, size))
    writer.node("NEG", [x], [y])
    schema = metadata.schema()
    file = schema.AssociatedFileT("labels.txt", type=schema.AssociatedFileType.TENSOR_AXIS_LABELS)
    tensors = [schema.TensorMetadataT("x")], [schema.TensorMetadataT("y", associatedFiles=[file])]
    subgraph = schema.SubGraphMetadataT(inputTensorMetadata=tensors[0], outputTensorMetadata=tensors[1])
    text = "\n".join(f"label {index}" for index in range(size)).encode()
    return metadata.with_metadata(
        writer.finish([x], [y]), schema.ModelMetadataT("m", subgraphMetadata=[subgraph]), {"labels.txt": text}
    )


_FACTOR_SHAPES = {
    "factor": (1, 1, 1, 2, 2),
    "repeated": (1, 1, 2, 2, 2),
    "heads": (1, 2, 2, 2),
    "rows": (1, 2, 1, 2),
    "products": (1, 2, 1, 2),
}
_COLUMNS = ("mean", "variance", "total", "root", "factor", "left")

MODELS: Mapping[str, Callable[[int], bytes]] = MappingProxyType(
    {
        function.__name__.replace("_", " "): function
        for function in (
            nodes,
            partitions,
            quantized_nodes,
            float16_weights,
            computed_shapes,
            repeated_operands,
            normalizations,
            inputs_of_a_node,
            inputs_and_outputs,
            readers,
            unused_tensors,
            composites,
            branches,
            loops,
            variables,
            signatures,
            subgraphs_of_signatures,
            described_outputs,
            labels,
        )
    }
)


def _chain(
    size: int,
    link: Callable[[ModelWriter, int, int], None],
    dtype: str = "float32",
    quantization: Quantization | None = None,
) -> bytes:
    writer = ModelWriter()
    tensors = [writer.tensor(f"t{index}", SHAPE, dtype, quantization) for index in range(max(size, 1) + 1)]
    for x, y in itertools.pairwise(tensors):
        link(writer, x, y)
    return writer.finish([tensors[0]], [tensors[-1]])


def _calling(size: int, count: int, link: Callable[[ModelWriter, int, int, int], None]) -> bytes:
    """Return a chain of nodes with `count` subgraphs each; `link` adds a node, and gets the index of its first one."""
    main = ModelWriter()
    x = first = main.tensor("x", SHAPE)
    for index in range(max(size, 1)):
        for _ in range(count):
            body = main.subgraph()
            before, after = body.tensor("before", SHAPE), body.tensor("after", SHAPE)
            body.node("NEG", [before], [after])
            body.end([before], [after])
        y = main.tensor(f"y{index}", SHAPE)
        link(main, x, y, index * count + 1)
        x = y
    return main.finish([first], [x])


def _ints(writer: ModelWriter, *values: int) -> Any:
    return writer.constant("ints", np.array(values, np.int32))
