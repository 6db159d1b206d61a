"""Judges outputs: right if near that of one of native LiteRT's two kernel sets, by a table of tolerances."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from web_tests.models.recipes import Array
from web_tests.properties.native import NativeResult
from web_tests.properties.spec import NodeSpec, Result
from web_tests.references import comparison
from web_tests.references.comparison import Tolerance


def tolerance_of(spec: NodeSpec, execution: str) -> Tolerance:
    """Return the row of tolerances.toml: for the op on an execution, for the op, or for the node's kind."""
    rows = comparison.all_rows()["properties"]
    result = spec.results[0]
    kind = "hybrid" if spec.is_hybrid else "quantized" if result.quantization else "default"
    if kind == "quantized" and result.dtype == "int16":
        kind = "int16"
    if _compares_quantized(spec):
        kind = "compared"
    backend = execution.split("-", maxsplit=1)[0]
    names = (
        f"{spec.op}_{kind}_on_{backend}",
        f"{spec.op}_{kind}",
        f"{spec.op}_on_{backend}",
        spec.op,
        f"{kind}_on_{backend}",
    )
    return comparison.tolerance("properties", next((name for name in names if name in rows), kind))


class Judgement(NamedTuple):
    """What is wrong with a node's outputs, empty if nothing is, and their largest difference in tolerances."""

    difference: str
    distance: float = 0.0


def judge(spec: NodeSpec, found: Sequence[Array], native: NativeResult, tolerance: Tolerance) -> Judgement:
    """Compare a node's outputs with those of the nearer kernel set; a distance above 1 is wrong."""
    largest = 0.0
    for index, (result, array) in enumerate(zip(spec.results, found, strict=True)):
        references = [outputs[index] for outputs in native.outputs]
        if array.shape != references[0].shape:
            return Judgement(f"output {index}: shape {array.shape} instead of {references[0].shape}")
        if array.dtype != references[0].dtype:
            return Judgement(f"output {index}: type {array.dtype} instead of {references[0].dtype}")
        distances = np.minimum.reduce([_distances(array, each, spec, result, tolerance) for each in references])
        if _compares_quantized(spec):
            distances = np.where(_ties(spec, tolerance.relative_to_range), 0, distances)
        wrong = distances > 1
        if wrong.any():
            at = tuple(int(each[0]) for each in np.nonzero(wrong)) if array.ndim else ()
            natives = " or ".join(dict.fromkeys(f"{each[at]!s}" for each in references))
            return Judgement(
                f"output {index} at {list(at)}: {array[at]!s} instead of {natives} ({int(wrong.sum())} of {array.size})"
            )
        largest = max(largest, float(distances.max(initial=0)))
    return Judgement("", largest)


def _compares_quantized(spec: NodeSpec) -> bool:
    return spec.results[0].dtype == "bool" and all(each and each.quantization for each in spec.operands)


def _ties(spec: NodeSpec, distance: float) -> Array:
    """Return where a comparison's two operands are that close to each other, as real numbers."""
    reals = []
    for operand in spec.operands:
        assert operand
        assert operand.quantization
        (scale, *_), (zero_point, *_) = operand.quantization.scales, operand.quantization.zero_points
        reals.append((operand.values().astype(np.float64) - zero_point) * scale)
    return np.asarray(np.abs(reals[0] - reals[1]) <= distance)


def _distances(found: Array, reference: Array, spec: NodeSpec, result: Result, tolerance: Tolerance) -> Array:
    """Return each element's difference in tolerances: infinite where they must be equal and are not."""
    if found.dtype.kind == "f":
        return _real_distances(found.astype(np.float64), reference.astype(np.float64), spec, tolerance)
    steps = tolerance.steps if result.quantization else 0
    if found.dtype == np.bool_ or steps == 0:
        return np.where(found == reference, 0, np.inf)
    return np.asarray(np.abs(found.astype(np.int64) - reference.astype(np.int64)) / steps)


def _real_distances(found: Array, reference: Array, spec: NodeSpec, tolerance: Tolerance) -> Array:
    """Infinities and NaNs match exactly, others relative to the range and the summed terms."""
    same = (found == reference) | (np.isnan(found) & np.isnan(reference))
    finite = reference[np.isfinite(reference)]
    extent = max(float(np.ptp(finite)), float(np.abs(finite).max())) if finite.size else 0.0
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        distances = np.abs(found - reference) / (tolerance.relative_to_range * max(extent, spec.magnitude))
    return np.where(same, 0, np.where(np.isfinite(reference) & np.isfinite(found), distances, np.inf))
