"""Explanations of models without a browser: the package's explain.mjs, run in Node."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.command import CommandError, run
from support.errors import BuildError
from support.npm import JS_DIR, pinned_node
from support.paths import PACKAGE_DIR

SCRIPT = JS_DIR / "scripts" / "tools" / "explain_model.mjs"
EXPORT_SUFFIXES = (".json", ".js", ".mjs")
TIMEOUT_SECONDS = 120


class ExplainError(BuildError):
    """The package rejected the model, or Node failed. `code` is the JavaScript error's, e.g. MALFORMED_MODEL."""

    def __init__(self, code: str, message: str, where: str) -> None:
        super().__init__(message, where=where)
        self.code = code


@dataclass(frozen=True)
class Explanation:
    """A report (js/packages/core/report.schema.json), as an object and as text."""

    report: dict[str, Any]
    text: str


@dataclass(frozen=True)
class Request:
    """The options of explainModel.

    `delegate_options` are WebnnDelegateOptions, `excluded_nodes` rows of a report's webnn.excludedNodes.
    """

    variant: str
    delegate_options: Mapping[str, Any] = field(default_factory=dict)
    excluded_nodes: Sequence[Mapping[str, Any]] = ()
    export: Path | None = None

    def to_json(self) -> dict[str, Any]:
        options = {
            "variant": self.variant,
            "webnnDelegateOptions": dict(self.delegate_options),
            "excludedNodes": list(self.excluded_nodes),
        }
        return {"options": options, **({"export": str(self.export)} if self.export else {})}


def explain(model: Path, limits: Mapping[str, Any], request: Request) -> Explanation:
    """Explain a model file under the limits that opSupportLimits() returned.

    Raises:
        ExplainError: the package rejects the model, or crashed on it.
    """
    response = _call({"model": str(model), "limits": dict(limits), **request.to_json()}, str(model))
    return Explanation(response["report"], response["text"])


@dataclass(frozen=True)
class MemoryPlan:
    """A model's arena plan, the MemoryPlan of js/packages/core/src/explain/memory_plan.ts, as an object and as text."""

    plan: dict[str, Any]
    text: str


def plan_memory(model: Path, limits: Mapping[str, Any] | None, request: Request) -> MemoryPlan:
    """Plan TFLite's arena for a model; with limits, also what remains of it next to WebNN.

    Raises:
        ExplainError: the package rejects the model, or crashed on it.
    """
    parameters = {"model": str(model), "memory": True, **request.to_json()}
    response = _call({**parameters, **({"limits": dict(limits)} if limits is not None else {})}, str(model))
    return MemoryPlan(response["plan"], response["text"])


@dataclass(frozen=True)
class FileDescription:
    """The metadata of a model file or a .task bundle, js/packages/core/src/explain/describe_file.ts, and as text."""

    file: dict[str, Any]
    text: str


def describe(path: Path) -> FileDescription:
    """Describe a model file, or a .task bundle and the models in it.

    Raises:
        ExplainError: the file is neither, its metadata is damaged, or contradicts the model.
    """
    response = _call({"model": str(path), "metadata": True}, str(path))
    return FileDescription(response["file"], response["text"])


def _call(request: Mapping[str, Any], where: str) -> dict[str, Any]:
    command: list[str | Path] = [pinned_node(), SCRIPT, PACKAGE_DIR]
    try:
        output = run(command, stdin=json.dumps(request), capture=True, quiet=True, timeout_seconds=TIMEOUT_SECONDS)
    except CommandError as error:
        raise ExplainError("CRASHED", f"Node failed: {error.what[-600:]}", where) from error
    response: dict[str, Any] = json.loads(output)
    if "error" in response:
        raise ExplainError(response["error"]["code"], response["error"]["message"], where)
    return response
