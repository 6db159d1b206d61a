"""docs/reference/ops.md matches the registry, and every op of the registry has cases."""

from collections import Counter, defaultdict

import pytest

from tools.docs import ops_table
from wasm.toolchain.description import describe_ops, ops_text
from wasm.toolchain.selection.selection import OPS_FILE
from web_tests.op_cases import all_cases
from web_tests.op_cases.quantized_case import QuantizedCase
from web_tests.references import golden

pytestmark = pytest.mark.needs("package")

MIN_DELEGATED = 100
MIN_VARIANTS = 3


def test_the_document_is_up_to_date() -> None:
    assert ops_table.DOCUMENT.read_text() == ops_table.text(), "run `python3 build.py docs` and read the difference"


@pytest.mark.golden
def test_the_printed_table_is_up_to_date() -> None:
    golden.check(OPS_FILE, ops_text())


def test_every_builtin_of_this_tflite_is_lowered_or_has_a_reason() -> None:
    ops = describe_ops()
    names = [row["op"] for row in ops]
    assert len(set(names)) == len(names)
    lowered = [row for row in ops if "webnnOps" in row]
    assert len(lowered) >= MIN_DELEGATED
    assert [row["op"] for row in lowered if "versions" not in row] == []
    assert [row["op"] for row in ops if not row["custom"] and "webnnOps" not in row and not row["reason"]] == []


def test_every_lowered_op_has_variants_in_each_of_its_types() -> None:
    variants: dict[str, Counter[tuple[str, bool]]] = defaultdict(Counter)
    for case in all_cases():
        if not case.cpu_reason:
            variants[case.op][case.dtype, isinstance(case, QuantizedCase)] += 1
    # The cases of a sparse constant are FULLY_CONNECTED's; a scatter has a subgraph, see test_loops.py, and so have
    # variables, see test_variables.py.
    unlike = {"DENSIFY", "STABLEHLO_SCATTER", "READ_VARIABLE", "ASSIGN_VARIABLE"}
    names = {row["op"] for row in describe_ops() if "webnnOps" in row} - unlike
    assert names - set(variants) == set()
    few = {
        f"{op} {dtype}{' quantized' if quantized else ''}": count
        for op in names
        for (dtype, quantized), count in variants[op].items()
        if count < MIN_VARIANTS
    }
    assert few == {}
