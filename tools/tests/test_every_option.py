"""Each option of each command that users run changes what the command does: the command runs, on recorders.

The tests of tier `all` run the commands for real; test_selected_module.py compiles what `build` may leave out.
"""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tools.commands import COMMANDS
from tools.tests.test_documented_commands import tool, tools
from web_tests.models import handmade

# What takes long or changes the machine.
RECORDED = (
    *(f"tools.making.{name}" for name in ("bundle", "for_browser", "package", "wheel")),
    *(f"web_tests.browsers.setup.{name}" for name in ("prepare", "prepare_engines")),
    "tools.bench.command.run",
    *(f"tools.explain.explain.{name}" for name in ("print_memory_plan", "print_metadata", "run")),
    "tools.demo.demo.run",
    "tools.doctor.report",
    "tools.explain.check.run",
    "tools.jupyterlite_site.build",
    "tools.kernel_tests.command.run",
    "tools.lint.lint",
    "tools.profile.command.run",
    "tools.programs.tool.run",
    "tools.suite.running.run",
    "tools.suite.running.update_goldens",
    "tools.commands.serve.make_site",
    "support.npm.run_script",
    "tools.probe.report.run",
    "tools.probe.workaround_trials.show",
    "wasm.toolchain.build.build",
    "wasm.toolchain.reproducible.check",
    "web_tests.models.handmade.sin_example",
)
# What README.md and the guides name; the tests of tier `unit` of the others run them with fakes of their own.
USERS = (
    *("bench", "build", "check", "demo", "docs", "doctor", "explain", "lint", "profile", "pyodide", "serve", "test"),
    *("tools.kernel_tests", "tools.probe", "tools.programs"),
)
ALL = {**COMMANDS, **{name: tool(name) for name in tools()}}
NAMED = {name: ALL[name] for name in USERS}
# What a command needs besides the option: its arguments, or what the option is about.
BASES = {
    "check": ["MODEL"],
    "explain": ["MODEL"],
    "profile": ["MODEL"],
    "tools.programs": ["benchmark_model"],
}
VALUES = {
    "--delegate-options": ['{"maxPartitions": 1}'],
    "--model": ["MODEL"],
    "--ops": ["CONV_2D"],
    "--source": ["ruy=MODEL"],
    "--variant": ["relaxed-simd"],
}


def actions(command: str) -> list[argparse.Action]:
    parser = argparse.ArgumentParser(add_help=False)
    NAMED[command].add_options(parser)
    return [action for action in parser._actions if action.option_strings]


def value_of(action: argparse.Action) -> list[str]:
    """Return a value that is not the default."""
    if action.nargs == 0:
        return []
    if action.option_strings[0] in VALUES:
        return VALUES[action.option_strings[0]]
    if action.choices is not None:
        return [next(choice for choice in action.choices if choice != action.default)]
    return ["3"] if action.type in (int, float) else ["name"]


@pytest.fixture
def calls_of(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[list[str]], list[str]]:
    """Runs a command line and returns what it calls of RECORDED."""
    calls: list[str] = []
    model = tmp_path / "model.tflite"
    model.write_bytes(handmade.sin_example())

    def recorder(name: str) -> Callable[..., Any]:
        def record(*args: object, **options: object) -> Any:
            calls.append(f"{name}{args}{sorted(options.items(), key=str)}")
            return b"" if name.endswith("sin_example") else 0

        return record

    @contextmanager
    def opened(*args: object, **options: object) -> Iterator[Any]:
        recorder("opened")(*args, **options)
        yield model

    for name in RECORDED:
        monkeypatch.setattr(name, recorder(name))
    monkeypatch.setattr("tools.suite.running.needs", lambda *_, **__: frozenset())
    monkeypatch.setattr("tools.explain.bundles.opened", opened)
    monkeypatch.setattr("web_tests.server.server.Server", FakeServer)
    monkeypatch.setattr(FakeServer, "record", staticmethod(recorder("Server")), raising=False)

    def run(words: list[str]) -> list[str]:
        calls.clear()
        provided = [word.replace("MODEL", str(model)) for word in words]
        monkeypatch.chdir(tmp_path)
        command, parser = NAMED[provided[0]], argparse.ArgumentParser()
        command.add_options(parser)
        arguments, arguments.remainder = parser.parse_args(provided[1:]), []
        assert not command.run(arguments)
        return list(calls)

    return run


class FakeServer:
    """A server that ends immediately."""

    origin = "http://127.0.0.1"
    record: Callable[..., Any]

    def __init__(self, *args: object, **options: object) -> None:
        FakeServer.record(*args[1:], **options)

    def __enter__(self) -> "FakeServer":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def wait(self) -> None:
        pass


OPTIONS = [(name, action) for name in NAMED for action in actions(name)]


@pytest.mark.parametrize(
    ("command", "action"), OPTIONS, ids=[f"{name} {action.option_strings[0]}" for name, action in OPTIONS]
)
def test_an_option_changes_what_is_done(
    command: str, action: argparse.Action, calls_of: Callable[[list[str]], list[str]]
) -> None:
    option = action.option_strings[0]
    base = BASES.get(f"{command} {option}", BASES.get(command, []))
    assert calls_of([command, option, *value_of(action), *base]) != calls_of([command, *base])


def test_many_options_are_known() -> None:
    assert {"build", "check", "demo", "explain", "serve", "tools.kernel_tests", "tools.programs"} <= set(NAMED)
    assert len(OPTIONS) > 60
