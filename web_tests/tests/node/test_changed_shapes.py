"""No kernel, TFLite's, XNNPACK's or WebNN's, runs on shapes that the op's own kernel does not accept."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from web_tests.drivers.harness import CPU, KERNELS, POLYFILL, LoadOptions, ModelError, PageHarness
from web_tests.models.model_writer import ModelWriter
from web_tests.models.recipes import Array
from web_tests.op_cases.changed_shapes import (
    ChangedShape,
    changed_constants,
    changed_shapes,
    native_outcomes,
    problem,
)
from web_tests.op_cases.sample import sampled
from web_tests.references import native_litert
from web_tests.references.native_trials import Outcome
from web_tests.tests.node.programs import EXECUTIONS, ModelRun, is_crash, run_models

pytestmark = pytest.mark.needs("package")

SAMPLE = 250
# Ops that XNNPACK computed in other shapes than it was built for: all their changes of float32.
ALWAYS = {"CONCATENATION", "CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "SLICE"}
# What `python3 -m tools.fuzz --shapes` found in other cases.
FOUND = {
    "CONV_2D-depthwise_quantized_int16 file [(1, 9, 8, 5)]",
    "CONV_2D-depthwise_quantized_int8 resize [(1, 9, 8, 7)]",
    "DEPTHWISE_CONV_2D-int16_by_uint8 file [(1, 9, 8, 1)]",
    "DEPTHWISE_CONV_2D-taps_5x5_quantized_int16 file [(1, 9, 8, 1)]",
    "GATHER_ND-at_run_time file [(3, 4), (2, 0)]",
    "MIRROR_PAD-reflect_widest_int64 resize [(3, 3)]",
}


def _chosen() -> list[ChangedShape]:
    changes = changed_shapes()
    always = [change for change in changes if change.case.op in ALWAYS and change.case.dtype == "float32"]
    found = [change for change in changed_shapes(every_case=True) if change.name in FOUND]
    return found + always + sampled([change for change in changes if change not in always], SAMPLE)


@pytest.fixture(scope="module")
def native() -> dict[ChangedShape, tuple[Outcome, bool]]:
    return native_outcomes(_chosen())


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_changed_shapes_are_computed_as_in_native_litert_or_rejected(
    native: dict[ChangedShape, tuple[Outcome, bool]], execution: str, tmp_path: Path
) -> None:
    results = run_models(tmp_path, [_trial(change, EXECUTIONS[execution]) for change in native])
    problems = [
        f"{change.name}: {found}"
        for (change, (outcome, may_reject)), result in zip(native.items(), results, strict=True)
        if (found := _problem(result, outcome, may_reject))
    ]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_constants_of_other_shapes_are_computed_as_in_native_litert_or_rejected(execution: str, tmp_path: Path) -> None:
    changes = changed_constants()
    native = native_outcomes(changes)
    runs = [ModelRun(change.model(), change.inputs(), EXECUTIONS[execution]) for change in changes]
    results = run_models(tmp_path, runs)
    found = {
        change.name: _problem(result, native[change][0], may_reject=True)
        for change, result in zip(changes, results, strict=True)
    }
    assert not any(found.values()), "\n".join(f"{name}: {text}" for name, text in found.items() if text)


def _trial(change: ChangedShape, options: Mapping[str, Any]) -> ModelRun:
    inputs = change.inputs()
    shapes = {"inputShapes": [array.shape for array in inputs]} if change.way == "resize" else {}
    return ModelRun(change.model(), inputs, {**options, **shapes})


def _problem(result: str | list[Array], native: Outcome, may_reject: bool) -> str:
    return result if isinstance(result, str) and is_crash(result) else problem(result, native, may_reject)


def test_each_dimension_is_changed() -> None:
    names = [change.name for change in changed_shapes(every_case=True)]
    assert len(names) == len(set(names))
    assert {"ABS-rank4 resize [(1, 0, 6, 3)]", *FOUND} <= set(names)


EXECUTIONS_IN_NODE = {
    "xnnpack": CPU,
    "kernels": KERNELS,
    "webnn": POLYFILL,
}
FILTERS = np.arange(27, dtype=np.float32).reshape(1, 3, 3, 3) - 13
DEPTHWISE = {"padding": 0, "strideW": 1, "strideH": 1, "depthMultiplier": 1, "dilationWFactor": 1, "dilationHFactor": 1}


def _depthwise(writer: ModelWriter, image: int) -> int:
    y = writer.tensor("y", (1, 4, 4, 3))
    bias = writer.constant("bias", np.ones(3, np.float32))
    writer.node("DEPTHWISE_CONV_2D", [image, writer.constant("filters", FILTERS), bias], [y], DEPTHWISE)
    return y


def computed_shape() -> bytes:
    """Return f32[48], i32[4] -> f32[1,4,4,3]: a depthwise convolution in the shape that the second input says."""
    writer = ModelWriter()
    x, shape, negated, image = (
        writer.tensor("x", (48,)),
        writer.tensor("shape", (4,), "int32"),
        writer.tensor("negated", (48,)),
        writer.tensor("image", (1, 4, 4, 3)),
    )
    # RESHAPE leaves what a node computed where it is, and an input of the model not.
    writer.node("NEG", [x], [negated])
    writer.node("RESHAPE", [negated, shape], [image])
    return writer.finish([x, shape], [_depthwise(writer, image)])


def second_signature() -> bytes:
    """Return two signatures of subgraphs of their own: `main`, which negates, and `second`, a depthwise convolution."""
    writer = ModelWriter()
    x, y = writer.tensor("x", (4,)), writer.tensor("y", (4,))
    writer.node("NEG", [x], [y])
    second = writer.subgraph()
    image = second.tensor("image", (1, 4, 4, 3))
    second.end([image], [_depthwise(second, image)], signature="second")
    return writer.finish([x], [y], signature="main")


@pytest.mark.parametrize("options", EXECUTIONS_IN_NODE.values(), ids=EXECUTIONS_IN_NODE)
def test_shapes_that_only_a_run_knows_are_checked_in_the_run(harness: PageHarness, options: LoadOptions) -> None:
    """One channel for three filters is TFLite's kernel's, two are an error, and the model runs on."""
    model = harness.load(computed_shape(), options)
    x = np.arange(48, dtype=np.float32)
    shapes: Sequence[tuple[int, ...]] = (
        (1, 4, 4, 3),
        (1, 4, 12, 1),
        (1, 4, 6, 2),
        (1, 8, 2, 3),
        (1, 2, 24, 1),
        (1, 4, 4, 3),
    )
    for shape in shapes:
        inputs = [x, np.array(shape, np.int32)]
        if shape[-1] == 2:
            # XNNPACK's node, whose check is this project's, has the shapes in its message.
            with pytest.raises(ModelError, match="DEPTHWISE_CONV_2D" + ("" if options.extra else r".*\[1,")):
                model.run(inputs)
            continue
        (found,) = model.run(inputs)
        (expected,) = native_litert.outputs_of(computed_shape(), inputs, kernels="builtin")
        np.testing.assert_allclose(found, expected, rtol=1e-5)


@pytest.mark.parametrize("options", EXECUTIONS_IN_NODE.values(), ids=EXECUTIONS_IN_NODE)
def test_an_empty_input_gets_the_shape_that_only_a_run_knows(harness: PageHarness, options: LoadOptions) -> None:
    model = harness.load(computed_shape(), replace(options, extra={**(options.extra or {}), "inputShapes": [[0], [4]]}))
    (found,) = model.run([np.zeros(0, np.float32), np.array([0, 4, 4, 3], np.int32)])
    assert found.shape == (0, 4, 4, 3)


def test_a_resized_signature_computes_as_native_litert_at_each_shape(harness: PageHarness) -> None:
    """Its subgraph is prepared again by the same interpreter."""
    model = harness.load(second_signature(), CPU)
    for shape in ((1, 4, 4, 3), (2, 5, 4, 3), (1, 4, 4, 1), (1, 4, 4, 3)):
        model.resize([list(shape)], "second")
        image = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        (found,) = model.run_signature("second", {"image": image}).values()
        (expected,) = native_litert.run_native(_convolution(), [image], kernels="builtin", resize=True)
        np.testing.assert_allclose(found, expected, rtol=1e-5)
    with pytest.raises(ModelError, match=r"DEPTHWISE_CONV_2D.*\[1,4,4,2\]"):
        model.resize([[1, 4, 4, 2]], "second")


def test_a_signature_resized_to_an_empty_input_keeps_its_other_results(harness: PageHarness) -> None:
    """TFLite's kernels replace XNNPACK: a transposed convolution has its weights in a temporary tensor."""
    random = np.random.default_rng(5)
    image, words = (random.normal(size=shape).astype(np.float32) for shape in ((1, 3, 3, 2), (4, 2)))
    writer = ModelWriter()
    x, y = writer.tensor("x", (4,)), writer.tensor("y", (4,))
    writer.node("NEG", [x], [y])
    second = writer.subgraph()
    second.end(*_transposed(second, random), signature="second")
    model = harness.load(writer.finish([x], [y], signature="main"), CPU)
    expected = model.run_signature("second", {"image": image, "words": words})["result"]
    assert np.abs(expected).max() > 1
    for count in (0, 3, 0):
        model.resize([[1, 3, 3, 2], [count, 2]], "second")
        for _ in range(2):
            found = model.run_signature("second", {"image": image, "words": np.resize(words, (count, 2))})
            np.testing.assert_allclose(found["result"], expected, rtol=1e-5)


def _convolution() -> bytes:
    writer = ModelWriter()
    image = writer.tensor("image", (1, 4, 4, 3))
    return writer.finish([image], [_depthwise(writer, image)])


def _transposed(writer: ModelWriter, random: np.random.Generator) -> tuple[list[int], list[int]]:
    """Add f32[1,3,3,2], f32[4,2] -> f32[1,6,6,3], f32[4,2]: a transposed convolution, and a negation."""
    image, words = writer.tensor("image", (1, 3, 3, 2)), writer.tensor("words", (4, 2))
    result, negated = writer.tensor("result", (1, 6, 6, 3)), writer.tensor("negated", (4, 2))
    filters = writer.constant("filters", random.normal(size=(3, 3, 3, 2)).astype(np.float32))
    shape = writer.constant("shape", np.array([1, 6, 6, 3], np.int32))
    options = {"strideW": 2, "strideH": 2}
    writer.node("TRANSPOSE_CONV", [shape, filters, image], [result], options)
    writer.node("NEG", [words], [negated])
    return [image, words], [result, negated]


@pytest.mark.parametrize("options", EXECUTIONS_IN_NODE.values(), ids=EXECUTIONS_IN_NODE)
def test_a_transposed_convolution_has_the_batch_of_a_resized_input(harness: PageHarness, options: LoadOptions) -> None:
    """The shape of its result is a constant, whose batch is that of the file."""
    random = np.random.default_rng(4)
    filters = random.normal(size=(3, 3, 3, 2)).astype(np.float32)
    writer = ModelWriter()
    image, result = writer.tensor("image", (1, 4, 4, 2)), writer.tensor("result", (1, 8, 8, 3))
    negated, y = writer.tensor("negated", (1, 4, 4, 2)), writer.tensor("y", (1, 8, 8, 3))
    writer.node("NEG", [image], [negated])
    inputs = [writer.constant("shape", np.array([1, 8, 8, 3], np.int32)), writer.constant("filters", filters), negated]
    writer.node("TRANSPOSE_CONV", inputs, [result], {"strideW": 2, "strideH": 2})
    writer.node("NEG", [result], [y])
    content = writer.finish([image], [y])
    model = harness.load(content, options)
    images = random.normal(size=(3, 4, 4, 2)).astype(np.float32)
    expected = np.concatenate([native_litert.outputs_of(content, [one[None]], kernels="builtin")[0] for one in images])
    for batch in (3, 1, 2):
        model.resize([[batch, 4, 4, 2]])
        (found,) = model.run([images[:batch]])
        np.testing.assert_allclose(found, expected[:batch], atol=1e-5)
