"""`build.py explain` of metadata, and of `.task` bundles."""

import argparse
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tools.commands import explain as command
from tools.explain import bundles
from tools.explain.explain import print_metadata, run
from tools.explain.without_browser import Request
from web_tests.limits.saved import CHROMIUM_147
from web_tests.models import metadata
from web_tests.models.catalogue import all_models
from web_tests.models.handmade import sin_example

pytestmark = pytest.mark.needs("package")

DEEPLAB = all_models()["deeplabv3_257"]


def bundle_of(files: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    path = tmp_path / "two.task"
    path.write_bytes(
        bundle_of({"deeplab.tflite": DEEPLAB.content(), "inner.task": bundle_of({"sin.tflite": sin_example()})})
    )
    return path


def test_metadata_of_a_model_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    print_metadata(DEEPLAB.path(), json_output=False)
    text = capsys.readouterr().out
    assert "name         DeepLabV3, v1" in text
    assert "normalized by (value - 127.5) / 127.5" in text
    assert "labelmap.txt: 21 names, background, aeroplane, bicycle, bird, boat, ..." in text
    print_metadata(DEEPLAB.path(), json_output=True)
    file = json.loads(capsys.readouterr().out)
    assert file["metadata"]["outputs"][0]["labels"][0]["names"][8] == "cat"
    assert file["metadata"]["files"] == [{"name": "labelmap.txt", "sizeBytes": 141, "isCompressed": False}]


def test_the_report_begins_with_the_metadata(capsys: pytest.CaptureFixture[str]) -> None:
    run(DEEPLAB.path(), Request("simd"), limits=CHROMIUM_147, json_output=False, browser=None)
    text = capsys.readouterr().out
    assert text.startswith("name         DeepLabV3, v1")
    assert "70 nodes" in text


def test_wrong_metadata_does_not_prevent_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = metadata.schema()
    labels = schema.AssociatedFileT("labels.txt", type=schema.AssociatedFileType.TENSOR_AXIS_LABELS)
    subgraph = schema.SubGraphMetadataT(outputTensorMetadata=[schema.TensorMetadataT(associatedFiles=[labels])])
    content = schema.ModelMetadataT(subgraphMetadata=[subgraph])
    path = tmp_path / "sin.tflite"
    path.write_bytes(metadata.with_metadata(sin_example(8), content, {"labels.txt": b"a\nb\nc"}))
    run(path, Request("simd"), limits=CHROMIUM_147, json_output=False, browser=None)
    text = capsys.readouterr().out
    assert "labels.txt has 3 labels" in text
    assert "SIN" in text


def test_a_bundle_lists_its_models(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    print_metadata(bundle, json_output=False)
    text = capsys.readouterr().out
    assert text.startswith("deeplab.tflite, 2,780,051 bytes\n  name         DeepLabV3, v1\n")
    assert "inner.task, " in text
    assert "  sin.tflite, " in text


def test_models_of_bundles_are_explained(bundle: Path) -> None:
    with bundles.opened(bundle, "inner.task/sin.tflite") as path:
        assert path.read_bytes() == sin_example()
    with bundles.opened(bundle, None) as path:
        assert path == bundle
    assert bundles.is_bundle(bundle)
    assert not bundles.is_bundle(DEEPLAB.path())


def test_missing_parts_are_reported(bundle: Path, tmp_path: Path) -> None:
    with pytest.raises(bundles.BundleError, match=r"no part face\.tflite; it has 'deeplab\.tflite', 'inner\.task'"):
        bundles.opened(bundle, "face.tflite").__enter__()
    with pytest.raises(bundles.BundleError, match=r"only a \.task bundle has parts"):
        bundles.opened(DEEPLAB.path(), "face.tflite").__enter__()
    cut = tmp_path / "cut.task"
    cut.write_bytes(bundle.read_bytes()[:1000])
    with pytest.raises(bundles.BundleError, match="the zip archive is damaged"):
        bundles.opened(cut, "deeplab.tflite").__enter__()


def test_the_command_explains_a_bundle(
    bundle: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    monkeypatch.setattr("tools.making.package", lambda variants: None)
    assert command.run(parser.parse_args([str(bundle)])) == 0
    assert "inner.task" in capsys.readouterr().out
    arguments = [str(bundle), "--part", "inner.task/sin.tflite", "--limits", str(CHROMIUM_147)]
    assert command.run(parser.parse_args(arguments)) == 0
    assert "SIN" in capsys.readouterr().out
