"""Op cases whose inputs have other shapes than the file's author meant: each dimension smaller, larger, 1 and 0."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeVar

import numpy as np

from web_tests.models.model_file import packed, unpacked
from web_tests.models.recipes import Array
from web_tests.op_cases import all_cases, case_id
from web_tests.op_cases.case import OpCase
from web_tests.references import native_trials
from web_tests.references.native_litert import Kernels
from web_tests.references.native_trials import Outcome, Trial

Shape = tuple[int, ...]
# `resize`: at load, by the option inputShapes. `file`: the file says so, and leaves all other shapes as they were.
Way = Literal["resize", "file"]
# Native LiteRT has no kernel for it. MATRIX_SET_DIAG reads beyond a short diagonal there.
WITHOUT_REFERENCE = {"Convolution2DTransposeBias", "MATRIX_SET_DIAG"}
# XNNPACK accepts them: it reads weights, sizes, axes and pads from the file.
OPS_WITH_CONSTANTS = {
    "ADD",
    "BATCH_MATMUL",
    "CONV_2D",
    "DEPTHWISE_CONV_2D",
    "FULLY_CONNECTED",
    "MEAN",
    "PAD",
    "PRELU",
    "RESHAPE",
    "RESIZE_BILINEAR",
    "SPLIT",
    "SUM",
    "TRANSPOSE",
    "TRANSPOSE_CONV",
}
DTYPES = {"float32", "int8", "uint8", "int16", "int32", "int64", "bool"}


@dataclass(frozen=True, eq=False)
class ChangedShape:
    """A model of one node, and inputs of other shapes."""

    case: OpCase
    way: Way
    shapes: tuple[Shape, ...]

    @property
    def name(self) -> str:
        return f"{case_id(self.case)} {self.way} {list(self.shapes)}"

    def model(self) -> bytes:
        model = self.case.model()
        return model if self.way == "resize" else _with_input_shapes(model, self.shapes)

    def inputs(self) -> list[Array]:
        return [_reshaped(array, shape) for array, shape in zip(self.case.inputs(), self.shapes, strict=True)]


@dataclass(frozen=True, eq=False)
class ChangedConstant:
    """A model of one node, one of whose constants has another shape in the file, and the bytes for it."""

    case: OpCase
    tensor: int
    shape: Shape
    way: ClassVar[Way] = "file"

    def inputs(self) -> list[Array]:
        return self.case.inputs()

    @property
    def name(self) -> str:
        return f"{case_id(self.case)} tensor {self.tensor} {list(self.shape)}"

    def model(self) -> bytes:
        changed = unpacked(self.case.model())
        tensor = changed.subgraphs[0].tensors[self.tensor]
        content = changed.buffers[tensor.buffer]
        element_bytes = len(content.data) // int(np.prod(tensor.shape))
        tensor.shape = list(self.shape)
        content.data = _reshaped(content.data, (int(np.prod(self.shape)) * element_bytes,))
        return packed(changed)


Change = TypeVar("Change", ChangedShape, ChangedConstant)


def changed_constants() -> list[ChangedConstant]:
    """Return the changes of each constant of a case of each op and dtype."""
    chosen = {(case.op, case.dtype): case for case in reversed(all_cases()) if case.op in OPS_WITH_CONSTANTS}
    return [
        ChangedConstant(case, index, shape)
        for case in chosen.values()
        if case.dtype in ("float32", "int8", "uint8")
        for index, tensor in enumerate(unpacked(case.model()).subgraphs[0].tensors)
        if tensor.buffer and tensor.shape is not None
        for (shape,) in _changes([np.empty(tensor.shape)])
    ]


def changed_shapes(*, every_case: bool = False) -> list[ChangedShape]:
    """Return the changes of a case of each op and dtype, or of every case."""
    chosen: dict[tuple[str, ...], OpCase] = {}
    for case in all_cases():
        if (
            not case.has_state
            and not case.added_to_input
            and case.op not in WITHOUT_REFERENCE
            and all(array.dtype.name in DTYPES for array in case.inputs())
        ):
            chosen.setdefault((case.op, case.dtype, *([case.name] if every_case else [])), case)
    ways: tuple[Way, ...] = ("resize", "file")
    return [
        ChangedShape(case, way, shapes)
        for case in chosen.values()
        for shapes in _changes(case.inputs())
        for way in ways
    ]


def native_outcomes(changes: Sequence[Change]) -> dict[Change, tuple[Outcome, bool]]:
    """Return native LiteRT's outcomes by TFLite's kernels, or by default for what these reject; whether they do."""
    builtin = _outcomes(changes, "builtin")
    rejected = [change for change in changes if builtin[change].outputs is None]
    by_default = {change: outcome for change, outcome in _outcomes(rejected, "default").items() if outcome.outputs}
    return {change: (by_default.get(change, outcome), outcome.outputs is None) for change, outcome in builtin.items()}


def _outcomes(changes: Sequence[Change], kernels: Kernels) -> dict[Change, Outcome]:
    trials = [Trial(change.model(), change.inputs(), kernels, resize=change.way == "resize") for change in changes]
    return dict(zip(changes, native_trials.outcomes(trials), strict=True))


def problem(result: str | list[Array], native: Outcome, may_reject: bool) -> str:
    """Return what is wrong with a result, or nothing. What native LiteRT crashes on may be rejected or run."""
    if isinstance(result, str):
        return "" if may_reject else f"rejected ({result})"
    if native.outputs is None:
        return "" if native.problem.startswith("crashed") else f"ran, where native LiteRT says {native.problem}"
    return next(filter(None, map(_difference, result, native.outputs)), "")


def _difference(found: Array, expected: Array) -> str:
    if found.shape != expected.shape:
        return f"the shape {found.shape}, not {expected.shape}"
    is_float = np.issubdtype(expected.dtype, np.floating)
    scale = np.max(np.abs(expected), initial=0, where=np.isfinite(expected)) if is_float else 1
    tolerance = 1e-4 * scale if is_float else 1
    close = np.isclose(found.astype(float), expected.astype(float), rtol=0, atol=tolerance, equal_nan=True)
    return "" if close.all() else f"{found[~close][:4]} for {expected[~close][:4]}"


def _changes(inputs: Sequence[Array]) -> Iterator[tuple[Shape, ...]]:
    shapes = [array.shape for array in inputs]
    for index, shape in enumerate(shapes):
        for axis, size in enumerate(shape):
            for changed in sorted({size - 1, size + 1, 1, 0} - {size}):
                other = (*shape[:axis], changed, *shape[axis + 1 :])
                yield (*shapes[:index], other, *shapes[index + 1 :])


def _reshaped(array: Array, shape: Shape) -> Array:
    return np.resize(array, shape) if array.size else np.zeros(shape, array.dtype)


def _with_input_shapes(model: bytes, shapes: Sequence[Shape]) -> bytes:
    changed = unpacked(model)
    graph = changed.subgraphs[0]
    for tensor, shape in zip(graph.inputs, shapes, strict=True):
        graph.tensors[tensor].shape = list(shape)
    return packed(changed)
