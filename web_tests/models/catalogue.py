"""The models that demo and tests run, real ones and those made by our own code, and the inputs of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from web_tests.models import carriers, networks
from web_tests.models.carriers import Member
from web_tests.models.recipes import InputRecipe, recipe_of


@dataclass(frozen=True)
class Model:
    """One row of models.toml.

    Attributes:
        name: its key there; of a made model, its name in networks.NETWORKS.
        member: the file that carries it; None for a made model.
        input: what it is run on.
        nodes: how many its main subgraph has.
        webnn_nodes: how many of them run on WebNN in Chromium 147.
        demo: whether `build.py demo` shows it.
        quantized: whether it computes on integers: its answers are compared in steps.
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
        """How it runs where WebNN is Chromium 147's."""
        if self.webnn_nodes == 0:
            return "cpu"
        return "direct" if self.webnn_nodes == self.nodes else "stepped"

    def path(self) -> Path:
        """Return the .tflite file, downloading and checking it, or making it, when it is not in the cache."""
        return carriers.fetch(self.member) if self.member else networks.path(self.name)

    def content(self) -> bytes:
        """Return the file's bytes."""
        return self.path().read_bytes()


@cache
def all_models() -> dict[str, Model]:
    """Return every real model of models.toml by name, in the file's order."""
    return {name: _model(name, row) for name, row in carriers.table()["models"].items()}


@cache
def made_models() -> dict[str, Model]:
    """Return every made model of models.toml by name, in the file's order."""
    return {name: _model(name, row) for name, row in carriers.table()["made"].items()}


def demo_models() -> list[Model]:
    """Return the rows of `build.py demo`."""
    return [model for model in all_models().values() if model.demo]


def _model(name: str, row: dict[str, Any]) -> Model:
    return Model(
        name,
        member=carriers.member_of(row) if "package" in row else None,
        input=recipe_of(row["input"]),
        nodes=row["nodes"],
        webnn_nodes=row.get("webnn_nodes", row["nodes"]),
        demo=row.get("demo", False),
        quantized=row.get("quantized", False),
    )
