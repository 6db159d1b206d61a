"""The benchmark of vision tasks, and the tables of the documents for those who switch."""

import io
import zipfile
from functools import partial
from pathlib import Path

import pytest

from benchmarks.vision import tasks as vision
from benchmarks.vision.tasks import TasksOfAPage, UnknownTaskError, VisionTask
from support.marked_text import MissingMarkError
from tools import citation, result_file
from tools.bench import runtimes
from tools.bench.runtimes import Runtime
from tools.bench.switch_documents import BEGIN, BEGIN_FEATURES, END, END_FEATURES, SwitchDocument
from tools.bench.switch_features import FeatureRowError, Features, features
from tools.tests.test_bench import FAST, SLOW, a_result


def test_tasks_are_selected_by_name() -> None:
    assert [task.name for task in vision.selected(["PoseLandmarker", "ImageClassifier"])] == [
        "PoseLandmarker",
        "ImageClassifier",
    ]
    assert len(vision.selected([])) == 10


def test_an_unknown_task_is_rejected() -> None:
    with pytest.raises(UnknownTaskError, match="Holistic") as caught:
        vision.selected(["Holistic"])
    assert "FaceLandmarker" in (caught.value.hint or "")


def test_a_task_on_webnn_calls_the_method_with_a_promise() -> None:
    (task,) = vision.selected(["ImageSegmenter"])
    webnn, cpu = Runtime("a/webnn", "WebNN", "", computes_on_webnn=True), FAST
    methods = [vision.runtime_of(runtime, task).load_options["tasks"][0]["method"] for runtime in (webnn, cpu)]
    assert methods == ["segmentAsync", "segment"]


def test_the_tasks_of_a_page_come_from_one_archive() -> None:
    content = {"A": b"first", "B": b"second"}
    parts = [VisionTask(name, "detect", partial(content.__getitem__, name)) for name in content]
    page = TasksOfAPage("a page", parts)
    options = vision.runtime_of(FAST, page).load_options
    assert (options["isArchive"], [task["name"] for task in options["tasks"]]) == (True, ["A", "B"])
    with zipfile.ZipFile(io.BytesIO(page.model())) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == content


def test_without_the_measure_of_a_group_the_first_own_runtime_is_it() -> None:
    own = Runtime("tflite-webnn/litert-wasm", "CPU, 1 thread", "1")
    assert runtimes.measures([own, SLOW]) == {"CPU, 1 thread": own}
    assert runtimes.measures([own, FAST, SLOW]) == {"CPU, 1 thread": FAST}
    assert runtimes.measures([SLOW]) == {}


@pytest.fixture
def document(tmp_path: Path) -> SwitchDocument:
    result_file.write(a_result(), tmp_path / "result.json")
    own = f"before\n{citation.line(a_result())}\n{BEGIN_FEATURES}\nold\n{END_FEATURES}\n{BEGIN}\nold\n{END}\nafter\n"
    (tmp_path / "page.md").write_text(own)
    found = Features("@litertjs/core", "tflite-webnn", ["Both", "Two"], [], ["Own"], [("speed", "slow", "fast")])
    return SwitchDocument(tmp_path / "page.md", found, tmp_path / "result.json", "tflite-webnn")


def test_tables_have_a_column_for_each_runtime_after_its_measure(document: SwitchDocument) -> None:
    document.write()
    text = document.file.read_text()
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "old" not in text
    lines = text.splitlines()
    assert "| a run | `tflite-webnn/simd` | `litert.js/wasm` |" in lines
    assert "| a_model | 2.2 | 1.1 (0.50) |" in lines
    assert "| median of the ratios |  | 0.50 |" in lines
    assert document.text() == text


def test_a_document_without_a_section_is_rejected(document: SwitchDocument) -> None:
    document.file.write_text("no marks")
    with pytest.raises(MissingMarkError, match="Features"):
        document.text()


def test_features_begin_with_what_the_packages_export(document: SwitchDocument) -> None:
    lines = document.text().splitlines()
    start = lines.index("| `Both`, `Two` | yes | yes |")
    assert lines[start + 1 : start + 4] == ["| `Own` | no | yes |", "| speed | slow | fast |", ""]
    assert (document.features.of_peer, document.features.of_package) == ({"Both", "Two"}, {"Both", "Two", "Own"})


def test_a_feature_needs_three_cells(tmp_path: Path) -> None:
    registry = tmp_path / "features.toml"
    registry.write_text('[vision]\nboth = []\nonly_peer = []\nonly_here = []\nrows = [["speed", "slow"]]\n')
    with pytest.raises(FeatureRowError, match="2 cells"):
        features("vision", registry)
