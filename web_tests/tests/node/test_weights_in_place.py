"""XNNPACK reorders int8 weights where they lie in the file, if nothing else reads them there; others it packs once."""

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.recipes import SEED
from web_tests.tests.node.programs import call_in_node, heap_bytes

pytestmark = pytest.mark.needs("package")

TANH = 4
BOUNDARIES = (-0.5, 0.0, 0.5)


def in_place_and_packed(program: str, file: Path) -> Any:
    """Return the outputs of a model in several shapes, with weights in place and with packed ones."""
    return call_in_node(program, "weights", "inPlaceAndPacked", file)


def layers(columns: int, depth: int, other_reader: str = "") -> bytes:
    """Return y = weights x; z is what `other_reader` computes from the same weights."""
    random = np.random.default_rng(SEED)
    writer = ModelWriter()
    x = writer.tensor("x", (1, depth))
    writer.open_dimensions(x, [0])
    scales = Quantization(tuple(random.uniform(0.001, 0.02, columns).tolist()))
    weights = writer.constant("weights", random.integers(-127, 128, (columns, depth)).astype(np.int8), scales)
    outputs = []

    def connect(name: str, source: int, **options: object) -> None:
        outputs.append(writer.tensor(name, (1, columns)))
        writer.open_dimensions(outputs[-1], [0])
        provided = {"asymmetricQuantizeInputs": True, **options}
        writer.node("FULLY_CONNECTED", [source, weights], outputs[-1:], provided, version=9)

    connect("y", x)
    if other_reader == "kernel":  # XNNPACK has no such activation
        connect("z", x, fusedActivationFunction=TANH)
    elif other_reader == "operator":
        connect("z", x, fusedActivationFunction=1)
    elif other_reader == "rows":
        outputs.append(writer.tensor("z", (2, depth), "int8", Quantization((0.5,))))
        rows = writer.constant("rows", np.array([3, columns - 1], np.int32))
        writer.node("GATHER", [weights, rows], outputs[-1:], version=2)
    elif other_reader == "options":
        outputs.append(writer.tensor("z", (1, columns), "int32"))
        writer.open_dimensions(outputs[-1], [0])
        boundaries = {"boundaries": BOUNDARIES}
        writer.node("BUCKETIZE", outputs[:1], outputs[-1:], boundaries)
    elif other_reader == "output":
        outputs.append(weights)
    return writer.finish([x], outputs)


@pytest.mark.parametrize(
    ("columns", "depth", "other_reader"),
    [
        (16, 64, ""),
        (8, 2, ""),
        (24, 9222, ""),
        (12, 64, ""),
        (16, 7, ""),
        (16, 64, "operator"),
        (16, 64, "kernel"),
        (16, 64, "rows"),
        (16, 64, "output"),
    ],
)
def test_outputs_are_those_of_packed_weights(
    program: str, tmp_path: Path, columns: int, depth: int, other_reader: str
) -> None:
    file = tmp_path / "layers.tflite"
    file.write_bytes(layers(columns, depth, other_reader))
    in_place, packed = in_place_and_packed(program, file)
    assert in_place == packed
    assert in_place[0] == in_place[3] != in_place[2]


def with_part_in_weights(content: bytes, part: bytes, weights: bytes, *, is_full: bool = False) -> bytes:
    """Return layers(16, 64) with weights that begin with a vector of the file, `part`, or are it."""
    for old, new in ((struct.pack("<I", 16 * 64), 0), (part, 0 if is_full else 4)):
        targets = {
            offset: offset + struct.unpack_from("<I", content, offset)[0] for offset in range(0, len(content) - 3, 4)
        }
        (slot,) = (offset for offset, target in targets.items() if content.startswith(old, target))
        content = content[:slot] + struct.pack("<I", len(content) + new - slot) + content[slot + 4 :]
    return content + struct.pack("<I", 16 * 64) + weights.ljust(16 * 64, b"w") + b"\0" * 4


def named_by_its_weights(name: str, *, is_full: bool) -> bytes:
    weights = name.encode() if is_full else struct.pack("<I", len(name)) + name.encode() + b"\0"
    return with_part_in_weights(layers(16, 64), b"\1\0\0\0y\0", weights, is_full=is_full)


@pytest.mark.parametrize("is_full", [False, True], ids=["part", "entire"])
def test_weights_that_are_a_name_too_remain(program: str, tmp_path: Path, is_full: bool) -> None:
    name = "".join(chr(ord("0") + i % 64) for i in range(16 * 64 if is_full else 100))
    file = tmp_path / "layers.tflite"
    file.write_bytes(named_by_its_weights(name, is_full=is_full))
    assert call_in_node(program, "weights", "outputName", file) == name
    in_place, packed = in_place_and_packed(program, file)
    assert in_place == packed


def test_weights_that_are_options_too_remain(program: str, tmp_path: Path) -> None:
    boundaries = struct.pack(f"<I{len(BOUNDARIES)}f", len(BOUNDARIES), *BOUNDARIES)
    file = tmp_path / "layers.tflite"
    file.write_bytes(with_part_in_weights(layers(16, 64, "options"), boundaries, boundaries))
    in_place, packed = in_place_and_packed(program, file)
    assert in_place == packed


def test_the_heap_has_the_weights_once(program: str, tmp_path: Path) -> None:
    content = layers(4096, 4096)  # 17 MB
    file = tmp_path / "layers.tflite"
    file.write_bytes(content)
    assert heap_bytes(program, file) < 1.6 * len(content)  # 2.4 times with packed ones


def test_the_heap_has_float16_weights_packed_only(program: str, tmp_path: Path) -> None:
    size = 1024
    writer = ModelWriter()
    x = last = writer.tensor("x", (1, size))
    for layer in range(8):
        weights = writer.half_constant(f"weights{layer}", np.full((size, size), layer, np.float32))
        bias = writer.half_constant(f"bias{layer}", np.zeros(size, np.float32))
        following = writer.tensor(f"y{layer}", (1, size))
        writer.node("FULLY_CONNECTED", [last, weights, bias], [following])
        last = following
    content = writer.finish([x], [last])  # 17 MB
    file = tmp_path / "layers.tflite"
    file.write_bytes(content)
    assert heap_bytes(program, file) < 4.2 * len(content)  # 5.2 times with float32 copies next to the packed ones
