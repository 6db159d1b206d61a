"""States in Node: a language model's cache persists between prefill and decode, on the CPU and on the polyfill."""

from pathlib import Path

import numpy as np
import pytest

from web_tests.models.networks.decoder import DecoderShape, decoder
from web_tests.models.networks.graph import Graph
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
        (POLYFILL % "{ excludedOps: ['BATCH_MATMUL'], ignorePartitionCost: true }", "stepped"),
        (POLYFILL % "{ blocking: true }", "blocking"),
    ],
    ids=["CPU", "TFLite's kernels", "WebNN", "split", "blocking"],
)
def test_a_state_keeps_the_cache_between_signatures(
    program: str, tmp_path: Path, loader: str, options: str, mode: str
) -> None:
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


def running_total() -> bytes:
    """Return total + x, and the indices of x's positive values, whose number is known only after the run."""
    graph = Graph()
    x, total = (graph.tensor(name, (6,)) for name in ("x", "total"))
    is_positive = graph.binary("GREATER", x, graph.constant(np.zeros(1, np.float32)), dtype="bool")
    indices = graph.op("WHERE", [is_positive], (1, 1), dtype="int64", name="indices")
    added = graph.op("ADD", [total, x], (6,), name="total")
    return graph.finish([x, total], [indices, added], signature="step")


@pytest.mark.parametrize("options", ["{}", "{ enableXnnpackDelegate: false }", POLYFILL % "{}"])
def test_a_state_of_a_model_with_dynamic_tensors_is_copied(program: str, tmp_path: Path, options: str) -> None:
    """Its tensors cannot point at the state's memory: the values are copied."""
    file = tmp_path / "total.tflite"
    file.write_bytes(running_total())
    body = f"""
        const model = await library.loadTFLiteModel(file, {options});
        const state = await model.createState();
        const shapes = [];
        for (const x of [[1, -1, 2, -2, 3, 0], [-1, -1, -1, -1, -1, -1], [0, 0, 0, 0, 0, 5]]) {{
          const {{ indices }} = await model.runSignature('step', {{ x: Float32Array.from(x) }}, {{ state }});
          shapes.push(indices.shape);
        }}
        const withoutState = await model.runSignature('step', {{ x: new Float32Array(6), total: new Float32Array(6) }});
        return {{ shapes, total: [...(await state.read('total'))], withoutState: [...withoutState.total.data] }};
    """
    found = in_node(program, file, body)
    assert found == {"shapes": [[3, 1], [0, 1], [1, 1]], "total": [0, -2, 1, -3, 2, 4], "withoutState": [0] * 6}
