"""The demos in a browser with WebNN: correct results on WebNN, on the polyfill and on the CPU."""

import io
import wave

import numpy as np
import pytest
from playwright.sync_api import Browser, Playwright

from web_tests.browsers import chromium_flags, installed
from web_tests.browsers.installed import BrowserProgram
from web_tests.models.recipes import image_path
from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.demo_page import IN_VIEW, PAGES, RAN, RAN_ON, DemoPage, demo
from web_tests.tests.site.test_every_page import AXE, OVERFLOW_PIXELS, SETTLE_COLOURS, VIOLATIONS
from web_tests.tests.site.visit import PHONE, drop, visiting

EXECUTIONS = ("webnn", "polyfill-tflite", "cpu")
# A camera with a test pattern, and a visitor who allows it.
FAKE_CAMERA_FLAG = "--use-fake-device-for-media-stream"
ALLOWED_FLAG = "--use-fake-ui-for-media-stream"
# Tolerance to positions read off the sample by eye, in pixels.
TOLERANCE_PIXELS = 8

WATCH_LONG_TASKS = """() => {
    self.longTasksMs = [];
    new PerformanceObserver((list) => self.longTasksMs.push(...list.getEntries().map(({ duration }) => duration)))
        .observe({ type: 'longtask' });
}"""


def check_page(page: DemoPage) -> None:
    """Check a page with a result."""
    page.page.evaluate(AXE.read_text(encoding="utf-8"))
    page.page.evaluate(SETTLE_COLOURS)
    assert page.page.evaluate(VIOLATIONS) == []
    assert page.page.evaluate(OVERFLOW_PIXELS) <= 0


def near(position: tuple[float, float], x: float, y: float) -> bool:
    return abs(position[0] - x) <= TOLERANCE_PIXELS and abs(position[1] - y) <= TOLERANCE_PIXELS


def test_the_classification_demo_names_what_images_show(webnn_browser: Browser, site: ServedSite) -> None:
    with demo(webnn_browser, site, "demo-classification") as page:
        page.choose_sample("chelsea")
        for execution in EXECUTIONS:
            assert "Cat: Egyptian cat" in page.compute_on(execution)
            assert {"Egyptian cat", "tiger cat", "tabby"} <= {row[0] for row in page.rows()}
            assert {"Loading", "First inference"} <= page.figures().keys()
        page.page.wait_for_selector("dt:text('Median')")
        check_page(page)


def test_the_detection_demo_draws_boxes(webnn_browser: Browser, site: ServedSite) -> None:
    with demo(webnn_browser, site, "demo-detection") as page:
        for execution in EXECUTIONS:
            assert "Astronaut: face 9" in page.compute_on(execution)
            [[label, _, box]] = page.rows()
            left, top, width, height = (int(number) for number in box.split(", "))
            assert label == "face"
            assert left < 167 < left + width  # the tip of the nose
            assert top < 97 < top + height
        check_page(page)
        page.choose_sample("chelsea")
        page.says("ready", "Cat: nothing found")
        assert page.page.locator("#results table").count() == 0


def test_the_segmentation_demo_runs_on_webgpu_and_webgl(
    playwright: Playwright, webnn_program: BrowserProgram, site: ServedSite
) -> None:
    """Software emulates the GPU, and the page says so."""
    flags = chromium_flags.WEBGPU_FLAGS
    with (
        installed.launched(playwright, webnn_program, extra_flags=flags) as browser,
        demo(browser, site, "demo-segmentation") as page,
    ):
        page.choose_task("person")  # the model with the least work for such a GPU
        page.choose_sample("astronaut")
        page.says("ready", "the person covers")
        for engine in ("webgpu", "webgl"):
            assert "emulates the GPU in software" in page.page.inner_text(f"#execution-polyfill-{engine}-note")
            assert "covers 54.5%" in page.compute_on(f"polyfill-{engine}")
            assert "on WebNN" in page.page.inner_text("#where")


def test_an_engine_that_the_browser_lacks_is_disabled_with_its_reason(webnn_browser: Browser, site: ServedSite) -> None:
    """This browser is started without flags for WebGPU."""
    with demo(webnn_browser, site, "demo-classification") as page:
        assert page.page.is_disabled("#execution-polyfill-webgpu")
        assert "Not available in this browser: " in page.page.inner_text("#execution-polyfill-webgpu-note")


def test_the_segmentation_demo_finds_the_person(webnn_browser: Browser, site: ServedSite) -> None:
    with demo(webnn_browser, site, "demo-segmentation", viewport=PHONE, color_scheme="dark") as page:
        page.choose_sample("chelsea")
        page.says("ready", "Cat: ")
        for execution in EXECUTIONS:
            assert "cat covers 76.4%" in page.compute_on(execution)
            assert [row[0] for row in page.rows()] == ["cat", "background"]
        check_page(page)
        page.choose_sample("astronaut")
        page.says("ready", "Astronaut: person covers ")
        corner, orange = page.pixel(500, 5), page.pixel(100, 330)
        page.choose_task("person")
        assert "covers 54.5%" in page.says("ready", "the person covers")
        assert page.pixel(100, 330) != orange  # the suit has no overlay any more
        assert page.pixel(500, 5) != corner  # and the background is blurred


@pytest.mark.parametrize(
    ("task", "sample", "text", "positions"),
    [
        ("face", "astronaut", "1 face found", {"Tip of the nose": (223, 129), "Chin": (221, 173)}),
        ("hand", "drawn_hand", "1 hand found", {"Tip of the middle finger": (120, 127), "Wrist": (128, 228)}),
        ("pose", "astronaut", "1 body found", {"Nose": (223, 129), "Right shoulder": (112, 240)}),
    ],
)
def test_the_landmarks_demo_draws_points(
    webnn_browser: Browser,
    site: ServedSite,
    task: str,
    sample: str,
    text: str,
    positions: dict[str, tuple[float, float]],
) -> None:
    with demo(webnn_browser, site, "demo-landmarks") as page:
        page.choose_task(task)
        page.choose_sample(sample)
        for execution in EXECUTIONS:
            assert text in page.compute_on(execution)
            found = page.positions()
            assert all(near(found[name], *position) for name, position in positions.items()), found
        check_page(page)


def test_nothing_is_found_where_nothing_is(webnn_browser: Browser, site: ServedSite) -> None:
    with demo(webnn_browser, site, "demo-landmarks") as page:
        page.page.set_input_files("#file", image_path("coffee"))
        page.says("ready", "coffee.png: no face found")
        assert page.rows() == []


def test_the_audio_demo_finds_the_notes_of_chords(webnn_browser: Browser, site: ServedSite) -> None:
    with demo(webnn_browser, site, "demo-audio") as page:
        page.choose_sample("chords")
        for execution in EXECUTIONS:
            assert "9 notes" in page.compute_on(execution)
            notes = [row[0] for row in page.rows()]
            assert [sorted(notes[chord : chord + 3]) for chord in (0, 3, 6)] == [
                ["C4", "E4", "G4"],
                ["A4", "C5", "F4"],
                ["B3", "D4", "G3"],
            ]
        assert page.page.locator("#roll .note-bar").count() == 9
        check_page(page)


def test_the_audio_demo_finds_the_note_of_a_file(webnn_browser: Browser, site: ServedSite) -> None:
    with demo(webnn_browser, site, "demo-audio") as page:
        file = {"name": "tone.wav", "mimeType": "audio/wav", "buffer": stereo_tone(440, seconds=1.5, rate_hz=48_000)}
        page.page.set_input_files("#file", file)  # type: ignore[arg-type]
        page.says("ready", "tone.wav: ")
        assert [row[0] for row in page.rows()] == ["A4"]
        page.page.set_input_files("#file", {"name": "x.mp3", "mimeType": "audio/mpeg", "buffer": b"no sound"})
        page.says("error", "This browser cannot decode the file (audio/mpeg) as a sound")


def stereo_tone(frequency_hz: float, *, seconds: float, rate_hz: int) -> bytes:
    """Return a WAV file of a fading sine with silence before and after it, in the left one of two channels."""
    time = np.arange(int(seconds * rate_hz)) / rate_hz
    tone = np.sin(2 * np.pi * frequency_hz * time) * np.minimum(1, (seconds - time) * 10) * np.exp(-time)
    left = np.concatenate([np.zeros(rate_hz // 4), tone, np.zeros(rate_hz // 4)])
    samples = np.stack([left, np.zeros_like(left)], axis=1)
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes((samples * 20_000).astype("<i2").tobytes())
    return content.getvalue()


def test_a_file_can_be_chosen_dropped_or_pasted(webnn_browser: Browser, site: ServedSite) -> None:
    """Files chosen, dropped or pasted; after a file that is not an image, the page shows an error and continues."""
    with demo(webnn_browser, site, "demo-classification") as page:
        page.page.set_input_files("#file", image_path("coffee"))
        page.says("ready", "coffee.png: espresso")
        page.page.set_input_files("#file", {"name": "x.txt", "mimeType": "text/plain", "buffer": b"hello"})
        page.says("error", "x.txt has no labels for this model. Choose an image, or the labels of the model.")
        page.page.set_input_files("#file", {"name": "x.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7"})
        page.says("error", "x.pdf is a PDF document (8 B). Choose an image")
        drop(page.page, "provided.png", image_path("chelsea").read_bytes())
        page.says("ready", "provided.png: Egyptian cat")
        drop(page.page, "provided.png", image_path("coffee").read_bytes(), kind="paste")
        page.says("ready", "provided.png: espresso")


@pytest.mark.parametrize(
    ("name", "sample", "text", "result"),
    [
        ("demo-classification", "coffee", "espresso", "#results tbody tr"),
        ("demo-detection", "astronaut_small", "face 9", "#results tbody tr"),
        ("demo-segmentation", "astronaut", "person covers", "#results tbody tr"),
        ("demo-landmarks", "astronaut", "1 face found", "#canvas"),
        ("demo-audio", "chords", "9 notes", "#roll"),
    ],
)
def test_a_sample_shows_its_result_on_a_phone(
    webnn_browser: Browser, site: ServedSite, name: str, sample: str, text: str, result: str
) -> None:
    with demo(webnn_browser, site, name, viewport=PHONE) as page:
        page.page.evaluate("document.getElementById('samples').scrollIntoView({ block: 'start' })")
        page.choose_sample(sample)
        assert page.page.evaluate(IN_VIEW, "#status")  # while it runs
        page.says("ready", text)
        assert page.page.evaluate(IN_VIEW, "#status")
        page.page.wait_for_selector(result)
        assert page.page.evaluate(IN_VIEW, result)
        page.page.set_input_files("#file", {"name": "x.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7"})
        page.says("error", "x.pdf is a PDF document")
        assert page.page.evaluate(IN_VIEW, "#status")


def test_a_demo_can_be_used_by_keyboard(webnn_browser: Browser, site: ServedSite) -> None:
    with demo(webnn_browser, site, "demo-classification") as page:
        page.page.focus("#file")
        for _ in range(2):
            page.page.keyboard.press("Tab")  # over the camera
        page.page.keyboard.press("Enter")
        page.says("ready", "Cat: ")
        page.page.focus("#execution input:checked")
        page.page.keyboard.press("ArrowDown")
        page.page.wait_for_function(RAN, arg=RAN_ON["polyfill-tflite"])


def test_the_page_is_not_blocked(webnn_browser: Browser, site: ServedSite) -> None:
    """The main thread only reads and shows images, and fills tables; the worker does everything else."""
    with demo(webnn_browser, site, "demo-segmentation") as page:
        page.page.evaluate(WATCH_LONG_TASKS)
        page.page.check("#execution-cpu")
        page.choose_sample("chelsea")
        page.says("ready", "cat covers")
        assert max(page.page.evaluate("longTasksMs"), default=0) < 500


def test_a_model_that_cannot_be_fetched_is_reported_and_the_demo_goes_on(
    webnn_browser: Browser, site: ServedSite
) -> None:
    with demo(webnn_browser, site, "demo-segmentation") as page:
        page.page.context.route("**/*.tflite", lambda route: route.abort())
        page.choose_task("person")
        page.says("error", "could not be fetched")
        assert "TypeError: Failed to fetch" in page.page.inner_text("#status")  # the cause, across the worker
        page.page.context.unroute("**/*.tflite")
        page.choose_sample("astronaut")
        page.says("ready", "the person covers")


def test_the_camera_demo_shows_frames(playwright: Playwright, webnn_program: BrowserProgram, site: ServedSite) -> None:
    with (
        installed.launched(playwright, webnn_program, extra_flags=[FAKE_CAMERA_FLAG, ALLOWED_FLAG]) as browser,
        demo(browser, site, "demo-segmentation") as page,
    ):
        page.page.click("#camera")
        page.says("ready", "The camera is on")
        page.page.wait_for_selector("dt:text('Frames per second')")
        shares = page.page.locator("dt:text-matches('Image to tensor|Model|Decoding|Drawing') + dd .note")
        assert sum(int(share.removesuffix("%")) for share in shares.all_inner_texts()) == pytest.approx(100, abs=2)
        canvas = page.page.locator("#canvas")
        assert [canvas.get_attribute("width"), canvas.get_attribute("height")] == ["640", "480"]
        page.choose_task("person")
        page.compute_on("cpu")
        page.page.wait_for_selector("dt:text('Frames per second')")
        page.page.click("#camera")
        page.says("ready", "The camera is off")
        assert shares.count() == 0
        assert page.page.inner_text("#camera") == "Use the camera"


@pytest.mark.needs("chromium")
def test_a_denied_camera_is_reported(playwright: Playwright, site: ServedSite) -> None:
    """The npm headless shell never shows the question for permission; Debian's Chromium does, and nobody grants it."""
    program = installed.debian_chromium()
    if program is None:
        pytest.skip("Debian Chromium is not installed: apt-get install chromium")
    with (
        installed.launched(playwright, program, extra_flags=[FAKE_CAMERA_FLAG]) as browser,
        demo(browser, site, "demo-landmarks") as page,
    ):
        page.page.click("#camera")
        page.says("error", "Camera access was denied")
        page.choose_sample("astronaut")
        page.says("ready", "1 face found")


def test_a_link_that_requests_a_missing_camera_shows_the_error_and_the_result(
    webnn_browser: Browser, site: ServedSite
) -> None:
    """The error comes last, over the first sample's result."""
    with visiting(webnn_browser, site, f"{PAGES['demo-segmentation'].file}#camera") as visit:
        page = DemoPage(visit)
        page.says("error", "No camera was found")
        assert [row[0] for row in page.rows()] == ["cat", "background"]
        red, _, blue = page.pixel(200, 150)
        assert red - blue > 100  # the cat is orange


def test_a_missing_camera_is_reported(webnn_browser: Browser, site: ServedSite) -> None:
    with demo(webnn_browser, site, "demo-landmarks") as page:
        page.page.click("#camera")
        page.says("error", "No camera was found")
