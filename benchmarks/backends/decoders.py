"""Language models that are generated, as large as small real ones: 147 MB as float32."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

from web_tests.models.networks.decoder import DecoderShape, decoder

SHAPE = DecoderShape(layers=10, heads=8, head_size=64, vocabulary=10_000, cache=512, prefill=128)

# By name; `decoder_f32_decode` has only the signature of a token.
DECODERS: Mapping[str, Callable[[], bytes]] = MappingProxyType(
    {
        "decoder_f32": partial(decoder, SHAPE),
        "decoder_f32_decode": partial(decoder, SHAPE, signatures=("decode",)),
        "decoder_f16": partial(decoder, SHAPE, weights="float16"),
        "decoder_int8": partial(decoder, SHAPE, weights="int8"),
    }
)


def write(directory: Path) -> None:
    """Write each decoder as NAME.tflite; create the directory if it is missing."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, create in DECODERS.items():
        (directory / f"{name}.tflite").write_bytes(create())
