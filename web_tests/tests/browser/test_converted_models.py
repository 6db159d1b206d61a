"""Networks with what today's converters write, on the CPU, WebNN and the polyfill, compared with native LiteRT."""

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest
from ai_edge_litert.interpreter import Interpreter

from web_tests.drivers.harness import Harness, LoadedModel, LoadOptions, ModelError
from web_tests.models import converted
from web_tests.models.model_writer import ModelWriter
from web_tests.models.recipes import SEED, Array
from web_tests.references.comparison import assert_close
from web_tests.references.native_litert import outputs_of, run_native
from web_tests.references.report import check_report

# As a fraction of the results' range.
TOLERANCE = 1e-6
# Where native LiteRT quantizes the input of a product to 8 bits and WebNN does not.
DYNAMIC_TOLERANCE = 1e-2


def composites_of(report: dict[str, Any]) -> Counter[tuple[str, int]]:
    """Return the number of nodes inlined from each composite."""
    origins = [node["composite"] for node in report["nodes"] if node["composite"]]
    return Counter((origin["name"], origin["node"]) for origin in origins)


def test_composites_are_inlined(webnn: Harness, options: LoadOptions) -> None:
    content, inputs = converted.composites(), [converted.rows(6)]
    loaded = webnn.load(content, options)
    assert loaded.execution_mode == ("direct" if options.webnn else "cpu"), loaded.cpu_reasons()
    assert composites_of(loaded.report) == {("odml.rms_norm", 1): 6, ("test.block", 2): 7, ("odml.rms_norm", 3): 6}
    assert "STABLEHLO_COMPOSITE" not in {node["op"] for node in loaded.report["nodes"]}
    assert_close(loaded.run(inputs), outputs_of(content, inputs), TOLERANCE)
    assert "inlined         2 odml.rms_norm as 12 nodes\n" in loaded.report_text()


def test_composites_accept_other_shapes(webnn: Harness, options: LoadOptions) -> None:
    content, inputs = converted.composites(), [converted.rows(3)]
    loaded = webnn.load(content, options)
    mode = loaded.execution_mode
    loaded.resize([3, converted.WIDTH])
    assert loaded.execution_mode == mode
    assert_close(loaded.run(inputs), outputs_of(converted.composites(3), inputs), TOLERANCE)


def test_a_composite_that_returns_its_input_remains_one_node(webnn: Harness, options: LoadOptions) -> None:
    content, inputs = converted.kept_composite(), [converted.rows(6)]
    loaded = webnn.load(
        content, LoadOptions(options.webnn, {**(options.webnn_options or {}), "ignorePartitionCost": True})
    )
    assert loaded.execution_mode == ("stepped" if options.webnn else "cpu")
    reason = loaded.cpu_reasons()["STABLEHLO_COMPOSITE"]
    if options.webnn:
        assert reason.startswith("the composite 'test.both' stays one node: its decomposition returns a tensor")
    assert_close(loaded.run(inputs), outputs_of(content, inputs), TOLERANCE)


def test_shapes_computed_from_an_open_batch_follow_a_resize(webnn: Harness, options: LoadOptions) -> None:
    content = converted.open_batch()
    loaded = webnn.load(content, options)
    for count in (1, 3, 2, 1):
        x = np.random.default_rng(SEED).normal(size=(count, 4, 4, 2)).astype(np.float32)
        loaded.resize(list(x.shape))
        assert loaded.execution_mode == ("direct" if options.webnn else "cpu"), loaded.cpu_reasons()
        (found,) = loaded.run([x], shapes=True)
        assert found.shape == (count, 10, 10, 3)
        assert_close([found], run_native(content, [x], resize=True), TOLERANCE)


def test_a_reshape_to_parts_of_a_shape_follows_a_resize(webnn: Harness, options: LoadOptions) -> None:
    loaded = webnn.load(converted.split_shape(), options)
    for count in (1, 3, 1):
        x = np.random.default_rng(SEED).normal(size=(count, 4, 6)).astype(np.float32)
        loaded.resize(list(x.shape))
        assert loaded.execution_mode == ("direct" if options.webnn else "cpu"), loaded.cpu_reasons()
        (found,) = loaded.run([x], shapes=True)
        assert found.shape == (count, 24)
        assert_close([found], [np.sin(x).reshape(found.shape)], TOLERANCE)


def test_a_node_whose_result_the_file_has_keeps_the_model_on_webnn(webnn: Harness, options: LoadOptions) -> None:
    x = np.linspace(-2, 2, 6, dtype=np.float32)
    loaded = webnn.load(converted.computed_result(), options)
    assert loaded.execution_mode == ("direct" if options.webnn else "cpu"), loaded.cpu_reasons()
    assert_close(loaded.run([x]), [np.sin(x).reshape(2, 3)], TOLERANCE)


def test_nodes_that_share_a_state_keep_their_order(webnn: Harness, options: LoadOptions) -> None:
    content = converted.written_state()
    loaded = webnn.load(content, options)
    for seed in (1, 2):
        random = np.random.default_rng(seed)
        inputs = [random.normal(size=size).astype(np.float32) for size in ((3, 2, converted.WIDTH), (32,))]
        found = loaded.run(inputs)
        assert_close(found, outputs_of(content, inputs, kernels="builtin"), TOLERANCE)
        np.testing.assert_array_equal(found[1], found[0][-1].reshape(-1))


def test_a_constant_first_state_is_taken_at_each_run(webnn: Harness, options: LoadOptions) -> None:
    """Compared with the state as an input: with a constant, native LiteRT's kernels do not agree with each other."""
    first = np.random.default_rng(SEED).normal(size=32).astype(np.float32)
    loaded = webnn.load(converted.written_state(first_state=first), options)
    for seed in (1, 2):
        x = np.random.default_rng(seed).normal(size=(3, 2, converted.WIDTH)).astype(np.float32)
        found = loaded.run([x])
        assert_close(found, outputs_of(converted.written_state(), [x, first], kernels="builtin"), TOLERANCE)
        np.testing.assert_array_equal(found[1], found[0][-1].reshape(-1))


_CONVOLUTION = {"strideW": 1, "strideH": 1, "dilationWFactor": 1, "dilationHFactor": 1}
_DEPTHWISE = {**_CONVOLUTION, "depthMultiplier": 1}
_POOL = {"strideW": 2, "strideH": 2, "filterWidth": 2, "filterHeight": 2}
# op: its first input's shape, the shapes of its constants, its options
RANKED_OPS: dict[str, tuple[tuple[int, ...], list[tuple[int, ...]], dict[str, Any]]] = {
    "AVERAGE_POOL_2D": ((1, 6, 6, 4), [], _POOL),
    "BATCH_MATMUL": ((2, 3, 4), [(2, 4, 5)], {}),
    "CONV_2D": ((1, 6, 6, 3), [(4, 3, 3, 3), (4,)], _CONVOLUTION),
    "DEPTHWISE_CONV_2D": ((1, 6, 6, 3), [(1, 3, 3, 3), (3,)], _DEPTHWISE),
    "DEPTH_TO_SPACE": ((1, 6, 6, 4), [], {"blockSize": 2}),
    "MAX_POOL_2D": ((1, 6, 6, 4), [], _POOL),
    "SPACE_TO_DEPTH": ((1, 6, 6, 4), [], {"blockSize": 2}),
}  # fmt: skip


def unknown_rank(op: str) -> bytes:
    """Return x f32[n], dims i32[rank] -> an op of x in the shape `dims`. The file has no rank."""
    random = np.random.default_rng(SEED)
    shape, constants, options = RANKED_OPS[op]
    writer = ModelWriter()
    x, dims = writer.tensor("x", (int(np.prod(shape)),)), writer.tensor("dims", (len(shape),), "int32")
    shaped, y = writer.tensor("shaped", ()), writer.tensor("y", ())
    weights = [
        writer.constant(f"c{i}", random.normal(size=size).astype(np.float32)) for i, size in enumerate(constants)
    ]
    writer.node("RESHAPE", [x, dims], [shaped])
    writer.node(op, [shaped, *weights], [y], options)
    return writer.finish([x, dims], [y])


@pytest.mark.parametrize("op", RANKED_OPS)
def test_tensors_of_unknown_rank_compute_as_native_litert(webnn: Harness, op: str) -> None:
    shape = RANKED_OPS[op][0]
    x, dims = np.random.default_rng(SEED).normal(size=int(np.prod(shape))).astype(np.float32), np.array(shape, np.int32)
    content = unknown_rank(op)
    loaded = webnn.load(content)
    assert_close(loaded.run([x, dims]), outputs_of(content, [x, dims]), TOLERANCE)
    loaded.resize([[x.size], [1]])
    with pytest.raises(ModelError, match=r"rank|NumDimensions|dims->size|needs two dimensions"):
        loaded.run([x, np.array([-1], np.int32)])


def check_signature(loaded: LoadedModel, native: Interpreter, key: str, inputs: dict[str, Array]) -> dict[str, Array]:
    found, expected = loaded.run_signature(key, inputs), native.get_signature_runner(key)(**inputs)
    assert found.keys() == expected.keys()
    names = list(expected)
    assert_close([found[name] for name in names], [expected[name] for name in names], TOLERANCE)
    return dict(expected)


def test_signatures_of_other_subgraphs_run_on_webnn(webnn: Harness, options: LoadOptions) -> None:
    content = converted.two_signatures()
    loaded, native = webnn.load(content, options), Interpreter(model_content=content)
    (before,) = loaded.report["subgraphs"]
    assert before["signatures"] == ["decode"]
    assert before["executionMode"] is None
    for _ in range(2):
        cache = check_signature(loaded, native, "prefill", {"x": converted.rows(4)})["cache"]
        check_signature(loaded, native, "decode", {"x": converted.rows(1), "cache": cache})
    report = loaded.report_now()
    check_report(json.loads(json.dumps(report)))
    (after,) = report["subgraphs"]
    assert after["executionMode"] == ("direct" if options.webnn else "cpu")
    assert [node["op"] for node in after["nodes"]] == (
        ["FULLY_CONNECTED", "CONCATENATION", "MEAN", "ADD"] if options.webnn else []
    )
    if options.webnn:
        assert "signature       decode: direct, 4 of 4 nodes on WebNN, in 1 partition\n" in loaded.report_text()


def test_signatures_of_other_subgraphs_are_resized(webnn: Harness, options: LoadOptions) -> None:
    loaded = webnn.load(converted.two_signatures(), options)
    for count in (6, 4, 6):
        native = Interpreter(model_content=converted.two_signatures(count))
        loaded.resize({"cache": [count, converted.WIDTH]}, "decode")
        check_signature(loaded, native, "decode", {"x": converted.rows(1), "cache": converted.rows(count)})
    with pytest.raises(ModelError) as caught:
        loaded.resize({"cache": [4, 3]}, "decode")
    assert caught.value.code == "INPUT_SHAPE"
    native = Interpreter(model_content=converted.two_signatures(6))
    check_signature(loaded, native, "decode", {"x": converted.rows(1), "cache": converted.rows(6)})


def test_int4_weights_run_on_webnn_or_xnnpack(webnn: Harness, options: LoadOptions) -> None:
    """On the CPU they are dequantized once, and XNNPACK computes all layers."""
    content, inputs = converted.int4_weights(), [converted.rows(5)]
    profiled = LoadOptions(options.webnn, options.webnn_options, {"enableProfiling": True})
    loaded = webnn.load(content, profiled)
    assert loaded.execution_mode == ("direct" if options.webnn else "cpu"), loaded.cpu_reasons()
    assert_close(loaded.run(inputs), outputs_of(content, inputs), TOLERANCE)
    kinds = {item["nodeType"] for item in loaded.profile()[0]}
    assert not kinds & {"DEQUANTIZE", "FULLY_CONNECTED"}, kinds


def test_int4_weights_in_blocks_compute_as_native_litert(webnn: Harness, options: LoadOptions) -> None:
    """WebNN computes in float32; the CPU quantizes the input of each product, as native LiteRT does."""
    content, inputs = converted.int4_blocks(), [np.array([7, 0, 3], np.int32)]
    loaded = webnn.load(content, options)
    assert loaded.execution_mode == ("direct" if options.webnn else "cpu"), loaded.cpu_reasons()
    assert_close(loaded.run(inputs), outputs_of(content, inputs), DYNAMIC_TOLERANCE if options.webnn else TOLERANCE)


def test_int2_weights_equal_native_litert(webnn: Harness, options: LoadOptions) -> None:
    """WebNN computes in float32; the CPU quantizes the input of the product, as native LiteRT does."""
    content, inputs = converted.int2_weights(), [np.array([7, 0, 3], np.int32)]
    loaded = webnn.load(content, options)
    assert loaded.execution_mode == ("direct" if options.webnn else "cpu"), loaded.cpu_reasons()
    assert_close(loaded.run(inputs), outputs_of(content, inputs), DYNAMIC_TOLERANCE if options.webnn else TOLERANCE)
