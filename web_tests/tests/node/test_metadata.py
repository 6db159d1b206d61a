"""What the package reads of models' metadata is what TFLite's and MediaPipe's own classes read of it."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.npm import find_node
from web_tests.models import catalogue, metadata
from web_tests.models.handmade import sin_example
from web_tests.tests.node.programs import call_in_node

IN_NODE = pytest.mark.needs("package")

texts = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
label_names = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0\n\r"), min_size=1, max_size=8)
floats = st.floats(-(2**20), 2**20, width=32)
positive = st.floats(min_value=2**-10, max_value=2**10, width=32)


def read(file: Path, how: str = "read") -> Any:
    """Return what a function of scripts/metadata.mjs reads of a file or a directory."""
    return call_in_node(str(find_node()), "metadata", how, file)


@IN_NODE
@pytest.mark.parametrize(("name", "label_count"), [("efficientnet_lite0_int8", 1000), ("deeplabv3_257", 21)])
def test_the_metadata_of_real_models_are_what_tflites_classes_read(name: str, label_count: int, tmp_path: Path) -> None:
    content = catalogue.all_models()[name].content()
    found = read(_written(tmp_path, content))
    check_same(found, content)
    assert len(found["outputs"][0]["labels"][0]["names"]) == label_count
    assert {name: bytes(values) for name, values in found["files"].items()} == metadata.read_files(content)


@IN_NODE
def test_a_model_without_metadata_has_null(tmp_path: Path) -> None:
    assert read(_written(tmp_path, sin_example())) is None


@IN_NODE
def test_service_workers_are_told_what_reads_metadata_there(tmp_path: Path) -> None:
    for code, message in read(_written(tmp_path, sin_example()), "readAlone"):
        assert code == "PACKAGE_FILE_MISSING"
        assert "Service workers cannot load it: import tflite-webnn/metadata there." in message


@IN_NODE
def test_mediapipes_metadata_of_detectors_and_segmenters_are_read(tmp_path: Path) -> None:
    detectors = metadata.schema("object_detector_metadata_schema")
    segmenters = metadata.schema("image_segmenter_metadata_schema")
    anchor = detectors.FixedAnchorT(0.5, 0.25, 1.0, 2.0)
    anchors = detectors.SsdAnchorsOptionsT(detectors.FixedAnchorsSchemaT([anchor]))
    decoding = detectors.TensorsDecodingOptionsT(90, 1, 18, 4, 6, 2, 10.0, 20.0, 5.0, 6.0, True, True)
    detector = detectors.ObjectDetectorOptionsT("1.0.0", anchors, decoding)
    segmenter = segmenters.ImageSegmenterOptionsT(segmenters.Activation.SIGMOID)
    schema = metadata.schema()
    rows = {"DETECTOR_METADATA": detector, "SEGMENTER_METADATA": segmenter}
    custom = [schema.CustomMetadataT(name, list(metadata.packed(row, b"V001"))) for name, row in rows.items()]
    model = schema.ModelMetadataT(subgraphMetadata=[schema.SubGraphMetadataT(customMetadata=custom)])
    found = read(_written(tmp_path, metadata.with_metadata(sin_example(), model, {})))
    assert found["detector"] == {
        "anchors": [{"xCenter": 0.5, "yCenter": 0.25, "width": 1.0, "height": 2.0}],
        "decoding": vars(decoding),
    }
    assert found["segmenter"]["activation"] == "SIGMOID"


@IN_NODE
def test_random_metadata_of_tflites_classes_are_read(tmp_path: Path) -> None:
    """Draw metadata, write it by TFLite's classes, and compare what is read; one process reads all."""
    models: list[bytes] = []

    @settings(max_examples=60, deadline=None, database=None, derandomize=True)
    @given(st.data())
    def draw(data: st.DataObject) -> None:
        models.append(random_model(data))

    draw()
    for index, content in enumerate(models):
        (tmp_path / f"{index:03}.tflite").write_bytes(content)
    found = read(tmp_path, "readAll")
    assert len(found) == len(models)
    for row, content in zip(found, models, strict=True):
        check_same(row, content)


def random_model(data: st.DataObject) -> bytes:
    schema = metadata.schema()
    text = st.none() | texts

    def file(kind: int, name: str) -> Any:
        return schema.AssociatedFileT(name, data.draw(text), kind, data.draw(text), data.draw(text))

    kinds = schema.AssociatedFileType
    labels = [file(kinds.TENSOR_AXIS_LABELS, name) for name in data.draw(st.lists(st.sampled_from("abc"), unique=True))]
    count = data.draw(st.integers(1, 4))
    normalization = schema.NormalizationOptionsT(
        data.draw(st.lists(floats, min_size=1, max_size=1)), data.draw(st.lists(positive, min_size=1, max_size=1))
    )
    threshold = schema.ScoreThresholdingOptionsT(data.draw(floats))
    content = data.draw(st.sampled_from([_image(schema, count), _box(schema, count), None]))
    tensors = [
        schema.TensorMetadataT(
            data.draw(text), data.draw(text), data.draw(st.lists(texts, max_size=4)), content, units, stats, files
        )
        for units, stats, files in [
            ([schema.ProcessUnitT(schema.ProcessUnitOptions.NormalizationOptions, normalization)], None, []),
            (
                [schema.ProcessUnitT(schema.ProcessUnitOptions.ScoreThresholdingOptions, threshold)],
                schema.StatsT(data.draw(st.lists(floats, max_size=3)), data.draw(st.lists(floats, max_size=3))),
                labels,
            ),
        ]
    ]
    groups = [schema.TensorGroupT(data.draw(text), data.draw(st.lists(texts, max_size=2)))]
    subgraph = schema.SubGraphMetadataT(
        inputTensorMetadata=tensors[:1], outputTensorMetadata=tensors[1:], inputTensorGroups=groups
    )
    model = schema.ModelMetadataT(
        data.draw(text),
        data.draw(text),
        data.draw(text),
        [subgraph],
        data.draw(text),
        data.draw(text),
        [],
        data.draw(text),
    )
    files = {row.name: "\n".join(data.draw(st.lists(label_names, min_size=8, max_size=8))).encode() for row in labels}
    return metadata.with_metadata(sin_example(8), model, files, compressed=data.draw(st.booleans()))


def _image(schema: Any, size: int) -> Any:
    properties = schema.ImagePropertiesT(schema.ColorSpaceType.RGB, schema.ImageSizeT(size, 2 * size))
    return schema.ContentT(schema.ContentProperties.ImageProperties, properties, schema.ValueRangeT(-size, size))


def _box(schema: Any, size: int) -> Any:
    kinds = schema.BoundingBoxType
    properties = schema.BoundingBoxPropertiesT([size, 0, 3, 2], kinds.CENTER, schema.CoordinateType.PIXEL)
    return schema.ContentT(schema.ContentProperties.BoundingBoxProperties, properties)


def check_same(found: dict[str, Any], content: bytes) -> None:
    """Compare what the package reads with what TFLite's classes read."""
    model = metadata.read_metadata(content)
    for name in ("name", "description", "version", "author", "license", "minParserVersion"):
        assert found[name] == _text(getattr(model, name)), name
    subgraph = model.subgraphMetadata[0]
    for kind, rows in (("inputs", subgraph.inputTensorMetadata), ("outputs", subgraph.outputTensorMetadata)):
        assert len(found[kind]) == len(rows or [])
        for tensor, row in zip(found[kind], rows or [], strict=True):
            check_tensor(tensor, row, metadata.read_files(content))
    groups = [
        {"name": _text(row.name), "tensorNames": _texts(row.tensorNames)} for row in subgraph.inputTensorGroups or []
    ]
    assert found["inputGroups"] == groups


def check_tensor(found: dict[str, Any], row: Any, files: dict[str, bytes]) -> None:
    schema = metadata.schema()
    assert found["name"] == _text(row.name)
    assert found["description"] == _text(row.description)
    assert found["dimensionNames"] == _texts(row.dimensionNames)
    kinds = {value: name for name, value in vars(schema.AssociatedFileType).items() if not name.startswith("_")}
    expected = [
        {
            "name": _text(file.name),
            "description": _text(file.description),
            "type": kinds[file.type],
            "locale": _text(file.locale),
            "version": _text(file.version),
        }
        for file in row.associatedFiles or []
    ]
    assert found["associatedFiles"] == expected
    for labels in found["labels"]:
        assert labels["names"] == files[labels["file"]].decode().rstrip("\n").split("\n")
    units = {type(unit.options).__name__: unit.options for unit in row.processUnits or []}
    normalization = units.get("NormalizationOptionsT")
    assert found["normalization"] == (
        {"mean": list(normalization.mean), "std": list(normalization.std)} if normalization else None
    )
    threshold = units.get("ScoreThresholdingOptionsT")
    assert found["scoreThreshold"] == (threshold.globalScoreThreshold if threshold else None)
    if row.stats:
        assert found["stats"] == {"min": _numbers(row.stats.min), "max": _numbers(row.stats.max)}
    check_content(found, row.content)


def check_content(found: dict[str, Any], content: Any) -> None:
    properties = content.contentProperties if content else None
    if properties is None:
        assert found["content"] is None
        return
    assert found["content"]["kind"] == type(properties).__name__.removesuffix("T")
    if found["content"]["kind"] == "ImageProperties":
        size = properties.defaultSize
        assert found["content"]["defaultSize"] == (vars(size) if size else None)
    if found["content"]["kind"] == "BoundingBoxProperties":
        assert found["content"]["index"] == _numbers(properties.index)
        assert (found["content"]["type"], found["content"]["coordinateType"]) == ("CENTER", "PIXEL")
    assert found["valueRange"] == (vars(content.range) if content.range else None)


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode()


def _texts(values: list[bytes] | None) -> list[str]:
    return [value.decode() for value in values or []]


def _numbers(values: Any) -> list[float]:
    return [] if values is None else list(values)


def _written(directory: Path, content: bytes) -> Path:
    file = directory / "model.tflite"
    file.write_bytes(content)
    return file
