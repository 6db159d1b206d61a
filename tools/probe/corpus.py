"""The corpus as data, for probes that run in a page: the numpy cases, and graphs of each type and rank for its edges.

A page chooses from these by what its browser promises; js/apps/probes runs them.
"""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from tools.probe import indexed, sweep, values, windows
from tools.probe.probes import Row, Rows, graph_of, numpy_cases, rows_of
from web_tests.limits.saved import CHROMIUM_147, read_limits
from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import APPROXIMATE, Case, Constant, Input, Tolerance

MAKERS = {**sweep.MAKERS, **indexed.MAKERS}
MAX_RANK = 8
FLOATS = ("float32", "float16")
ALL_DTYPES = (*FLOATS, "int32", "uint32", "int64", "uint64", "int8", "uint8")
QUANTIZED_DTYPES = ("int8", "uint8", "int32")

# The names of positional operands in opSupportLimits(), where they are not `input`.
_POSITIONAL: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(sweep.BINARY, ("a", "b")),
    **dict.fromkeys(("matmul", "gemm"), ("a", "b")),
    **dict.fromkeys(("gather", "gatherElements", "gatherND"), ("input", "indices")),
    **dict.fromkeys(("scatterElements", "scatterND"), ("input", "indices", "updates")),
    **dict.fromkeys(("conv2d", "convTranspose2d"), ("input", "filter")),
    **dict.fromkeys(("quantizeLinear", "dequantizeLinear"), ("input", "scale", "zeroPoint")),
    **dict.fromkeys(("gru", "gruCell"), ("input", "weight", "recurrentWeight", "hiddenState")),
    **dict.fromkeys(("lstm", "lstmCell"), ("input", "weight", "recurrentWeight", "hiddenState", "cellState")),
    "batchNormalization": ("input", "mean", "variance"),
    "concat": ("inputs",),
    "logicalNot": ("a",),
    "prelu": ("input", "slope"),
    "where": ("condition", "trueValue", "falseValue"),
}

# The operand whose type and rank vary, where that is not the first one.
_VARIED: Mapping[str, str] = {"where": "trueValue", "quantizeLinear": "output"}


def document(limits: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """Return all cases in the form of js/apps/probes/src/probe_case.ts.

    With a browser's `limits`, they have every rank and type that it promises, not only those at the edges.
    """
    with_results = numpy_cases()
    tolerances = _loosest(with_results)
    found = [_described(case, "values", case.tolerance, case.expected) for case in with_results]
    found += [_described(case, "edges", tolerances.get(case.op, APPROXIMATE)) for case in edge_cases()]
    if limits is not None:
        rows = rows_of(limits)
        found += [_described(case, "values", case.tolerance, case.expected) for case in windows.cases()]
        found += [_described(case, "ranks", tolerances.get(case.op, APPROXIMATE)) for case in rank_cases(rows)]
        found += [_described(case, "values", case.tolerance, None) for case in values.cases(rows)]
    return list({case["name"]: case for case in found}.values())


def text(cases: Sequence[Mapping[str, Any]]) -> str:
    """Return cases as JSON with one per line."""
    return "[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in cases) + "\n]\n"


def rank_cases(limits: Mapping[str, Rows]) -> Iterator[Case]:
    """Yield graphs of each operator at every type and rank of the limits."""
    for op, rows in limits.items():
        yield from MAKERS[op](op, rows) if op in MAKERS else ()


def edge_cases() -> Iterator[Case]:
    """Yield graphs of each operator at every type and rank that a browser might promise."""
    for op, rows in rows_of(read_limits(CHROMIUM_147)).items():
        for one in _restricted(op, rows) if op in MAKERS else ():
            # Indices as an input and as a constant; of other operators the first variant.
            yield from islice(MAKERS[op](op, one), 2 if op in indexed.MAKERS else 1)


def _restricted(op: str, rows: Rows) -> Iterator[Rows]:
    """Yield rows of one type, and of one rank for each operand."""
    names = _POSITIONAL.get(op, ("input",))
    first = _VARIED.get(op) or next(name for name in (*names, "a") if name in rows)
    dtypes = _dtypes(op, rows[first])
    for dtype in dtypes:
        for rank in _ranks(rows[first]):
            ranks = dict.fromkeys(rows, (rank,))
            if op in ("gather", "gatherND"):
                ranks |= {"indices": (1,)}
            yield _rows(op, rows, first, dtype, ranks)
    if op in ("gather", "gatherND"):
        for rank in _ranks(rows["indices"]):
            yield _rows(op, rows, first, dtypes[0], dict.fromkeys(rows, (2,)) | {"indices": (rank,)})


def _dtypes(op: str, row: Row) -> tuple[str, ...]:
    """Return the types that any browser might promise: floats, quantized ones, booleans or all."""
    if op in ("quantizeLinear", "dequantizeLinear"):
        return QUANTIZED_DTYPES
    if {*row.dtypes} <= {*FLOATS} or {*row.dtypes} == {"uint8"}:
        return row.dtypes
    return ALL_DTYPES


def _ranks(row: Row) -> range:
    """Return the ranks that any browser might promise: those of Chromium and, where they vary, higher ones."""
    return range(row.ranks[0], (MAX_RANK if len(row.ranks) > 1 else row.ranks[-1]) + 1)


def _rows(op: str, rows: Rows, first: str, dtype: str, ranks: Mapping[str, tuple[int, ...]]) -> Rows:
    """Return the rows for a type of the first operand; others of the same types follow it."""
    dtypes = {
        name: (dtype,) if set(row.dtypes) & {*rows[first].dtypes} else row.dtypes[:1] for name, row in rows.items()
    }
    if op in ("cast", "argMax", "argMin"):
        dtypes["output"] = rows["output"].dtypes
    if op in ("dequantizeLinear", "quantizeLinear"):
        real, quantized = ("output", "input") if op == "dequantizeLinear" else ("input", "output")
        dtypes |= {real: ("float32",), quantized: (dtype,)}
    if "indices" in rows:
        dtypes["indices"] = ("int32",)
    return {name: Row(dtypes[name], ranks[name]) for name in rows}


def _loosest(cases: list[Case]) -> dict[str, Tolerance]:
    """Return the greatest tolerance of each operator's cases."""
    found: dict[str, Tolerance] = {}
    for case in cases:
        other = found.get(case.op, case.tolerance)
        found[case.op] = max(case.tolerance, other, key=lambda one: (one.ulps, one.floor))
    return found


def _described(case: Case, part: str, tolerance: Tolerance, expected: Sequence[Array] | None = ()) -> dict[str, Any]:
    graph = graph_of(case)
    return {
        "name": case.name,
        "part": part,
        "graph": {
            "inputs": graph["inputs"],
            "constants": graph["constants"],
            "operators": [{"op": case.op, "args": graph["operators"][0]["args"]}],
        },
        "operands": list(_operands(case)),
        "expected": None if expected is None else [_port(index, array) for index, array in enumerate(expected)],
        "tolerance": {"ulps": tolerance.ulps, "floor": tolerance.floor},
    }


def _operands(case: Case) -> Iterator[dict[str, Any]]:
    """Yield what opSupportLimits() has to promise for the case."""
    names = _POSITIONAL.get(case.op, ("input",))
    flat = [one for argument in case.arguments for one in (argument if isinstance(argument, list) else [argument])]
    provided = [one for one in flat if isinstance(one, Input | Constant)]
    for index, operand in enumerate(provided):
        yield _operand(names[min(index, len(names) - 1)], operand.values)
    for name, option in case.options.items():
        if isinstance(option, Input | Constant):
            yield _operand(name, option.values)
    if case.op == "cast":
        yield {"name": "output", "dataType": case.arguments[1], "rank": None}
    elif case.op in ("argMax", "argMin"):
        yield {"name": "output", "dataType": case.options.get("outputDataType", "int32"), "rank": None}
    elif case.op == "quantizeLinear":
        yield {"name": "output", "dataType": provided[2].values.dtype.name, "rank": None}
    elif case.op in ("expand", "reshape"):
        yield {"name": "output", "dataType": provided[0].values.dtype.name, "rank": len(case.arguments[1])}


def _operand(name: str, values: Array) -> dict[str, Any]:
    return {"name": name, "dataType": values.dtype.name, "rank": values.ndim}


def _port(index: int, values: Array) -> dict[str, Any]:
    data = base64.b64encode(np.ascontiguousarray(values).tobytes()).decode()
    return {"id": index, "name": f"y{index}", "dataType": values.dtype.name, "shape": list(values.shape), "data": data}
