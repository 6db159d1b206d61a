"""The kernels of wasm/tflite_kernels that replace TFLite's: bit-identical to native LiteRT."""

import numpy as np
import pytest

from wasm.toolchain.variants import packaged_variants
from web_tests.drivers.harness import LoadOptions, PageHarness
from web_tests.models import custom_kernels
from web_tests.models.custom_kernels import (
    COMPUTED_DEPTHWISE,
    DILATED_CONV_3D,
    HYBRID_DEPTHWISE,
    NO_ACTIVATION,
    OTHER_HYBRID_DEPTHWISE,
    RELU,
    REQUANTIZATIONS,
    ComputedDepthwise,
    DilatedConv3d,
)
from web_tests.models.integer_elementwise import (
    BROADCAST_POWERS_OF_TWO,
    INTEGER_ELEMENTWISE,
    IntegerElementwise,
)
from web_tests.models.integer_products import (
    BATCH_MATMULS,
    CONV_2D,
    FULLY_CONNECTED,
    BatchMatmul,
    Conv2d,
    FullyConnected,
    neighbours,
)
from web_tests.models.integer_rows import INTEGER_ROWS, Int16Quantize, IntegerMean, IntegerSoftmax
from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.one_node import one_node
from web_tests.models.recipes import SEED, Array
from web_tests.op_cases import all_cases, case_id
from web_tests.op_cases.case import Input, OpCase, State, Weights
from web_tests.references import native_litert
from web_tests.references.comparison import assert_close

CPU = LoadOptions(webnn=False)
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


def same_bits(found: Array, expected: Array) -> bool:
    return found.dtype == expected.dtype and found.tobytes() == expected.tobytes()


def unlike(found: list[Array], expected: list[Array]) -> list[custom_kernels.HybridDepthwise]:
    pairs = zip(HYBRID_DEPTHWISE, found, expected, strict=True)
    return [case for case, one, other in pairs if not same_bits(one, other)]


@EACH_VARIANT
def test_a_hybrid_depthwise_conv_computes_as_native_litert(harness: PageHarness, variant: str) -> None:
    content = custom_kernels.hybrid_depthwise(HYBRID_DEPTHWISE)
    inputs = custom_kernels.hybrid_depthwise_inputs(HYBRID_DEPTHWISE)
    found = harness.load(content, on_cpu(variant)).run(inputs)
    assert not unlike(found, native_litert.outputs_of(content, inputs, kernels="builtin"))


@EACH_VARIANT
@pytest.mark.parametrize("case", [*DEPTHWISE_TAPS, *FEW_COLUMNS], ids=case_id)
def test_rests_of_vectors(harness: PageHarness, case: OpCase, variant: str) -> None:
    """Integers have native LiteRT's bits; sums of floats may be rounded differently."""
    found = harness.load(case.model(), on_cpu(variant)).run(case.inputs())
    expected = native_litert.outputs_of(case.model(), case.inputs(), kernels="default")
    assert_close(found, expected, 1e-6 if found[0].dtype == np.float32 else 0)


@EACH_VARIANT
@pytest.mark.parametrize("channels", [2, 3, 5, 32, 33])
@pytest.mark.parametrize("op", ["ADD", "MUL", "PRELU", "SUB"])
def test_short_rows(harness: PageHarness, op: str, channels: int, variant: str) -> None:
    """With an operand for each channel: more rows than are computed together, and some that remain."""
    case = OpCase(f"short_rows_{channels}", op, (Input((1, 71, 37, channels)), Weights((1, 1, channels))))
    (found,) = harness.load(case.model(), on_cpu(variant)).run(case.inputs())
    (expected,) = native_litert.outputs_of(case.model(), case.inputs(), kernels="default")
    assert same_bits(found, expected)


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
    assert same_bits(found, expected)


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


def test_hybrid_depthwise_conv_without_bias(harness: PageHarness) -> None:
    """Native LiteRT reads the absent bias and crashes: it gets zeros."""
    inputs = custom_kernels.hybrid_depthwise_inputs(HYBRID_DEPTHWISE)
    with_zeros = custom_kernels.hybrid_depthwise(HYBRID_DEPTHWISE, "zero")
    found = harness.load(custom_kernels.hybrid_depthwise(HYBRID_DEPTHWISE, "none"), CPU).run(inputs)
    assert not unlike(found, native_litert.outputs_of(with_zeros, inputs, kernels="builtin"))


def test_tflites_kernel_runs_what_the_custom_kernel_does_not_support(harness: PageHarness) -> None:
    """TFLite's kernel multiplies the scales in another order; the integers before that are identical."""
    content = custom_kernels.hybrid_depthwise(OTHER_HYBRID_DEPTHWISE)
    inputs = custom_kernels.hybrid_depthwise_inputs(OTHER_HYBRID_DEPTHWISE)
    expected = native_litert.outputs_of(content, inputs, kernels="builtin")
    assert_close(harness.load(content, CPU).run(inputs), expected, 1e-6)


@pytest.mark.parametrize("case", DILATED_CONV_3D, ids=str)
def test_dilated_conv_3d_computes_as_native_litert(harness: PageHarness, case: DilatedConv3d) -> None:
    (found,) = harness.load(case.model(), CPU).run([case.input()])
    (expected,) = native_litert.outputs_of(case.model(), [case.input()], kernels="builtin")
    assert same_bits(found, expected)


@EACH_VARIANT
@pytest.mark.parametrize("case", COMPUTED_DEPTHWISE, ids=str)
def test_a_computed_depthwise_filter_has_the_bits_of_native_litert(
    harness: PageHarness, case: ComputedDepthwise, variant: str
) -> None:
    (found,) = harness.load(case.model(), on_cpu(variant)).run(case.inputs())
    (expected,) = native_litert.outputs_of(case.model(), case.inputs(), kernels="builtin")
    assert same_bits(found, expected)


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
    (found,) = harness.load(case.model(), CPU).run(case.inputs())
    (expected,) = native_litert.outputs_of(case.model(), case.inputs(), kernels="builtin")
    assert same_bits(found, expected)


def test_a_padded_conv_3d_transpose_computes_as_native_litert(harness: PageHarness) -> None:
    content, data = custom_kernels.padded_conv_3d_transpose(), np.arange(8, dtype=np.float32).reshape(1, 1, 2, 4, 1)
    (found,) = harness.load(content, CPU).run([data])
    (expected,) = native_litert.outputs_of(content, [data], kernels="builtin")
    assert same_bits(found, expected)


def test_an_svdf_without_bias_computes_as_native_litert(harness: PageHarness) -> None:
    """Its bias is optional, the time weights before it are not."""
    content, data = custom_kernels.svdf_without_bias(), np.arange(6, dtype=np.float32).reshape(2, 3)
    (found,) = harness.load(content, CPU).run([data])
    (expected,) = native_litert.outputs_of(content, [data], kernels="builtin")
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("name", REQUANTIZATIONS)
def test_requantization_has_the_bits_of_native_litert(harness: PageHarness, name: str) -> None:
    case = REQUANTIZATIONS[name]
    content = custom_kernels.requantization(case)
    (found,) = harness.load(content, CPU).run([case.input()])
    (expected,) = native_litert.outputs_of(content, [case.input()], kernels="builtin")
    assert same_bits(found, expected)


@pytest.mark.parametrize(
    "case",
    [*BATCH_MATMULS, *CONV_2D, *FULLY_CONNECTED, *INTEGER_ELEMENTWISE, *INTEGER_ROWS],
    ids=str,
)
def test_integer_kernels_have_the_bits_of_native_litert(
    harness: PageHarness,
    case: BatchMatmul | Conv2d | FullyConnected | IntegerElementwise | IntegerMean | IntegerSoftmax | Int16Quantize,
) -> None:
    content, inputs = case.model(), case.inputs()
    (found,) = harness.load(content, CPU).run(inputs)
    (expected,) = native_litert.outputs_of(content, inputs, kernels="builtin")
    assert same_bits(found, expected.reshape(found.shape))


def test_a_depthwise_conv_writes_no_other_tensor(harness: PageHarness) -> None:
    content, inputs = neighbours()
    found = harness.load(content, CPU).run(inputs)
    expected = native_litert.outputs_of(content, inputs, kernels="builtin")
    assert all(map(same_bits, found, expected))


@pytest.mark.parametrize("case", BROADCAST_POWERS_OF_TWO, ids=str)
def test_broadcast_sums_of_powers_of_two(harness: PageHarness, case: IntegerElementwise) -> None:
    """Rounded to the nearest integer: native LiteRT, which does not broadcast here, is no reference."""
    inputs = case.inputs()
    (found,) = harness.load(case.model(), CPU).run(inputs)
    assert found.dtype == np.int16
    np.testing.assert_allclose(found, case.real_sum(*inputs), rtol=0, atol=0.5)


@pytest.mark.parametrize("step", [1, 2, 3])
def test_products_of_the_lowest_int16_do_not_overflow(harness: PageHarness, step: int) -> None:
    """Two products of -32768 do not fit in 32 bits."""
    case = BatchMatmul("int16", (1, 2, 8), (1, 3, 8), adjoint_b=True)
    content, inputs = case.model(), case.inputs()
    for values in inputs:
        values[..., ::step] = -32768
    (found,) = harness.load(content, CPU).run(inputs)
    (expected,) = native_litert.outputs_of(content, inputs, kernels="builtin")
    assert same_bits(found, expected.reshape(found.shape))


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


@pytest.mark.parametrize("options", [CPU, LoadOptions(webnn_options={"polyfill": "tflite"})], ids=["cpu", "polyfill"])
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
