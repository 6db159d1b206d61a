"""The benchmark of vision tasks, and its table in the guide for those who switch."""

import io
import zipfile
from functools import partial

import pytest

from benchmarks.vision import document
from benchmarks.vision import tasks as vision
from benchmarks.vision.tasks import TasksOfAPage, UnknownTaskError, VisionTask
from tools.bench import runtimes
from tools.bench.runtimes import Runtime
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


def test_the_table_has_a_column_for_each_runtime_after_its_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MEASURE", FAST.name)
    lines = document.text(a_result()).splitlines()
    assert "| a run | `tflite-webnn/simd` | `litert.js/wasm` |" in lines
    assert "| a_model | 2.2 | 1.1 (0.50) |" in lines
    assert "| median of the ratios |  | 0.50 |" in lines
