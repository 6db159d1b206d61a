"""The models of demo and tests, real and generated ones, and their inputs."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from web_tests.models import networks, package_assets
from web_tests.models.package_assets import Member
from web_tests.models.recipes import InputRecipe, recipe_of


@dataclass(frozen=True)
class Model:
    """One row of models.toml.

    Attributes:
        name: its key there; for a generated model, its name in networks.NETWORKS.
        member: its file in a package; None for a generated model.
        input: its recorded input.
        nodes: number of nodes of its main subgraph.
        webnn_nodes: number of them that WebNN in Chromium 147 supports.
        demo: whether `build.py demo` shows it.
        quantized: whether it computes on integers: outputs are compared in quantization steps.
    """

    name: str
    member: Member | None
    input: InputRecipe
    nodes: int
    webnn_nodes: int
    demo: bool = False
    quantized: bool = False

    @property
    def mode(self) -> Literal["direct", "stepped", "cpu"]:
        """Its execution mode under the limits of Chromium 147, without the cost rule."""
        if self.webnn_nodes == 0:
            return "cpu"
        return "direct" if self.webnn_nodes == self.nodes else "stepped"

    def path(self) -> Path:
        """Return the .tflite file; download and check it, or generate it, if the cache lacks it."""
        return package_assets.fetch(self.member) if self.member else networks.path(self.name)

    def content(self) -> bytes:
        return self.path().read_bytes()


@cache
def all_models() -> dict[str, Model]:
    """Return every real model of models.toml by name, in the file's order."""
    return {name: _model(name, row) for name, row in package_assets.table()["models"].items()}


@cache
def generated_models() -> dict[str, Model]:
    """Return every generated model of models.toml by name, in the file's order."""
    return {name: _model(name, row) for name, row in package_assets.table()["generated"].items()}


def known_models() -> dict[str, Model]:
    """Return every model of models.toml by name."""
    return {**all_models(), **generated_models()}


def demo_models() -> list[Model]:
    """Return the rows of `build.py demo`."""
    return [model for model in all_models().values() if model.demo]


def _model(name: str, row: dict[str, Any]) -> Model:
    return Model(
        name,
        member=package_assets.member_of(row) if "package" in row else None,
        input=recipe_of(row["input"]),
        nodes=row["nodes"],
        webnn_nodes=row.get("webnn_nodes", row["nodes"]),
        demo=row.get("demo", False),
        quantized=row.get("quantized", False),
    )
