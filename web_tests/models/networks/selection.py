"""Networks that choose rows by their data; the number of rows is mostly known only while they run."""

import numpy as np

from web_tests.models.networks.graph import Graph, Tensor

ROWS, WIDTH, CLASSES, WORDS = 12, 16, 5, 20
EXPERT_WIDTH = 32


def open_rows(graph: Graph, name: str, remainder: tuple[int, ...] = (), dtype: str = "float32") -> Tensor:
    """Return a new tensor of any number of rows."""
    tensor = graph.tensor(name, (1, *remainder), dtype)
    graph.writer.open_dimensions(tensor.index, [0])
    return tensor


def best_rows() -> bytes:
    """Return a detector: f32[12,16] -> the features of the rows with a positive score, their sum, all rows' classes.

    WHERE comes before nodes that do not depend on it, one of which (TANH) is followed by another layer.
    """
    graph = Graph()
    x = graph.tensor("input", (ROWS, WIDTH))
    scores = graph.reshape(graph.dense(x, graph.random_weights("scores", 1, WIDTH)), (ROWS,))
    positive = graph.op("GREATER", [scores, graph.constant(np.array(0, np.float32))], (ROWS,), dtype="bool")
    positions, indices = open_rows(graph, "positions", (1,), "int64"), open_rows(graph, "indices", (), "int64")
    graph.writer.node("WHERE", [positive.index], [positions.index])
    squeeze = {"squeezeDims": [1]}
    graph.writer.node("SQUEEZE", [positions.index], [indices.index], squeeze)
    features = graph.unary("TANH", graph.dense(x, graph.random_weights("features", WIDTH, WIDTH)))
    classes = graph.softmax(graph.dense(features, graph.random_weights("classes", CLASSES, WIDTH)))
    chosen = open_rows(graph, "chosen", (WIDTH,))
    gather = {"axis": 0}
    graph.writer.node("GATHER", [features.index, indices.index], [chosen.index], gather)
    axis = graph.constant(np.array([0], np.int32))
    total = graph.op("SUM", [chosen, axis], (WIDTH,))
    both = graph.binary("MUL", total, graph.constant(np.linspace(-1, 1, WIDTH, dtype=np.float32)))
    return graph.finish([x], [chosen, both, classes])


def distinct_words() -> bytes:
    """Return an embedding: the word numbers i32[12], each looked up once (UNIQUE), and the sine of an f32[12,16]."""
    graph = Graph()
    words, x = graph.tensor("words", (ROWS,), "int32"), graph.tensor("input", (ROWS, WIDTH))
    distinct, positions = open_rows(graph, "distinct", (), "int32"), graph.tensor("positions", (ROWS,), "int32")
    unique = {"idxOutType": 2}
    graph.writer.node("UNIQUE", [words.index], [distinct.index, positions.index], unique)
    gather = {"axis": 0}
    table = graph.random_weights("table", WORDS, WIDTH)
    looked_up = open_rows(graph, "looked_up", (WIDTH,))
    graph.writer.node("GATHER", [table.index, distinct.index], [looked_up.index], gather)
    every = graph.op("GATHER", [looked_up, positions], (ROWS, WIDTH), gather)
    sine = graph.unary("SIN", x)
    mixed = graph.softmax(graph.dense(graph.unary("ABS", sine), graph.random_weights("mixed", WIDTH, WIDTH)))
    return graph.finish([words, x], [distinct, graph.binary("ADD", every, mixed), sine])


def experts() -> bytes:
    """Return a router: the two best of eight experts, by TOPK_V2, and their weighted outputs."""
    graph = Graph()
    x = graph.tensor("input", (6, EXPERT_WIDTH))
    scores = graph.softmax(graph.dense(x, graph.random_weights("router", 8, EXPERT_WIDTH)))
    count = graph.constant(np.array(2, np.int32))
    best, indices = graph.tensor("best", (6, 2)), graph.tensor("experts", (6, 2), "int32")
    graph.writer.node("TOPK_V2", [scores.index, count.index], [best.index, indices.index])
    table = graph.random_weights("experts_table", 8, EXPERT_WIDTH)
    options = {"axis": 0}
    chosen = graph.op("GATHER", [table, indices], (6, 2, EXPERT_WIDTH), options)
    return graph.finish([x], [graph.matmul(graph.reshape(best, (6, 1, 2)), chosen), indices])


def requested_shape() -> bytes:
    """Return a RESHAPE to a shape that is an input: f32[2,6], i32[2] -> its sine, and the tangent of f32[2,6]."""
    graph = Graph()
    x, shape = graph.tensor("input", (2, 6)), graph.tensor("shape", (2,), "int32")
    reshaped = open_rows(graph, "reshaped", (12,))
    graph.writer.node("RESHAPE", [x.index, shape.index], [reshaped.index])
    return graph.finish([x, shape], [graph.unary("SIN", reshaped), graph.unary("TANH", x)])


def joined_heads() -> bytes:
    """Return what Keras writes after attention: f32[rows,2,6] -> the sine of f32[rows,12], whose shape is computed."""
    graph = Graph()
    x, joined = open_rows(graph, "input", (2, 6)), open_rows(graph, "joined", (12,))
    shape = graph.op("SHAPE", [x], (3,), {"outType": 2}, dtype="int32")
    segments = graph.constant(np.array([0, 1, 1], np.int32)), graph.constant(np.array(2, np.int32))
    product = graph.op("UNSORTED_SEGMENT_PROD", [shape, *segments], (2,), dtype="int32")
    graph.writer.node("RESHAPE", [x.index, product.index], [joined.index])
    return graph.finish([x], [graph.unary("SIN", joined)])
