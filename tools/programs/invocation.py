"""The files in a command line: a program only sees those files of this machine."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

# Separators between a file's name and the remainder of an argument: --graph=FILE,
# --input_layer_value_files=NAME:FILE,NAME:FILE
SEPARATORS = re.compile("[=,:]")


@dataclass(frozen=True)
class Invocation:
    """One run of a program.

    Attributes:
        name: the program.
        arguments: of its main().
        working_dir: the base of relative names.
        files: absolute paths of files in the arguments; the program can read only these.
        directories: absolute paths of directories that the program may write into.
    """

    name: str
    arguments: tuple[str, ...]
    working_dir: Path
    files: tuple[Path, ...] = ()
    directories: tuple[Path, ...] = ()


def invocation(name: str, arguments: Sequence[str], working_dir: Path | None = None) -> Invocation:
    """Return the run of a program; existing files in its arguments become its files."""
    directory = (working_dir or Path.cwd()).absolute()
    paths = [Path(directory, part) for argument in arguments for part in _parts(argument)]
    files = dict.fromkeys(path for path in paths if path.is_file())
    new = dict.fromkeys(path.parent for path in paths if not path.exists() and path.parent.is_dir())
    return Invocation(name, tuple(arguments), directory, tuple(files), tuple(new))


def _parts(argument: str) -> Iterator[str]:
    """Yield the possible paths of an argument: the values of a flag, or the argument itself."""
    parts = SEPARATORS.split(argument)
    yield from (part for part in (parts[1:] if argument.startswith("-") else [argument, *parts]) if part)
