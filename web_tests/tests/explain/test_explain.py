"""Explanations of all models from saved limits, compared with golden files; their reports and exported graphs.

They run the package in Node, without a browser.
"""

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest

from support.paths import PROJECT_DIR
from tools.explain import without_browser
from tools.explain.explain import ExportFileError, print_memory_plan, run
from tools.explain.without_browser import ExplainError, Explanation, Request, explain, plan_memory
from web_tests.limits.saved import CHROMIUM_147, LimitsFileError, read_limits
from web_tests.models import handmade
from web_tests.models.catalogue import Model, all_models, generated_models
from web_tests.references import golden
from web_tests.references.report import check_report

pytestmark = pytest.mark.needs("package")

GOLDEN_DIR = Path(__file__).parent / "golden"
MODELS = [*all_models().values(), *generated_models().values()]
SMALL = all_models()["oww_alexa"]


def explanation_of(path: Path, export: Path | None = None) -> Explanation:
    return explain(path, read_limits(CHROMIUM_147), Request("simd", export=export))


@pytest.mark.golden
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_the_report_of_a_model_is_its_golden_file(model: Model) -> None:
    explanation = explanation_of(model.path())
    check_report(explanation.report)
    check_sums(explanation.report)
    golden.check(GOLDEN_DIR / f"{model.name}.txt", golden.explanation_text(explanation.text))


def check_sums(report: dict[str, Any]) -> None:
    """Assert that totals, nodes and partitions of a report agree."""
    nodes, totals = report["nodes"], report["totals"]
    assert totals["delegatedNodes"] == sum(node["placement"] == "webnn" for node in nodes)
    assert all((node["reason"] is None) == (node["placement"] == "webnn") for node in nodes)
    assert all(bool(node["notFused"]) <= (node["quantized"] == "float") for node in nodes)
    assert sorted(index for part in report["partitions"] for index in part["nodes"]) == [
        node["index"] for node in nodes
    ]
    for node in nodes:
        assert node["index"] in report["partitions"][node["partition"]]["nodes"]
    for part in report["partitions"]:
        assert part["bytesIn"] == sum(tensor["sizeBytes"] for tensor in part["inputs"])
        assert part["bytesOut"] == sum(tensor["sizeBytes"] for tensor in part["outputs"])
    graphs = [part["graph"] for part in report["partitions"] if part["placement"] == "webnn"]
    assert graphs == list(range(totals["webnnPartitions"]))


def test_exported_json_is_the_entire_graph(tmp_path: Path) -> None:
    explanation_of(SMALL.path(), tmp_path / "graph.json")
    (graph,) = json.loads((tmp_path / "graph.json").read_text())["graphs"]
    assert set(graph) == {"inputs", "constants", "operators", "outputs"}
    known = {row["id"] for row in [*graph["inputs"], *graph["constants"]]}
    for operator in graph["operators"]:
        assert operands_of(operator["args"]) <= known
        known |= set(operator["outputs"])
    assert {row["id"] for row in graph["outputs"]} <= known
    sizes = {"float32": 4, "int64": 8, "int32": 4, "uint8": 1, "int8": 1}
    for constant in graph["constants"]:
        count = 1
        for size in constant["shape"]:
            count *= size
        assert len(base64.b64decode(constant["data"])) == count * sizes[constant["dataType"]]


def operands_of(value: Any) -> set[int]:
    if isinstance(value, dict):
        return {value["operand"]} if "operand" in value else operands_of(list(value.values()))
    return set().union(*map(operands_of, value)) if isinstance(value, list) else set()


def test_command_prints_text_or_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def printed(json_output: bool) -> str:
        request = Request("simd")
        assert run(SMALL.path(), request, limits=CHROMIUM_147, json_output=json_output, browser=None) == 0
        return capsys.readouterr().out

    assert printed(False) == explanation_of(SMALL.path()).text
    check_report(json.loads(printed(True)))


SIN_PLAN = """\
subgraph 0: 5 nodes, 7 tensors
  arena       224 bytes; at most 128 bytes in use at the same time, by node 3 (SIN)
  persistent  0 bytes
  constants   4 bytes, where the file has them

  arena
  offset  bytes  nodes     tensor
       0     32  0 to end  t0 float32[8] x
      64     32  0 to 1    t2 float32[8] sin_x
      64     32  1 to 4    t3 float32[8] sin_x_plus_x
     128     32  2 to 3    t4 float32[8] double_x
     192     32  3 to 4    t5 float32[8] sin_double_x
     128     32  4 to end  t6 float32[8] y

with XNNPACK: 4 entries in the plan, arena 224 bytes
with WebNN and XNNPACK: 1 entry in the plan, arena 96 bytes
"""


def test_command_prints_the_arena_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sin.tflite"
    path.write_bytes(handmade.sin_example())
    assert print_memory_plan(path, Request("simd"), limits=CHROMIUM_147, json_output=False) == 0
    assert capsys.readouterr().out == SIN_PLAN
    assert print_memory_plan(path, Request("simd"), limits=None, json_output=True) == 0
    assert [row["delegates"] for row in json.loads(capsys.readouterr().out)["delegated"]] == ["XNNPACK"]
    with pytest.raises(ExportFileError, match="without --memory"):
        print_memory_plan(path, Request("simd", export=tmp_path / "a.js"), limits=None, json_output=False)


def test_the_document_quotes_what_is_printed(tmp_path: Path) -> None:
    text = (PROJECT_DIR / "docs" / "explanation" / "tflite-internals.md").read_text(encoding="utf-8")
    plan, delegated = SIN_PLAN.split("\n\nwith")
    assert plan in text
    assert f"with{delegated}" in text
    deeplab = plan_memory(all_models()["deeplabv3_257"].path(), None, Request("simd")).text
    arena, peak = re.findall(r"([\d ]+) bytes", deeplab)[:2]
    assert arena.strip() in text
    assert peak.strip().removeprefix("at most ") in text
    rejected = {op: handmade.custom_op_model(op) for op in ("MyOp", "FlexErf", "edgetpu-custom-op")}
    for name, content in {**rejected, "order": handmade.out_of_order()}.items():
        model = tmp_path / f"{name}.tflite"
        model.write_bytes(content)
        with pytest.raises(ExplainError) as caught:
            explanation_of(model)
        assert f"```\n{caught.value.what}\n```" in text


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_tensors_that_live_together_do_not_overlap(model: Model) -> None:
    for subgraph in plan_memory(model.path(), None, Request("simd")).plan["subgraphs"]:
        placed = [row for row in subgraph["tensors"] if row["offset"] is not None and row["firstNode"] is not None]
        assert subgraph["peakBytes"] <= subgraph["arenaBytes"]
        for number, first in enumerate(placed):
            for second in placed[number + 1 :]:
                # A node that may work in place has the same memory for its input and output.
                assert are_separate(first, second) or first["offset"] == second["offset"], (first, second)


def are_separate(first: dict[str, Any], second: dict[str, Any]) -> bool:
    """Return whether two tensors share no memory, or not at the same time."""

    def before(one: dict[str, Any], other: dict[str, Any]) -> bool:
        in_memory: bool = one["offset"] + one["sizeBytes"] <= other["offset"]
        return in_memory or (one["lastNode"] is not None and one["lastNode"] < other["firstNode"])

    return first["allocationType"] != second["allocationType"] or before(first, second) or before(second, first)


def test_excluded_nodes_stay_on_the_cpu(tmp_path: Path) -> None:
    path = tmp_path / "sin.tflite"
    path.write_bytes(handmade.sin_example())
    request = Request("simd", excluded_nodes=[{"node": 0, "reason": "the browser said so"}])
    explanation = explain(path, read_limits(CHROMIUM_147), request)
    assert explanation.report["nodes"][0]["placement"] == "cpu"
    assert "rejected        node 0: the browser said so\n" in explanation.text


def test_options_of_the_delegate_are_heeded(tmp_path: Path) -> None:
    path = tmp_path / "sin.tflite"
    path.write_bytes(handmade.sin_example())
    options = {"allowedOps": ["SIN"], "ignorePartitionCost": True, "devicePreference": "npu"}
    report = explain(path, read_limits(CHROMIUM_147), Request("simd", options)).report
    assert [part["ops"] for part in report["partitions"]] == [["SIN"], ["ADD", "MUL"], ["SIN"], ["ADD"]]
    assert report["webnn"]["devicePreference"] == "npu"


def test_a_node_that_does_not_end_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(without_browser, "TIMEOUT_SECONDS", 0.01)
    with pytest.raises(ExplainError, match=r"Node failed: .* took longer than 0\.01 s") as caught:
        without_browser.describe(tmp_path / "model.tflite")
    assert caught.value.code == "CRASHED"


def test_bad_files_are_reported(tmp_path: Path) -> None:
    model = tmp_path / "model.tflite"
    model.write_bytes(handmade.truncated(handmade.tiny_network()))
    with pytest.raises(ExplainError) as caught:
        explanation_of(model)
    assert caught.value.code == "MALFORMED_MODEL"
    with pytest.raises(LimitsFileError, match="cannot read"):
        read_limits(tmp_path / "none.json")
    for text in ("{}", "[]", "no JSON", '{"opSupportLimits": 3}'):
        limits = tmp_path / "limits.json"
        limits.write_text(text)
        with pytest.raises(LimitsFileError, match=r"tools\.probe --limits"):
            read_limits(limits)
    with pytest.raises(ExportFileError, match=r"graph\.js"):
        run(SMALL.path(), Request("simd", export=tmp_path / "a.txt"), limits=None, json_output=False, browser=None)
