"""The models that a tool measures: the user's files, known names, or the tool's own choice."""

from pathlib import Path

import pytest

from tools.measuring.measurement import MeasuredModel, ModelFileError, load_models
from web_tests.models import catalogue
from web_tests.models.catalogue import Model
from web_tests.models.recipes import WavesInput


@pytest.fixture(autouse=True)
def models(monkeypatch: pytest.MonkeyPatch) -> dict[str, Model]:
    known = {name: Model(name, None, WavesInput(0, 1), nodes=1, webnn_nodes=1) for name in ("first", "second")}
    monkeypatch.setattr(catalogue, "known_models", lambda: known)
    monkeypatch.setattr(Model, "content", lambda model: model.name.encode())
    return known


def test_measured_models_are_files_or_known_names(models: dict[str, Model], tmp_path: Path) -> None:
    file = tmp_path / "own.tflite"
    file.write_bytes(b"own")
    found = load_models([file, Path("second")], ["first"])
    assert found == [MeasuredModel("own.tflite", b"own"), MeasuredModel("second", b"second", models["second"])]


def test_without_names_all_models_are_measured(models: dict[str, Model]) -> None:
    assert load_models([], ["first"]) == [MeasuredModel("first", b"first", models["first"])]


def test_a_file_that_cannot_be_read() -> None:
    with pytest.raises(ModelFileError, match="cannot read the model file"):
        load_models([Path("third")], ["first"])
