"""Integer weights with float32 activations: WebNN computes the real numbers, nearer to them than native LiteRT.

Native LiteRT quantizes the activations in each run. Measured, as a fraction of the results' range: WebNN 4e-7 from the
float reference, native LiteRT 3e-3 to 1e-2.
"""

from collections.abc import Callable

import numpy as np
import pytest

from web_tests.drivers.harness import Harness
from web_tests.models.catalogue import generated_models
from web_tests.models.float_reference import float_reference
from web_tests.models.networks.modern import MODERN
from web_tests.models.recipes import SEED, Array
from web_tests.references import native_litert

TOLERANCE = 1e-5
NETWORKS: dict[str, Callable[[], bytes]] = {
    "int4_blocks": MODERN["int4_blocks"].make,
    "mobilenet_v2_small_dynamic": generated_models()["mobilenet_v2_small_dynamic"].content,
    "u_net_dynamic": generated_models()["u_net_dynamic"].content,
}


def distance(found: Array, expected: Array) -> float:
    """Return the largest difference as a fraction of the expected values' range."""
    return float(np.abs(found.astype(np.float64) - expected).max() / np.ptp(expected))


@pytest.mark.parametrize("name", NETWORKS)
def test_webnn_computes_the_float_reference(webnn: Harness, name: str) -> None:
    content = NETWORKS[name]()
    random = np.random.default_rng(SEED)
    inputs = [random.uniform(-1, 1, info.shape).astype(info.dtype) for info in native_litert.input_details(content)]
    expected = native_litert.outputs_of(float_reference(content), inputs)
    loaded = webnn.load(content)
    assert loaded.execution_mode == "direct"
    for found, exact, native in zip(
        loaded.run(inputs), expected, native_litert.outputs_of(content, inputs), strict=True
    ):
        assert distance(found, exact) <= TOLERANCE
        assert distance(native, exact) > 100 * TOLERANCE
