"""Mutated models: chooses mutations from a seed and applies them. The same seed produces the same file."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tools.fuzz import graph_mutations, option_mutations, quantization_mutations, tensor_mutations
from tools.fuzz.byte_mutations import BYTE_MUTATIONS, ByteMutation
from tools.fuzz.choice import Mutation, Random, pick
from web_tests.models.model_file import packed, unpacked

# All families are equally likely, whatever the number of their mutations.
FAMILIES: dict[str, Sequence[Mutation]] = {
    "graph": graph_mutations.MUTATIONS,
    "tensor": tensor_mutations.MUTATIONS,
    "quantization": quantization_mutations.MUTATIONS,
    "option": option_mutations.MUTATIONS,
}
STRUCTURE: dict[str, Mutation] = {
    f"{family}.{mutation.__name__}": mutation for family, mutations in FAMILIES.items() for mutation in mutations
}
BYTES: dict[str, ByteMutation] = {f"bytes.{mutation.__name__}": mutation for mutation in BYTE_MUTATIONS}
BYTES_SHARE = 0.15
MAX_STEPS = 4


@dataclass(frozen=True)
class Step:
    """One mutation: its name and the seed of its random choices, which lets single steps be left out."""

    mutation: str
    seed: int


def steps(random: Random) -> tuple[Step, ...]:
    """Return the mutations of one model: mostly one or two of its structure, sometimes one of the file's bytes."""
    names = []
    only_bytes = random.random() < BYTES_SHARE
    if not only_bytes:
        for _ in range(min(int(random.geometric(0.5)), MAX_STEPS)):
            family = pick(tuple(FAMILIES), random)
            names.append(f"{family}.{pick(FAMILIES[family], random).__name__}")
    if only_bytes or random.random() < BYTES_SHARE / 3:
        names.append(f"bytes.{pick(BYTE_MUTATIONS, random).__name__}")
    return tuple(Step(name, int(random.integers(2**31))) for name in names)


def apply(content: bytes, chosen: Sequence[Step]) -> bytes:
    """Apply the mutations, those of the structure first; without steps, return the model unchanged."""
    structural = [step for step in chosen if step.mutation in STRUCTURE]
    if structural:
        model = unpacked(content)
        for step in structural:
            STRUCTURE[step.mutation](model, np.random.default_rng(step.seed))
        content = packed(model)
    for step in chosen:
        if step.mutation in BYTES:
            content = BYTES[step.mutation](content, np.random.default_rng(step.seed))
    return content


def damaged_bytes(content: bytes, seed: int) -> bytes:
    """Return the file with some bytes changed, but not the identifier. Most results fail verification."""
    random = np.random.default_rng(seed)
    return apply(content, [Step(f"bytes.{pick(BYTE_MUTATIONS, random).__name__}", seed)])


def damaged_structure(content: bytes, seed: int) -> bytes:
    """Return the model with some fields changed; it remains a valid flatbuffer."""
    random = np.random.default_rng(seed)
    return apply(content, [step for step in steps(random) if step.mutation in STRUCTURE])


def rewritten(content: bytes) -> bytes:
    """Return the model as this module writes it without a mutation."""
    return packed(unpacked(content))
