"""Descriptions of models, with a fake Node."""

from pathlib import Path

import pytest

from support.tests.fake_programs import FakePrograms
from wasm.toolchain import description
from wasm.toolchain.description import DescriptionError


def test_a_module_that_hangs_is_stopped_with_an_error(programs: FakePrograms, monkeypatch: pytest.MonkeyPatch) -> None:
    programs.make("node", "exec sleep 30")
    monkeypatch.setattr(description, "TIMEOUT_SECONDS", 0.1)
    monkeypatch.setattr(description, "TIMEOUT_SECONDS_PER_ARGUMENT", 0.1)
    with pytest.raises(DescriptionError, match=r"describe_models\.mjs took longer than 0\.3 s") as caught:
        description.describe_model(Path("model.tflite"), {})
    assert caught.value.code == "CRASHED"


def test_a_module_that_crashes_is_an_error_with_its_text(programs: FakePrograms) -> None:
    programs.make("node", "echo unreachable >&2; exit 1")
    with pytest.raises(DescriptionError, match=r"describe_models\.mjs exited with 1: unreachable"):
        description.describe_model(Path("model.tflite"), {})
