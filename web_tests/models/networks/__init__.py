"""Networks that no package has, generated from a seed without TensorFlow, and their quantized forms.

Their weights are random, so their outputs mean nothing; shape, size and speed are real. Each is generated once per
state of this code, into build/models_created. The same machine writes the same bytes; on another processor, numpy may
round the last bit of a weight differently.
"""

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import filelock
import numpy as np

from support import cache
from support.paths import BUILD_DIR
from web_tests.models.networks import architectures, quantizer
from web_tests.models.networks.network_writer import NetworkWriter, Value
from web_tests.models.networks.stored_otherwise import SparseNetworkWriter, Uint8NetworkWriter
from web_tests.models.recipes import Array, ImageInput

GENERATED_DIR = BUILD_DIR / "models_created"
# Images for scaling the layers and calibrating the activations.
IMAGES = ("astronaut", "chelsea", "coffee", "rocket", "flower", "motorcycle_left", "china", "camera")
LARGE, MEDIUM, SMALL = 224, 96, 64


def path(name: str) -> Path:
    """Return the .tflite file of a network; generate it if it is missing.

    Raises:
        KeyError: NETWORKS has no network of that name.
    """
    make = NETWORKS[name]
    file = GENERATED_DIR / _state_of_this_code() / f"{name}.tflite"
    if file.is_file():
        return file
    file.parent.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(file.with_suffix(".lock")):
        if not file.is_file():
            temporary = file.with_suffix(".partial")
            temporary.write_bytes(make())
            temporary.replace(file)
    return file


def images(size: int) -> Array:
    """Return the calibration images as [count, size, size, 3], from -1 to 1."""
    return np.concatenate([ImageInput(name, -1, 1).make((1, size, size, 3)) for name in IMAGES])


def _mobilenet_v2_small(net: NetworkWriter) -> Value:
    return architectures.mobilenet_v2(net, width=0.35, classes=100)


def _mobilenet_v1_small(net: NetworkWriter) -> Value:
    return architectures.mobilenet_v1(net, width=0.25, classes=100)


def _written(
    architecture: Callable[[NetworkWriter], Value], size: int, writer: type[NetworkWriter] = NetworkWriter
) -> Callable[[], bytes]:
    def make() -> bytes:
        net = writer(images(size))
        return net.finish(architecture(net))

    return make


def _quantized(name: str, form: str, size: int, *, uint8_boundaries: bool = False) -> Callable[[], bytes]:
    return lambda: quantizer.quantized(path(name).read_bytes(), form, images(size), uint8_boundaries=uint8_boundaries)


def _state_of_this_code() -> str:
    directory = Path(__file__).parent
    sources = [directory, directory.with_name("model_writer.py"), directory.with_name("recipes.py")]
    return cache.content_hash(sources, extra=f"{version('litert-quantizer')} {version('numpy')}")


NETWORKS: dict[str, Callable[[], bytes]] = {
    "mobilenet_v2": _written(architectures.mobilenet_v2, LARGE),
    "mobilenet_v2_int8": _quantized("mobilenet_v2", "int8", LARGE),
    "mobilenet_v2_int8_uint8_io": _quantized("mobilenet_v2", "int8", LARGE, uint8_boundaries=True),
    "mobilenet_v2_small": _written(_mobilenet_v2_small, MEDIUM),
    **{f"mobilenet_v2_small_{form}": _quantized("mobilenet_v2_small", form, MEDIUM) for form in quantizer.RECIPES},
    "u_net": _written(architectures.u_net, SMALL),
    **{f"u_net_{form}": _quantized("u_net", form, SMALL) for form in quantizer.RECIPES},
    "mobilenet_v1_uint8": _written(_mobilenet_v1_small, MEDIUM, Uint8NetworkWriter),
    "mobilenet_v1_sparse": _written(_mobilenet_v1_small, MEDIUM, SparseNetworkWriter),
}
