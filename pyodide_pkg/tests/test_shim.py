"""Scripts written for tflite_runtime and ai_edge_litert run unchanged."""

import importlib
import sys
from collections.abc import Iterator

import pytest
import tflite_webnn

from pyodide_pkg.tests.fake_backend import FakeBackend
from web_tests.models import handmade

NAMES = [name for package in ("tflite_runtime", "ai_edge_litert") for name in (package, f"{package}.interpreter")]


@pytest.fixture(autouse=True)
def kept_modules() -> Iterator[None]:
    """Put the real modules back."""
    before = {name: sys.modules.get(name) for name in NAMES}
    yield
    sys.modules.pop("tflite_webnn.shim", None)
    for name, module in before.items():
        sys.modules.pop(name, None)
        if module is not None:
            sys.modules[name] = module


@pytest.mark.parametrize("name", ["tflite_runtime", "ai_edge_litert"])
@pytest.mark.parametrize("how", ["import", "call"])
def test_other_packages_names_import_this_interpreter(name: str, how: str, fake: FakeBackend) -> None:
    if how == "import":
        importlib.import_module("tflite_webnn.shim")
    else:
        tflite_webnn.install_shim()
    module = importlib.import_module(f"{name}.interpreter")
    package = importlib.import_module(name)
    assert module.Interpreter is tflite_webnn.Interpreter
    assert package.interpreter is module
    assert module.load_delegate is tflite_webnn.load_delegate
    assert module.OpResolverType.AUTO.value == 0
    assert module.Interpreter(model_content=handmade.tiny_network()).get_input_details()[0]["name"] == "image"


def test_importing_the_package_installs_no_shim() -> None:
    assert "tflite_webnn.shim" not in sys.modules
    assert tflite_webnn.Interpreter is not importlib.import_module("ai_edge_litert.interpreter").Interpreter
