"""Models in Node, run by the built package: js/scripts/tools/run_model.mjs."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from support.command import run
from support.npm import JS_DIR
from support.paths import PACKAGE_DIR
from web_tests.models.recipes import Array

SCRIPT = JS_DIR / "scripts" / "tools" / "run_model.mjs"
TIMEOUT_SECONDS = 120


@dataclass(frozen=True)
class NodeRequest:
    """A model's file, the TFLiteModelOptions, and its inputs."""

    model: Path
    options: Mapping[str, Any]
    inputs: Sequence[Array]


@dataclass(frozen=True)
class NodeRun:
    """Results of a model: `outputs` of run(), and `streamed`, the outputs of stream() for the same inputs twice."""

    execution_mode: str
    report: dict[str, Any]
    outputs: list[Array]
    streamed: list[list[Array]]


def run_in_node(node: str | Path, request: NodeRequest) -> NodeRun:
    sent = {
        "model": str(request.model),
        "options": dict(request.options),
        "inputs": [base64.b64encode(array.tobytes()).decode() for array in request.inputs],
    }
    command = [node, SCRIPT, PACKAGE_DIR]
    output = run(command, stdin=json.dumps(sent), capture=True, quiet=True, timeout_seconds=TIMEOUT_SECONDS)
    result: dict[str, Any] = json.loads(output)
    infos = result["outputInfos"]
    return NodeRun(
        result["executionMode"],
        result["report"],
        _arrays(result["outputs"], infos),
        [_arrays(contents, infos) for contents in result["streamed"]],
    )


def _arrays(contents: Sequence[str], infos: Sequence[Mapping[str, Any]]) -> list[Array]:
    return [
        np.frombuffer(base64.b64decode(content), info["dtype"]).reshape(info["shape"])
        for content, info in zip(contents, infos, strict=True)
    ]
