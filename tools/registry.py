"""The commands of build.py: each module of tools/commands registers one. Only the standard library, as there."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass


def _no_options(parser: argparse.ArgumentParser) -> None:
    del parser


@dataclass(frozen=True)
class Command:
    """One command.

    Attributes:
        name: its name on the command line.
        summary: its line in `build.py --help`.
        description: its steps, for `build.py NAME --help`.
        run: runs it in the virtual environment and returns the exit status; None is 0.
        add_options: declares its options, the attributes of the argument of `run`.
        groups: its Python packages: groups of pyproject.toml, besides those that every command has.
        passes_on_rest: pass unknown options to `run` as `rest` instead of refusing them.
    """

    name: str
    summary: str
    description: str
    run: Callable[[argparse.Namespace], int | None]
    add_options: Callable[[argparse.ArgumentParser], None] = _no_options
    groups: Sequence[str] = ("run",)
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
