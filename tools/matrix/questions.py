"""The models of the matrix with their inputs, and native LiteRT's answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tools.matrix.axes import select
from web_tests.models import catalogue
from web_tests.models.catalogue import Model
from web_tests.models.recipes import Array
from web_tests.references import native_litert
from web_tests.references.inputs import inputs_for

# Generated models: a well-known network, in float and in int8.
MADE_MODELS = ("mobilenet_v2", "mobilenet_v2_int8")


@dataclass(frozen=True)
class Question:
    """A model, its input and the expected answer."""

    model: Model

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def address(self) -> str:
        """The model's path on the page server."""
        return f"/models/{self.name}.tflite"

    @cached_property
    def inputs(self) -> list[Array]:
        return inputs_for(self.model)

    @cached_property
    def expected(self) -> list[Array]:
        """Native LiteRT's outputs."""
        return native_litert.outputs_of(self.model.content(), self.inputs)


def choose(patterns: Sequence[str]) -> list[Question]:
    """Return the models whose names match; without patterns, all real ones of models.toml and MADE_MODELS.

    Raises:
        UnknownNameError: a pattern matches no model of models.toml.
    """
    every = catalogue.known_models()
    names = [*catalogue.all_models(), *MADE_MODELS]
    chosen = select("model", list(every.values()), patterns) if patterns else [every[name] for name in names]
    return [Question(model) for model in chosen]
