"""RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from web_tests.properties.families.common import ANY_KINDS, QUANTIZED, Strategy, operands, parameters, quantizations
from web_tests.properties.spec import NodeSpec, Result

MODES = ((False, False), (True, False), (False, True))


@st.composite
def resize(draw: DrawFn, op: str) -> NodeSpec:
    dtypes = ("float32", *QUANTIZED) if op == "RESIZE_BILINEAR" else ("float32", *QUANTIZED, "int32")
    dtype = draw(st.sampled_from(dtypes))
    quantization = draw(quantizations(dtype)) if dtype in QUANTIZED else None
    shape = tuple(draw(st.integers(1, max_size)) for max_size in (2, 7, 7, 5))
    data = draw(operands(shape, dtype, quantization=quantization, kinds=ANY_KINDS, constant=False))
    size = draw(parameters([draw(st.integers(1, 15)), draw(st.integers(1, 15))]))
    corners, half = draw(st.sampled_from(MODES))
    options = (("alignCorners", corners), ("halfPixelCenters", half))
    return NodeSpec(op, (data, size), (Result(dtype, quantization),), options, 5.0)


STRATEGIES: dict[str, Strategy] = {op: resize(op) for op in ("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR")}
