"""A model file's metadata, read by JavaScript's package in Node."""

from pathlib import Path

import pytest
from tflite_webnn import MetadataError, ModelError, labels_for, read_model_metadata

from pyodide_pkg.tests.node_backend import NodeBackend
from web_tests.models import metadata
from web_tests.models.handmade import sum_of_two
from web_tests.models.text_models import LABELS, word_classifier


def described() -> bytes:
    """Return a model with labels in two languages, a normalization and a score threshold."""
    schema = metadata.schema()
    units, kind = schema.ProcessUnitOptions, schema.AssociatedFileType.TENSOR_AXIS_LABELS
    rows = [schema.AssociatedFileT(f"{name}.txt", type=kind, locale=name) for name in ("en", "de")]
    normalization = schema.ProcessUnitT(units.NormalizationOptions, schema.NormalizationOptionsT([127.5], [64.0]))
    threshold = schema.ProcessUnitT(units.ScoreThresholdingOptions, schema.ScoreThresholdingOptionsT(0.25))
    subgraph = schema.SubGraphMetadataT(
        inputTensorMetadata=[schema.TensorMetadataT("a", processUnits=[normalization]), schema.TensorMetadataT("b")],
        outputTensorMetadata=[schema.TensorMetadataT("sum", associatedFiles=rows, processUnits=[threshold])],
    )
    files = {"en.txt": b"cat\ndog", "de.txt": b"Katze\nHund"}
    model = schema.ModelMetadataT("sums", version="2", author="us", subgraphMetadata=[subgraph])
    return metadata.with_metadata(sum_of_two("float32", (1, 2)), model, files)


def test_metadata_has_all_that_the_file_says(node: NodeBackend, tmp_path: Path) -> None:
    file = tmp_path / "model.tflite"
    file.write_bytes(described())
    found = read_model_metadata(str(file))
    assert found == read_model_metadata(model_content=described())
    assert found is not None
    assert (found.name, found.version, found.author, found.license) == ("sums", "2", "us", None)
    assert found.files == ("en.txt", "de.txt")
    image, other = found.inputs
    assert (image.name, image.mean, image.std) == ("a", (127.5,), (64.0,))
    assert (other.mean, other.std, other.labels) == ((), (), ())
    (scores,) = found.outputs
    assert scores.score_threshold == 0.25
    assert labels_for(scores) == labels_for(scores, "fr") == ("cat", "dog")
    assert labels_for(scores, "de") == ("Katze", "Hund")
    assert labels_for(other) is None
    assert found.values["outputs"][0]["labels"][1]["file"] == "de.txt"


def test_a_tokenizer_names_its_vocabularies(node: NodeBackend) -> None:
    found = read_model_metadata(model_content=word_classifier())
    assert found is not None
    assert labels_for(found.outputs[0]) == LABELS
    assert found.inputs[0].values["tokenizer"]["vocabularies"] == ["vocab.txt"]


def test_files_without_metadata_return_none_or_say_why(node: NodeBackend) -> None:
    assert read_model_metadata(model_content=sum_of_two()) is None
    with pytest.raises(ModelError, match="not a TFLite model"):
        read_model_metadata(model_content=b"something else")
    with pytest.raises(ModelError, match="Could not open"):
        read_model_metadata("missing.tflite")
    with pytest.raises(ValueError, match="must be specified"):
        read_model_metadata()


def test_metadata_that_contradicts_the_model_is_an_error(node: NodeBackend) -> None:
    with pytest.raises(MetadataError, match="has 1 labels"):
        read_model_metadata(model_content=word_classifier(labels="only one"))
    with pytest.raises(MetadataError, match="damaged"):
        read_model_metadata(model_content=described().replace(b"PK\x03\x04", b"XXXX"))
