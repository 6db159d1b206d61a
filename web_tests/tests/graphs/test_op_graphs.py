"""The graph of every lowered op, float and quantized, compared with golden files: one per op, in golden/ops."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from wasm.toolchain.description import DescriptionError, describe_models, describe_ops
from web_tests.op_cases import all_cases, case_id
from web_tests.op_cases.case import OpCase
from web_tests.op_cases.quantized_case import QuantizedCase
from web_tests.references import golden
from web_tests.references.golden import WEBNN

pytestmark = pytest.mark.needs("package")

GOLDEN_DIR = Path(__file__).parent / "golden" / "ops"
# In addition to each op's first case and its first int8 case: cases that become other operators.
MORE = {
    "ADD-fused_relu_wide_int8",
    "BUCKETIZE-some_int64",
    "CAST-float_to_bool",
    "CONV_2D-fused_relu6_wide_int8",
    "CONV_2D-same_stride_1x1_quantized_int16",
    "DEPTHWISE_CONV_2D-multiplier_2",
    "DYNAMIC_UPDATE_SLICE-run_time_float32",
    "EQUAL-rank5",
    "FLOOR_DIV-int32_by_3",
    "FLOOR_MOD-int32_by_3",
    "FLOOR_MOD-int64_of_62_bits_by_7",
    "FULLY_CONNECTED-keep_dims",
    "FULLY_CONNECTED-sparse_4x6",
    "GATHER-batch_1_axis_2_run_time",
    "GATHER-indices_rank5_constant",
    "GATHER_ND-attention_mask",
    "GELU-tanh_rank4",
    "MIRROR_PAD-symmetric",
    "QUANTIZE-to_rank2_int16",
    "RESHAPE-rank6_quantized_int8",
    "RESIZE_BILINEAR-corners_up_2",
    "RESIZE_NEAREST_NEIGHBOR-plain_up_odd",
    "RSQRT-rank4_quantized_int16",
    "SELECT-rows_bool",
    "SOFTMAX-beta_0.5",
    "SPARSE_TO_DENSE-one_value_int32",
    "STABLEHLO_PAD-cut_float32",
    "STRIDED_SLICE-backwards",
    "TOPK_V2-two",
    "TRANSPOSE-spread_windows_quantized_int8",
    "TRANSPOSE-rank7",
    "TRANSPOSE-windows_quantized_int16",
    "TRANSPOSE-windows_quantized_int8",
}


def _chosen() -> dict[str, list[OpCase]]:
    by_op: dict[str, list[OpCase]] = defaultdict(list)
    seen = set()
    for case in all_cases():
        kind = case.op, isinstance(case, QuantizedCase)
        is_first = not case.cpu_reason and kind not in seen
        if is_first:
            seen.add(kind)
        if is_first or case_id(case) in MORE:
            by_op[case.op].append(case)
    return by_op


CHOSEN = _chosen()


@pytest.fixture(scope="session")
def descriptions(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[str, Any] | DescriptionError]:
    """The module's descriptions of the cases of the selected tests' ops, written in one process."""
    ops = {item.callspec.params.get("op") for item in request.session.items if hasattr(item, "callspec")}
    directory = tmp_path_factory.mktemp("op_graphs")
    paths: dict[str, Path] = {}
    for index, case in enumerate(case for op, cases in CHOSEN.items() if op in ops for case in cases):
        paths[case_id(case)] = directory / f"{index}.tflite"
        paths[case_id(case)].write_bytes(case.model())
    return dict(zip(paths, describe_models(list(paths.values()), WEBNN), strict=True))


def test_every_lowered_op_is_here() -> None:
    names = {row["op"] for row in describe_ops() if "webnnOps" in row}
    # In FULLY_CONNECTED, test_variables.py.
    assert names - set(CHOSEN) == {"DENSIFY", "ASSIGN_VARIABLE", "READ_VARIABLE"}
    assert {case_id(case) for cases in CHOSEN.values() for case in cases} >= MORE


@pytest.mark.golden
@pytest.mark.parametrize("op", CHOSEN)
def test_the_graphs_of_an_op_are_its_golden_file(
    op: str, descriptions: dict[str, dict[str, Any] | DescriptionError]
) -> None:
    sections = []
    for case in CHOSEN[op]:
        description = descriptions[case_id(case)]
        assert not isinstance(description, DescriptionError), f"{case_id(case)}: {description}"
        forms = {row["quantized"] for row in description["nodes"] if row["quantized"]}
        title = " ".join([case.name, *(f"({form})" for form in sorted(forms))])
        sections.append(f"# {title}\n{golden.description_text(description)}")
    golden.check(GOLDEN_DIR / f"{op}.txt", "".join(sections))
