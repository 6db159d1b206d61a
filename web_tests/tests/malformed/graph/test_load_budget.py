"""Small files from which TensorFlow Lite computes or plans much while it loads them: the error names the limit."""

import json
from pathlib import Path

import numpy as np
import pytest

from tools.explain.without_browser import ExplainError, Request, explain
from wasm.toolchain.description import DescriptionError
from web_tests.limits.saved import CHROMIUM_147
from web_tests.malformed import budgets, repetition
from web_tests.models.model_writer import ModelWriter
from web_tests.references.described import described, rejection
from web_tests.references.golden import WEBNN

pytestmark = pytest.mark.needs("package")

# wasm/third_party/compat/include/load_budget.h.
MAX_COMPUTED_BYTES = 64 * 2**20
MAX_PLANNED_PAIRS = 100_000_000
MAX_TENSOR_BYTES = 2**30


@pytest.mark.parametrize("options", [WEBNN, {}], ids=["webnn", "cpu"])
@pytest.mark.parametrize(
    "content",
    [budgets.numbers(10**9), budgets.tiles(1, 5 * 10**8), budgets.tiles(10, 2_000_000)],
    ids=["a range", "a tile", "tiles"],
)
def test_constants_computed_by_kernels_are_limited(content: bytes, options: dict[str, str]) -> None:
    assert f"before its first run takes more than {MAX_COMPUTED_BYTES} bytes" in rejection(
        content, options, "ALLOCATE_TENSORS_FAILED"
    )


def test_the_planner_compares_a_limited_number_of_tensors() -> None:
    text = rejection(budgets.negations(15_000), {}, "ALLOCATE_TENSORS_FAILED")
    assert f"the memory planner compares more than {MAX_PLANNED_PAIRS} pairs" in text


def test_what_is_below_the_limits_is_accepted() -> None:
    for content in (budgets.tiles(5, 2_000_000), budgets.negations(5_000)):
        assert described(content, {})["nodes"]


def test_counting_the_iterations_of_loops_is_limited() -> None:
    reasons = [node["reason"] for node in described(budgets.loops(30, 60), WEBNN)["nodes"]]
    assert "it has more than 64 iterations" in reasons[0]
    assert "the number of its iterations is not known before it runs" in reasons[-1]


def test_a_loop_is_counted_only_while_it_may_be_unrolled() -> None:
    for node in described(budgets.loops(6, 2_000), WEBNN)["nodes"]:
        assert "the iterations of the graph's loops have more than 4096 nodes" in node["reason"]


@pytest.mark.parametrize("options", [WEBNN, {}], ids=["webnn", "cpu"])
def test_the_bytes_of_a_tensor_are_limited(options: dict[str, str]) -> None:
    count = MAX_TENSOR_BYTES // 8
    text = rejection(budgets.dense(count + 1), options, "ALLOCATE_TENSORS_FAILED")
    assert f"A tensor would have {8 * (count + 1)} bytes; at most {MAX_TENSOR_BYTES} can be in wasm." in text
    assert described(budgets.dense(count), options)["nodes"]


def test_xnnpack_computes_a_limited_number_of_addresses() -> None:
    """For larger windows it took minutes, or wrote behind its memory; TensorFlow Lite's kernels need no addresses."""
    for content, kernels in [
        (budgets.pools(1, 128), 1),  # one of XNNPACK
        (budgets.pools(3, 128), 3),  # one of XNNPACK, two of TFLite
        (budgets.depthwise(1000, 100), 1),
    ]:
        assert [step["count"] for step in described(content, {})["plan"]] == [kernels]


def test_windows_are_counted_again_after_a_resize() -> None:
    """XNNPACK does not choose its nodes again where they have a variable."""
    for size, denied in [(16, []), (300, [3])]:
        xnnpack = described(budgets.pool_with_a_variable(200), {"input_shapes": f"1,{size},{size},1"})["xnnpack"]
        assert [node["node"] for node in xnnpack["excludedNodes"]] == denied


def test_few_subgraphs_of_signatures_are_explained(tmp_path: Path) -> None:
    main = ModelWriter()
    for index in range(101):
        writer = main.subgraph()
        writer.end(*repetition.add_chain(writer, 1), signature=f"signature_{index}")
    path = tmp_path / "model.tflite"
    path.write_bytes(main.finish(*repetition.add_chain(main, 1), signature="main"))
    message = "signatures run 101 other subgraphs; explainModel\\(\\) accepts at most 100"
    with pytest.raises(ExplainError, match=message):
        explain(path, json.loads(CHROMIUM_147.read_text()), Request("simd"))


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(budgets.resizes(50, 1_000_000), id="RESIZE_NEAREST_NEIGHBOR"),
        *(
            pytest.param(budgets.table_readers(op, 50, 1_000_000), id=op)
            for op in ("DYNAMIC_UPDATE_SLICE", "GATHER", "MIRROR_PAD", "ONE_HOT", "REVERSE_V2")
        ),
    ],
)
def test_tables_that_nodes_need_on_webnn_are_limited_together(content: bytes) -> None:
    nodes = described(content, {**WEBNN, "webnn_ignore_partition_cost": "1"})["nodes"]
    placed = ["webnn" if not node["reason"] else node["reason"] for node in nodes]
    assert placed[0] == "webnn"
    assert placed[-1] == "WebNN needs a table of 1000000 elements for it"


@pytest.mark.parametrize(("count", "are_on_xnnpack"), [(500, True), (2700, False)])
def test_xnnpack_gets_a_limited_number_of_partitions(count: int, are_on_xnnpack: bool) -> None:
    """Its delegate looks at all tensors for each."""
    (step,) = described(budgets.alternating_with_xnnpack(count), {})["plan"]
    assert step["count"] == (2 if are_on_xnnpack else 3) * count


@pytest.mark.parametrize(("count", "is_on_webnn"), [(500, True), (2400, False)])
def test_webnn_gets_a_limited_number_of_partitions(count: int, is_on_webnn: bool) -> None:
    nodes = described(budgets.alternating(count), {**WEBNN, "webnn_ignore_partition_cost": "1"})["nodes"]
    reason = nodes[0]["reason"] or ""
    assert (" partitions of 9600 nodes; at most 2083 can be" in reason) != is_on_webnn


def test_pack_reshapes_a_tensor_once() -> None:
    """A file names it again for four bytes: 320 kB took two seconds."""
    (graph,) = described(budgets.pack(80_000), {**WEBNN, "webnn_ignore_partition_cost": "1"})["graphs"]
    assert [operator["op"] for operator in graph["operators"]] == ["reshape", "concat"]


def test_readers_of_quantized_parts_are_found_without_a_search() -> None:
    """Each part was looked for among all operators of its node: 1,500 parts, a file of 60 kB, took 20 seconds."""
    nodes = described(budgets.quantized_parts(10_000), {**WEBNN, "webnn_ignore_partition_cost": "1"})["nodes"]
    assert [node["placement"] for node in nodes] == ["webnn", "webnn"]


@pytest.mark.parametrize(("dtype", "count"), [("int8", 168_000_000), ("float32", 2**29 - 1), ("int64", 2**28 - 1)])
def test_large_tensors_are_limited_by_their_bytes(dtype: str, count: int) -> None:
    """Only their shapes are read: WebNN, or a later shape, may have memory for them."""
    for size, is_accepted in [(count, True), (count + 2**29, False)]:
        writer = ModelWriter()
        table, row = writer.tensor("x", (size, 1), dtype), writer.tensor("y", (1, 1), dtype)
        index = writer.constant("i", np.zeros(1, np.int32))
        writer.node("GATHER", [table, index], [row])
        try:
            described(writer.finish([table], [row]), {})
            message = ""
        except DescriptionError as error:
            message = str(error)
        assert ("elements, which this runtime cannot hold" not in message) == is_accepted
