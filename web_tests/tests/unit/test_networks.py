"""Generated networks: native LiteRT matches numpy, outputs depend on the image, quantized forms have their types."""

import numpy as np
import pytest

from web_tests.models import networks
from web_tests.models.catalogue import generated_models
from web_tests.models.dumped_model import nodes_of
from web_tests.models.networks import architectures
from web_tests.models.networks.network_writer import NetworkWriter, Value
from web_tests.models.networks.stored_otherwise import HIGHEST_UINT8, SparseNetworkWriter, Uint8NetworkWriter
from web_tests.models.recipes import Array
from web_tests.references import native_litert

SIZE = 32


def written(writer: type[NetworkWriter], architecture: str) -> tuple[bytes, Array, Value]:
    """Write a small network; return it, the images in its input's form, and numpy's output."""
    images = networks.images(SIZE)
    net = writer(images)
    output: Value
    if architecture == "u_net":
        output = architectures.u_net(net)
    else:
        output = getattr(architectures, architecture)(net, width=0.25, classes=10)
    content = net.finish(output)
    if net.input.quantization:
        (scale,), (zero_point,) = net.input.quantization.scales, net.input.quantization.zero_points
        images = np.clip(np.round(images / scale) + zero_point, 0, HIGHEST_UINT8).astype(np.uint8)
    return content, images, output


def native(content: bytes, images: Array) -> Array:
    return np.concatenate([native_litert.run_native(content, [image[None]])[0] for image in images])


@pytest.mark.parametrize("architecture", ["mobilenet_v1", "mobilenet_v2", "u_net"])
@pytest.mark.parametrize("writer", [NetworkWriter, SparseNetworkWriter])
def test_native_litert_agrees_with_numpy(writer: type[NetworkWriter], architecture: str) -> None:
    content, images, output = written(writer, architecture)
    np.testing.assert_allclose(native(content, images), output.samples, rtol=1e-3, atol=1e-4)


def test_uint8_networks_are_close_to_float_ones() -> None:
    content, images, output = written(Uint8NetworkWriter, "mobilenet_v1")
    steps = native(content, images)
    assert steps.dtype == np.uint8
    agreement = np.corrcoef((steps / 256).ravel(), output.samples.ravel())[0, 1]
    assert agreement > 0.9


@pytest.mark.parametrize("architecture", ["mobilenet_v1", "mobilenet_v2"])
def test_outputs_depend_on_the_image(architecture: str) -> None:
    _, images, output = written(NetworkWriter, architecture)
    assert len(set(output.samples.argmax(axis=1).tolist())) > len(images) / 2


def test_the_same_bytes_every_time() -> None:
    assert written(NetworkWriter, "mobilenet_v2")[0] == written(NetworkWriter, "mobilenet_v2")[0]


@pytest.mark.parametrize(
    ("name", "node"),
    [
        ("u_net_int8", "CONV_2D(int8, int8 constant, int32 constant) -> int8"),
        ("u_net_16x8", "CONV_2D(int16, int8 constant, int64 constant) -> int16"),
        ("u_net_dynamic", "CONV_2D(float32, int8 constant, float32 constant) -> float32"),
        ("u_net_weight_only_int8", "DEQUANTIZE(int8 constant) -> float32"),
        ("u_net_weight_only_int4", "DEQUANTIZE(int4 constant) -> float32"),
        ("mobilenet_v1_uint8", "DEPTHWISE_CONV_2D(uint8, uint8 constant, int32 constant) -> uint8"),
        ("mobilenet_v1_sparse", "DENSIFY(float32 constant) -> float32"),
        ("mobilenet_v2_int8_uint8_io", "QUANTIZE(uint8) -> int8"),
    ],
)
def test_forms_are_what_they_are_called(name: str, node: str) -> None:
    assert node in map(str, nodes_of(networks.path(name).read_bytes()))


def test_every_network_is_a_row_of_models_toml() -> None:
    assert list(generated_models()) == list(networks.NETWORKS)
