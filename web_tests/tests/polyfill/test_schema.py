"""The polyfill's constants of TensorFlow Lite's schema match the sources of the module."""

import subprocess

import pytest

from js.node import JS_DIR, find_node, install
from wasm.toolchain.sources import registry
from wasm.toolchain.sources.fetch import entry

GENERATED = JS_DIR / "webnn-polyfill" / "src" / "tflite" / "tflite_schema.ts"
GENERATOR = JS_DIR / "webnn-polyfill" / "tools" / "tflite_schema.mjs"
SCHEMA = "tensorflow/compiler/mlir/lite/schema/schema.fbs"
TIMEOUT_SECONDS = 120


def test_the_generated_file_is_up_to_date() -> None:
    schema = entry(registry.load().components["tensorflow"]) / SCHEMA
    if not schema.exists():
        pytest.skip(f"{schema} is missing; python3 build.py setup fetches it")
    install()
    result = subprocess.run(
        [find_node(), GENERATOR, schema], capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=True
    )
    assert GENERATED.read_text() == result.stdout, f"run: node {GENERATOR} {schema} > {GENERATED}"
