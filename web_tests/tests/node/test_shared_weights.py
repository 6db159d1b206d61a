"""Weights that several signatures read are packed for XNNPACK once."""

from pathlib import Path

import pytest

from web_tests.models.networks.decoder import DecoderShape, decoder
from web_tests.tests.node.programs import in_node

pytestmark = pytest.mark.needs("package")

SHAPE = DecoderShape(layers=2, heads=8, head_size=64)  # a file of 25 MB
# The heap of the model's wasm instance, in bytes.
HEAP = """
    let heap;
    const instantiate = WebAssembly.instantiate;
    WebAssembly.instantiate = async (...all) => {
      const instance = await instantiate(...all);
      heap = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
      return instance;
    };
    const model = await library.loadTFLiteModel(file, {});
    const { byteLength } = heap.buffer;
    await model.dispose();
    return byteLength;
"""


def test_prefill_and_decode_share_packed_weights(program: str, tmp_path: Path) -> None:
    content = decoder(SHAPE)
    file = tmp_path / "decoder.tflite"
    file.write_bytes(content)
    heap_bytes = in_node(program, file, HEAP)
    # The file and the weights once, and what the heap grows ahead; 3.2 times the file with each signature's own.
    assert 2 * len(content) < heap_bytes < 2.6 * len(content)
