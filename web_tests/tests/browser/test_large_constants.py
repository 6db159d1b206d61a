"""Constants above 128 MiB, which Chromium's WebNN rejects: they are split, or their node goes to the CPU."""

import numpy as np

from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.models import handmade
from web_tests.models.recipes import SEED
from web_tests.references import native_litert
from web_tests.references.comparison import assert_close

# 160 MiB of float32.
ROWS, DEPTH = 40960, 1024
TOLERANCE = 1e-5


def test_a_large_layer_runs_on_webnn_in_pieces(webnn: Harness) -> None:
    content = handmade.wide_layer(ROWS, DEPTH)
    loaded = webnn.load(content)
    assert (loaded.execution_mode, loaded.report["webnn"]["excludedNodes"]) == ("direct", [])
    x = np.random.default_rng(SEED).standard_normal((1, DEPTH), dtype=np.float32)
    assert_close(loaded.run([x]), native_litert.run_native(content, [x]), TOLERANCE)


def test_a_large_table_stays_on_the_cpu_and_the_report_says_why(webnn: Harness) -> None:
    loaded = webnn.load(handmade.embedding(ROWS, DEPTH), LoadOptions(webnn_options={"ignorePartitionCost": True}))
    (denied,) = loaded.report["webnn"]["excludedNodes"]
    assert loaded.execution_mode == "stepped"
    assert denied["node"] == 0
    assert "a constant of more than 128 MiB is at node 0:GATHER" in denied["reason"]
    ids = np.array([3, ROWS - 1], np.int32)
    (found,) = loaded.run([ids])
    expected = np.sin(ids[:, None] + np.arange(DEPTH, dtype=np.float64))
    np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE)
