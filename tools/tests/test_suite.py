"""Which engines may be missing."""

from __future__ import annotations

import pytest

from tools import suite
from tools.commands import test as test_command
from tools.registry import COMMANDS
from web_tests.browsers.engines import CHROMIUM_SELENIUM, ENGINES


@pytest.mark.parametrize(
    ("engine", "environment", "may_be_missing"),
    [
        ("firefox", {}, True),
        ("firefox", {"CI": "true"}, False),
        ("firefox", {"CI": "true", suite.ALLOW_MISSING_VARIABLE: "webkitgtk,firefox"}, True),
        ("webnn", {}, False),
        ("webnn", {suite.ALLOW_MISSING_VARIABLE: "webnn"}, True),
    ],
)
def test_an_engine_may_be_missing(
    engine: str, environment: dict[str, str], may_be_missing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CI", suite.ALLOW_MISSING_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert suite.may_be_missing(engine) == may_be_missing


def test_the_names_are_those_of_the_engines() -> None:
    assert test_command.ENGINE_NAMES == suite.ENGINE_NAMES
    assert sorted(suite.ENGINE_NAMES[1:]) == sorted(engine.name for engine in (*ENGINES, CHROMIUM_SELENIUM))
    assert "test" in COMMANDS
