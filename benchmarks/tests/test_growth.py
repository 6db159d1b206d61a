"""The models of `benchmarks.growth` are models, at the smallest size too."""

import pytest
from ai_edge_litert.interpreter import Interpreter

from benchmarks.growth.document import GrowthRow
from benchmarks.growth.measuring import KNOWN_SQUARES, SIZES, is_too_fast, with_remark
from benchmarks.growth.models import MODELS

# Their metadata is written by the classes of a package that is downloaded.
DESCRIBED = ("described outputs", "labels")


@pytest.mark.parametrize("size", [1, 20])
@pytest.mark.parametrize("name", [name for name in MODELS if name not in DESCRIBED])
def test_native_litert_loads_each_model_of_each_size(name: str, size: int) -> None:
    interpreter = Interpreter(model_content=MODELS[name](size))
    interpreter.allocate_tensors()
    assert interpreter.get_output_details()


def growth(name: str, factor: float) -> GrowthRow:
    return with_remark(GrowthRow(name, SIZES[1:], [1, factor, factor**2], factor))


def test_a_new_square_fails() -> None:
    assert is_too_fast(growth("nodes: load", 2.3))
    assert not is_too_fast(growth("nodes: load", 2.2))


@pytest.mark.parametrize("name", KNOWN_SQUARES)
def test_a_known_square_fails_only_as_a_cube(name: str) -> None:
    assert name.partition(": ")[0] in MODELS
    assert not is_too_fast(growth(name, 4))
    assert is_too_fast(growth(name, 8))
    assert growth(name, 4).remark
    assert not growth(name, 2).remark
