"""States in Node: a language model's cache stays between prefill and decode, on the CPU and on the polyfill."""

from pathlib import Path

import numpy as np
import pytest

from web_tests.models.networks.decoder import DecoderShape, decoder
from web_tests.references.decoding import decode_natively
from web_tests.tests.node.programs import in_node

pytestmark = pytest.mark.needs("package")

PROMPT, STEPS = [1, 2, 3, 4], 5
TOLERANCE = 1e-5
PAGES = Path(__file__).parents[2] / "pages"
POLYFILL = "{ enableWebnnDelegate: true, webnnDelegateOptions: { polyfill: 'tflite', ...%s } }"
LOADERS = {
    "here": "library.loadTFLiteModel",
    "in a worker": "(...all) => new library.TFLiteWorker().loadTFLiteModel(...all)",
}


@pytest.mark.parametrize("loader", LOADERS.values(), ids=LOADERS)
@pytest.mark.parametrize(
    ("options", "mode"),
    [
        ("{}", "cpu"),
        ("{ enableXnnpackDelegate: false }", "cpu"),
        (POLYFILL % "{}", "direct"),
        (POLYFILL % "{ deniedOps: ['BATCH_MATMUL'], ignorePartitionCost: true }", "stepped"),
        (POLYFILL % "{ blocking: true }", "blocking"),
    ],
    ids=["CPU", "TFLite's kernels", "WebNN", "split", "blocking"],
)
def test_the_cache_stays(program: str, tmp_path: Path, loader: str, options: str, mode: str) -> None:
    content = decoder(DecoderShape())
    file = tmp_path / "decoder.tflite"
    file.write_bytes(content)
    body = f"""
        const {{ threeWays }} = await import({str(PAGES / "states.mjs")!r});
        const load = {loader};
        const model = await load(file, {options});
        const found = await threeWays(model, {PROMPT}, {STEPS});
        await model.dispose();
        return found;
    """
    found = in_node(program, file, body)
    assert found["modes"][0] == mode
    assert found["resident"] == found["byHand"] == found["again"]
    assert found["distance"] == 0
    np.testing.assert_allclose(
        found["resident"], decode_natively(content, [*PROMPT, PROMPT[-1]], STEPS), atol=TOLERANCE, rtol=TOLERANCE
    )
