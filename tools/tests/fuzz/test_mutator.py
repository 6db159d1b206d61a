"""Mutations: each writes a file, always the same for the same seed, and most change something."""

from collections import Counter
from functools import cache

import pytest
from ai_edge_litert import schema_py_generated as schema

from tools.fuzz import corpus, mutator
from tools.fuzz.mutator import Step

ALL_MUTATIONS = [*mutator.STRUCTURE, *mutator.BYTES]
SEEDS = range(20)
# These change what few models have: quantization parameters, several nodes, lists in options.
RARELY_POSSIBLE = ("quantization.no_quantization", "graph.node_order", "option.option_list")


@cache
def base_models() -> corpus.Corpus:
    return corpus.collect(real_models=False)


@pytest.mark.parametrize("mutation", ALL_MUTATIONS)
def test_a_mutation_returns_the_same_file_every_time(mutation: str) -> None:
    models = base_models().small[:: len(base_models().small) // len(SEEDS)]
    files = []
    for seed, model in zip(SEEDS, models, strict=False):
        mutated = mutator.apply(model.content, [Step(mutation, seed)])
        assert mutated == mutator.apply(model.content, [Step(mutation, seed)])
        assert mutated[4:8] == b"TFL3"
        if mutation in mutator.STRUCTURE:
            schema.Model.GetRootAsModel(mutated, 0)
        files.append(mutated != mutator.rewritten(model.content))
    assert any(files) or mutation in RARELY_POSSIBLE


def test_models_of_a_seed_are_the_same_and_all_changed() -> None:
    models = [corpus.mutated(base_models(), 7, index) for index in range(100)]
    assert models == [corpus.mutated(base_models(), 7, index) for index in range(100)]
    assert all(model.content != model.base.content and model.steps for model in models)
    assert models[:10] != [corpus.mutated(base_models(), 8, index) for index in range(10)]


def test_every_mutation_is_used() -> None:
    models = [corpus.mutated(base_models(), 1, index) for index in range(500)]
    used = Counter(step.mutation for model in models for step in model.steps)
    assert set(used) == set(ALL_MUTATIONS)
    assert len({model.base.name for model in models}) > 300


def test_files_of_the_user_are_half_of_the_base_models() -> None:
    (model, *_) = base_models().small
    own = corpus.Corpus(base_models().small, own=(corpus.BaseModel("mine.tflite", model.content),))
    names = Counter(corpus.mutated(own, 1, index).base.name for index in range(400))
    assert 150 < names["mine.tflite"] < 250
