"""Operators that only move elements."""

import itertools

import numpy as np

from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import Case, Constant, Input, case, float32, uniform

_ALL = ("float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8")
_MODES = {"constant": "constant", "edge": "edge", "reflection": "reflect"}


def _of(shape: tuple[int, ...], dtype: str) -> Array:
    size = int(np.prod(shape))
    return (np.arange(size) + 1).reshape(shape).astype(dtype)


def _for_each_type(dtype: str) -> list[Case]:
    x = _of((2, 3, 4), dtype)
    square = _of((2, 4, 4), dtype)
    return [
        case(dtype, "concat", [[Input(x), Constant(x[:, :1])], 1], np.concatenate([x, x[:, :1]], 1)),
        case(dtype, "expand", [Input(x[:, :1]), [2, 3, 4]], np.broadcast_to(x[:, :1], (2, 3, 4))),
        case(dtype, "pad", [Input(x), [1, 0, 2], [0, 1, 1]], np.pad(x, ((1, 0), (0, 1), (2, 1)))),
        case(
            f"{dtype}_value",
            "pad",
            [Input(x), [1, 0, 2], [0, 1, 1]],
            np.pad(x, ((1, 0), (0, 1), (2, 1)), constant_values=7),
            value=7,
        ),
        case(dtype, "reshape", [Input(x), [4, 1, 6]], x.reshape(4, 1, 6)),
        case(dtype, "reverse", [Input(x)], x[::-1, ::-1, ::-1], axes=[0, 1, 2]),
        case(dtype, "slice", [Input(x), [0, 1, 1], [2, 2, 3]], x[:, 1:3, 1:4]),
        case(f"{dtype}_strides", "slice", [Input(x), [0, 0, 1], [2, 3, 3]], x[:, ::2, 1:4:2], strides=[1, 2, 2]),
        case(dtype, "split", [Input(x), 2], np.split(x, 2, 2), axis=2),
        case(f"{dtype}_sizes", "split", [Input(x), [1, 2]], [x[:, :1], x[:, 1:]], axis=1),
        case(dtype, "tile", [Input(x), [1, 2, 3]], np.tile(x, (1, 2, 3))),
        case(dtype, "transpose", [Input(x)], x.transpose(2, 0, 1), permutation=[2, 0, 1]),
        case(f"{dtype}_upper", "triangular", [Input(square)], np.triu(square, 1), diagonal=1),
        case(f"{dtype}_lower", "triangular", [Input(square)], np.tril(square, -1), upper=False, diagonal=-1),
    ]


def _ranks() -> list[Case]:
    scalar = float32(5)
    four = uniform((2, 1, 3, 4))
    twice = Input(four)
    high = uniform((1, 2, 1, 3, 1, 2, 2, 2))
    seven = uniform((2, 1, 2, 1, 2, 3, 2))
    order = (0, 1, 4, 5, 2, 3, 6)
    pads = ([1, 0, 0, 0, 1, 0, 1], [0, 0, 1, 0, 0, 2, 0])
    widths = list(zip(*pads, strict=True))
    return [
        case("twice", "concat", [[twice, twice], 0], np.concatenate([four, four])),
        case("default", "reverse", [Input(four)], np.flip(four)),
        case("default", "transpose", [Input(four)], four.transpose()),
        case("rank6", "reshape", [Input(four), [1, 2, 3, 1, 2, 2]], four.reshape(1, 2, 3, 1, 2, 2)),
        case("scalar", "expand", [Input(scalar), [2, 2]], np.full((2, 2), scalar)),
        case("to_scalar", "reshape", [Input(float32([[5]])), []], scalar),
        case("rank8", "concat", [[Input(high), Input(high)], 7], np.concatenate([high, high], 7)),
        case("rank8", "expand", [Input(high[:, :1]), list(high.shape)], np.broadcast_to(high[:, :1], high.shape)),
        case("rank8", "reverse", [Input(high)], high[:, :, :, ::-1, :, ::-1], axes=[3, 5]),
        case(
            "rank8",
            "slice",
            [Input(high), [0, 1, 0, 1, 0, 0, 0, 1], [1, 1, 1, 2, 1, 2, 2, 1]],
            high[:, 1:, :, 1:, ..., 1:],
        ),
        case("rank7", "transpose", [Input(seven)], seven.transpose(order), permutation=list(order)),
        case("rank7", "pad", [Input(seven), *pads], np.pad(seven, widths)),
        case("rank8", "tile", [Input(high), [2, 1, 1, 1, 1, 1, 1, 2]], np.tile(high, (2, 1, 1, 1, 1, 1, 1, 2))),
        case("rank8", "split", [Input(high), 3], np.split(high, 3, 3), axis=3),
        case("constant", "transpose", [Constant(seven)], seven.transpose(order), permutation=list(order)),
    ]


def _modes() -> list[Case]:
    cases = []
    for (mode, name), dtype in itertools.product(_MODES.items(), ("float32", "int64", "uint8")):
        x = _of((3, 4), dtype)
        expected = np.pad(x, ((2, 1), (0, 3)), mode=name)  # type: ignore[call-overload]
        cases.append(case(f"{mode}_{dtype}", "pad", [Input(x), [2, 0], [1, 3]], expected, mode=mode))
    x = uniform((2, 3))
    infinite = np.pad(x, ((1, 0), (0, 0)), constant_values=-np.inf)
    cases.append(case("infinity", "pad", [Input(x), [1, 0], [0, 0]], infinite, value=float("-inf")))
    wide = uniform((2, 3, 4))
    for diagonal, (upper, part) in itertools.product((-1, 0, 1), ((True, np.triu), (False, np.tril))):
        name = f"{'upper' if upper else 'lower'}_{diagonal}"
        cases.append(case(name, "triangular", [Input(wide)], part(wide, diagonal), upper=upper, diagonal=diagonal))
    special = float32([[1, np.nan], [np.inf, 2]])
    cases.append(case("special", "triangular", [Input(special)], np.triu(special)))
    return cases


CASES = [each for dtype in _ALL for each in _for_each_type(dtype)] + _ranks() + _modes()
