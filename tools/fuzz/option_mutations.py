"""Mutations of a node's options: numbers, lists, the type of the options, a custom op's bytes."""

from typing import Any

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from tools.fuzz.choice import Mutation, Random, node_of, number, numbers, outside_content, pick, real

OPTION_CLASSES = tuple(name for name in vars(schema.BuiltinOptions) if not name.startswith("_") and name != "NONE")


def option(model: Any, random: Random) -> None:
    """Change a number of a node's options."""
    options = _options(model, random)
    if names := _names(options, int, float):
        changed = pick(names, random)
        old = getattr(options, changed)
        setattr(options, changed, real(random) if isinstance(old, float) else number(random))
        if not _can_be_packed(options):  # an enumeration, stored as a single byte
            setattr(options, changed, int(random.integers(0, 10)))


def option_flag(model: Any, random: Random) -> None:
    """Invert a flag of a node's options."""
    options = _options(model, random)
    if names := _names(options, bool):
        changed = pick(names, random)
        setattr(options, changed, not getattr(options, changed))


def option_list(model: Any, random: Random) -> None:
    """Change a list of a node's options: new shapes, squeezed dimensions."""
    options = _options(model, random)
    if names := _names(options, list, np.ndarray):
        changed = pick(names, random)
        old = getattr(options, changed)
        values = [*numbers(old), number(random)]
        values[int(random.integers(len(values)))] = number(random)
        setattr(options, changed, values[: int(random.integers(len(values) + 1))])
        if not _can_be_packed(options):  # a list of bytes
            setattr(options, changed, old)


def other_options(model: Any, random: Random) -> None:
    """Remove a node's options, or replace them by those of another op."""
    if node := node_of(model, random):
        name = pick(OPTION_CLASSES, random)
        node.builtinOptions = getattr(schema, f"{name}T")() if random.random() < 0.6 else None
        node.builtinOptionsType = getattr(schema.BuiltinOptions, name) if node.builtinOptions else 0


def custom_options(model: Any, random: Random) -> None:
    """Give a node a custom op's options, or place them outside the flatbuffer."""
    if node := node_of(model, random):
        size_bytes = pick((0, 4, 20, int(random.integers(0, 65))), random)
        node.customOptions = random.integers(0, pick((3, 256), random), size_bytes).astype(np.uint8)
        if random.random() < 0.3:
            node.customOptions = None
            node.largeCustomOptionsOffset, node.largeCustomOptionsSize = outside_content(random)


MUTATIONS: tuple[Mutation, ...] = (option, option, option, option_flag, option_list, other_options, custom_options)


def _options(model: Any, random: Random) -> Any:
    node = node_of(model, random)
    return node and (node.builtinOptions or node.builtinOptions2)


def _names(options: Any, *types: type) -> list[str]:
    return [name for name, value in vars(options).items() if type(value) in types] if options else []


def _can_be_packed(options: Any) -> bool:
    try:
        options.Pack(flatbuffers.Builder(64))
    except (TypeError, OverflowError):
        return False
    return True
