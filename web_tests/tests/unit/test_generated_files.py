"""Committed files that scripts generate are what these scripts write."""

from collections.abc import Callable
from pathlib import Path

import pytest

from support.command import run
from support.npm import JS_DIR, find_node, install
from tools.docs import polyfill_ops_table
from wasm.toolchain.sources import registry
from wasm.toolchain.sources.fetch import entry
from web_tests.models import metadata

POLYFILL_DIR = JS_DIR / "packages" / "webnn-polyfill"
METADATA_GENERATOR = JS_DIR / "scripts" / "tools" / "metadata_schema.mjs"
METADATA_DIR = JS_DIR / "packages" / "core" / "src" / "generated"
TIMEOUT_SECONDS = 120


def test_the_table_of_the_polyfills_operators_is_up_to_date() -> None:
    document = polyfill_ops_table.DOCUMENT.read_text()
    assert document == polyfill_ops_table.text(), "run `python3 build.py docs` and read the difference"


def schema_of_tflite() -> Path:
    return entry(registry.load().components["tensorflow"]) / "tensorflow/compiler/mlir/lite/schema/schema.fbs"


def schema_of_metadata() -> list[Path]:
    return [schema_of_tflite(), metadata.schema_file("metadata_schema.fbs")]


def schema_of_mediapipe() -> list[Path]:
    names = ("object_detector_metadata_schema.fbs", "image_segmenter_metadata_schema.fbs")
    return [metadata.schema_file(name) for name in names]


@pytest.mark.parametrize(
    ("generator", "schemas", "generated"),
    [
        (
            POLYFILL_DIR / "tools" / "tflite_schema.mjs",
            lambda: [schema_of_tflite()],
            POLYFILL_DIR / "src" / "tflite" / "tflite_schema.ts",
        ),
        (METADATA_GENERATOR, schema_of_metadata, METADATA_DIR / "metadata_schema.ts"),
        (METADATA_GENERATOR, schema_of_mediapipe, METADATA_DIR / "mediapipe_schema.ts"),
    ],
    ids=["tflite", "metadata", "mediapipe"],
)
def test_constants_of_schemas_are_up_to_date(
    generator: Path, schemas: Callable[[], list[Path]], generated: Path
) -> None:
    files = schemas()
    if not files[0].exists():
        pytest.skip(f"{files[0]} is missing; python3 build.py setup fetches it")
    install()
    printed = run([find_node(), generator, *files], capture=True, quiet=True, timeout_seconds=TIMEOUT_SECONDS)
    assert generated.read_text() == printed, f"run: node {generator} {' '.join(map(str, files))} > {generated}"
