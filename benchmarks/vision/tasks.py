"""MediaPipe's vision tasks on an image, this project's and those of the unmodified package.

Both get the same model file and the same image. The tests compare the outputs.
"""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from support.errors import BuildError
from support.npm import package_version
from tools.bench.models import Task
from tools.bench.runtimes import OWN_LIBRARY, THREADS, Runtime, npm_version
from tools.measuring.measurement import MeasuredModel
from web_tests.models import detectors, package_assets
from web_tests.models.catalogue import known_models
from web_tests.models.described_images import ImageFile, described

MEASURE = "tasks-vision/cpu"
ADAPTER = "./vision.mjs"
# No sample shows a hand: with these limits, all models run.
ANY_HAND = {"minHandDetectionConfidence": 0.02, "minHandPresenceConfidence": 0}


class UnknownTaskError(BuildError):
    """No vision task has the name that the user requested."""


@dataclass(frozen=True)
class VisionTask:
    """A class of MediaPipe's vision tasks.

    Attributes:
        name: of the class.
        method: its method for an image.
        model: returns its `.tflite` or `.task` file.
        options: of the task, besides the model.
    """

    name: str
    method: str
    model: Callable[[], bytes]
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class TasksOfAPage:
    """Several tasks, one after the other in one page."""

    name: str
    parts: Sequence[VisionTask]

    def model(self) -> bytes:
        """Return an archive of the tasks' files, each under the name of its class."""
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w") as archive:
            for task in self.parts:
                archive.writestr(task.name, task.model())
        return content.getvalue()


def all_tasks() -> list[VisionTask | TasksOfAPage]:
    """Return the tasks that both packages have, and a page with three of them."""
    landmarkers = [
        VisionTask("HandLandmarker", "detect", lambda: _bundle("hand_landmarker.task"), ANY_HAND),
        VisionTask("GestureRecognizer", "recognize", lambda: _bundle("operations.task"), ANY_HAND),
        VisionTask("PoseLandmarker", "detect", lambda: _bundle("pose_landmarker_full.task")),
    ]
    return [
        VisionTask("ImageClassifier", "classify", _classifier, {"maxResults": 3}),
        VisionTask("ImageEmbedder", "embed", lambda: described(_known("mobilenet_v2"), ImageFile(), "feature")),
        VisionTask("ImageSegmenter", "segment", _segmenter),
        VisionTask("ObjectDetector", "detect", lambda: detectors.described(detectors.ssd())),
        VisionTask("FaceDetector", "detect", lambda: _member("face_landmarker.task", "face_detector.tflite")),
        VisionTask("FaceLandmarker", "detect", lambda: _bundle("face_landmarker.task")),
        *landmarkers,
        TasksOfAPage("hands + gestures + poses", landmarkers),
    ]


def selected(names: Sequence[str]) -> list[VisionTask | TasksOfAPage]:
    """Return the tasks of these names; all without a name.

    Raises:
        UnknownTaskError: there is no such task.
    """
    by_name = {task.name: task for task in all_tasks()}
    for name in names:
        if name not in by_name:
            raise UnknownTaskError(f"no vision task is called {name}", hint=f"one of: {', '.join(by_name)}")
    return [by_name[name] for name in names] or list(by_name.values())


def all_runtimes() -> list[Runtime]:
    """Return what runs the tasks, this project's first. All are compared with the unmodified package on the CPU."""
    script = {"script": "/package/vision.mjs"}
    files = {"script": "/programs/tasks_vision/vision_bundle.mjs", "wasm": "/programs/tasks_vision/wasm"}

    def own(name: str, group: Any, **more: Any) -> Runtime:
        return Runtime(f"{OWN_LIBRARY}/{name}", group, package_version(), adapter=ADAPTER, **more)

    def peer(name: str, group: Any, delegate: str) -> Runtime:
        return Runtime(
            name,
            group,
            npm_version("@mediapipe/tasks-vision"),
            is_measure=name == MEASURE,
            adapter=ADAPTER,
            open_options={**files, "needsGpu": delegate == "GPU"},
            load_options={"delegate": delegate},
            isolated=False,
        )

    threads = {**script, "cores": 2 * THREADS}
    return [
        own("vision", "CPU, 1 thread", open_options=script, isolated=False),
        own("vision-threads", "CPU, 2 threads", open_options=threads),
        own("vision-webnn", "WebNN", open_options=script, computes_on_webnn=True),
        peer(MEASURE, "CPU, 1 thread", "CPU"),
        peer("tasks-vision/gpu", "WebGL", "GPU"),
    ]


def task_of(vision_task: VisionTask | TasksOfAPage) -> Task:
    """Return a task as benchmarks and loading measurements see it: without inputs and expected outputs."""
    model = MeasuredModel(vision_task.name, vision_task.model())
    return Task(model, (), (), (), (), (), "the tests compare the outputs", 0, {"tflite": model.content})


def runtime_of(runtime: Runtime, task: VisionTask | TasksOfAPage) -> Runtime:
    """Return a runtime that runs a task."""
    suffix = "Async" if runtime.computes_on_webnn else ""
    tasks = [
        {"name": one.name, "method": one.method + suffix, "options": dict(one.options)}
        for one in (task.parts if isinstance(task, TasksOfAPage) else [task])
    ]
    options = {**runtime.load_options, "tasks": tasks, "isArchive": isinstance(task, TasksOfAPage)}
    return replace(runtime, load_options=options)


def _known(name: str) -> bytes:
    return known_models()[name].content()


def _classifier() -> bytes:
    return described(_known("mobilenet_v2"), ImageFile(labels={"": [f"thing {index}" for index in range(1000)]}))


def _segmenter() -> bytes:
    return described(_known("selfie_segmentation"), ImageFile(0, 255), "segmentation_masks")


def _bundle(name: str) -> bytes:
    return package_assets.path_of("programs", name).read_bytes()


def _member(bundle: str, name: str) -> bytes:
    return zipfile.ZipFile(io.BytesIO(_bundle(bundle))).read(name)
