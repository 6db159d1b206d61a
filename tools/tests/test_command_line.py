"""The command line of build.py, without running commands."""

import argparse
from pathlib import Path

import pytest

from support.errors import BuildError
from support.paths import PROJECT_DIR
from tools import command_line
from tools.registry import COMMANDS, Command, register


def test_every_command_has_its_texts(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command_line.parse(["--help"])
    overview = capsys.readouterr().out
    for command in COMMANDS.values():
        assert f"\n    {command.name}" in overview
        with pytest.raises(SystemExit) as end:
            command_line.parse([command.name, "--help"])
        assert end.value.code == 0
        assert command.description.splitlines()[0] in capsys.readouterr().out


def test_every_module_of_commands_registers_the_command_of_its_name() -> None:
    modules = {file.stem.replace("_", "-") for file in (PROJECT_DIR / "tools" / "commands").glob("[a-z]*.py")}
    assert modules == set(COMMANDS)


def test_two_commands_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two commands are called lint"):
        register(Command("lint", "", "", lambda _: None))


def test_explain_takes_limits_options_and_an_export() -> None:
    options = ["--limits", "limits.json", "--export", "graph.js", "--delegate-options", '{"maxPartitions": 1}']
    arguments = command_line.parse(["explain", "model.tflite", *options])
    assert (arguments.model, arguments.limits, arguments.export) == (
        Path("model.tflite"),
        Path("limits.json"),
        Path("graph.js"),
    )
    assert arguments.delegate_options == {"maxPartitions": 1}
    plain = command_line.parse(["explain", "model.tflite"])
    assert (plain.limits, plain.delegate_options, plain.variant, plain.memory) == (None, {}, "simd", False)
    assert command_line.parse(["explain", "model.tflite", "--memory"]).memory


@pytest.mark.parametrize("text", ["[1]", "maxPartitions=1", "3"])
def test_delegate_options_are_an_object(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        command_line.parse(["explain", "model.tflite", "--delegate-options", text])
    assert end.value.code == 2
    assert "JSON" in capsys.readouterr().err


def test_only_the_tests_take_arguments_of_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.parse(["test", "-k", "softmax"]).rest == ["-k", "softmax"]
    assert command_line.parse(["limits", "--out", "limits.json"]).rest == []
    with pytest.raises(SystemExit) as end:
        command_line.parse(["limits", "--out", "limits.json", "-k", "softmax"])
    assert end.value.code == 2
    assert "build.py: error: unrecognized arguments: -k softmax" in capsys.readouterr().err


def test_a_command_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        command_line.parse([])
    assert end.value.code == 2
    assert "required: COMMAND" in capsys.readouterr().err


class OddError(BuildError):
    """An error that sets its exit status."""

    exit_code = 7


@pytest.mark.parametrize(
    ("ending", "status", "printed"),
    [
        (None, 0, ""),
        (3, 3, ""),
        (OddError("[red] is missing", where="here", hint="add it"), 7, "build.py odd: OddError\n[red] is missing\n"),
        (KeyboardInterrupt(), 130, "\nstopped\n"),
    ],
    ids=["nothing", "a_status", "an_error", "an_interrupt"],
)
def test_a_command_ends_with_its_status(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    ending: int | BaseException | None,
    status: int,
    printed: str,
) -> None:
    def run(given: argparse.Namespace) -> int | None:
        assert given is arguments
        if isinstance(ending, BaseException):
            raise ending
        return ending

    monkeypatch.setitem(COMMANDS, "odd", Command("odd", "", "", run))
    arguments = command_line.parse(["odd"])
    assert command_line.run(arguments) == status
    shown = capsys.readouterr().err
    assert printed in shown
    if printed:
        assert ("  where: here\n  hint:  add it\n" in shown) == isinstance(ending, OddError)


def test_sources_are_named_folders(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = command_line.parse(["build", "--source", f"tensorflow={tmp_path}", "--source", "ruy=~/ruy"])
    assert arguments.source == [("tensorflow", tmp_path), ("ruy", Path.home() / "ruy")]
    with pytest.raises(SystemExit):
        command_line.parse(["build", "--source", "tensorflow"])
    assert "'tensorflow' is not NAME=DIR" in capsys.readouterr().err
