"""The commands in documents are commands of build.py, with options that it has."""

import re
import shlex
from collections.abc import Iterator
from functools import cache

import pytest

from support.paths import PROJECT_DIR
from tools import command_line
from tools.registry import COMMANDS

FOLDERS = (".", "docs", "docs/notes", "pyodide_pkg", "js/*", "site", "tools", "web_tests", "wasm", "wasm/*")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`(?:python3 )?build\.py ([^`]+)`")
LINE = re.compile(r"^(?:.* )?python3 build\.py (.+)")
# These pass on what they do not know.
PASSING_ON = ("test", "tool", "COMMAND", "--help")


def lines(text: str) -> Iterator[str]:
    """Yield the arguments of each whole command, in blocks."""
    for language, block in BLOCK.findall(text):
        for line in block.replace("\\\n", " ").splitlines() if language in ("", "sh") else ():
            if found := LINE.match(line):
                yield found[1]


def spans(text: str) -> list[str]:
    """Return what sentences say of commands, which need not be whole."""
    return [" ".join(span.split()) for span in SPAN.findall(BLOCK.sub("", text))]


def parse(line: str) -> str:
    """Return what is wrong with a whole command; `|` and `>` end it as they do in a shell."""
    try:
        command_line.parse(shlex.split(re.split(r" [|>] ", line)[0], comments=True))
    except SystemExit as end:
        return f"exit {end.code}" if end.code else ""
    return ""


def check(span: str) -> str:
    """Return what is wrong with the names in a part of a command."""
    name, *words = span.split()
    if name in PASSING_ON:
        return ""
    if name not in COMMANDS:
        return f"no command {name}"
    unknown = [word for word in words if word.startswith("--") and word not in options_of(name)]
    return f"no option {', '.join(unknown)}" if unknown else ""


@cache
def options_of(name: str) -> frozenset[str]:
    with pytest.MonkeyPatch.context() as patch:
        texts: list[str] = []
        patch.setattr("sys.stdout.write", texts.append)
        with pytest.raises(SystemExit):
            command_line.parse([name, "--help"])
    return frozenset(re.findall(r"--[a-z-]+", "".join(texts)))


def wrong_in(text: str) -> list[str]:
    problems = {line: parse(line) for line in lines(text)} | {span: check(span) for span in spans(text)}
    return [f"{command}: {problem}" for command, problem in problems.items() if problem]


def test_documented_commands_exist() -> None:
    files = sorted(file for folder in FOLDERS for file in PROJECT_DIR.glob(f"{folder}/*.md"))
    texts = {file.relative_to(PROJECT_DIR): file.read_text(encoding="utf-8") for file in files}
    assert sum(len([*lines(text), *spans(text)]) for text in texts.values()) > 100
    assert [f"{file}: {problem}" for file, text in texts.items() for problem in wrong_in(text)] == []


def test_what_does_not_exist_is_reported() -> None:
    assert wrong_in("`build.py demos`, `build.py demo --picture`, `build.py demo --model`") == [
        "demos: no command demos",
        "demo --picture: no option --picture",
    ]
    assert wrong_in("```sh\npython3 build.py explain\n```") == ["explain: exit 2"]
