"""XNNPACK's kernels, by the 8-bit dot product that it accepted in the engine (docs/explanation/kernels.md)."""

from typing import Literal

# ModelReport.xnnpack.dotProduct
DotProduct = Literal["none", "signed", "unsigned"]
# GEMM and IGEMM of int8, and of floats quantized at run time.
INT8_KERNELS: dict[DotProduct, str] = {
    "none": "4x8c2 dot16x2, this project's",
    "signed": "c8 wasmsdot, XNNPACK's",
    "unsigned": "4x8c8 wasmusdot, XNNPACK's",
}


def kernels_text(dot_product: DotProduct) -> str:
    """Return for example "dot product: unsigned; int8 GEMM: 4x8c8 wasmusdot, XNNPACK's"."""
    return f"dot product: {dot_product}; int8 GEMM: {INT8_KERNELS[dot_product]}"
