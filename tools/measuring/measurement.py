"""Measures one model on WebNN and on the CPU of the same page: placement, differences to native LiteRT, speed."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.errors import BuildError, UsageError
from support.paths import PACKAGE_DIR
from tools.measuring.statistics import Spread, ratios, spread
from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.models import catalogue
from web_tests.models.catalogue import Model
from web_tests.models.recipes import Array
from web_tests.references import native_litert
from web_tests.references.comparison import Difference, compare
from web_tests.references.inputs import inputs_for, seeded_inputs

# A tensor's name in the delegate's reasons.
TENSOR_IN_REASON = re.compile(r"tensor \d+ '[^']*'")


class NoPackageError(BuildError):
    """build/package has not been built."""


class ModelFileError(UsageError):
    """A model file that the user named cannot be read."""


@dataclass(frozen=True)
class MeasuredModel:
    """A model to measure: one of models.toml with its own input, or (`known` None) a user's file."""

    name: str
    content: bytes
    known: Model | None = None


@dataclass(frozen=True)
class Fallback:
    """Nodes of one op that stay on the CPU for one reason."""

    op: str
    nodes: tuple[int, ...]
    reason: str


@dataclass(frozen=True)
class Measurement:
    """The result of one model.

    Attributes:
        variant: of the wasm module, for example relaxed-simd.
        execution_mode: direct, stepped or cpu, with the WebNN delegate requested.
        fallback_reason: why no node runs on WebNN; empty if one does.
        webnn_difference, cpu_difference: to native LiteRT; None if that cannot run the model.
        webnn, cpu: milliseconds of a run; `webnn` is None if no node runs on WebNN.
        ratio: the median of the per-round ratios CPU time / WebNN time.
    """

    name: str
    variant: str
    execution_mode: str
    nodes_delegated: int
    nodes_total: int
    partitions: int
    fallback_reason: str
    fallbacks: tuple[Fallback, ...]
    webnn_difference: Difference | None
    cpu_difference: Difference | None
    webnn: Spread | None
    cpu: Spread
    ratio: float | None
    reference_error: str = ""


def check_package() -> None:
    """Check that the package is built.

    Raises:
        NoPackageError: it is not.
    """
    if not (PACKAGE_DIR / "index.mjs").is_file():
        raise NoPackageError("the package is not built", where=str(PACKAGE_DIR), hint="python3 build.py build")


def load_models(requested: Sequence[Path], default: Iterable[str] = ()) -> list[MeasuredModel]:
    """Return the models to measure: the user's files or known names, else the default names.

    Raises:
        ModelFileError: a file cannot be read.
    """
    known = catalogue.known_models()
    if not requested:
        return [_known(known[name]) for name in default]
    return [
        _of_file(file) if file.exists() or str(file) not in known else _known(known[str(file)]) for file in requested
    ]


def model_files(source: Path) -> list[Path]:
    """Return a model file, or all `.tflite` files of a directory.

    Raises:
        ModelFileError: there is none.
    """
    files = sorted(source.glob("*.tflite")) if source.is_dir() else [source]
    if not files or not files[0].is_file():
        raise ModelFileError("no .tflite file", where=str(source), hint="name a model, or a directory of models")
    return files


def _known(model: Model) -> MeasuredModel:
    return MeasuredModel(model.name, model.content(), model)


def _of_file(file: Path) -> MeasuredModel:
    try:
        return MeasuredModel(file.name, file.read_bytes())
    except OSError as error:
        raise ModelFileError(f"cannot read the model file: {error.strerror}", where=str(file)) from error


def measure(harness: Harness, model: MeasuredModel, *, rounds: int) -> Measurement:
    """Load a model twice, compare both with native LiteRT, and time both interleaved.

    Raises:
        ModelError: the package rejects the model.
        PageError: the page crashed or hung.
    """
    delegated = harness.load(model.content, LoadOptions(webnn=True))
    on_cpu = harness.load(model.content, LoadOptions(webnn=False))
    try:
        inputs = inputs_for(model.known) if model.known else seeded_inputs(delegated.inputs)
        found_webnn, found_cpu = delegated.run(inputs), on_cpu.run(inputs)
        expected, reference_error = native_outputs(model, inputs)
        uses_webnn = delegated.execution_mode != "cpu"
        sessions = [on_cpu, delegated] if uses_webnn else [on_cpu]
        times = harness.measure([(session, inputs) for session in sessions], rounds=rounds)
    finally:
        delegated.dispose()
        on_cpu.dispose()
    report = delegated.report
    return Measurement(
        name=model.name,
        variant=report["variant"],
        execution_mode=delegated.execution_mode,
        nodes_delegated=report["totals"]["delegatedNodes"],
        nodes_total=report["totals"]["nodes"],
        partitions=len(report["partitions"]),
        fallback_reason=report["webnn"]["reason"] or "",
        fallbacks=fallbacks_of(report["nodes"]),
        webnn_difference=compare(found_webnn, expected) if expected and uses_webnn else None,
        cpu_difference=compare(found_cpu, expected) if expected else None,
        webnn=spread(times[1]) if uses_webnn else None,
        cpu=spread(times[0]),
        ratio=ratios(times[0], times[1]).median if uses_webnn else None,
        reference_error=reference_error,
    )


def fallbacks_of(nodes: Sequence[dict[str, Any]]) -> tuple[Fallback, ...]:
    """Group the nodes that stay on the CPU by op and reason, in the order of their first node.

    Reasons that differ only in the tensor's name form one group; a node alone in its group keeps the name.
    """
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for node in nodes:
        if node["placement"] == "cpu":
            groups.setdefault((node["op"], TENSOR_IN_REASON.sub("a tensor", node["reason"] or "")), []).append(node)
    return tuple(
        Fallback(op, tuple(node["index"] for node in group), reason if len(group) > 1 else group[0]["reason"] or "")
        for (op, reason), group in groups.items()
    )


def native_outputs(model: MeasuredModel, inputs: Sequence[Array]) -> tuple[list[Array], str]:
    """Return native LiteRT's outputs, or none and the reason."""
    outputs_of = native_litert.outputs_of if model.known else native_litert.separate_outputs
    try:
        return outputs_of(model.content, inputs), ""
    except BuildError as error:
        return [], error.what
