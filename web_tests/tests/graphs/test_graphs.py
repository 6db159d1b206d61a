"""The delegate's graphs compared with golden files: only the compiled module in Node, no browser."""

from pathlib import Path

import numpy as np
import pytest

from wasm.toolchain.description import DescriptionError
from web_tests.limits.saved import CHROMIUM_147, limits_file
from web_tests.models import handmade
from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.patterns import LayerNormalization, spectrum
from web_tests.references import golden
from web_tests.references.described import described
from web_tests.references.golden import WEBNN

pytestmark = pytest.mark.needs("package")

GOLDEN_DIR = Path(__file__).parent / "golden"
LIMITS = limits_file(CHROMIUM_147)


@pytest.mark.golden
def test_the_description_of_a_tiny_network_is_its_golden_file() -> None:
    golden.check(GOLDEN_DIR / "tiny_network.txt", golden.description_text(described(handmade.tiny_network(), WEBNN)))


PATTERNS = {
    "layer_normalization": LayerNormalization(scaled=True).model(),
    "layer_normalization_with_reshapes": LayerNormalization(reshapes=True).model(),
    "spectrum_magnitude": spectrum(8),
}


@pytest.mark.golden
@pytest.mark.parametrize("name", PATTERNS)
def test_the_graphs_of_a_pattern_are_its_golden_file(name: str) -> None:
    golden.check(GOLDEN_DIR / f"{name}.txt", golden.description_text(described(PATTERNS[name], WEBNN)))


@pytest.mark.golden
def test_sin_example_is_split_into_the_four_ordered_subsets() -> None:
    description = described(handmade.sin_example(), {**WEBNN, "webnn_allowed_ops": "SIN"})
    assert [row["ops"] for row in description["partitions"]] == [["SIN"], ["ADD", "MUL"], ["SIN"], ["ADD"]]
    golden.check(GOLDEN_DIR / "sin_example.txt", golden.description_text(description))


@pytest.mark.parametrize(
    ("option", "text"),
    [("webnn_max_partitions", "1"), ("webnn_excluded_nodes", "0,3"), ("webnn_excluded_ops", "SIN")],
)
def test_options_limit_the_nodes_on_webnn(option: str, text: str) -> None:
    description = described(handmade.sin_example(), {**WEBNN, "webnn_allowed_ops": "SIN", option: text})
    delegated = [row["index"] for row in description["nodes"] if row["placement"] == "webnn"]
    assert len(delegated) == (1 if option == "webnn_max_partitions" else 0)
    assert all(row["reason"] for row in description["nodes"] if row["placement"] == "cpu")


def test_without_limits_the_delegate_is_not_applied() -> None:
    description = described(handmade.sin_example(), {"enable_webnn_delegate": "1"})
    assert "no MLContext" in description["delegate"]["error"]
    assert {row["placement"] for row in description["nodes"]} == {"cpu"}


def test_an_operator_that_the_context_lacks_stays_on_the_cpu(tmp_path: Path) -> None:
    limits = tmp_path / "limits.txt"
    limits.write_text("".join(line for line in LIMITS.open() if not line.startswith("sin.")))
    description = described(handmade.sin_example(), {**WEBNN, "webnn_op_support_limits": f"@{limits}"})
    reasons = {row["reason"] for row in description["nodes"] if row["op"] == "SIN"}
    assert reasons == {"this context has no WebNN operator sin"}


@pytest.mark.parametrize(
    ("scales", "reason"),
    [
        ((0.5, 0.5, 0.5), None),
        ((0.25, 0.5, 0.5), "but its scale or zero point is not the output's"),
        ((0.5, 0.5, 0.25), "has another scale or zero point than the first output"),
    ],
)
def test_integers_are_copied_between_equal_scales_only(scales: tuple[float, ...], reason: str | None) -> None:
    writer = ModelWriter()
    axis = writer.constant("axis", np.array(0, np.int32))
    x, a, b = (
        writer.tensor(name, (size,), "int8", Quantization((scale,), (0,)))
        for name, size, scale in zip("xab", (4, 2, 2), scales, strict=True)
    )
    writer.node("SPLIT", [axis, x], [a, b], {"numSplits": 2})
    (node,) = described(writer.finish([x], [a, b]), WEBNN)["nodes"]
    assert node["placement"] == ("cpu" if reason else "webnn")
    assert (reason or "") in (node["reason"] or "")


@pytest.mark.parametrize(
    ("model", "code"),
    [
        (handmade.truncated(handmade.tiny_network()), "MALFORMED_MODEL"),
        (handmade.out_of_order(), "MALFORMED_MODEL"),
        (handmade.zeros(), "NOT_A_TFLITE_MODEL"),
        (b"", "NOT_A_TFLITE_MODEL"),
        (handmade.custom_op_model("FlexErf"), "FLEX_OP"),
        (handmade.custom_op_model("edgetpu-custom-op"), "EDGE_TPU_OP"),
        (handmade.custom_op_model("NobodyKnows"), "UNRESOLVED_CUSTOM_OP"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{len(value)} bytes",
)
def test_a_bad_model_is_rejected_with_its_code(model: bytes, code: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        described(model, WEBNN)
    assert caught.value.code == code


def test_an_error_of_a_custom_op_says_once_what_to_do() -> None:
    with pytest.raises(DescriptionError) as caught:
        described(handmade.custom_op_model("NobodyKnows"), WEBNN)
    assert str(caught.value).count("Convert the model without it") == 1


def test_bad_limits_are_quoted(tmp_path: Path) -> None:
    limits = tmp_path / "limits.txt"
    limits.write_text("sin.input float32 zero 8\n")
    description = described(handmade.sin_example(), {**WEBNN, "webnn_op_support_limits": f"@{limits}"})
    assert description["delegate"]["error"] == "opSupportLimits: cannot read the line 'sin.input float32 zero 8'"


@pytest.mark.parametrize(("key", "text"), [("no_such_option", "1"), ("num_threads", "many")])
def test_a_bad_option_is_rejected_by_name(key: str, text: str) -> None:
    with pytest.raises(DescriptionError, match=key):
        described(handmade.sin_example(), {key: text})
