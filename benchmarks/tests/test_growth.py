"""The models of `benchmarks.growth` are models, at the smallest size too."""

import pytest
from ai_edge_litert.interpreter import Interpreter

from benchmarks.growth.models import MODELS

# Their metadata is written by the classes of a package that is downloaded.
DESCRIBED = ("described outputs", "labels")


@pytest.mark.parametrize("size", [1, 20])
@pytest.mark.parametrize("name", [name for name in MODELS if name not in DESCRIBED])
def test_native_litert_loads_each_model_of_each_size(name: str, size: int) -> None:
    interpreter = Interpreter(model_content=MODELS[name](size))
    interpreter.allocate_tensors()
    assert interpreter.get_output_details()
