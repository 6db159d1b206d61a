"""A fake camera before a moving image, and a task of tflite-webnn/vision that works on its frames."""

import io
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Playwright

from web_tests.browsers import installed
from web_tests.browsers.installed import BrowserProgram
from web_tests.browsers.process_memory import MemoryProbe, MemorySample
from web_tests.drivers.harness import Harness
from web_tests.models.recipes import image_path
from web_tests.server.server import Server

SIZE = (640, 480)
# The image circles once in so many frames, this far from the middle. MediaPipe and we lose a face for one frame if
# it moves 24 pixels or more in between, so frames of the two pages are closer: a page may stall for half a circle.
ROUND_FRAMES, RADIUS = 60, 8
RATE = 30


@dataclass(frozen=True)
class CameraTask:
    """A task in VIDEO mode.

    Attributes:
        name: of its class.
        model: address of its file.
        method: its method for frames; one that returns a promise runs on WebNN.
        found: the member of its result with a row for each found thing.
        options: of the task.
    """

    name: str
    model: str
    method: str
    found: str
    options: Mapping[str, Any]


@dataclass(frozen=True)
class CameraFrame:
    """A frame: its `number` among those that the browser presented, the time of the work on it, what it shows."""

    number: int
    ms: float
    found: int


@dataclass(frozen=True)
class CameraWindow:
    """Frames one after the other, and the memory after them."""

    frames: Sequence[CameraFrame]
    memory: MemorySample


class Camera:
    """A page with a camera and a task; `rate` is in frames per second."""

    def __init__(self, harness: Harness, probe: MemoryProbe, task: CameraTask) -> None:
        self._harness, self._probe, self._task = harness, probe, task
        self.rate: float = self._call("open", {"name": task.name, "model": task.model, "options": dict(task.options)})

    def window(self, seconds: float) -> CameraWindow:
        """Work on the frames of some seconds."""
        arguments = {"method": self._task.method, "found": self._task.found, "seconds": seconds}
        frames = [CameraFrame(**row) for row in self._call("run", arguments)]
        return CameraWindow(frames, self._probe.sample())

    def close(self) -> None:
        self._call("close", {})

    def _call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        function = "async ([name, args]) => (await import('/camera.mjs'))[name](args)"
        return self._harness.page.evaluate(function, [name, dict(arguments)])


@contextmanager
def camera(
    playwright: Playwright,
    program: BrowserProgram,
    server: Server,
    task: CameraTask,
    directory: Path,
    *,
    rate: int = RATE,
) -> Iterator[Camera]:
    """Start a browser with a fake camera and a task for a with-block; the camera's film is written to a directory.

    `rate` is in frames per second.
    """
    flags = camera_flags(directory / "film.y4m", Image.open(image_path("astronaut")), rate=rate)
    with installed.launched(playwright, program, extra_flags=flags) as browser:
        page = browser.new_page()
        opened = Camera(Harness(page, server), MemoryProbe(browser, page.context.new_cdp_session(page)), task)
        yield opened
        opened.close()


def camera_flags(film: Path, image: Image.Image, *, rate: int, radius: int = RADIUS) -> tuple[str, ...]:
    """Write a film, and return the flags with which Chromium shows it as a camera's, without asking the user.

    Args:
        film: the file to write.
        image: what the film shows.
        rate: frames per second.
        radius: of the circle in which the image moves, in pixels; 0 if it remains in the middle.
    """
    film.write_bytes(moving_image(image, rate, radius))
    return (
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    )


def moving_image(image: Image.Image, rate: int, radius: int) -> bytes:
    """Return a film of an image that moves in a circle, as YUV4MPEG2 with halved colours.

    Chromium uses its rate; frames in JPEG files are always 30 per second.
    """
    film = io.BytesIO(f"YUV4MPEG2 W{SIZE[0]} H{SIZE[1]} F{rate}:1 Ip A1:1 C420\n".encode())
    film.seek(0, io.SEEK_END)
    for number in range(ROUND_FRAMES):
        angle = 2 * math.pi * number / ROUND_FRAMES
        frame = Image.new("RGB", SIZE)
        left = (SIZE[0] - image.width) // 2 + round(radius * math.cos(angle))
        top = round(radius * math.sin(angle))
        frame.paste(image.convert("RGB"), (left, top))
        bright, *colours = frame.convert("YCbCr").split()
        film.write(b"FRAME\n" + bright.tobytes() + b"".join(plane.reduce(2).tobytes() for plane in colours))
    return film.getvalue()


def missed_frames(frames: Sequence[CameraFrame], rate: float) -> int:
    """Return how many frames were presented while no work was done, and yet not worked on.

    Args:
        frames: of one window.
        rate: frames per second of the camera.
    """
    missed = 0
    for before, after in itertools.pairwise(frames):
        skipped = after.number - before.number - 1
        missed += max(0, skipped - math.ceil(before.ms * rate / 1000))
    return missed
