"""Tensors with several scales, which kernels read of weights only."""

import pytest

from wasm.toolchain.description import DescriptionError
from web_tests.models.model_writer import Quantization
from web_tests.models.one_node import one_node
from web_tests.references.described import described
from web_tests.references.golden import WEBNN

pytestmark = pytest.mark.needs("package")


@pytest.mark.parametrize("scaled", ["x", "z", "y"])
@pytest.mark.parametrize("op", ["ADD", "MUL", "PRELU"])
def test_several_scales_are_rejected_where_the_kernel_reads_one(op: str, scaled: str) -> None:
    """Of several scales they would read 0."""
    x, z, y = (
        ((2, 2), "int8", Quantization((1 / 128,) * (2 if name == scaled else 1), (0,), axis=1)) for name in "xzy"
    )
    with pytest.raises(DescriptionError, match=r"scales"):
        described(one_node(op, [x, z], y, version=2), WEBNN)
