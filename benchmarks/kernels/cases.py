"""What the list of slow kernels measures: op cases, made larger, and models."""

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from support.errors import BuildError
from tools.bench.models import default_models
from web_tests.models import catalogue
from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.recipes import SEED, Array
from web_tests.op_cases import all_cases, case_id
from web_tests.op_cases.case import Input, OpCase, State, Values, Weights
from web_tests.references import inputs
from web_tests.references.native_litert import ReferenceError

# Elements of the first input: enough to take longer than a call.
ELEMENTS = 1 << 16
# Of an op with one type: the others differ in details.
MAX_CASES = 4
# The first input's rows have numbers in another one, which native LiteRT does not check.
KEPT_OPS = ("REVERSE_SEQUENCE",)
_STRIDES = {"padding": 0, "strideH": 1, "strideW": 1}
_CONV = {**_STRIDES, "dilationHFactor": 1, "dilationWFactor": 1}
_CONV_3D = {**_CONV, "strideD": 1, "dilationDFactor": 1}
_LSTM = {"fusedActivationFunction": 4, "timeMajor": True}


def _lstm(data: Input, batch: int, units: int) -> tuple[Any, ...]:
    gates = [Weights((units, data.shape[-1]), -0.1, 0.1)] * 4 + [Weights((units, units), -0.1, 0.1)] * 4
    return (data, *gates, *[None] * 3, *[Weights((units,))] * 4, None, None, *[State((batch, units))] * 2, *[None] * 4)


def _larger_cases() -> Iterator[OpCase]:
    """Yield nodes as large as in networks, of ops whose cases have few channels; they are not enlarged."""
    bias = Weights((16,))
    image = Input((1, 64, 64, 8)), Input((16, 5, 5, 8)), bias
    yield OpCase("computed_filter", "CONV_2D", image, _CONV)
    pixels = Input((1, 28, 28, 64)), Input((128, 1, 1, 64)), Weights((128,))
    yield OpCase("computed_pointwise_filter", "CONV_2D", pixels, _CONV)
    planes = Input((1, 56, 56, 32)), Input((1, 3, 3, 32)), Weights((32,))
    yield OpCase("computed_filter", "DEPTHWISE_CONV_2D", planes, {**_CONV, "depthMultiplier": 1})
    transposed = (Values((1, 64, 64, 16)), Input((16, 3, 3, 32)), Input((1, 32, 32, 32)))
    yield OpCase("computed_filter", "TRANSPOSE_CONV", transposed, {"padding": 0, "strideH": 2, "strideW": 2})
    volume = Input((1, 16, 32, 32, 8))
    yield OpCase("window_3", "CONV_3D", (volume, Weights((3, 3, 3, 8, 16)), bias), _CONV_3D)
    yield OpCase("pointwise", "CONV_3D", (volume, Weights((1, 1, 1, 8, 16)), bias), _CONV_3D)
    yield OpCase("dilated", "CONV_3D", (volume, Weights((3, 3, 3, 8, 16)), bias), {**_CONV_3D, "dilationDFactor": 2})
    # The patches of all its pixels would be 1.36 GB, as in TFLite's own test conv3d_huge_im2col.
    many = Input((1, 24, 128, 128, 32))
    yield OpCase("many_patches", "CONV_3D", (many, Weights((3, 3, 3, 32, 16)), bias), _CONV_3D)
    for window in (2, 3):
        operands = (Values((1, 16, 32, 32, 8)), Weights((window, window, window, 8, 16)), Input((1, 8, 16, 16, 16)))
        doubled = {**_CONV_3D, "strideD": 2, "strideH": 2, "strideW": 2}
        yield OpCase(f"window_{window}", "CONV_3D_TRANSPOSE", operands, doubled)
    for batch in (1, 8):
        yield OpCase(f"batch_{batch}", "UNIDIRECTIONAL_SEQUENCE_LSTM", _lstm(Input((16, batch, 64)), batch, 128), _LSTM)
        rnn = (
            Input((16, batch, 64)),
            Weights((128, 64), -0.1, 0.1),
            Weights((128, 128), -0.1, 0.1),
            Weights((128,)),
            State((batch, 128)),
        )
        yield OpCase(f"batch_{batch}", "UNIDIRECTIONAL_SEQUENCE_RNN", rnn, _LSTM)


LARGER_CASES = tuple(_larger_cases())


class UnknownCaseError(BuildError):
    """No case has the name that the user requested."""


@dataclass(frozen=True)
class Case:
    """A model and its inputs."""

    name: str
    content: bytes
    inputs: Sequence[Array]


def selected(patterns: Sequence[str], models: Sequence[Path], *, with_catalogue: bool) -> Iterator[Case]:
    """Yield the cases that a pattern matches, and all models; without patterns and models, every case.

    Raises:
        UnknownCaseError: a pattern matches none.
    """
    own: list[OpCase | Case] = []
    if patterns or not models:
        own = [*LARGER_CASES, *int4_filters(), *_first_of_each_type(all_cases())]
    names = [case_id(case) if isinstance(case, OpCase) else case.name for case in own]
    unknown = [pattern for pattern in patterns if not any(fnmatchcase(name, pattern) for name in names)]
    if unknown:
        raise UnknownCaseError(f"no case is {unknown[0]}", hint="globs match names such as CONV_2D-computed_filter")
    for name, case in zip(names, own, strict=True):
        if not patterns or any(fnmatchcase(name, pattern) for pattern in patterns):
            yield from [case] if isinstance(case, Case) else _made(name, case)
    for model in models:
        yield from map(_file, sorted(model.rglob("*.tflite")) if model.is_dir() else [model])
    if with_catalogue:
        known = catalogue.all_models() | catalogue.generated_models()
        for name in default_models():
            yield Case(name, known[name].content(), inputs.inputs_for(known[name]))


def _first_of_each_type(cases: Sequence[OpCase]) -> Iterator[OpCase]:
    counts: Counter[tuple[str, str]] = Counter()
    for case in cases:
        key = case.op, case.dtype
        if counts[key] < MAX_CASES and not case.overwrites:
            counts[key] += 1
            yield case


def _made(name: str, case: OpCase) -> Iterator[Case]:
    try:
        larger = enlarged(case)
        yield Case(name, larger.model(), larger.inputs())
    except (ValueError, RuntimeError, ReferenceError):
        return  # native LiteRT has no kernel for it


def enlarged(case: OpCase) -> OpCase:
    """Return the case with larger first dimensions of its inputs; as it is if native LiteRT rejects that."""
    sizes = [int(np.prod(operand.shape)) for operand in case.operands if isinstance(operand, Input) and operand.shape]
    factor = ELEMENTS // max([*sizes, 1])
    if factor < 2 or not sizes or case.output_shape is not None or case.op in KEPT_OPS or case in LARGER_CASES:
        return case
    for others in ((), (State,), (Values,)):
        operands = tuple(_enlarged(operand, factor, (Input, *others)) for operand in case.operands)
        larger = dataclasses.replace(case, operands=operands)
        try:
            larger.model()
        except (ValueError, RuntimeError, ReferenceError):
            continue
        return larger
    return case


def _enlarged(operand: Any, factor: int, types: tuple[type, ...]) -> Any:
    if not isinstance(operand, types):
        return operand
    if isinstance(operand, Values):
        if np.ndim(operand.values) != 1:
            return operand
        first, *others = operand.values
        return dataclasses.replace(operand, values=(first * factor, *others))
    assert isinstance(operand, Input | State)
    return (
        dataclasses.replace(operand, shape=(operand.shape[0] * factor, *operand.shape[1:]))
        if operand.shape
        else operand
    )


def int4_filters() -> Iterator[Case]:
    for window in (1, 3):
        for activations in ("float32", "int8", "int16"):
            yield int4_filter(window, activations)


def int4_filter(window: int, activations: str) -> Case:
    """Return a CONV_2D of int4 weights with a scale for each channel."""
    random, writer = np.random.default_rng(SEED), ModelWriter()
    ends = {"float32": None, "int8": Quantization((0.05,), (3,)), "int16": Quantization((0.001,))}[activations]
    x = writer.tensor("x", (1, 32, 32, 32), activations, ends)
    scales = tuple(map(float, random.uniform(0.01, 0.02, 64)))
    filters = random.integers(-7, 8, (64, window, window, 32)).astype(np.int8)
    weights = writer.int4_constant("w", filters, Quantization(scales))
    if ends is None:
        bias = writer.constant("bias", np.zeros(64, np.float32))
    else:
        dtype = np.int32 if activations == "int8" else np.int64
        bias = writer.constant("bias", np.zeros(64, dtype), Quantization(tuple(s * ends.scales[0] for s in scales)))
    y = writer.tensor("y", (1, 32, 32, 64), activations, ends)
    writer.node("CONV_2D", [x, weights, bias], [y], _CONV, version=8)
    values = random.uniform(-1, 1, (1, 32, 32, 32)) * (1 if ends is None else 100)
    return Case(f"CONV_2D-int4_window_{window}_{activations}", writer.finish([x], [y]), [values.astype(activations)])


def _file(path: Path) -> Case:
    content = path.read_bytes()
    return Case(path.stem, content, inputs.inputs_of_file(content))
