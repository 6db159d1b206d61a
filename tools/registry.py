"""The commands of build.py: each module of tools/commands registers one. Standard library only, as in those modules."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass


def _no_options(parser: argparse.ArgumentParser) -> None:
    del parser


@dataclass(frozen=True)
class Command:
    """One command.

    Attributes:
        name: what follows build.py.
        summary: its line in `build.py --help`.
        description: what it does, step by step, for `build.py NAME --help`.
        run: does it, in the virtual environment, and returns the exit status; None is 0.
        add_options: declares its options; they reach `run` as attributes.
        passes_on_rest: options that it does not know go to `run` as `rest`, instead of being refused.
    """

    name: str
    summary: str
    description: str
    run: Callable[[argparse.Namespace], int | None]
    add_options: Callable[[argparse.ArgumentParser], None] = _no_options
    passes_on_rest: bool = False


COMMANDS: dict[str, Command] = {}


def register(command: Command) -> None:
    """Add a command.

    Raises:
        ValueError: there is one of that name.
    """
    if command.name in COMMANDS:
        raise ValueError(f"two commands are called {command.name}")
    COMMANDS[command.name] = command
