"""A small language model as converters write them: prefill and decode are signatures, the cache is input and output.

Its weights are random, so its words mean nothing; shape, size and speed are real.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from web_tests.models.model_writer import Quantization
from web_tests.models.networks.graph import Graph, Tensor
from web_tests.models.recipes import SEED, Array

# What a query must not see.
MASKED = -1e9
EPSILON = 1e-6
LARGEST_INT8 = 127
WeightType = Literal["float32", "float16", "int8"]


@dataclass(frozen=True)
class DecoderShape:
    """Sizes of a decoder; `cache` is the number of tokens that it can see, `prefill` how many it accepts in one run."""

    layers: int = 2
    heads: int = 2
    head_size: int = 8
    vocabulary: int = 64
    cache: int = 16
    prefill: int = 4

    @property
    def width(self) -> int:
        return self.heads * self.head_size


def decoder(
    shape: DecoderShape,
    *,
    composites: bool = True,
    weights: WeightType = "float32",
    signatures: Sequence[str] = ("prefill", "decode"),
) -> bytes:
    """Return a decoder with the signatures `prefill` and `decode`, or one of them.

    - inputs: tokens int32[1, count], input_pos int32[count], and for each layer kv_cache_k_<layer> and
      kv_cache_v_<layer>, float32[1, cache, heads, head_size].
    - outputs: the caches, and, of `decode`, logits float32[1, 1, vocabulary].

    `composites` has each normalization as a STABLEHLO_COMPOSITE, `odml.rms_norm`. `weights` is the type of the layers'
    matrices: int8 has a scale per row, and float32 embeddings; float16 has a DEQUANTIZE of each.
    """
    main = Graph()
    writing = _Decoder(shape, np.random.default_rng(SEED), composites, weights)
    first, *others = signatures
    for key in others:
        graph = main.another()
        graph.end(*writing.signature(graph, key), signature=key)
    return main.finish(*writing.signature(main, first), signature=first)


class _Decoder:
    def __init__(self, shape: DecoderShape, random: np.random.Generator, composites: bool, weights: WeightType) -> None:
        self.shape, self.random, self.composites, self.weights = shape, random, composites, weights

    def signature(self, graph: Graph, key: str) -> tuple[list[Tensor], list[Tensor]]:
        shape = self.shape
        count = {"prefill": shape.prefill, "decode": 1}[key]
        tokens = graph.tensor("tokens", (1, count), "int32")
        positions = graph.tensor("input_pos", (count,), "int32")
        cache_shape = (1, shape.cache, shape.heads, shape.head_size)
        caches = [
            graph.tensor(f"kv_cache_{kind}_{layer}", cache_shape) for layer in range(shape.layers) for kind in "kv"
        ]
        mask = self._mask(graph, positions)
        x = self._embedded(graph, tokens)
        written = []
        for layer in range(shape.layers):
            x, *pair = self._layer(graph, layer, x, positions, mask, caches[2 * layer : 2 * layer + 2])
            written += pair
        outputs = written
        if key == "decode":
            logits = graph.dense(self._norm(graph, x, "last"), self._random(graph, "embedding"), name="logits")
            outputs = [*written, logits]
        return [tokens, positions, *caches], outputs

    def _embedded(self, graph: Graph, tokens: Tensor) -> Tensor:
        count = tokens.shape[1]
        flat = graph.reshape(tokens, (count,))
        rows = graph.op("EMBEDDING_LOOKUP", [flat, self._random(graph, "embedding")], (count, self.shape.width))
        return graph.reshape(rows, (1, count, self.shape.width))

    def _mask(self, graph: Graph, positions: Tensor) -> Tensor:
        """Row by row what a query at each position must not see, gathered from a table of all positions."""
        size = self.shape.cache
        table = np.where(np.tri(size, dtype=bool), 0, MASKED).astype(np.float32)
        rows = graph.weights("mask", lambda: table)
        indices = graph.reshape(positions, (*positions.shape, 1))
        found = graph.op("GATHER_ND", [rows, indices], (positions.shape[0], size))
        return graph.reshape(found, (1, 1, positions.shape[0], size))

    def _layer(
        self, graph: Graph, layer: int, x: Tensor, positions: Tensor, mask: Tensor, caches: list[Tensor]
    ) -> tuple[Tensor, Tensor, Tensor]:
        shape, count = self.shape, x.shape[1]
        normed = self._norm(graph, x, f"attention_{layer}")
        q, k, v = (graph.dense(normed, self._random(graph, f"{kind}_{layer}")) for kind in "qkv")
        k, v = (graph.reshape(part, (1, count, shape.heads, shape.head_size)) for part in (k, v))
        q = graph.transpose(graph.reshape(q, (1, count, shape.heads, shape.head_size)), (0, 2, 1, 3))
        names = [f"kv_cache_{kind}_{layer}" for kind in "kv"]
        keys, values = (
            self._updated(graph, cache, part, positions, name)
            for cache, part, name in zip(caches, (k, v), names, strict=True)
        )
        scores = graph.matmul(q, graph.transpose(keys, (0, 2, 1, 3)), transposed=True)
        scale = graph.constant(np.array(shape.head_size**-0.5, np.float32))
        weights = graph.softmax(graph.binary("ADD", graph.binary("MUL", scores, scale), mask))
        seen = graph.transpose(graph.matmul(weights, graph.transpose(values, (0, 2, 1, 3))), (0, 2, 1, 3))
        mixed = graph.dense(graph.reshape(seen, (1, count, shape.width)), self._random(graph, f"out_{layer}"))
        x = graph.binary("ADD", x, mixed)
        hidden = graph.dense(self._norm(graph, x, f"mlp_{layer}"), self._random(graph, f"up_{layer}", 4))
        active = graph.binary("MUL", hidden, graph.unary("LOGISTIC", hidden))
        return graph.binary("ADD", x, graph.dense(active, self._random(graph, f"down_{layer}", 1, 4))), keys, values

    def _updated(self, graph: Graph, cache: Tensor, part: Tensor, positions: Tensor, name: str) -> Tensor:
        first = positions
        if positions.shape[0] > 1:
            begin, size = (graph.constant(np.array([value], np.int32)) for value in (0, 1))
            first = graph.op("SLICE", [positions, begin, size], (1,), dtype="int32")
        scalar = graph.reshape(first, ())
        zero = graph.constant(np.array(0, np.int32))
        options = {"valuesCount": 4, "axis": 0}
        start = graph.op("PACK", [zero, scalar, zero, zero], (4,), options, dtype="int32")
        # Input and output of a signature have one name, as converters write it.
        return graph.op("DYNAMIC_UPDATE_SLICE", [cache, part, start], cache.shape, name=name)

    def _norm(self, graph: Graph, x: Tensor, name: str) -> Tensor:
        gain = graph.weights(f"gain_{name}", lambda: np.ones(self.shape.width, np.float32))
        if not self.composites:
            return rms_norm(graph, x, gain)
        body = graph.another()
        inner = [body.tensor("x", x.shape), body.tensor("gain", gain.shape)]
        body.end(inner, [rms_norm(body, *inner)])
        return graph.composite("odml.rms_norm", [x, gain], body, x.shape)

    def _random(self, graph: Graph, name: str, rows: int = 1, columns: int = 1) -> Tensor:
        width = self.shape.width
        is_embedding = name == "embedding"
        shape = (self.shape.vocabulary, width) if is_embedding else (rows * width, columns * width)
        if self.weights == "float16":
            halves = graph.weights(name, lambda: self._normal(shape).astype(np.float16))
            return graph.op("DEQUANTIZE", [halves], shape)
        if is_embedding or self.weights == "float32":
            return graph.weights(name, lambda: self._normal(shape))
        scales = (float(1 / LARGEST_INT8 / np.sqrt(shape[1])),) * shape[0]
        return graph.weights(name, lambda: self._integers(shape), Quantization(scales))

    def _integers(self, shape: tuple[int, int]) -> Array:
        return self.random.integers(-LARGEST_INT8, LARGEST_INT8 + 1, shape, np.int8)

    def _normal(self, shape: tuple[int, int]) -> Array:
        return self.random.standard_normal(shape, dtype=np.float32) / np.float32(np.sqrt(shape[1]))


def rms_norm(graph: Graph, x: Tensor, gain: Tensor) -> Tensor:
    """Add x over the root of its mean square, times `gain`, in five nodes."""
    squares = graph.mean(graph.binary("MUL", x, x))
    epsilon = graph.constant(np.array(EPSILON, np.float32))
    inverse = graph.unary("RSQRT", graph.binary("ADD", squares, epsilon))
    return graph.binary("MUL", graph.binary("MUL", x, inverse), gain)
