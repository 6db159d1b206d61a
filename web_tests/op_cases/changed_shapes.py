"""Op cases whose inputs have other shapes than the file's author meant: each dimension smaller, larger, 1 and 0."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from web_tests.models.model_writer import FILE_IDENTIFIER
from web_tests.models.recipes import Array
from web_tests.op_cases import all_cases, case_id
from web_tests.op_cases.case import OpCase

Shape = tuple[int, ...]
# `resize`: at load, by the option inputShapes. `file`: the file says so, and leaves all other shapes as they were.
Way = Literal["resize", "file"]
# Native LiteRT has no kernel for it. MATRIX_SET_DIAG reads beyond a short diagonal there.
WITHOUT_REFERENCE = {"Convolution2DTransposeBias", "MATRIX_SET_DIAG"}


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


def changed_shapes() -> list[ChangedShape]:
    """Return the changes of a case of each op and dtype."""
    chosen: dict[tuple[str, str], OpCase] = {}
    for case in all_cases():
        if not case.has_state and not case.added_to_input and case.op not in WITHOUT_REFERENCE:
            chosen.setdefault((case.op, case.dtype), case)
    ways: tuple[Way, ...] = ("resize", "file")
    return [
        ChangedShape(case, way, shapes)
        for case in chosen.values()
        for shapes in _changes(case.inputs())
        for way in ways
    ]


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
    changed = schema.ModelT.InitFromObj(schema.Model.GetRootAs(model))
    graph = changed.subgraphs[0]
    for tensor, shape in zip(graph.inputs, shapes, strict=True):
        graph.tensors[tensor].shape = list(shape)
    builder = flatbuffers.Builder()
    builder.Finish(changed.Pack(builder), FILE_IDENTIFIER)
    return bytes(builder.Output())
