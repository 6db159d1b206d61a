"""The commands in documents exist, with their options."""

import argparse
import importlib
import re
import shlex
from collections.abc import Iterator, Sequence
from functools import cache
from typing import cast

from support.npm import package_version
from support.paths import PROJECT_DIR
from tools import command_line
from tools.command_line import Command
from tools.commands import COMMANDS

DIRECTORIES = (".", "docs", "docs/*", "pyodide_pkg", "js/*/*", "site", "tools", "web_tests", "wasm", "wasm/*")
TOOL_DIRECTORIES = ("benchmarks", "tools")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`(?:python3 )?(build\.py [^`]+)`|`python3 -m ((?:tools|benchmarks)\.[a-z][^`]+)`")
LINE = re.compile(r"^(?:.* )?python3 (?:-m ((?:tools|benchmarks)\..+)|(build\.py .+))")
# A tarball of `npm pack`, or an address of the package.
VERSION = re.compile(r"\btflite-webnn[-@](\d+\.\d+\.\d+)\b")
# Passes on what it does not know; the others are not names.
PASSING_ON = ("test", "COMMAND", "--help")


def lines(text: str) -> Iterator[str]:
    """Yield the arguments of each complete command, in blocks."""
    for language, block in BLOCK.findall(text):
        for line in block.replace("\\\n", " ").splitlines() if language in ("", "sh") else ():
            if found := LINE.match(line):
                yield found[1] or found[2]


def spans(text: str) -> list[str]:
    """Return what sentences say of commands, which need not be complete."""
    return [" ".join((build or tool).split()) for build, tool in SPAN.findall(BLOCK.sub("", text))]


@cache
def names() -> list[str]:
    """Return the names of all commands and of the maintainers' tools, e.g. docs, tools.fuzz."""
    files = [file for directory in TOOL_DIRECTORIES for file in (PROJECT_DIR / directory).rglob("*.py")]
    mains = (file for file in files if file.read_text().endswith("command_line.start_tool()\n"))
    tools = (file.relative_to(PROJECT_DIR).with_suffix("").as_posix().replace("/", ".") for file in mains)
    return [*COMMANDS, *sorted(name.removesuffix(".__main__") for name in tools)]


def module(name: str) -> Command:
    """Return a command's module, or the one that `python3 -m NAME` runs."""
    if name in COMMANDS:
        return COMMANDS[name]
    package = PROJECT_DIR.joinpath(*name.split("."))
    return cast(Command, importlib.import_module(f"{name}.__main__" if package.is_dir() else name))


@cache
def actions_of(name: str) -> Sequence[argparse.Action]:
    """Return the options of a command or a tool."""
    parser = argparse.ArgumentParser(add_help=False)
    module(name).add_options(parser)
    return parser._actions


def parse(line: str) -> str:
    """Return what is wrong with a complete command; `|` and `>` end it as they do in a shell."""
    program, *words = shlex.split(re.split(r" [|>] ", line)[0], comments=True)
    try:
        if program == "build.py":
            command_line.parse(COMMANDS, words)
        else:
            command_line.tool_parser(module(program), program).parse_args(words)
    except SystemExit as end:
        return f"exit {end.code}" if end.code else ""
    except ImportError as error:
        return str(error)
    return ""


def check(span: str) -> str:
    """Return what is wrong with the names in a part of a command."""
    program, *words = span.split()
    if program == "build.py" and words:
        program, *words = words
        if program in PASSING_ON:
            return ""
    if program not in names():
        return f"no command {program}"
    options = {word for action in actions_of(program) for word in action.option_strings}
    unknown = [word for word in words if word.startswith("--") and word not in options]
    return f"no option {', '.join(unknown)}" if unknown and program != "tools.programs" else ""


def wrong_in(text: str) -> list[str]:
    problems = {line: parse(line) for line in lines(text)} | {span: check(span) for span in spans(text)}
    return [f"{command}: {problem}" for command, problem in problems.items() if problem]


def test_documented_commands_exist() -> None:
    files = sorted(file for directory in DIRECTORIES for file in PROJECT_DIR.glob(f"{directory}/*.md"))
    texts = {file.relative_to(PROJECT_DIR): file.read_text(encoding="utf-8") for file in files}
    assert sum(len([*lines(text), *spans(text)]) for text in texts.values()) > 100
    assert [f"{file}: {problem}" for file, text in texts.items() for problem in wrong_in(text)] == []


def test_documents_name_the_package_s_version() -> None:
    files = [file for directory in DIRECTORIES for file in PROJECT_DIR.glob(f"{directory}/*.md")]
    named = [text for file in files for text in VERSION.findall(file.read_text(encoding="utf-8"))]
    assert len(named) >= 2
    assert set(named) == {package_version()}


def test_what_does_not_exist_is_reported() -> None:
    assert wrong_in("`build.py demos`, `build.py demo --image`, `build.py demo --model`") == [
        "build.py demos: no command demos",
        "build.py demo --image: no option --image",
    ]
    assert wrong_in("`python3 -m tools.fuzzy`, `python3 -m tools.fuzz --tier unit`") == [
        "tools.fuzzy: no command tools.fuzzy",
        "tools.fuzz --tier unit: no option --tier",
    ]
    assert wrong_in("```sh\npython3 build.py explain\n```") == ["build.py explain: exit 2"]
