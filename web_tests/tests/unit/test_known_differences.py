"""known.toml and tolerances of random nodes: rows are of ops that are sampled, and forgive what they name only."""

import numpy as np
import pytest

from web_tests.models.model_writer import Quantization
from web_tests.properties import judging, known
from web_tests.properties.engines import CPU_VARIANTS
from web_tests.properties.families import FAMILIES
from web_tests.properties.native import NativeResult
from web_tests.properties.spec import Fill, NodeSpec, Operand, Result

SAMPLED = {op for ops in FAMILIES.values() for op in ops}
EXECUTIONS = {"cpu", "webnn", "polyfill", *(f"cpu-{variant}" for variant in CPU_VARIANTS)}
KINDS = {"values", "rejected", "accepted", "crash", "gpu process"}


def test_rows_are_of_ops_executions_and_kinds_that_exist() -> None:
    for row in known.load().rows:
        assert {*row.ops} <= SAMPLED, row.name
        assert {*row.on} <= EXECUTIONS, row.name
        assert {*row.kinds} <= KINDS, row.name
        assert row.reason, row.name


def test_every_condition_has_a_row() -> None:
    assert {row.when for row in known.load().rows if row.when} == set(known.CONDITIONS)


def _product(left: tuple[int, ...], right: tuple[int, ...], dtype: str = "int8") -> NodeSpec:
    weights = Operand(right, Fill("integer", -127, 128, 0), dtype, Quantization((0.01,)) if dtype == "int8" else None)
    return NodeSpec("BATCH_MATMUL", (Operand(left, Fill("uniform", -1, 1, 0)), weights))


@pytest.mark.parametrize(
    ("spec", "is_known"),
    [
        (_product((2, 3, 4, 5), (5, 6)), True),
        (_product((4, 5), (2, 3, 5, 6)), True),
        (_product((1, 3, 4, 5), (3, 5, 6)), False),
        (_product((2, 3, 4, 5), (5, 6), "float32"), False),
    ],
)
def test_only_hybrid_products_of_several_batches_are_known_to_differ(spec: NodeSpec, is_known: bool) -> None:
    assert known.CONDITIONS["hybrid_batches"](spec) == is_known


@pytest.mark.parametrize(("scale", "is_known"), [(0.002, True), (0.0021, False)])
def test_only_a_sum_beyond_16_bits_is_known(scale: float, is_known: bool) -> None:
    operand = Operand((1,), (66,), "int8", Quantization((0.5,)))
    spec = NodeSpec("ADD", (operand, operand), (Result("int8", Quantization((scale,), (-10,))),))
    assert known.CONDITIONS["beyond_16_bits"](spec) == is_known


def test_operands_that_are_nearer_than_native_litert_sees_are_ties() -> None:
    def operand(value: int, scale: float) -> Operand:
        return Operand((1,), (value,), "int8", Quantization((scale,), (0,)))

    equal = (np.array([True]),)
    for scale, is_right in ((1 / 512, True), (1 / 128, False)):
        spec = NodeSpec("EQUAL", (operand(3, scale), operand(4, scale)), (Result("bool"),))
        tolerance = judging.tolerance_of(spec, "webnn")
        found = judging.judge(spec, [np.array([False])], NativeResult(((1,),), (equal,)), tolerance).difference
        assert (not found) == is_right
