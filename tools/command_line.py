"""The two ways to start this project's Python: `build.py COMMAND`, and `python3 -m tools.NAME` for maintainers' tools.

A command is a module. Its docstring is its help; GROUPS are its packages, groups of pyproject.toml; add_options()
declares its options, and run() does it. At the top it imports the standard library only, as this module: help works
before anything is installed.
"""

import argparse
import inspect
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn, Protocol, cast

from tools import bootstrap

DESCRIPTION = """\
tflite-webnn: TensorFlow Lite in the browser, on WebNN where the browser has it.
Each command first makes what it needs; a second run reuses that and starts within seconds."""
EPILOG = """\
`build.py COMMAND --help` explains a command. `python3 -m tools.NAME --help` does so for maintainers' tools:
cpp_mutation, fuzz, kernel_tests, locks, patches, probe, programs; benchmarks are `python3 -m benchmarks.NAME`.

exit status: 0 done; 1 a step failed, or a test or a comparison; 2 a mistake on the command line
environment variables:
  TFLITE_WEBNN_CACHE          another directory than ~/.cache/tflite-webnn, which all checkouts share
  TFLITE_WEBNN_PREBUILT       a release's directory or address: use its wasm modules, compile none
  TFLITE_WEBNN_DEBIAN_MIRROR  a Debian mirror to try before those of apt
  TFLITE_WEBNN_TOOLCHAIN      native: your own emcc of the pinned version, on PATH or under EMSDK"""
PASSES_ON = "test"  # what this command does not know goes to pytest


class Command(Protocol):
    """A module that is a command."""

    @property
    def GROUPS(self) -> Sequence[str]:  # noqa: N802  (a constant of the module)
        """The groups of Python packages that run() needs."""

    def add_options(self, parser: argparse.ArgumentParser, /) -> None:
        """Declare the options, which are the attributes of the argument of run()."""

    def run(self, arguments: argparse.Namespace, /) -> int | None:
        """Run in the virtual environment and return the exit status; None is 0."""


def start(commands: Mapping[str, Command]) -> NoReturn:
    """Run the command that the command line of build.py names."""
    arguments = parse(commands, sys.argv[1:])
    _enter(sys.argv, commands[arguments.command])
    sys.exit(run(commands[arguments.command], arguments, f"build.py {arguments.command}"))


def start_tool() -> NoReturn:
    """Run the main module, a command that `python3 -m` has started."""
    module = sys.modules["__main__"]
    name = module.__spec__.name.removesuffix(".__main__") if module.__spec__ else ""
    command, title = cast(Command, module), f"python3 -m {name}"
    arguments = tool_parser(command, title).parse_args()
    _enter(["-m", name, *sys.argv[1:]], command)
    sys.exit(run(command, arguments, title))


def parse(commands: Mapping[str, Command], words: Sequence[str]) -> argparse.Namespace:
    """Return the options of build.py. Exits for --help, and for mistakes with status 2."""
    parser = _parser("build.py", DESCRIPTION, EPILOG)
    parsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in commands.items():
        summary, description = help_of(command)
        command.add_options(
            parsers.add_parser(name, help=summary, description=description, formatter_class=parser.formatter_class)
        )
    arguments, remainder = parser.parse_known_args(words)
    if remainder and arguments.command != PASSES_ON:
        parser.error(f"unrecognized arguments: {' '.join(remainder)}")
    arguments.remainder = remainder
    return arguments


def tool_parser(command: Command, title: str) -> argparse.ArgumentParser:
    """Return the parser of a maintainers' tool."""
    parser = _parser(title, inspect.cleandoc(command.__doc__ or ""), "")
    command.add_options(parser)
    return parser


def help_of(command: Command) -> tuple[str, str]:
    """Return a command's line in `build.py --help`, and the text of its own --help."""
    summary, _, description = inspect.cleandoc(command.__doc__ or "").partition("\n")
    return summary.rstrip("."), description.strip()


def run(command: Command, arguments: argparse.Namespace, title: str) -> int:
    """Run a command in the virtual environment and return the exit status."""
    from rich.markup import escape

    from support.console import console
    from support.errors import BuildError

    try:
        return command.run(arguments) or 0
    except BuildError as error:
        if arguments.debug:
            console.print_exception()
        console.print(f"\n[red]{title}: {type(error).__name__}[/red]\n{escape(str(error))}", soft_wrap=True)
        return error.exit_status
    except KeyboardInterrupt:
        console.print("\nstopped")
    return 1


def _parser(title: str, description: str, epilog: str) -> argparse.ArgumentParser:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog=title, description=description, epilog=epilog, formatter_class=form)
    parser.add_argument("--debug", action="store_true", help="print the causes of an error, with their call stacks")
    return parser


def _enter(argv: Sequence[str], command: Command) -> None:
    bootstrap.enter(argv, command.GROUPS)
    # site/ is a search path itself: a package named site would shadow Python's own.
    sys.path.insert(1, str(bootstrap.PROJECT_DIR / "site"))
