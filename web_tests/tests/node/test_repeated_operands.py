"""Attention whose heads share a cache: one product has the rows of them all (runtime/rewrite/repeated_operands.cc)."""

import numpy as np
import pytest

from web_tests.drivers.harness import LoadOptions, PageHarness
from web_tests.models.recipes import SEED, Array
from web_tests.models.shared_heads import DEPTH, GROUPS, HEADS, LENGTH, SharedHeads
from web_tests.references import native_litert

PROFILED = LoadOptions(webnn=False, extra={"enableProfiling": True})
REMOVED = {
    "decode": SharedHeads(),
    "prefill": SharedHeads(rows=5),
    "transposed": SharedHeads(rows=5, transposed=True),
    "open": SharedHeads(rows=5, has_open_rows=True),
}
KEPT = {
    "tiled": SharedHeads(rows=5, is_tiled=True),
    "returned": SharedHeads(rows=5, returns_repeated=True),
}


def inputs_of(rows: int) -> list[Array]:
    random = np.random.default_rng(SEED)
    shapes = (HEADS, rows, DEPTH), (LENGTH, GROUPS, DEPTH)
    return [random.normal(size=shape).astype(np.float32) for shape in shapes]


def assert_native_outputs(found: list[Array], model: SharedHeads) -> None:
    expected = native_litert.outputs_of(model.write(), inputs_of(model.rows))
    assert [y.shape for y in found] == [y.shape for y in expected]
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", [*REMOVED, *KEPT])
def test_a_shared_cache_is_not_repeated(harness: PageHarness, name: str) -> None:
    model = (REMOVED | KEPT)[name]
    loaded = harness.load(model.write(), PROFILED)
    assert_native_outputs(loaded.run(inputs_of(model.rows)), model)
    ops = [item["nodeType"] for item in loaded.profile()[0]]
    assert ("BROADCAST_TO" in ops) == (name in KEPT), ops


def test_the_number_of_rows_may_change(harness: PageHarness) -> None:
    loaded = harness.load(REMOVED["open"].write(), PROFILED)
    for rows in (3, 1, 7):
        loaded.resize([[HEADS, rows, DEPTH], [LENGTH, GROUPS, DEPTH]])
        assert_native_outputs(loaded.run(inputs_of(rows)), SharedHeads(rows=rows))


def test_rows_may_become_those_of_all_heads(harness: PageHarness) -> None:
    """The product then broadcasts them, and the cache is repeated."""
    model = SharedHeads(rows=HEADS, scales_rows=True).write()
    loaded = harness.load(model, PROFILED)
    rows, cache = inputs_of(HEADS)
    loaded.resize([[1, HEADS, DEPTH], [LENGTH, GROUPS, DEPTH]])
    (found,) = loaded.run([rows[:1].copy(), cache])
    (expected,) = native_litert.outputs_of(model, [np.repeat(rows[:1], HEADS, axis=0), cache])
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)
