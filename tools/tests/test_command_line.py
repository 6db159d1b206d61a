"""The command line: help, options, exit status; commands themselves do not run."""

import argparse
import inspect
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest

from support.command import run
from support.errors import BuildError, UsageError
from support.paths import PROJECT_DIR
from tools import bootstrap, command_line
from tools.commands import COMMANDS, explain
from tools.tests.test_documented_commands import actions_of, module, names

SCREEN_LINES, SCREEN_COLUMNS = 40, 120


def parse(words: list[str]) -> argparse.Namespace:
    return command_line.parse(COMMANDS, words)


def test_help_needs_nothing_installed_and_fits_a_screen(tmp_path: Path) -> None:
    environment = {"TFLITE_WEBNN_CACHE": str(tmp_path)}
    command = [sys.executable, "-I", str(PROJECT_DIR / "build.py"), "--help"]
    shown = run(command, env=environment, capture=True, quiet=True)
    lines = shown.splitlines()
    assert [name for name in COMMANDS if f"\n    {name} " not in shown] == []
    tools = [name.removeprefix("tools.") for name in names() if name.startswith("tools.")]
    assert [name for name in tools if not re.search(rf"\b{name}[,;]", shown)] == []
    assert len(lines) < SCREEN_LINES
    assert max(map(len, lines)) < SCREEN_COLUMNS
    assert list(tmp_path.iterdir()) == []


def test_there_are_at_most_14_commands_each_a_module() -> None:
    modules = {file.stem for file in (PROJECT_DIR / "tools" / "commands").glob("[a-z]*.py")}
    assert modules == set(COMMANDS)
    assert len(COMMANDS) <= 14


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        parse([name, "--help"])
    assert end.value.code == 0
    summary, description = command_line.help_of(COMMANDS[name])
    assert summary
    assert description.splitlines()[0] in capsys.readouterr().out


@pytest.mark.parametrize("name", names())
def test_a_command_reads_each_of_its_options(name: str) -> None:
    source = inspect.getsource(cast(ModuleType, module(name)))
    read = set(re.findall(r"\barguments\.(\w+)", source))
    assert {action.dest for action in actions_of(name)} - read == set()


def test_a_tool_explains_itself_before_anything_is_installed(tmp_path: Path) -> None:
    environment = {"TFLITE_WEBNN_CACHE": str(tmp_path)}
    command = [sys.executable, "-S", "-m", "tools.fuzz", "--help"]
    shown = run(command, cwd=PROJECT_DIR, env=environment, capture=True, quiet=True)
    assert "usage: python3 -m tools.fuzz [-h]" in shown
    assert list(tmp_path.iterdir()) == []


def test_a_tool_is_started_again_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    entered: list[object] = []
    module = explain
    monkeypatch.setattr(bootstrap, "enter", lambda *arguments: entered.append(arguments))
    monkeypatch.setattr(module, "run", lambda arguments: 1 if arguments.memory else None)
    monkeypatch.setitem(sys.modules, "__main__", module)
    monkeypatch.setattr(sys, "argv", ["explain.py", "model.tflite", "--memory"])
    with pytest.raises(SystemExit) as end:
        command_line.start_tool()
    assert end.value.code == 1
    assert entered == [(["-m", "tools.commands.explain", "model.tflite", "--memory"], module.GROUPS)]


def test_explain_accepts_limits_options_and_an_export() -> None:
    options = ["--limits", "limits.json", "--export", "graph.js", "--delegate-options", '{"maxPartitions": 1}']
    arguments = parse(["explain", "model.tflite", *options])
    paths = (arguments.model, arguments.limits, arguments.export)
    assert paths == (Path("model.tflite"), Path("limits.json"), Path("graph.js"))
    assert arguments.delegate_options == {"maxPartitions": 1}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "required: COMMAND"),
        (["explain", "m.tflite", "--delegate-options", "[1]"], "is not a JSON object"),
        (["explain", "m.tflite", "--delegate-options", "maxPartitions=1"], "not JSON"),
        (["build", "--source", "tensorflow"], "'tensorflow' is not NAME=DIR"),
        (["build", "--varaint", "simd"], "build.py: error: unrecognized arguments: --varaint simd"),
    ],
)
def test_a_mistake_is_explained_and_exits_with_2(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        parse(words)
    assert end.value.code == 2
    assert message in capsys.readouterr().err


def test_arguments_unknown_to_test_go_to_pytest() -> None:
    arguments = parse(["test", "--allow-missing", "webnn", "-k", "sin", "-x"])
    assert arguments.allow_missing == ["webnn"]
    assert arguments.remainder == ["-k", "sin", "-x"]


def test_sources_are_named_directories(tmp_path: Path) -> None:
    arguments = parse(["build", "--source", f"tensorflow={tmp_path}", "--source", "ruy=~/ruy"])
    assert arguments.source == [("tensorflow", tmp_path), ("ruy", Path.home() / "ruy")]


@dataclass
class Ending:
    """A command that ends in a way."""

    ending: int | BaseException | None
    GROUPS = ()

    def add_options(self, parser: argparse.ArgumentParser, /) -> None: ...

    def run(self, _: argparse.Namespace, /) -> int | None:
        if isinstance(self.ending, BaseException):
            raise self.ending from ValueError("the cause")
        return self.ending


FAILURE = BuildError("[red] is missing", where="here", hint="add it")


@pytest.mark.parametrize(
    ("ending", "status", "printed"),
    [
        (None, 0, ""),
        (1, 1, ""),
        (FAILURE, 1, "build.py odd: BuildError\n[red] is missing\n  where: here\n  hint:  add it\n"),
        (UsageError("no such file"), 2, "build.py odd: UsageError\nno such file\n"),
        (KeyboardInterrupt(), 1, "\nstopped\n"),
    ],
    ids=["nothing", "a_status", "an_error", "a_mistake", "an_interrupt"],
)
def test_a_command_ends_with_its_status(
    capsys: pytest.CaptureFixture[str], ending: int | BaseException | None, status: int, printed: str
) -> None:
    assert command_line.run(Ending(ending), argparse.Namespace(debug=False), "build.py odd") == status
    shown = capsys.readouterr().err
    assert printed in shown
    assert "the cause" not in shown


def test_debug_prints_the_causes_of_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse(["--debug", "doctor"]).debug
    assert command_line.run(Ending(FAILURE), argparse.Namespace(debug=True), "build.py odd") == 1
    assert "ValueError: the cause" in capsys.readouterr().err
