"""Base models of mutations: op cases, networks, small real ones; and the mutated model of a number."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from tools.fuzz import mutator
from tools.fuzz.choice import Random, pick
from tools.fuzz.mutator import Step
from web_tests.models import handmade, loops, stateful
from web_tests.models.catalogue import all_models
from web_tests.models.networks import modern, selection, variables
from web_tests.op_cases import all_cases, case_id
from web_tests.op_cases.integer_kernels import INTEGER_ELEMENTWISE, INTEGER_PRODUCTS

# Real models above this size take a hundred times as long to mutate and load as a model of one node.
LARGEST_REAL_BYTES = 350_000
# Probability that a real model is mutated, if there are any.
REAL_SHARE = 0.05
# Of networks: they are few, and only they have several subgraphs, variables, or shapes that depend on the data.
NETWORK_SHARE = 0.15
OWN_SHARE = 0.5
# Of modern.MODERN, those that are not quantized while they are created.
MODERN_NETWORKS = (
    "composites",
    "language_model",
    "int4_blocks",
    "open_batch",
    "counted_loop",
    "best_rows",
    "ring_buffer",
)


@dataclass(frozen=True)
class BaseModel:
    """A model that mutations start from."""

    name: str
    content: bytes


@dataclass(frozen=True)
class Corpus:
    """Base models by cost; `own` are the user's files."""

    small: tuple[BaseModel, ...]
    networks: tuple[BaseModel, ...] = ()
    real: tuple[BaseModel, ...] = ()
    own: tuple[BaseModel, ...] = ()

    def pick(self, random: Random) -> BaseModel:
        if self.own and random.random() < OWN_SHARE:
            return _one(self.own, random)
        if self.real and random.random() < REAL_SHARE:
            return _one(self.real, random)
        if self.networks and random.random() < NETWORK_SHARE:
            return _one(self.networks, random)
        return _one(self.small, random)


@dataclass(frozen=True)
class MutatedModel:
    """One model of a run: number `index` of `seed`."""

    index: int
    base: BaseModel
    steps: tuple[Step, ...]
    content: bytes


def collect(files: Sequence[Path] = (), *, real_models: bool = True) -> Corpus:
    """Return the corpus; download missing real models."""
    small = [BaseModel(case_id(case), case.model()) for case in all_cases()]
    small += [
        BaseModel("sin_example", handmade.sin_example()),
        BaseModel("tiny_network", handmade.tiny_network()),
    ]
    real = [BaseModel(name, model.content()) for name, model in all_models().items()] if real_models else []
    real = [model for model in real if len(model.content) <= LARGEST_REAL_BYTES]
    own = [BaseModel(str(file), file.read_bytes()) for file in files]
    return Corpus(tuple(small), tuple(_networks()), tuple(real), tuple(own))


def _networks() -> Iterator[BaseModel]:
    """Yield models with several subgraphs, variables or open shapes, and those of the runner's integer kernels."""
    for name in MODERN_NETWORKS:
        yield BaseModel(name, modern.MODERN[name].make())
    for make in (
        stateful.counter,
        stateful.branch,
        stateful.string_picker,
        loops.recurrent,
        loops.scatter,
        variables.mixed,
        variables.unset,
        selection.distinct_words,
    ):
        yield BaseModel(make.__name__, make())
    yield from (BaseModel(case_id(case), case.model()) for case in (*INTEGER_PRODUCTS, *INTEGER_ELEMENTWISE))


def mutated(corpus: Corpus, seed: int, index: int) -> MutatedModel:
    """Return model number `index` of a run, never its base model: the same for the same seed and corpus."""
    random = np.random.default_rng([seed, index])
    base = corpus.pick(random)
    unchanged = (base.content, _rewritten(base))
    while True:
        steps = mutator.steps(random)
        content = mutator.apply(base.content, steps)
        if content not in unchanged:
            return MutatedModel(index, base, steps, content)


@cache
def _rewritten(base: BaseModel) -> bytes:
    return mutator.rewritten(base.content)


def _one(models: tuple[BaseModel, ...], random: Random) -> BaseModel:
    chosen: BaseModel = pick(models, random)
    return chosen
