"""What the compiled module in Node says of a model: no browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wasm.toolchain.description import describe_model

# From a file's bytes and the runner's options to the description.
Describe = Callable[[bytes, dict[str, str]], dict[str, Any]]


@pytest.fixture
def describe(tmp_path: Path) -> Describe:
    def call(model: bytes, options: dict[str, str]) -> dict[str, Any]:
        path = tmp_path / "model.tflite"
        path.write_bytes(model)
        return describe_model(path, options)

    return call
