"""Models of one node that are well-formed files without a valid meaning: each must be rejected."""

import itertools
from collections.abc import Iterator
from typing import Any

from web_tests.malformed import guarded_nodes, quantized_nodes
from web_tests.models.op_options import Options
from web_tests.op_cases import case_id
from web_tests.op_cases.case import Input, OpCase, Operand, State, Values, Weights

IMAGE = (1, 6, 6, 4)


def all_malformed() -> dict[str, bytes]:
    families = (
        _axes,
        _windows,
        _blocks,
        _shapes,
        _slices,
        _indices,
        _ranks,
        _cells,
        _boxes,
        _pairs,
        _parameters,
        _missing,
        guarded_nodes.cases,
    )
    cases = [case for family in families for case in family()]
    models = {case_id(case): case.model() for case in cases} | dict(quantized_nodes.models())
    assert len(models) == len(cases) + len(list(quantized_nodes.models())), "two nodes have one name"
    return models


def _op(
    name: str,
    op: str,
    *operands: Operand,
    options: Options = None,
    shape: tuple[int, ...] = IMAGE,
    **attributes: Any,
) -> OpCase:
    """Return a node whose output has a declared shape, right or wrong."""
    return OpCase(name, op, operands, options, output_shape=shape, **attributes)


def _axes() -> Iterator[OpCase]:
    x = Input(IMAGE)
    for axis in (7, -7):
        name = f"axis_{axis}"
        yield _op(name, "CONCATENATION", x, x, options={"axis": axis})
        yield _op(name, "PACK", x, x, options={"axis": axis, "valuesCount": 2})
        yield _op(name, "UNPACK", x, options={"axis": axis, "num": 6}, outputs=6)
        yield _op(name, "SPLIT", Values(axis), x, options={"numSplits": 2}, outputs=2)
        yield _op(
            name, "SPLIT_V", x, Values([3, 3]), Values(axis), options={"numSplits": 2},
            outputs=2,
        )  # fmt: skip
        yield _op(name, "GATHER", x, Values([0]), options={"axis": axis})
        yield _op(name, "ARG_MAX", x, Values(axis), options={"outputType": 2})
        yield _op(name, "CUMSUM", x, Values(axis), options={})
        yield _op(name, "REVERSE_V2", x, Values([axis]), options={})
        yield _op(name, "EXPAND_DIMS", x, Values([axis]), options={})
        yield _op(name, "SQUEEZE", x, options={"squeezeDims": [axis]})
        yield _op(name, "MEAN", x, Values([axis]), options={})
        one_hot = (Input((3,), 0, 3, "int32"), Values(4), Values(1.0, "float32"), Values(0.0, "float32"))
        yield _op(name, "ONE_HOT", *one_hot, options={"axis": axis}, output_dtype="float32")
        dimensions = {"seqDim": axis, "batchDim": 0}
        yield _op(name, "REVERSE_SEQUENCE", x, Values([1]), options=dimensions)
    yield _op("batch_dims", "GATHER", x, Values([0]), options={"axis": 1, "batchDims": 9})


def _windows() -> Iterator[OpCase]:
    x, filters, bias = Input(IMAGE), Weights((5, 3, 3, 4)), Weights((5,))
    depthwise = Weights((1, 3, 3, 4))
    for padding in (0, 1):
        for stride in (0, -1):
            steps = {"padding": padding, "strideH": stride, "strideW": stride, "filterHeight": 2, "filterWidth": 2}
            yield _op(f"stride_{stride}_{padding}", "MAX_POOL_2D", x, options=steps)
            yield _op(f"stride_{stride}_{padding}", "L2_POOL_2D", x, options=steps)
            strides = {"padding": padding, "strideH": stride, "strideW": stride}
            yield _op(f"stride_{stride}_{padding}", "CONV_2D", x, filters, bias, options=strides)
            options = strides | {"depthMultiplier": 1}
            yield _op(f"stride_{stride}_{padding}", "DEPTHWISE_CONV_2D", x, depthwise, options=options)
            turned = (Values([1, 6, 6, 5]), filters, x)
            options = strides
            yield _op(f"stride_{stride}_{padding}", "TRANSPOSE_CONV", *turned, options=options)
    unit = {"strideH": 1, "strideW": 1}
    for dilation in (0, -2):
        dilated = unit | {"dilationHFactor": dilation, "dilationWFactor": dilation}
        yield _op(f"dilation_{dilation}", "CONV_2D", x, filters, bias, options=dilated)
    volumes = Input((1, 4, 4, 4, 2)), Weights((2, 2, 2, 2, 3))
    steps = {"strideD": 1, "dilationDFactor": 1, "strideH": 1, "dilationHFactor": 1, "strideW": 1, "dilationWFactor": 1}
    for step, size in itertools.product(steps, (0, -2)):
        yield _op(f"{step}_{size}", "CONV_3D", *volumes, options=steps | {step: size}, shape=(1, 4, 4, 4, 3))
    yield _op("padding", "CONV_3D", *volumes, options=steps | {"padding": 5}, shape=(1, 4, 4, 4, 3))
    for size in (0, -2):
        window = unit | {"filterHeight": size, "filterWidth": size}
        yield _op(f"window_{size}", "AVERAGE_POOL_2D", x, options=window)
    yield _op("rank_3", "CONV_2D", Input((6, 6, 4)), filters, bias, options=unit)
    yield _op("channels", "CONV_2D", x, Weights((5, 3, 3, 3)), bias, options=unit)
    yield _op("long_bias", "CONV_2D", x, filters, Weights((9,)), options=unit)


def _blocks() -> Iterator[OpCase]:
    x = Input(IMAGE)
    for block in (0, -2, 5):
        yield _op(f"block_{block}", "DEPTH_TO_SPACE", x, options={"blockSize": block})
        yield _op(f"block_{block}", "SPACE_TO_DEPTH", x, options={"blockSize": block})
        nothing = Values([[0, 0], [0, 0]])
        blocks = (x, Values([block, 2]), nothing)
        yield _op(f"block_{block}", "SPACE_TO_BATCH_ND", *blocks, options={})
        yield _op(f"block_{block}", "BATCH_TO_SPACE_ND", *blocks, options={})
    negative = (x, Values([1, 1]), Values([[-3, 0], [0, 0]]))
    yield _op("negative_padding", "SPACE_TO_BATCH_ND", *negative, options={})
    wide = (Input((4, 2, 2, 3)), Values([2, 2]), Values([[9, 9], [0, 0]]))
    yield _op("wide_crops", "BATCH_TO_SPACE_ND", *wide, options={})
    short = (x, Values([2, 2]), Values([[0, 0]]))
    yield _op("short_paddings", "SPACE_TO_BATCH_ND", *short, options={})
    for dilations in ([1, 0, 1, 1], [1, 1], [1, -3, 1, 1]):
        name = "_".join(map(str, dilations))
        dilated = (x, Values(dilations), Values(0.0, "float32"))
        yield _op(name, "DILATE", *dilated, options={})


def _shapes() -> Iterator[OpCase]:
    x = Input(IMAGE)
    for dtype, start, limit, delta in (
        ("int32", 0, 2**31 - 1, 1),
        ("int64", 2**31 - 1, 0, -1),
        ("float32", 0, 1e30, 1),
    ):
        numbers = (Values(number, dtype) for number in (start, limit, delta))
        yield _op(f"huge_{dtype}", "RANGE", *numbers, options={}, output_dtype=dtype)
    for order in ([0, 0, 1, 2], [0, 1], [0, 1, 2, 9], [0, 1, 2, -9]):
        yield _op("_".join(map(str, order)), "TRANSPOSE", x, Values(order), options={})
    for shape in ([-5, 4], [-1, -1], [7], [1 << 30, 1 << 30], [0, -1]):
        name = "_".join(map(str, shape))
        yield _op(name, "RESHAPE", x, Values(shape), options={"newShape": shape})
    for multiples in ([1, 1, 1, -2], [2, 2], [1, 1 << 20, 1 << 20, 1], [0, 1, 1, 1]):
        yield _op("_".join(map(str, multiples)), "TILE", x, Values(multiples), options={})
    for shape in ([2, 3], [1, 5, 6, 4], [1, 6, -6, 4]):
        name = "_".join(map(str, shape))
        yield _op(name, "BROADCAST_TO", x, Values(shape), options={}, version=2)
    for dims in ([2, -3], [0, 2], [1 << 16, 1 << 16]):
        yield _op("_".join(map(str, dims)), "FILL", Values(dims), Input(()), options={})
    for size in ([0, 4], [-2, 4], [3]):
        name = "_".join(map(str, size))
        yield _op(name, "RESIZE_BILINEAR", x, Values(size), options={})
    huge = (1 << 15, 1 << 15, 8)
    yield _op("huge", "ADD", Input(huge), Input(huge), options={}, shape=huge)
    yield _op("huge", "RELU", Input((1 << 16, 1 << 16)), shape=(1 << 16, 1 << 16))
    yield _op("empty", "RELU", Input((1, 0, 3)), shape=(1, 0, 3))
    yield _op("negative", "RELU", Input((1, 2, 3)), shape=(1, -2, 3))


def _slices() -> Iterator[OpCase]:
    x = Input((4, 5))
    for begin, size in (([9, 0], [1, 1]), ([-3, 0], [1, 1]), ([0, 0], [9, 9]), ([0, 0], [-2, 1]), ([0], [1])):
        name = "_".join(map(str, [*begin, *size]))
        yield _op(name, "SLICE", x, Values(begin), Values(size), options={}, shape=(1, 1))
    for begin, end, strides in (([0, 0], [4, 5], [0, 1]), ([0, 0, 0], [4, 5, 1], [1, 1, 1]), ([3, 0], [1, 5], [1, 1])):
        name = "_".join(map(str, [*begin, *end, *strides]))
        ranges = (Values(begin), Values(end), Values(strides))
        yield _op(name, "STRIDED_SLICE", x, *ranges, options={})
    uneven = (Values([0, 0]), Values([4]), Values([1, 1]))
    yield _op("uneven", "STRIDED_SLICE", x, *uneven, options={})
    for paddings in ([[-1, 0], [0, 0]], [[1, 1]], [1, 1, 1, 1], [[1 << 30, 1 << 30], [0, 0]]):
        name = "_".join(map(str, paddings)).replace(" ", "")
        yield _op(name, "PAD", x, Values(paddings), options={})
    for mode in (0, 1):
        wide = Values([[9, 0], [0, 9]])
        yield _op(f"wide_{mode}", "MIRROR_PAD", x, wide, options={"mode": mode})
    for low, interior in (([-9, 0], [0, 0]), ([0, 0], [-2, 0]), ([1 << 40, 0], [0, 0])):
        padding = {"edgePaddingLow": low, "edgePaddingHigh": [0, 0], "interiorPadding": interior}
        name = "_".join(map(str, [*low, *interior]))
        yield _op(name, "STABLEHLO_PAD", x, Values(0.0, "float32"), options=padding)
    padding = {"edgePaddingLow": [1], "edgePaddingHigh": [1], "interiorPadding": [0]}
    yield _op("scalar", "STABLEHLO_PAD", Input(()), Values(0.0, "float32"), options=padding)
    for sizes in ([9, 9], [-3, 7], [4]):
        name = "_".join(map(str, sizes))
        parts = (x, Values(sizes), Values(0))
        yield _op(name, "SPLIT_V", *parts, options={"numSplits": 2}, outputs=2)


def _indices() -> Iterator[OpCase]:
    x, rows = Input((4, 5)), Input((2, 5))
    for index in (4, -1, 1 << 30):
        name = f"index_{index}"
        yield _op(name, "GATHER", x, Values([index]), options={"axis": 0})
        yield _op(name, "GATHER_ND", x, Values([[index, 0]]), options={})
        yield _op(name, "EMBEDDING_LOOKUP", Values([index]), x)
        scattered = (Values([[index], [0]]), rows, Values([4, 5]))
        yield _op(name, "SCATTER_ND", *scattered, options={}, shape=(4, 5))
        sparse = (Values([[index, 0]]), Values([4, 5]), Input((1,)), Values(0.0, "float32"))
        yield _op(name, "SPARSE_TO_DENSE", *sparse, options={}, shape=(4, 5), output_dtype="float32")
    yield _op("deep", "GATHER_ND", x, Values([[0, 0, 0]]), options={})
    deep = (Values([[0, 0, 0]]), Input((1,)), Values([4, 5]))
    yield _op("deep", "SCATTER_ND", *deep, options={}, shape=(4, 5))
    short = (Values([[0], [1], [2]]), rows, Values([4, 5]))
    yield _op("short_updates", "SCATTER_ND", *short, options={}, shape=(4, 5))
    gathered: dict[str, dict[str, Any]] = {
        "deep": {},
        "many_offsets": {"offsetDims": [0, 1, 2]},
        "many_collapsed": {"collapsedSliceDims": [0, 0]},
        "far_collapsed": {"collapsedSliceDims": [7]},
        "many_starts": {"startIndexMap": [0] * 1000},
    }
    for name, fields in gathered.items():
        provided = {"offsetDims": [1], "collapsedSliceDims": [0], "startIndexMap": [0], "indexVectorDim": 1}
        options = provided | {"sliceSizes": [1, 5]} | fields
        yield _op(name, "STABLEHLO_GATHER", x, Values([[1], [2]]), options=options, shape=(2, 5, 1))
    lists = {"updateWindowDims": [1], "insertedWindowDims": [0] * 1000, "scatterDimsToOperandDims": [0]}
    options = lists | {"indexVectorDim": 1}
    yield _op("many_inserted", "STABLEHLO_SCATTER", x, Values([[1], [2]]), rows, options=options, shape=(4, 5))
    wide = (x, Input((5, 5)), Values([0, 0]))
    yield _op("wide", "DYNAMIC_UPDATE_SLICE", *wide, options={})
    few = (x, Input((2, 2)), Values([0]))
    yield _op("few_starts", "DYNAMIC_UPDATE_SLICE", *few, options={})
    for lengths in ([9, 0], [-3, 1], [1]):
        name = "_".join(map(str, lengths))
        options = {"seqDim": 1, "batchDim": 0}
        yield _op(name, "REVERSE_SEQUENCE", rows, Values(lengths), options=options)
    for k in (0, -1, 9):
        yield _op(f"k_{k}", "TOPK_V2", x, Values(k), options={}, output_dtypes=("float32", "int32"))


def _ranks() -> Iterator[OpCase]:
    yield _op("7_of_6", "TRANSPOSE", Input((1,) * 6), Values(list(range(7))), options={}, shape=(1,))
    yield _op("longer_than_its_result", "RESHAPE", Input((1,)), Values([1] * 7), options={}, shape=(1,))
    cells = (Input(()), Input((2, 2)), Input((2, 2)), Input((2,)), Input((1, 2)))
    yield _op("scalar", "UNIDIRECTIONAL_SEQUENCE_RNN", *cells, options={}, shape=(1,))
    yield _op("rank_3", "SPACE_TO_DEPTH", Input((2, 2, 4)), options={"blockSize": 2}, shape=(1,))
    yield _op("half_of_the_numbers", "DEPTH_TO_SPACE", Input((1, 2, 2, 4)), options={"blockSize": 2**16}, shape=(1,))
    yield _op("of_scalars", "SELECT", Input((2,)), Input(()), Input(()), shape=(1,))
    yield _op("no_parts", "SPLIT_V", Input((4,)), Values([2, 2]), Values(0), options={"numSplits": 2}, outputs=0)
    image = Input((1, 2, 2, 1))
    yield _op("no_padding", "Convolution2DTransposeBias", image, image, Input((1,)), options=b"\0" * 12, shape=(1,))
    boxes = (Input((1, 4, 4)), Input((1, 4, 2)), Input((4, 4)))
    options = b"\1\2"  # not a FlexBuffer
    yield _op("options", "TFLite_Detection_PostProcess", *boxes, options=options, shape=(1,), outputs=4)


def _cells() -> Iterator[OpCase]:
    features, times, rows = Weights((4, 3)), Weights((4, 6)), Input((2, 3))
    for rank in (0, -1, 3):
        filtered = (rows, features, times, None, State((2, 24)))
        yield _op(f"rank_{rank}", "SVDF", *filtered, options={"rank": rank})
    for name, x, memory in (("scalar", Input(()), 24), ("features", Input((2, 5)), 24), ("memory", rows, 7)):
        yield _op(name, "SVDF", x, features, times, None, State((2, memory)), options={"rank": 1})
    for name, shape, units in (("rank_2", (2, 5), 4), ("features", (2, 3, 7), 4), ("state", (2, 3, 5), 9)):
        weights, bias = (Weights((4, 5)),) * 4 + (Weights((4, 4)),) * 4, (Weights((4,)),) * 4
        operands = (Input(shape), *weights, *(None,) * 3, *bias, None, None, State((2, units)), State((2, 4)))
        yield _op(name, "UNIDIRECTIONAL_SEQUENCE_LSTM", *operands, options={"fusedActivationFunction": 4})


def _boxes() -> Iterator[OpCase]:
    for name, corners, scores, number in (("corners", 3, 5, 3), ("few_scores", 4, 4, 3), ("negative_number", 4, 5, -1)):
        limits = (Values(number), Values(0.5, "float32"), Values(0.1, "float32"))
        operands = (Input((5, corners)), Input((scores,)), *limits)
        yield _op(name, "NON_MAX_SUPPRESSION_V4", *operands, options={}, output_dtypes=("int32", "int32"))


def _pairs() -> Iterator[OpCase]:
    a, b = Input((2, 3)), Input((4, 5))
    for op in ("ADD", "LESS", "SQUARED_DIFFERENCE"):
        yield _op("shapes", op, a, b, options={}, output_dtype="float32")
    yield _op("shapes", "STABLEHLO_ADD", a, b)
    yield _op("shapes", "ADD_N", a, b, options={})
    yield _op("shapes", "STABLEHLO_SHIFT_LEFT", Input((2, 3), 0, 9, "int32"), Input((1,), 0, 9, "int32"))
    yield _op("types", "ADD", a, Input((2, 3), -9, 9, "int32"), options={})
    condition = Input((3,), 0, 2, "bool")
    yield _op("condition", "SELECT", condition, a, a, options={}, output_dtype="float32")
    yield _op("condition", "SELECT_V2", Input((5,), 0, 2, "bool"), a, a, options={})
    yield _op("diagonal", "MATRIX_SET_DIAG", Input((3, 3)), Input((2,)), options={})
    yield _op("rank", "MATRIX_SET_DIAG", Input((3,)), Input((3,)), options={})
    yield _op("depths", "BATCH_MATMUL", Input((2, 3, 4)), Input((2, 5, 6)), options={})
    for name, shape in {"rank_1": (3,), "rank_3": (1, 1, 3), "depth": (5, 7)}.items():
        yield _op(name, "FULLY_CONNECTED", a, Weights(shape), None, options={})
    yield _op("slope", "PRELU", Input((1, 2, 2, 3)), Weights((5,)))
    yield _op("bytes", "PRELU", Input((1, 2, 2, 3)), Input((3,), 0, 3, "int8"))


def _parameters() -> Iterator[OpCase]:
    x = Input((2, 3))
    yield _op("no_boundaries", "BUCKETIZE", x, options={}, output_dtype="int32")
    for name, values in {"no_bits": (0, -1, 1), "many_bits": (33, -1, 1), "reversed": (8, 3, -3)}.items():
        options = {"numBits": values[0], "min": values[1], "max": values[2]}
        yield _op(name, "FAKE_QUANT", x, options=options)
    for depth in (-4, 0):
        operands = (Input((3,), 0, 3, "int32"), Values(depth), Values(1.0, "float32"), Values(0.0, "float32"))
        options = {"axis": -1}
        yield _op(f"depth_{depth}", "ONE_HOT", *operands, options=options, output_dtype="float32")
    response = {"radius": -1, "bias": 1.0, "alpha": 1.0, "beta": 0.5}
    yield _op("negative_radius", "LOCAL_RESPONSE_NORMALIZATION", Input(IMAGE), options=response)
    for delta in (0, -1):
        limits = (Values(0), Values(5), Values(delta))
        yield _op(f"delta_{delta}", "RANGE", *limits, options={}, output_dtype="int32", shape=(5,))
    zero = Values(0, "int32")
    numbers = Input((3,), -9, 9, "int32")
    yield _op("by_zero", "FLOOR_DIV", numbers, zero, options={})
    yield _op("by_zero", "FLOOR_MOD", numbers, zero, options={})


def _missing() -> Iterator[OpCase]:
    x = Input(IMAGE)
    yield _op("second", "ADD", x, options={})
    yield _op("left_out", "ADD", x, None, options={})
    yield _op("filter", "CONV_2D", x, options={"strideH": 1, "strideW": 1})
    yield _op("left_out", "CONV_2D", x, None, None, options={"strideH": 1, "strideW": 1})
    yield _op("axis", "MEAN", x, options={})
    yield _op("axis", "EXPAND_DIMS", x, options={})
    yield _op("options", "CONV_2D", x, Weights((5, 3, 3, 4)), Weights((5,)))
    yield _op("options", "MAX_POOL_2D", x)
    yield _op("options", "DEPTH_TO_SPACE", x)
    yield _op("options", "STABLEHLO_PAD", Input((2, 3)), Values(0.0, "float32"))
    yield _op("options", "STABLEHLO_GATHER", x, Values([[0]]), shape=(1, 6, 6, 4))
    yield _op("options", "BUCKETIZE", x, output_dtype="int32")
    yield _op("options", "TRANSPOSE_CONV", Values([1, 6, 6, 5]), Weights((5, 3, 3, 4)), x)
    yield _op("values", "SELECT", Input((3,), 0, 2, "bool"), options={})
    yield _op("run_time_axis", "ARG_MAX", x, Input((), 0, 3, "int32"), options={"outputType": 2})
