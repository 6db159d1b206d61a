"""The families of ops, each a strategy of nodes."""

from collections.abc import Mapping

from hypothesis import strategies as st

from web_tests.properties.families import (
    binary,
    convolution,
    indexing,
    matrix,
    pooling,
    quantization,
    recurrent,
    reduction,
    resize,
    shape,
    slicing,
    unary,
)
from web_tests.properties.families.common import Strategy

FAMILIES: Mapping[str, Mapping[str, Strategy]] = {
    "convolution": convolution.STRATEGIES,
    "pooling": pooling.STRATEGIES,
    "matrix": matrix.STRATEGIES,
    "unary": unary.UNARY,
    "activation": unary.ACTIVATION,
    "binary": binary.BINARY,
    "logic": binary.LOGICAL,
    "reduction": reduction.STRATEGIES,
    "shape": shape.STRATEGIES,
    "slicing": slicing.STRATEGIES,
    "indexing": indexing.STRATEGIES,
    "resize": resize.STRATEGIES,
    "quantization": quantization.STRATEGIES,
    "recurrent": recurrent.STRATEGIES,
}


def nodes(family: str, op: str = "") -> Strategy:
    strategies = FAMILIES[family]
    if op:
        return strategies[op]
    return st.sampled_from(list(strategies)).flatmap(strategies.__getitem__)
