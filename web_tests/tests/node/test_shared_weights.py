"""Weights that several signatures read are packed for XNNPACK once."""

from pathlib import Path

import pytest

from web_tests.models.networks.decoder import DecoderShape, decoder
from web_tests.tests.node.programs import heap_bytes

pytestmark = pytest.mark.needs("package")

SHAPE = DecoderShape(layers=2, heads=8, head_size=64)  # a file of 25 MB


def test_prefill_and_decode_share_packed_weights(program: str, tmp_path: Path) -> None:
    content = decoder(SHAPE)
    file = tmp_path / "decoder.tflite"
    file.write_bytes(content)
    size = heap_bytes(program, file)
    # The file and the weights once, and what the heap grows ahead; 3.2 times the file with each signature's own.
    assert 2 * len(content) < size < 2.6 * len(content)
