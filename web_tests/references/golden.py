"""Golden files: texts that tests compare with committed ones. `build.py test --update-goldens` rewrites them."""

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from web_tests.limits.saved import CHROMIUM_147, limits_file

UPDATE_VARIABLE = "TFLITE_WEBNN_UPDATE_GOLDEN"
# The runner's options for the limits of Chromium 147.
WEBNN = {"enable_webnn_delegate": "1", "webnn_op_support_limits": f"@{limits_file(CHROMIUM_147)}"}
# A row of a partition's nodes in an explanation: index, op, operators or reason.
NODE_ROW = re.compile(r" {2,}(\d+) {2}(\S.*)")


def check(file: Path, text: str) -> None:
    """Compare a text with a golden file, or write the file under --update-goldens. The test is marked `golden`.

    Raises:
        AssertionError: the file is missing, or differs.
    """
    if os.environ.get(UPDATE_VARIABLE):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    hint = "if the change is intended, run `python3 build.py test --update-goldens` and read the difference"
    assert file.exists(), f"{file} is missing: {hint}"
    assert text == file.read_text(encoding="utf-8"), f"{file} differs: {hint}"


def description_text(description: Mapping[str, Any]) -> str:
    """Return a description's graphs, one operator per line, and what they do not imply of its nodes and its plan.

    For example ``add(t0 float32[2], float32[1] #50c765163fd5) -> t1 float32[2]  # 0:ADD``: tensors of the model have
    names, other results are ``%id``, constants have the hash of their bytes; the label is last.
    """
    graphs = description["graphs"]
    lines = list(_node_lines(description["nodes"], graphs))
    if description["plan"] != [_full_plan(graph) for graph in graphs][:1]:
        lines += [json.dumps(step) for step in description["plan"]]
    for number, graph in enumerate(graphs):
        lines += [f"graph {number}"] if len(graphs) > 1 else []
        lines += [f"  {line}" for line in _graph_lines(graph)]
    return "\n".join(lines) + "\n"


def explanation_text(text: str) -> str:
    """Return an explanation with the nodes of a partition grouped: one line for all that become the same operators."""
    groups: dict[str, list[int]] = defaultdict(list)
    lines = []
    for line in text.splitlines():
        if row := NODE_ROW.fullmatch(line):
            groups[re.sub(r"\s{2,}", "  ", row[2])].append(int(row[1]))
            continue
        lines += _group_lines(groups)
        groups.clear()
        lines.append(line)
    return "\n".join([*lines, *_group_lines(groups)]) + "\n"


def _node_lines(nodes: Iterable[Mapping[str, Any]], graphs: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the nodes that have no operator with their label."""
    labels = {operator["label"] for graph in graphs for operator in graph["operators"]}
    for row in nodes:
        if row["placement"] != "webnn" or f"{row['index']}:{row['op']}" not in labels:
            yield f"{row['index']} {row['op']} {row['placement']}: {row['reason'] or ''}".rstrip(": ")


def _full_plan(graph: Mapping[str, Any]) -> dict[str, Any]:
    """Return the only step of a model that is this graph."""
    inputs, outputs = ([each["tensor"] for each in graph[kind]] for kind in ("inputs", "outputs"))
    return {"kind": "webnn", "graph": 0, "inputs": inputs, "outputs": outputs}


def _graph_lines(graph: Mapping[str, Any]) -> Iterator[str]:
    names = {operand["id"]: f"{_type(operand)} #{operand['sha256']}" for operand in graph["constants"]}
    names |= {each["id"]: _typed_name(each) for each in graph["inputs"]}
    outputs = {each["id"]: each for each in graph["outputs"]}
    unused = set(names)
    computed = set()
    for operator in graph["operators"]:
        *arguments, options = operator["args"]
        used = _operands([*arguments, options])
        texts = [_value(argument, names) for argument in [*arguments, *([options] if options else [])]]
        results = operator["outputs"]
        names |= {id_: outputs[id_]["name"] if id_ in outputs else f"%{id_}" for id_ in results}
        shown = [_typed_name(outputs[id_]) if id_ in outputs else names[id_] for id_ in results]
        yield f"{operator['op']}({', '.join(texts)}) -> {', '.join(shown)}  # {operator['label']}"
        unused -= used
        computed |= set(results)
    yield from (f"unused {names[id_]}" for id_ in sorted(unused))
    yield from (f"{names[id_]} -> {_typed_name(each)}" for id_, each in outputs.items() if id_ not in computed)


def _operands(value: Any) -> set[int]:
    if isinstance(value, dict):
        return {value["operand"]} if "operand" in value else _operands(list(value.values()))
    return set().union(*map(_operands, value)) if isinstance(value, list) else set()


def _value(value: Any, names: Mapping[int, str]) -> str:
    if isinstance(value, dict) and "operand" in value:
        return names[value["operand"]]
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_value(member, names)}" for key, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_value(member, names) for member in value) + "]"
    return json.dumps(value)


def _typed_name(tensor: Mapping[str, Any]) -> str:
    """Return an input or output with its tensor's type, where WebNN has another."""
    tensor_type = f"{tensor['tensorType']} as " if "tensorType" in tensor else ""
    assert tensor["name"] == f"t{tensor['tensor']}"
    return f"{tensor['name']} {tensor_type}{_type(tensor)}"


def _type(operand: Mapping[str, Any]) -> str:
    return f"{operand['dataType']}[{','.join(map(str, operand['shape']))}]"


def _group_lines(groups: Mapping[str, Sequence[int]]) -> list[str]:
    return [f"    {title}: {_ranges(indices)}" for title, indices in groups.items()]


def _ranges(indices: Sequence[int]) -> str:
    """Return ascending numbers as text, for example ``0-2, 5``."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and index == runs[-1][1] + 1:
            runs[-1][1] = index
        else:
            runs.append([index, index])
    return ", ".join(f"{first}-{last}" if last > first else f"{first}" for first, last in runs)
