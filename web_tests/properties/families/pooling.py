"""Pooling over windows."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from web_tests.properties.families.common import ACTIVATIONS, ANY_KINDS, REAL_KINDS, Strategy, operands, quantizations
from web_tests.properties.families.convolution import SAME, VALID, windows
from web_tests.properties.spec import NodeSpec, Result


@st.composite
def pool_2d(draw: DrawFn, op: str) -> NodeSpec:
    """Draw a pooling node; quantized ones keep scale and zero point."""
    padding = draw(st.sampled_from((SAME, VALID)))
    height, width = (draw(windows(padding)) for _ in range(2))
    dtype = draw(st.sampled_from(("float32",) if op == "L2_POOL_2D" else ("float32", "int8", "uint8", "int16")))
    quantization = None if dtype == "float32" else draw(quantizations(dtype))
    # Dilation only enlarges the input here: pooling has none.
    shape = (draw(st.sampled_from((1, 1, 2, 0))), height.size, width.size, draw(st.integers(1, 9)))
    options = (
        ("padding", padding),
        ("strideH", height.stride),
        ("strideW", width.stride),
        ("filterHeight", height.kernel),
        ("filterWidth", width.kernel),
        ("fusedActivationFunction", draw(ACTIVATIONS)),
    )
    kinds = ANY_KINDS if op == "MAX_POOL_2D" else REAL_KINDS
    data = draw(operands(shape, dtype, quantization=quantization, kinds=kinds, constant=False))
    return NodeSpec(op, (data,), (Result(dtype, quantization),), options, 5.0)


STRATEGIES: dict[str, Strategy] = {op: pool_2d(op) for op in ("AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D")}
