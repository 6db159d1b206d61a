"""What the compiled module in Node says of a model's bytes: its description, or the error."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from wasm.toolchain.description import DescriptionError, describe_model


def described(content: bytes, options: Mapping[str, str]) -> dict[str, Any]:
    """Return the description of a model, as describe_model() does of a file."""
    with tempfile.TemporaryDirectory(prefix="tflite-webnn-") as directory:
        path = Path(directory) / "model.tflite"
        path.write_bytes(content)
        return describe_model(path, options)


def rejection(content: bytes, options: Mapping[str, str], code: str = "MALFORMED_MODEL") -> str:
    """Return the error of a model that the module must reject with this code."""
    with pytest.raises(DescriptionError) as caught:
        described(content, options)
    assert caught.value.code == code
    return str(caught.value)
