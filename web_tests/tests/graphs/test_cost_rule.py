"""The cost rule for entire models: nodes that WebNN supports, but that run faster on the CPU."""

import numpy as np
import pytest

from wasm.toolchain.description import describe_model
from web_tests.models import handmade, loops
from web_tests.models.catalogue import Model, known_models
from web_tests.models.model_writer import ModelWriter
from web_tests.models.networks.modern import quantized_attention
from web_tests.references.described import described
from web_tests.references.golden import WEBNN

pytestmark = pytest.mark.needs("package")

WITH_MODEL_COST = {**WEBNN, "webnn_estimate_model_cost": "true"}
# So little work that the dispatch takes longer; measured, 1.0 to 26 times as long as on the CPU.
FASTER_ON_CPU = {
    "oww_alexa",
    "mlperftiny_kws_int8",
    "mlperftiny_ic_int8",
    "mlperftiny_vww_int8",
    "mlperftiny_ad_int8",
    "mobilenet_v1_sparse",
    "mobilenet_v2_small",
    "mobilenet_v2_small_int8",
    "mobilenet_v2_small_weight_only_int4",
    "mobilenet_v2_small_weight_only_int8",
    "mobilenet_v1_uint8",
    "u_net_dynamic",
}

DIRECT = [model for model in known_models().values() if model.mode == "direct"]


@pytest.mark.parametrize("model", DIRECT, ids=lambda model: model.name)
def test_only_models_that_lose_on_webnn_stay_on_the_cpu(model: Model) -> None:
    description = describe_model(model.path(), WITH_MODEL_COST)
    assert description["delegate"]["isFasterOnCpu"] == (model.name in FASTER_ON_CPU), description["delegate"]["error"]


@pytest.mark.parametrize(("length", "width", "is_on_cpu"), [(32, 96, True), (197, 192, False)])
def test_small_attention_of_int16_is_faster_on_the_cpu(length: int, width: int, is_on_cpu: bool) -> None:
    """Convolutions of int16 are above: u_net_16x8, and mobilenet_v2_small_16x8 with depthwise ones."""
    description = described(quantized_attention("16x8", length, width), WITH_MODEL_COST)
    assert description["delegate"]["isFasterOnCpu"] == is_on_cpu, description["delegate"]["error"]


@pytest.mark.parametrize(
    "more",
    [{}, {"webnn_ignore_partition_cost": "true"}, {"webnn_allowed_ops": "SIN,ADD,MUL"}],
    ids=["explicit_device", "ignored", "allowed_ops"],
)
def test_the_rule_can_be_turned_off(more: dict[str, str]) -> None:
    options = {**WITH_MODEL_COST, **more} if more else WEBNN
    description = described(handmade.sin_example(), options)
    assert description["delegate"] == {"enabled": True, "error": None, "isFasterOnCpu": False, "workarounds": []}
    assert len(description["graphs"]) == 1


def test_the_reason_has_both_times_and_the_way_out() -> None:
    description = described(handmade.sin_example(), WITH_MODEL_COST)
    reason = (
        "a run would take about 0.27 ms on WebNN and 0.00 ms on the CPU; devicePreference gpu, npu or cpu, or "
        "ignorePartitionCost, keeps the model on WebNN"
    )
    assert description["delegate"] == {"enabled": True, "error": reason, "isFasterOnCpu": True, "workarounds": []}
    assert {node["reason"] for node in description["nodes"]} == {reason}
    assert description["graphs"] == []


def test_a_partition_that_saves_less_than_its_boundary_costs_stays_on_the_cpu() -> None:
    """Two tensors of 1.2 MB cross the boundary; its constant does not. WebNN needs half of the CPU's time."""
    writer, shape = ModelWriter(), (300_000,)
    x, total, sine, y = (writer.tensor(name, shape) for name in ("x", "total", "sine", "y"))
    constant = writer.constant("constant", np.ones(shape, np.float32))
    writer.node("ADD", [x, constant], [total])
    writer.node("SIN", [total], [sine])
    writer.node("MUL", [sine, x], [y])
    nodes = described(writer.finish([x], [y]), {**WEBNN, "webnn_excluded_ops": "MUL"})["nodes"]
    cost = (
        "dispatching its partition and copying the tensors at its boundary takes about 0.99 ms, WebNN would save about "
        "0.30 ms"
    )
    assert [node["reason"] for node in nodes[:2]] == [cost, cost]


def test_a_model_left_to_the_cpu_keeps_its_loops() -> None:
    """The CPU runs a WHILE faster than its iterations one after the other."""
    unrolled, kept = (described(loops.recurrent(5), options) for options in (WEBNN, WITH_MODEL_COST))
    assert "WHILE" not in [node["op"] for node in unrolled["nodes"]]
    assert "WHILE" in [node["op"] for node in kept["nodes"]]
