"""Attention within windows of an image, as Swin and MaxViT cut them: RESHAPE and TRANSPOSE of six axes."""

import numpy as np

from web_tests.models.networks import quantizer
from web_tests.models.networks.graph import Graph, Tensor
from web_tests.models.recipes import SEED

SIZE, CHANNELS, WINDOW = 8, 16, 4
COUNT = SIZE // WINDOW
CALIBRATION_SAMPLES = 8
# Windows of neighbours, and of the pixels that MobileViT sees together, at a distance of COUNT.
NEIGHBOURS = (0, 1, 3, 2, 4, 5)
SPREAD = (0, 2, 4, 1, 3, 5)


def windows(batch: int = 1) -> bytes:
    """Return attention within windows of both kinds; the images of a batch are one below the other."""
    graph = Graph()
    x = values = graph.tensor("input", (1, batch * SIZE, SIZE, CHANNELS))
    for order in (NEIGHBOURS, SPREAD):
        values = _within(graph, values, batch, order)
    return graph.finish([x], [graph.binary("ADD", x, values)])


def _within(graph: Graph, x: Tensor, batch: int, order: tuple[int, ...]) -> Tensor:
    """Add attention within windows; the axes of images in this order are those of windows, pixels and channels."""
    cut = graph.transpose(graph.reshape(x, (batch, COUNT, WINDOW, COUNT, WINDOW, CHANNELS)), order)
    pixels = WINDOW**2 if order == NEIGHBOURS else COUNT**2
    rows = graph.reshape(cut, (batch * SIZE**2 // pixels, pixels, CHANNELS))
    dense = graph.dense(rows, graph.random_weights(f"weights_{pixels}", CHANNELS, CHANNELS))
    seen = graph.matmul(graph.softmax(graph.matmul(dense, rows, transposed=True)), rows)
    back = graph.transpose(graph.reshape(seen, cut.shape), [order.index(axis) for axis in range(len(order))])
    return graph.reshape(back, x.shape)


def quantized_windows(form: str, batch: int = 1) -> bytes:
    """Return it in a form of quantizer.RECIPES."""
    shape = (CALIBRATION_SAMPLES, batch * SIZE, SIZE, CHANNELS)
    samples = np.random.default_rng(SEED).standard_normal(shape, dtype=np.float32)
    return quantizer.quantized(windows(batch), form, samples)
