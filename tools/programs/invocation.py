"""What a command line means to a program that sees no file of this machine but those that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

# What separates a file's name from the rest of an argument: --graph=FILE, --input_layer_value_files=NAME:FILE,NAME:FILE
SEPARATORS = re.compile("[=,:]")


@dataclass(frozen=True)
class Invocation:
    """One run of a program.

    Attributes:
        name: the program.
        arguments: of its main().
        working_dir: the folder that relative names start from.
        files: those that the arguments name, absolute; the program can read them and nothing else.
        directories: folders into which the arguments let it write, absolute.
    """

    name: str
    arguments: tuple[str, ...]
    working_dir: Path
    files: tuple[Path, ...] = ()
    directories: tuple[Path, ...] = ()


def invocation(name: str, arguments: Sequence[str], working_dir: Path | None = None) -> Invocation:
    """Return the run of a program with these arguments; files that they name and that exist are its files."""
    folder = (working_dir or Path.cwd()).absolute()
    paths = [Path(folder, part) for argument in arguments for part in _parts(argument)]
    files = dict.fromkeys(path for path in paths if path.is_file())
    new = dict.fromkeys(path.parent for path in paths if not path.exists() and path.parent.is_dir())
    return Invocation(name, tuple(arguments), folder, tuple(files), tuple(new))


def _parts(argument: str) -> Iterator[str]:
    """Yield what of an argument may be a path: the values of a flag, or the argument itself."""
    parts = SEPARATORS.split(argument)
    yield from (part for part in (parts[1:] if argument.startswith("-") else [argument, *parts]) if part)
