"""The command line of build.py, without running commands."""

from pathlib import Path

import pytest

from tools import command_line
from tools.registry import COMMANDS, Command, register
from tools.support.paths import PROJECT_DIR


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


def test_only_the_tests_take_arguments_of_others() -> None:
    assert command_line.parse(["test", "-k", "softmax"]).rest == ["-k", "softmax"]
    with pytest.raises(SystemExit):
        command_line.parse(["limits", "--out", "limits.json", "-k", "softmax"])
