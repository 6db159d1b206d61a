"""Small networks as today's converters write them, with random weights; each states where its nodes run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from web_tests.models.networks import quantizer, scales, selection, transposes, variables, windows
from web_tests.models.networks.decoder import DecoderShape, decoder, rms_norm
from web_tests.models.networks.graph import Graph, Tensor
from web_tests.models.recipes import SEED, Array

LENGTH, WIDTH, HEADS, WORDS = 12, 32, 4, 64
CALIBRATION_SAMPLES = 8
BLOCK = 32
MASKED = -1e9
# Of the schema's ActivationFunctionType.
TANH_OF_GELU = 0.7978845608
CUBIC_OF_GELU = 0.044715


@dataclass(frozen=True)
class ModernNetwork:
    """A network, and where its nodes run on WebNN.

    Attributes:
        make: writes the .tflite file.
        on_webnn: how many of `nodes` WebNN supports, after composites were inlined.
        nodes: how many the main subgraph has then.
        mode: the execution mode.
        tolerance: allowed distance to native LiteRT as a fraction of each output's range.
        resized: shapes of the inputs, if other than the file's.
    """

    make: Callable[[], bytes]
    on_webnn: int
    nodes: int
    mode: str = "direct"
    tolerance: float = 1e-5
    resized: tuple[tuple[int, ...], ...] | None = None


def inputs_of(details: Sequence[tuple[str, Sequence[int], type]]) -> list[Array]:
    """Return seeded inputs for (name, shape, type): positions count up, tokens and masks are integers in range."""
    random = np.random.default_rng(SEED)
    arrays: list[Array] = []
    values: Array
    for name, shape, dtype in details:
        if name == "input_pos":
            values = np.arange(shape[0]) + 3
        elif name == "mask":
            values = np.arange(np.prod(shape)).reshape(shape) < np.prod(shape) * 2 // 3
        elif dtype is np.int16:
            values = random.integers(-(2**14), 2**14, shape)
        elif np.issubdtype(dtype, np.integer):
            values = random.integers(1, WORDS, shape)
        else:
            values = random.standard_normal(shape)
        arrays.append(values.astype(dtype))
    return arrays


def _heads(graph: Graph, x: Tensor, name: str) -> Tensor:
    """[1, length, width] -> [1, heads, length, size]."""
    width = x.shape[2]
    dense = graph.dense(x, graph.random_weights(name, width, width))
    return graph.transpose(graph.reshape(dense, (1, x.shape[1], HEADS, width // HEADS)), (0, 2, 1, 3))


def _attention(graph: Graph, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    scale = graph.constant(np.array(q.shape[-1] ** -0.5, np.float32))
    scores = graph.binary("MUL", graph.matmul(q, k, transposed=True), scale)
    return graph.matmul(graph.softmax(scores if mask is None else graph.binary("ADD", scores, mask)), v)


def _attention_block(graph: Graph, x: Tensor, mask: Tensor | None = None, name: str = "") -> Tensor:
    q, k, v = (_heads(graph, x, part) for part in ("q", "k", "v"))
    seen = _attention(graph, q, k, v, mask)
    joined = graph.reshape(graph.transpose(seen, (0, 2, 1, 3)), x.shape)
    return graph.dense(joined, graph.random_weights("out", x.shape[2], x.shape[2]), name=name)


def composites() -> bytes:
    """Return a block whose normalization and attention are composites."""
    graph = Graph()
    x = graph.tensor("input", (1, LENGTH, WIDTH))
    gain = graph.constant(np.linspace(0.5, 2, WIDTH, dtype=np.float32))
    body = graph.another()
    inner = [body.tensor("x", x.shape), body.tensor("gain", gain.shape)]
    body.end(inner, [rms_norm(body, *inner)])
    normed = graph.composite("odml.rms_norm", [x, gain], body, x.shape)
    parts = [_heads(graph, normed, part) for part in ("q", "k", "v")]
    other = graph.another()
    inner = [other.tensor(name, parts[0].shape) for name in ("q", "k", "v")]
    other.end(inner, [_attention(other, *inner)])
    seen = graph.composite("example.attention", parts, other, parts[0].shape)
    joined = graph.reshape(graph.transpose(seen, (0, 2, 1, 3)), x.shape)
    return graph.finish([x], [graph.binary("ADD", x, joined)])


def padding_mask() -> bytes:
    """Return attention under a padding mask, which GATHER_ND brings to rank 4 by indices of rank 5, as BERT does."""
    graph = Graph()
    x, mask = graph.tensor("input", (1, LENGTH, WIDTH)), graph.tensor("mask", (1, LENGTH), "int32")
    seen = graph.op("CAST", [mask], mask.shape, dtype="bool")
    positions = np.stack(np.broadcast_arrays(np.zeros(LENGTH, np.int32), np.arange(LENGTH, dtype=np.int32)), -1)
    indices = graph.constant(positions.reshape(1, 1, 1, LENGTH, 2))
    keys = graph.op("GATHER_ND", [seen, indices], (1, 1, 1, LENGTH), dtype="bool")
    queries = graph.constant(np.ones((1, 1, LENGTH, 1), np.bool_))
    both = graph.op("LOGICAL_AND", [queries, keys], (1, 1, LENGTH, LENGTH), dtype="bool")
    summands = [graph.constant(np.array(value, np.float32)) for value in (0, MASKED)]
    selected = graph.op("SELECT_V2", [both, *summands], both.shape)
    return graph.finish([x, mask], [_attention_block(graph, x, selected)])


def cache_update() -> bytes:
    """Return a ring of rows: new ones are written at a position, and all are scored with a query."""
    graph = Graph()
    cache, rows = graph.tensor("cache", (1, LENGTH, HEADS, 8)), graph.tensor("rows", (1, 2, HEADS, 8))
    position = graph.tensor("input_pos", (1,), "int32")
    zero, scalar = graph.constant(np.array(0, np.int32)), graph.reshape(position, ())
    pack = {"valuesCount": 4, "axis": 0}
    start = graph.op("PACK", [zero, scalar, zero, zero], (4,), pack, dtype="int32")
    written = graph.op("DYNAMIC_UPDATE_SLICE", [cache, rows, start], cache.shape, name="updated")
    scores = graph.softmax(
        graph.matmul(graph.transpose(written, (0, 2, 1, 3)), graph.transpose(rows, (0, 2, 1, 3)), transposed=True)
    )
    return graph.finish([cache, rows, position], [written, scores])


def language_model() -> bytes:
    """Return a decoder of two layers with the signatures `prefill` and `decode`."""
    return decoder(DecoderShape())


def int4_blocks() -> bytes:
    """Return two FULLY_CONNECTED of int4 weights with a scale for each block of 32."""
    graph = Graph()
    random = np.random.default_rng(SEED)
    x = values = graph.tensor("input", (1, 4, 64))
    for layer, units in enumerate((96, 64)):
        depth = values.shape[-1]
        steps = random.integers(-8, 8, (units, depth)).astype(np.int8)
        scales = random.uniform(0.01, 0.05, (units, depth // BLOCK)).astype(np.float16)
        weights = Tensor(graph.writer.int4_blocks(f"weights_{layer}", steps, scales), steps.shape)
        values = graph.dense(values, weights)
        if layer == 0:
            values = graph.unary("LOGISTIC", values)
    return graph.finish([x], [values])


def attention(length: int = LENGTH, width: int = WIDTH) -> bytes:
    """Return a block of attention and a gated layer, in float: what the one below is quantized from."""
    graph = Graph()
    x = graph.tensor("input", (1, length, width))
    mixed = graph.binary("ADD", x, _attention_block(graph, x))
    hidden = graph.dense(mixed, graph.random_weights("up", 2 * width, width))
    active = graph.binary("MUL", hidden, graph.unary("LOGISTIC", hidden))
    return graph.finish([x], [graph.dense(active, graph.random_weights("down", width, 2 * width))])


def quantized_attention(form: str, length: int = LENGTH, width: int = WIDTH) -> bytes:
    """Return it in a form of quantizer.RECIPES."""
    samples = np.random.default_rng(SEED).standard_normal((CALIBRATION_SAMPLES, length, width), dtype=np.float32)
    return quantizer.quantized(attention(length, width), form, samples)


def open_batch() -> bytes:
    """Return a classifier whose batch is open: SHAPE, SLICE and CONCATENATION make the shape of a RESHAPE."""
    graph = Graph()
    x = graph.tensor("input", (1, 6, 8))
    graph.writer.open_dimensions(x.index, [0])
    shape = graph.op("SHAPE", [x], (3,), {"outType": 2}, dtype="int32")
    begin, size = (graph.constant(np.array([value], np.int32)) for value in (0, 1))
    batch = graph.op("SLICE", [shape, begin, size], (1,), dtype="int32")
    remainder = graph.constant(np.array([48], np.int32))
    options = {"axis": 0}
    target = graph.op("CONCATENATION", [batch, remainder], (2,), options, dtype="int32")
    flat = graph.op("RESHAPE", [x, target], (1, 48))
    return graph.finish([x], [graph.softmax(graph.dense(flat, graph.random_weights("classes", 10, 48)))])


def gru() -> bytes:
    """Return a GRU over five steps, unrolled as PyTorch's exporter does."""
    graph = Graph()
    x = graph.tensor("input", (1, 5, 8))
    state = graph.constant(np.zeros((1, 16), np.float32))
    states = []
    for step in range(5):
        begin, size = (graph.constant(np.array(values, np.int32)) for values in ((0, step, 0), (1, 1, 8)))
        row = graph.reshape(graph.op("SLICE", [x, begin, size], (1, 1, 8)), (1, 8))
        state = _gru_cell(graph, row, state)
        states.append(graph.reshape(state, (1, 1, 16)))
    options = {"axis": 1}
    return graph.finish([x], [graph.op("CONCATENATION", states, (1, 5, 16), options)])


def _gru_cell(graph: Graph, x: Tensor, state: Tensor) -> Tensor:
    def part(name: str) -> tuple[Tensor, Tensor]:
        dense = [
            graph.dense(values, graph.random_weights(f"{name}_{kind}", 16, values.shape[1]))
            for kind, values in (("x", x), ("state", state))
        ]
        return dense[0], dense[1]

    reset, update = (graph.unary("LOGISTIC", graph.binary("ADD", *part(name))) for name in ("reset", "update"))
    from_x, from_state = part("new")
    new = graph.unary("TANH", graph.binary("ADD", from_x, graph.binary("MUL", reset, from_state)))
    return graph.binary("ADD", new, graph.binary("MUL", update, graph.binary("SUB", state, new)))


def counted_loop() -> bytes:
    """Return a recurrent layer as Keras writes it: a WHILE whose number of turns is constant."""
    graph = Graph()
    condition, body = graph.another(), graph.another()
    counter, state = condition.tensor("counter", (), "int32"), condition.tensor("state", (1, 16))
    turns = condition.constant(np.array(4, np.int32))
    condition.end([counter, state], [condition.op("LESS", [counter, turns], (), dtype="bool")])
    counter, state = body.tensor("counter", (), "int32"), body.tensor("state", (1, 16))
    next_counter = body.binary("ADD", counter, body.constant(np.array(1, np.int32)))
    next_state = body.unary("TANH", body.dense(state, body.random_weights("turn", 16, 16)))
    body.end([counter, state], [next_counter, next_state])
    x = graph.tensor("input", (1, 16))
    zero = graph.constant(np.array(0, np.int32))
    results = [graph.tensor("turns", (), "int32"), graph.tensor("state", (1, 16))]
    options = {"condSubgraphIndex": 1, "bodySubgraphIndex": 2}
    graph.writer.node("WHILE", [zero.index, x.index], [tensor.index for tensor in results], options)
    return graph.finish([x], [graph.binary("MUL", results[1], x)])


def layer_norm_gelu() -> bytes:
    """Return layer normalization and GELU in the pieces that exporters leave of them."""
    graph = Graph()
    x = graph.tensor("input", (1, LENGTH, WIDTH))
    mean = graph.mean(x)
    variance = graph.mean(graph.op("SQUARED_DIFFERENCE", [x, mean], x.shape))
    epsilon = graph.constant(np.array(1e-5, np.float32))
    inverse = graph.unary("RSQRT", graph.binary("ADD", variance, epsilon))
    gain, shift = (graph.constant(np.linspace(a, b, WIDTH, dtype=np.float32)) for a, b in ((0.5, 2), (-1, 1)))
    factor = graph.binary("MUL", inverse, gain)
    summand = graph.binary("SUB", shift, graph.binary("MUL", mean, factor))
    normed = graph.binary("ADD", graph.binary("MUL", x, factor), summand)
    hidden = graph.dense(normed, graph.random_weights("up", 2 * WIDTH, WIDTH))
    return graph.finish([x], [_gelu(graph, hidden)])


def _gelu(graph: Graph, x: Tensor) -> Tensor:
    cubic, root, one, half = (
        graph.constant(np.array(value, np.float32)) for value in (CUBIC_OF_GELU, TANH_OF_GELU, 1, 0.5)
    )
    cube = graph.binary("MUL", graph.binary("MUL", x, x), x)
    inner = graph.binary("MUL", graph.binary("ADD", x, graph.binary("MUL", cube, cubic)), root)
    return graph.binary("MUL", graph.binary("MUL", x, half), graph.binary("ADD", graph.unary("TANH", inner), one))


def linear_attention() -> bytes:
    """Return a step of a recurrent transformer, whose state is an input and an output under different names."""
    graph = Graph()
    x, state = graph.tensor("input", (1, WIDTH)), graph.tensor("state_in", (HEADS, 8, 8))
    k, v, decay = (graph.dense(x, graph.random_weights(name, WIDTH, WIDTH)) for name in ("k", "v", "decay"))
    outer = graph.binary("MUL", graph.reshape(k, (HEADS, 8, 1)), graph.reshape(v, (HEADS, 1, 8)))
    kept = graph.binary("MUL", state, graph.reshape(graph.unary("LOGISTIC", decay), (HEADS, 8, 1)))
    state_out = graph.binary("ADD", kept, outer)
    query = graph.reshape(graph.dense(x, graph.random_weights("q", WIDTH, WIDTH)), (HEADS, 1, 8))
    return graph.finish([x, state], [graph.reshape(graph.matmul(query, state_out), (1, WIDTH)), state_out])


MODERN: dict[str, ModernNetwork] = {
    "composites": ModernNetwork(composites, 22, 22),
    "padding_mask": ModernNetwork(padding_mask, 21, 21),
    "cache_update": ModernNetwork(cache_update, 7, 7),
    "language_model": ModernNetwork(language_model, 92, 92),
    "int4_blocks": ModernNetwork(int4_blocks, 3, 3, tolerance=2e-2),
    "attention_a8w8": ModernNetwork(partial(quantized_attention, "int8"), 21, 21, tolerance=2e-2),
    "attention_a16w8": ModernNetwork(partial(quantized_attention, "16x8"), 21, 21, tolerance=2e-2),
    "open_batch": ModernNetwork(open_batch, 6, 6, resized=((3, 6, 8),)),
    "gru": ModernNetwork(gru, 96, 96),
    "counted_loop": ModernNetwork(counted_loop, 13, 13),
    "layer_norm_gelu": ModernNetwork(layer_norm_gelu, 20, 20),
    "experts": ModernNetwork(selection.experts, 6, 6),
    "linear_attention": ModernNetwork(linear_attention, 14, 14),
    "best_rows": ModernNetwork(selection.best_rows, 7, 12, "stepped"),
    "ring_buffer": ModernNetwork(variables.ring_buffer, 7, 7),
    "softmax_over_rows": ModernNetwork(transposes.softmax_over_rows, 5, 5),
    "square_of_transpose": ModernNetwork(transposes.square_of_transpose, 4, 4),
    "transposes_of_one": ModernNetwork(transposes.transposes_of_one, 4, 4),
    "sum_and_product": ModernNetwork(transposes.sum_and_product, 11, 11),
    "transposed_constant": ModernNetwork(transposes.transposed_constant, 3, 3),
    "extremes": ModernNetwork(scales.extremes, 5, 5),
    "windows_a8w8": ModernNetwork(partial(windows.quantized_windows, "int8"), 21, 21, tolerance=2e-2),
    "windows_of_two_a8w8": ModernNetwork(partial(windows.quantized_windows, "int8", 2), 21, 21, tolerance=2e-2),
    "windows_of_two_a16w8": ModernNetwork(partial(windows.quantized_windows, "16x8", 2), 21, 21, tolerance=2e-2),
    "parts": ModernNetwork(scales.parts, 10, 10),
    "columns": ModernNetwork(scales.columns, 0, 1, "cpu"),
}
