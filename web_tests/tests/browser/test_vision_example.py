"""Pages like MediaPipe's public examples: with the unmodified @mediapipe/tasks-vision, and with this package."""

import io
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Page, Playwright

from web_tests.browsers import installed
from web_tests.browsers.installed import BrowserProgram
from web_tests.browsers.playwright_pages import PlaywrightPage
from web_tests.drivers.camera import RADIUS, RATE, SIZE, camera_flags
from web_tests.drivers.page_calls import call_script
from web_tests.drivers.vision_page import foreign_requests
from web_tests.models.hands import hands_image
from web_tests.models.recipes import image_path
from web_tests.server.server import Server
from web_tests.tests.browser.test_vision_landmarks import POSITION_TOLERANCE, SCORE_TOLERANCE

pytestmark = pytest.mark.needs("webnn")

EXPRESSIONS = 52
# A hand that stands still is followed once two frames after each other draw it alike, but for two or three pixels, by
# which MediaPipe's lines go on moving.
NEXT_FRAME = "([canvas, frames]) => document.querySelector(canvas).dataset.frames !== frames"
SAME_POSITION, SAME_PIXELS, MAX_FRAMES = 0.005, 0.02, 60


@dataclass(frozen=True)
class Drawing:
    """The box of what is drawn on a canvas, over the canvas' size, and the number of drawn pixels."""

    box: list[float]
    pixels: int


@dataclass(frozen=True)
class Face:
    """What the page shows of a face: its lines, and the list of expressions."""

    drawing: Drawing
    expressions: dict[str, float]


@dataclass(frozen=True)
class Hand:
    """What the page shows of a hand: its lines and points, its gesture with a score, and its handedness."""

    drawing: Drawing
    gesture: str
    score: float
    handedness: str


class Example:
    """A page; `foreign` are the addresses on other servers that it requested."""

    def __init__(self, page: Page, server: Server, name: str, *, own: bool, delegate: str = "") -> None:
        self.page = page
        self.foreign = foreign_requests(page, server)
        self._engine_page = PlaywrightPage(page)
        self._engine_page.open(f"{server.origin}/{name}.html{'?tflite-webnn' if own else ''}#{delegate}")
        page.wait_for_selector("body[data-ready]")

    def click_on_image(self) -> None:
        self.page.click(".detectOnClick img")

    def start_camera(self) -> None:
        self.page.bring_to_front()  # a page behind another one gets no frames
        self.page.click("#webcamButton")

    def shown(self, canvas: str, listed_in: str) -> dict[str, Any]:
        found: dict[str, Any] = call_script(self.page, "drawing", "shown", canvas, listed_in)
        return found

    def take_errors(self) -> list[str]:
        return self._engine_page.take_errors()


class FaceExample(Example):
    def on_image(self) -> Face:
        self.page.evaluate("document.querySelector('#image-blend-shapes').replaceChildren()")
        self.click_on_image()
        return self._shown(".detectOnClick canvas", "#image-blend-shapes")

    def on_camera(self) -> Face:
        self.start_camera()
        return self._shown("#output_canvas", "#video-blend-shapes")

    def _shown(self, canvas: str, expressions: str) -> Face:
        self.page.wait_for_selector(f"{expressions} li", state="attached")
        shown = self.shown(canvas, expressions)
        return Face(Drawing(shown["box"], shown["pixels"]), dict(shown["listed"]))


class HandExample(Example):
    def on_image(self) -> Hand:
        self.page.evaluate("document.querySelector('.classification').replaceChildren()")
        self.click_on_image()
        return hand_of(self._first_shown(".detectOnClick canvas", ".classification"))

    def on_camera(self) -> Hand:
        """Follow the hand before the camera until two frames show the same, and stop the camera."""
        self.start_camera()
        selectors = ("#output_canvas", "#gesture_output")
        shown = [self._first_shown(*selectors)]
        while len(shown) == 1 or not is_same_drawing(*shown[-2:]):
            assert len(shown) < MAX_FRAMES, f"the hand is not followed: {shown[-2:]}"
            self.page.wait_for_function(NEXT_FRAME, arg=["#output_canvas", shown[-1]["frames"]])
            shown.append(self.shown(*selectors))
        self.page.click("#webcamButton")
        return hand_of(shown[-1])

    def _first_shown(self, canvas: str, text: str) -> dict[str, Any]:
        self.page.wait_for_function("text => document.querySelector(text).textContent !== ''", arg=text)
        return self.shown(canvas, text)


def is_same_drawing(one: dict[str, Any], other: dict[str, Any]) -> bool:
    pixels = pytest.approx(other["pixels"], rel=SAME_PIXELS)
    return bool(one["box"] == pytest.approx(other["box"], abs=SAME_POSITION) and one["pixels"] == pixels)


def hand_of(shown: dict[str, Any]) -> Hand:
    gesture, percent, handedness = shown["text"].split(", ")
    return Hand(Drawing(shown["box"], shown["pixels"]), gesture, int(percent.removesuffix(" %")) / 100, handedness)


OpenPages = Callable[[Image.Image, int], AbstractContextManager[BrowserContext]]


@pytest.fixture(scope="module")
def before_camera(
    playwright: Playwright, webnn_program: BrowserProgram, tmp_path_factory: pytest.TempPathFactory
) -> OpenPages:
    """A function that starts a browser before a camera: the camera's image, and the radius in which it moves."""

    @contextmanager
    def opened(image: Image.Image, radius: int) -> Iterator[BrowserContext]:
        film = tmp_path_factory.mktemp("camera") / "film.y4m"
        flags = camera_flags(film, image, rate=RATE, radius=radius)
        with installed.launched(playwright, webnn_program, extra_flags=flags) as browser:
            yield browser.new_context()

    return opened


@pytest.fixture(scope="module")
def faces(before_camera: OpenPages, server: Server) -> Iterator[tuple[FaceExample, FaceExample]]:
    """The page for faces with each library, before the same camera."""
    with before_camera(Image.open(image_path("astronaut")), RADIUS) as context:
        tflite_webnn, peer = (FaceExample(context.new_page(), server, "face_example", own=own) for own in (True, False))
        yield tflite_webnn, peer
        assert tflite_webnn.foreign == []


@pytest.fixture(scope="module")
def hands(before_camera: OpenPages, server: Server) -> Iterator[tuple[HandExample, HandExample]]:
    """The page for gestures with each library, before the same camera."""
    image = io.BytesIO()
    hands_image(("back_of_hand", (128, 128))).save(image, "PNG")
    # It stands still: both see the same, whenever they look.
    with before_camera(hands_image(("back_of_hand", (192, 112)), size=SIZE), 0) as context:
        context.route("**/hand.png", lambda route: route.fulfill(body=image.getvalue(), content_type="image/png"))
        tflite_webnn = HandExample(context.new_page(), server, "gesture_example", own=True)
        # Without a GPU, MediaPipe takes up to half a minute a frame on one, and its scores differ by 0.05.
        peer = HandExample(context.new_page(), server, "gesture_example", own=False, delegate="CPU")
        yield tflite_webnn, peer
        assert tflite_webnn.foreign == []


def check_drawing(found: Drawing, expected: Drawing) -> None:
    assert found.pixels > 0
    assert found.box == pytest.approx(expected.box, abs=POSITION_TOLERANCE)
    assert found.pixels == pytest.approx(expected.pixels, rel=0.05)


def test_a_face_is_found_in_an_image(faces: tuple[FaceExample, FaceExample]) -> None:
    tflite_webnn, peer = (example.on_image() for example in faces)
    check_drawing(tflite_webnn.drawing, peer.drawing)
    # Their numbers are compared on the CPU, in test_vision_landmarks.py: on a GPU, they differ by up to 0.12.
    assert len(tflite_webnn.expressions) == EXPRESSIONS
    assert [*tflite_webnn.expressions] == [*peer.expressions]
    assert max(tflite_webnn.expressions, key=tflite_webnn.expressions.__getitem__) == max(
        peer.expressions, key=peer.expressions.__getitem__
    )


def test_an_image_is_read_after_the_camera(faces: tuple[FaceExample, FaceExample]) -> None:
    """The camera goes on while the page turns to its image and back."""
    tflite_webnn, _ = faces
    before = tflite_webnn.on_image()
    frame = tflite_webnn.on_camera()
    assert frame.drawing.pixels > 0
    assert len(frame.expressions) == EXPRESSIONS
    assert tflite_webnn.on_image().expressions == pytest.approx(before.expressions, abs=1e-4)
    assert tflite_webnn.take_errors() == []


def test_a_hand_is_found_in_an_image(hands: tuple[HandExample, HandExample]) -> None:
    tflite_webnn, peer = (example.on_image() for example in hands)
    check_drawing(tflite_webnn.drawing, peer.drawing)
    assert (tflite_webnn.gesture, tflite_webnn.handedness) == (peer.gesture, peer.handedness) == ("0", "Right")
    assert tflite_webnn.score == pytest.approx(peer.score, abs=SCORE_TOLERANCE)


def test_a_hand_is_found_before_the_camera(hands: tuple[HandExample, HandExample]) -> None:
    """The pages have not followed the hand for equally many frames: scores differ, and the first frames' lines."""
    tflite_webnn, peer = (example.on_camera() for example in hands)
    check_drawing(tflite_webnn.drawing, peer.drawing)
    assert (tflite_webnn.gesture, tflite_webnn.handedness) == (peer.gesture, peer.handedness) == ("0", "Right")
    assert hands[0].take_errors() == []


def test_no_other_server_is_contacted(
    faces: tuple[FaceExample, FaceExample], hands: tuple[HandExample, HandExample]
) -> None:
    for tflite_webnn in (faces[0], hands[0]):
        tflite_webnn.on_image()
        assert tflite_webnn.foreign == []
