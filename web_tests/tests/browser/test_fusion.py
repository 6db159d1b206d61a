"""Quantized models in the browser's engine, node by node, read from Chromium's own TFLite model of the WebNN graph.

An output does not show whether a convolution ran as int8: dequantized to float it is nearly the same, only
slower.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Playwright

from web_tests.browsers import chromium_flags, installed
from web_tests.browsers.installed import BrowserProgram
from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.models.catalogue import all_models, generated_models
from web_tests.models.dumped_model import DumpDirectory, Node, nodes_of
from web_tests.op_cases import all_cases, case_id
from web_tests.op_cases.quantized_case import QuantizedCase
from web_tests.server.server import Server

# Models whose every operator must remain an integer kernel.
FUSED = [
    "efficientnet_lite0_int8",
    "mlperftiny_kws_int8",
    "mlperftiny_vww_int8",
    "mlperftiny_ic_int8",
    "mlperftiny_ad_int8",
    "mobilenet_v2_int8",
    "mobilenet_v2_int8_uint8_io",
    "mobilenet_v2_small_int8",
    "mobilenet_v1_uint8",
    "u_net_int8",
    "mww_hey_jarvis_int8",
]
# Ops of stateful models that only the runtime has.
STATE_OPS = {"CALL_ONCE", "VAR_HANDLE", "READ_VARIABLE", "ASSIGN_VARIABLE"}
# Models with integer or sparse weights, and their float counterparts.
COMPRESSED = {
    "mobilenet_v2_small_dynamic": "mobilenet_v2_small",
    "mobilenet_v2_small_weight_only_int8": "mobilenet_v2_small",
    "mobilenet_v2_small_weight_only_int4": "mobilenet_v2_small",
    "u_net_dynamic": "u_net",
    "u_net_weight_only_int8": "u_net",
    "u_net_weight_only_int4": "u_net",
    "mobilenet_v1_sparse": "mobilenet_v1_sparse",
}
# Even where the cost rule would keep it on the CPU, as in a small partition of a stateful model.
EVERYTHING = LoadOptions(webnn_options={"ignorePartitionCost": True})
# Ops before the first run: arithmetic on shapes, and decompression of constants.
SHAPE_OPS = {"SHAPE", "STRIDED_SLICE", "PACK"}
DECOMPRESSION_OPS = {"DEQUANTIZE", "DENSIFY"}
# Chromium's way to dequantize without a kernel for it.
DEQUANTIZING_OPS = {"DEQUANTIZE", "CAST"}


def quantized_cases() -> dict[str, list[QuantizedCase]]:
    """Return the op cases with integers on both ends, by op; a case with a float end is only that end."""
    cases: dict[str, list[QuantizedCase]] = {}
    for case in all_cases():
        if isinstance(case, QuantizedCase) and case.ends == "both" and not case.cpu_reason:
            cases.setdefault(case.op, []).append(case)
    return cases


CASES_OF_OP = quantized_cases()


class DumpingPage:
    """A page of a browser that dumps its model of each WebNN graph."""

    def __init__(self, harness: Harness, directory: DumpDirectory) -> None:
        self._harness = harness
        self._directory = directory

    def load(self, source: str | bytes) -> tuple[list[Node], dict[str, Any]]:
        """Load a model of models.toml or a model's bytes; return the browser's nodes, and the report."""
        self._directory.skip()
        model = self._harness.load(f"/models/{source}.tflite" if isinstance(source, str) else source, EVERYTHING)
        assert set(model.cpu_reasons()) <= STATE_OPS
        graphs = self._directory.take(sum(part["placement"] == "webnn" for part in model.report["partitions"]))
        model.dispose()
        return [node for graph in graphs for node in graph], model.report


@pytest.fixture(scope="module")
def page(
    playwright: Playwright,
    server: Server,
    webnn_program: BrowserProgram,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[DumpingPage]:
    directory = DumpDirectory(tmp_path_factory.mktemp("dumps"))
    flags = [*chromium_flags.BOUNDS_CHECK_FLAGS, directory.flag]
    with installed.launched(playwright, webnn_program, extra_flags=flags) as browser:
        yield DumpingPage(Harness(browser.new_page(), server), directory)


def original(name: str) -> list[Node]:
    model = all_models().get(name) or generated_models()[name]
    return nodes_of(model.content())


def counted(nodes: Iterable[Node]) -> Counter[str]:
    """Count nodes by op and types, for example CONV_2D int8 -> int8, with the type of the first input."""
    return Counter(f"{node.op} {node.inputs[0].dtype} -> {node.outputs[0].dtype}" for node in nodes)


def expected_counts(nodes: Iterable[Node]) -> Counter[str]:
    """Return the expected nodes of a quantized model: the same kernels, and only these.

    WebNN causes two differences: shapes are known when the graph is built, and no operator converts from
    one integer quantization to another, so a QUANTIZE of integers is a DEQUANTIZE and a QUANTIZE.
    """
    expected: Counter[str] = Counter()
    for node in nodes:
        if node.op in STATE_OPS:
            continue
        source, result = node.inputs[0].dtype, node.outputs[0].dtype
        if node.op in SHAPE_OPS and result == "int32":
            continue
        if node.op == "QUANTIZE" and source != "float32":
            expected.update([f"DEQUANTIZE {source} -> float32", f"QUANTIZE float32 -> {result}"])
        else:
            expected.update([f"{node.op} {source} -> {result}"])
    return expected


def runs_in_float(node: Node) -> bool:
    """Return whether a node has float inputs or outputs besides constants, which are computed before the first run."""
    return "float32" in node.dtypes and not all(operand.constant for operand in node.inputs)


@pytest.mark.parametrize("name", FUSED)
def test_every_quantized_op_is_one_integer_kernel(page: DumpingPage, name: str) -> None:
    nodes, report = page.load(name)
    assert counted(nodes) == expected_counts(original(name))
    assert report["totals"]["quantizedNodes"]["float"] == 0


@pytest.mark.parametrize("op", CASES_OF_OP)
def test_the_report_is_right_about_what_stays_quantized(page: DumpingPage, op: str) -> None:
    for case in CASES_OF_OP[op]:
        nodes, report = page.load(case.model())
        forms = {node["quantized"] for node in report["nodes"]}
        in_float = [str(node) for node in nodes if runs_in_float(node)]
        assert forms == ({"float"} if in_float else {"fused"}), f"{case_id(case)} became {in_float}"


@pytest.mark.parametrize(("name", "counterpart"), COMPRESSED.items())
def test_compressed_weights_are_decompressed_before_the_run(page: DumpingPage, name: str, counterpart: str) -> None:
    float_nodes = [node for node in original(counterpart) if node.op not in DECOMPRESSION_OPS]
    nodes, report = page.load(name)
    assert counted(nodes) == counted(float_nodes)
    assert report["totals"]["quantizedNodes"]["fused"] == 0


@pytest.mark.parametrize("name", [*FUSED, *COMPRESSED, "mobilenet_v2_small_16x8", "u_net_16x8"])
def test_no_constant_is_dequantized_while_the_model_runs(page: DumpingPage, name: str) -> None:
    nodes, _ = page.load(name)
    assert nodes
    assert not [str(node) for node in nodes if node.op in DEQUANTIZING_OPS and node.inputs[0].constant]


def test_the_dump_of_a_float_model_is_the_model(page: DumpingPage) -> None:
    nodes, _ = page.load("mobilenet_v2")
    assert counted(nodes) == counted(original("mobilenet_v2"))
    assert {dtype for node in nodes for dtype in node.dtypes} == {"float32", "int32"}  # int32: the axes of MEAN
