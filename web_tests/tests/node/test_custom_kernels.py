"""The kernels of wasm/tflite_kernels that replace TFLite's: bit-identical to native LiteRT."""

from dataclasses import replace

import numpy as np
import pytest

from wasm.toolchain.variants import packaged_variants
from web_tests.drivers.harness import CPU, POLYFILL, LoadOptions, PageHarness
from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.one_node import one_node
from web_tests.models.recipes import SEED
from web_tests.op_cases import all_cases, case_id
from web_tests.op_cases.case import Input, OpCase, State, Values, Weights
from web_tests.op_cases.custom_kernels import (
    COMPUTED_DEPTHWISE,
    HYBRID_DEPTHWISE,
    NO_ACTIVATION,
    OTHER_HYBRID_DEPTHWISE,
    RELU,
    other_kernels,
)
from web_tests.op_cases.integer_kernels import (
    INTEGER_ELEMENTWISE,
    INTEGER_PRODUCTS,
    INTEGER_ROWS,
    SUMS,
    Shape,
    batch_matmul,
    elementwise,
)
from web_tests.references import native_litert
from web_tests.references.comparison import assert_close
from web_tests.tests.node.checks import assert_native_bits

EACH_VARIANT = pytest.mark.parametrize(
    "variant",
    [
        "simd",
        *(pytest.param(name, marks=pytest.mark.needs("variants")) for name in packaged_variants() if name != "simd"),
    ],
)
# Fewer columns than a vector has, and a depth that leaves a remainder.
FEW_COLUMNS = [OpCase(f"units_{n}", "FULLY_CONNECTED", (Input((9, 7)), Weights((n, 7)), Weights((n,)))) for n in (1, 2)]
DEPTHWISE_TAPS = [case for case in all_cases() if case.op == "DEPTHWISE_CONV_2D" and case.name.startswith("taps")]


def on_cpu(variant: str) -> LoadOptions:
    return LoadOptions(webnn=False, extra={"variant": variant, "numThreads": 2 if variant.endswith("threads") else 1})


@EACH_VARIANT
@pytest.mark.parametrize("case", [*HYBRID_DEPTHWISE, *COMPUTED_DEPTHWISE], ids=case_id)
def test_a_depthwise_convolution_has_the_bits_of_native_litert(
    harness: PageHarness, case: OpCase, variant: str
) -> None:
    assert_native_bits(harness, case.model(), case.inputs(), on_cpu(variant))


@pytest.mark.parametrize(
    "case", [*other_kernels(), *INTEGER_PRODUCTS, *INTEGER_ELEMENTWISE, *INTEGER_ROWS], ids=case_id
)
def test_a_kernel_has_the_bits_of_native_litert(harness: PageHarness, case: OpCase) -> None:
    assert_native_bits(harness, case.model(), case.inputs())


@EACH_VARIANT
@pytest.mark.parametrize("case", [*DEPTHWISE_TAPS, *FEW_COLUMNS], ids=case_id)
def test_remainders_of_vectors_compute_as_native_litert(harness: PageHarness, case: OpCase, variant: str) -> None:
    """Integers have native LiteRT's bits; sums of floats may be rounded differently."""
    found = harness.load(case.model(), on_cpu(variant)).run(case.inputs())
    expected = native_litert.outputs_of(case.model(), case.inputs(), kernels="default")
    assert_close(found, expected, 1e-6 if found[0].dtype == np.float32 else 0)


@EACH_VARIANT
@pytest.mark.parametrize("channels", [2, 3, 5, 32, 33])
@pytest.mark.parametrize("op", ["ADD", "MUL", "PRELU", "SUB"])
def test_short_rows_have_the_bits_of_native_litert(harness: PageHarness, op: str, channels: int, variant: str) -> None:
    """With an operand for each channel: more rows than are computed together, and some that remain."""
    case = OpCase(f"short_rows_{channels}", op, (Input((1, 71, 37, channels)), Weights((1, 1, channels))))
    found = harness.load(case.model(), on_cpu(variant)).run(case.inputs())
    assert_close(found, native_litert.outputs_of(case.model(), case.inputs(), kernels="default"), 0)


@EACH_VARIANT
@pytest.mark.parametrize("op", ["REDUCE_MAX", "REDUCE_MIN"])
@pytest.mark.parametrize("pixels", [(2, 1), (3, 2), (4, 3), (6, 4), (7, 5)], ids=str)
def test_extremes_of_few_channels_are_those_of_all_pixels(
    harness: PageHarness, op: str, pixels: tuple[int, int], variant: str
) -> None:
    """Also of NaN and infinity, at any pixel."""
    random = np.random.default_rng(SEED)
    for channels in range(1, 9):
        x = random.uniform(-1, 1, (9, *pixels, channels)).astype(np.float32)
        x[1] = -np.inf
        x[2].flat[random.integers(x[2].size)] = np.inf
        x[3].flat[random.integers(x[3].size)] = np.nan
        axes = np.array([1, 2], np.int32)
        content = one_node(op, [(x.shape, "float32"), (axes,)], ((9, channels), "float32"))
        (found,) = harness.load(content, on_cpu(variant)).run([x])
        expected = x.max((1, 2)) if op == "REDUCE_MAX" else x.min((1, 2))
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", ["bool", "int8", "int16", "float32", "int64"])
@pytest.mark.parametrize(
    ("low", "high", "interior"),
    [
        ([0, 2, 1], [1, 0, 3], [0, 0, 0]),
        ([1, 0, 2], [0, 1, 1], [1, 2, 0]),
        ([1, -1, -2], [-1, 2, 0], [0, 1, 0]),
        ([0, 1, -2], [1, 0, 5], [2, 0, 3]),
        ([0, 1, -9], [0, 0, 12], [0, 0, 0]),  # of the input, nothing is left
    ],
    ids=str,
)
def test_padding_that_copies_rows_has_the_bits_of_native_litert(
    harness: PageHarness, low: list[int], high: list[int], interior: list[int], dtype: str
) -> None:
    options = {"edgePaddingLow": low, "edgePaddingHigh": high, "interiorPadding": interior}
    operands = (Input((3, 4, 5), -100, 100, dtype), Values(1, dtype))
    case = OpCase(f"rows_{dtype}", "STABLEHLO_PAD", operands, options)
    assert_native_bits(harness, case.model(), case.inputs(), CPU)


@pytest.mark.needs("variants")
def test_bilinear_resizing_has_the_bits_of_native_litert(harness: PageHarness) -> None:
    """Native kernels of x86 round each product, and those of Arm fuse it with its sum."""
    options = {"halfPixelCenters": True}
    content = one_node(
        "RESIZE_BILINEAR", [((1, 7, 9, 16), "float32"), (np.array([23, 31], np.int32),)],
        ((1, 23, 31, 16), "float32"), options,
    )  # fmt: skip
    x = np.random.default_rng(SEED).uniform(-1, 1, (1, 7, 9, 16)).astype(np.float32)
    (found,) = harness.load(content, on_cpu("relaxed-simd")).run([x])
    (expected,) = native_litert.outputs_of(content, [x], kernels="default")
    np.testing.assert_array_equal(found.view(np.uint32), expected.view(np.uint32))


def test_computed_weights_run_on_xnnpack(harness: PageHarness) -> None:
    (case,) = [case for case in all_cases() if case.op == "FULLY_CONNECTED" and case.name == "weights_at_run_time"]
    model = harness.load(case.model(), LoadOptions(webnn=False, extra={"enableProfiling": True}))
    model.run(case.inputs())
    (item,) = model.profile()[0]
    assert item["nodeType"].startswith("Dynamic Fully Connected")  # FULLY_CONNECTED is TFLite's kernel


@pytest.mark.parametrize(("x", "weights"), [((3, 12), (7, 12)), ((2, 12), (5, 6)), ((2, 6), (5, 12))], ids=str)
def test_computed_weights_change_their_shape(
    harness: PageHarness, x: tuple[int, int], weights: tuple[int, int]
) -> None:
    """As TFLite's kernel: a row of the weights may be a part of the input's rows, or several of them."""
    (case,) = [case for case in all_cases() if case.op == "FULLY_CONNECTED" and case.name == "weights_at_run_time"]
    model = harness.load(case.model(), CPU)
    model.run(case.inputs())
    model.resize([list(x), list(weights)])
    random = np.random.default_rng(SEED)
    inputs = [random.uniform(-1, 1, shape).astype(np.float32) for shape in (x, weights)]
    (found,) = model.run(inputs)
    np.testing.assert_allclose(found, inputs[0].reshape(-1, weights[1]) @ inputs[1].T, rtol=0, atol=1e-5)


@pytest.mark.parametrize("case", HYBRID_DEPTHWISE[:2], ids=case_id)
def test_a_hybrid_depthwise_convolution_without_bias_adds_nothing(harness: PageHarness, case: OpCase) -> None:
    """Native LiteRT reads the absent bias and crashes: it gets zeros."""
    image, filters, bias = case.operands
    assert isinstance(bias, Weights)
    zeros = replace(case, operands=(image, filters, Values(np.zeros(bias.shape), "float32")))
    without = replace(case, operands=(image, filters), output_shape=_shape_of(case))
    (found,) = harness.load(without.model(), CPU).run(case.inputs())
    (expected,) = native_litert.outputs_of(zeros.model(), case.inputs(), kernels="builtin")
    np.testing.assert_array_equal(found.view(np.uint32), expected.view(np.uint32))


def _shape_of(case: OpCase) -> Shape:
    (output,) = native_litert.outputs_of(case.model(), case.inputs(), kernels="builtin")
    shape: Shape = output.shape
    return shape


@pytest.mark.parametrize("case", OTHER_HYBRID_DEPTHWISE, ids=case_id)
def test_tflites_kernel_runs_what_the_custom_kernel_does_not_support(harness: PageHarness, case: OpCase) -> None:
    """TFLite's kernel multiplies the scales in another order; the integers before that are identical."""
    expected = native_litert.outputs_of(case.model(), case.inputs(), kernels="builtin")
    assert_close(harness.load(case.model(), CPU).run(case.inputs()), expected, 1e-6)


@pytest.mark.parametrize("activation", [NO_ACTIVATION, RELU])
@pytest.mark.parametrize(("batch", "features", "units"), [(1, 7, 5), (3, 8, 6), (2, 33, 12)])
def test_recurrent_products_have_the_bits_of_native_litert(
    harness: PageHarness, batch: int, features: int, units: int, activation: int
) -> None:
    """Of more rows and values than fill vectors; activations other than these have bits of their own."""
    operands = (
        Input((3, batch, features)),
        Weights((units, features), -0.1, 0.1),
        Weights((units, units), -0.1, 0.1),
        Weights((units,)),
        State((batch, units)),
    )
    options = {"fusedActivationFunction": activation, "timeMajor": True}
    case = OpCase("products", "UNIDIRECTIONAL_SEQUENCE_RNN", operands, options)
    assert_native_bits(harness, case.model(), case.inputs())


def test_an_svdf_without_bias_computes_as_native_litert(harness: PageHarness) -> None:
    """Its bias is optional, the time weights before it are not."""
    operands = (Input((2, 3)), Weights((4, 3)), Weights((4, 5)), None, State((2, 20)))
    case = OpCase("without_bias", "SVDF", operands, {"rank": 1})
    (found,) = harness.load(case.model(), CPU).run(case.inputs())
    (expected,) = native_litert.outputs_of(case.model(), case.inputs(), kernels="builtin")
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_depthwise_convolution_writes_no_other_tensor(harness: PageHarness) -> None:
    """TFLite's arena has the first output, which is smaller and computed before, directly behind the second."""
    random, writer = np.random.default_rng(SEED), ModelWriter()
    x = writer.tensor("x", (1, 8, 8, 12), "int16", Quantization((1e-4,)))
    filters = random.integers(-128, 128, (1, 3, 3, 12)).astype(np.int8)
    weights = writer.constant("weights", filters, Quantization((0.01,) * 12, axis=3))
    bias = writer.constant("bias", np.zeros(12, np.int64), Quantization((1e-6,) * 12))

    def convolved(source: int, name: str, size: int) -> int:
        y = writer.tensor(name, (1, size, size, 12), "int16", Quantization((6e-4,)))
        options = {"strideH": 8 // size, "strideW": 8 // size, "depthMultiplier": 1}
        writer.node("DEPTHWISE_CONV_2D", [source, weights, bias], [y], options, version=5)
        return y

    hidden = convolved(x, "hidden", 8)
    content = writer.finish([x], [convolved(hidden, "first", 4), convolved(hidden, "second", 8)])
    assert_native_bits(harness, content, [random.integers(1 - 2**15, 2**15, (1, 8, 8, 12)).astype(np.int16)])


@pytest.mark.parametrize(
    ("scales", "relu"), [((0.25,) * 3, False), ((0.25, 0.5, 0.5), True), ((1.0, 0.125, 1.0), False)]
)
@pytest.mark.parametrize("shapes", [((3, 7, 19), (19,)), ((1,), (2, 45)), ((4, 1, 9), (1, 5, 1))], ids=str)
@pytest.mark.parametrize("op", SUMS)
def test_broadcast_sums_of_powers_of_two_are_rounded(
    harness: PageHarness, op: str, shapes: tuple[Shape, Shape], scales: tuple[float, float, float], relu: bool
) -> None:
    """To the nearest integer: native LiteRT, which does not broadcast here, is no reference."""
    case = elementwise(op, shapes, scales, relu=relu, has_powers_of_two=True)
    a, b = case.inputs()
    (found,) = harness.load(case.model(), CPU).run([a, b])
    assert found.dtype == np.int16
    real = (a * scales[0] + b * (scales[1] if op == "ADD" else -scales[1])) / scales[2]
    np.testing.assert_allclose(found, np.clip(real, 0 if relu else -(2**15), 2**15 - 1), rtol=0, atol=0.5)


@pytest.mark.parametrize("step", [1, 2, 3])
def test_products_of_the_lowest_int16_do_not_overflow(harness: PageHarness, step: int) -> None:
    """Two products of -32768 do not fit in 32 bits."""
    case = batch_matmul("int16", (1, 2, 8), (1, 3, 8), adjoint_b=True)
    inputs = case.inputs()
    for values in inputs:
        values[..., ::step] = -32768
    assert_native_bits(harness, case.model(), inputs)


@pytest.mark.parametrize("webnn", [False, True])
@pytest.mark.parametrize("lowest", [-1e5, -1e9, -3.4e38])
def test_a_softmax_over_a_low_mask_does_not_overflow(harness: PageHarness, lowest: float, webnn: bool) -> None:
    """Masks so low that a step of the scale is more than all exponentials: native LiteRT's kernels overflow."""
    scale = Quantization((-lowest / 32767,))
    probability = Quantization((1 / 32768,))
    content = one_node(
        "SOFTMAX",
        [((3, 7), "int16", scale)],
        ((3, 7), "int16", probability),
        {"beta": 1},
    )
    x = np.array([[0, 0, 0, -32767, -1, -20000, 0], [-32767] * 7, [5, -32768, 32767, -1, 3, 32766, 2]], np.int16)
    (found,) = harness.load(content, LoadOptions(webnn=webnn)).run([x])
    expected = np.exp((x - x.max(1, keepdims=True).astype(float)) * scale.scales[0])
    np.testing.assert_allclose(found / 32768, expected / expected.sum(1, keepdims=True), atol=1e-3)


@pytest.mark.parametrize("op", ["SIN", "COS"])
def test_sines_of_large_angles_are_right(harness: PageHarness, op: str) -> None:
    """XNNPACK's are off beyond a million, and no sines beyond 2**31; SIMD lanes have those below 2**28."""
    edges = [3.1415927, -1.5707964, 1e6, 2**24, 2**24 + 2, -(2**29), 2**30, 2**31, 2**53, 3e38, np.inf, np.nan, -0.0]
    random = np.random.default_rng(SEED)
    small, large, larger = (random.uniform(-limit, limit, 2000) for limit in (1e5, 2**28, 2**31))
    x = np.array([-0.0, 0.0, 1.0, -1.0, *small, *large, *larger, *edges], np.float32)
    content = one_node(op, [(x.shape, "float32", None)], (x.shape, "float32", None))
    (found,) = harness.load(content, CPU).run([x])
    with np.errstate(invalid="ignore"):
        expected = (np.sin if op == "SIN" else np.cos)(x.astype(np.float64))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-7)
    np.testing.assert_array_equal(np.signbit(found[:4]), np.signbit(expected[:4]))


@pytest.mark.parametrize("options", [CPU, POLYFILL], ids=["cpu", "polyfill"])
@pytest.mark.parametrize("op", ["MAXIMUM", "MINIMUM"])
@pytest.mark.parametrize("shape", [(), (1,), (1, 1)], ids=str)
def test_of_a_constant_nan_and_a_number_the_number_is_returned(
    harness: PageHarness, op: str, shape: tuple[int, ...], options: LoadOptions
) -> None:
    x = np.array([[1, np.nan, np.inf], [-np.inf, 0, -2]], np.float32)
    writer = ModelWriter()
    provided, result = writer.tensor("x", x.shape), writer.tensor("y", x.shape)
    constant = writer.constant("nan", np.full(shape, np.nan, np.float32))
    writer.node(op, [constant, provided], [result])
    content = writer.finish([provided], [result])
    (found,) = harness.load(content, options).run([x])
    np.testing.assert_array_equal(found, x)
    for kernels in ("default", "builtin"):
        np.testing.assert_array_equal(native_litert.outputs_of(content, [x], kernels=kernels)[0], x)
