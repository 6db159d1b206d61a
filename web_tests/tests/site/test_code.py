"""The code that each demo shows: it runs next to the models of the site, and prints what the demo finds."""

from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage
from site_generator import generated_files
from site_generator.paths import DEMO_CODE_DIR

from web_tests.references.decoding import decode_natively
from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.demo_page import DemoPage, demo
from web_tests.tests.site.test_demos import near, stereo_tone
from web_tests.tests.site.visit import visiting

PAGE = """<!doctype html>
<img src="../{sample}" alt="">
<script type="importmap">{{ "imports": {{
  "tflite-webnn": "../package/index.mjs", "tflite-webnn/image": "../package/image.mjs",
  "tflite-webnn/results": "../package/results.mjs", "tflite-webnn/tasks": "../package/tasks.mjs",
  "tflite-webnn/metadata": "../package/metadata.mjs", "tflite-webnn/vision": "../package/vision.mjs",
  "tflite-webnn/text": "../package/text.mjs", "tflite-webnn/language": "../package/language.mjs"
}} }}</script>
<script type="module">await document.querySelector('img').decode();
{code}</script>
"""
SOUND = {"status": 200, "content_type": "audio/wav"}
Row = Mapping[str, Any]


def tables(browser: Browser, site: ServedSite, name: str, sample: str = "samples/chelsea.png") -> list[list[Row]]:
    """Run the code in a page next to the models; return the tables that it prints."""
    page_text = PAGE.format(code=(DEMO_CODE_DIR / f"{name}.js").read_text(encoding="utf-8"), sample=sample)
    printed: list[list[Row]] = []

    def read(message: ConsoleMessage) -> None:
        if message.type == "table":
            printed.append(message.args[0].json_value())

    with visiting(browser, site, "docs.html") as visit:
        page = visit.page
        page.route("**/models/page.html", lambda route: route.fulfill(body=page_text, content_type="text/html"))
        sound = stereo_tone(440, seconds=1.5, rate_hz=48_000)
        page.route("**/sound.wav", lambda route: route.fulfill(body=sound, **SOUND))
        page.on("console", read)
        with page.expect_console_message(lambda message: message.type == "table"):
            page.goto(site.address + "models/page.html")
        assert visit.console_errors == []
    return printed


def test_the_code_of_classification_runs_by_itself(webnn_browser: Browser, site: ServedSite) -> None:
    [rows] = tables(webnn_browser, site, "demo-classification")
    assert [row["label"] for row in rows][:1] == ["Egyptian cat"]
    assert len(rows) == 5
    with demo(webnn_browser, site, "demo-classification") as page:
        page.choose_sample("chelsea")
        page.says("ready", f"Cat: Egyptian cat, {rows[0]['score']:.1%}")


def test_the_code_of_detection_runs_by_itself(webnn_browser: Browser, site: ServedSite) -> None:
    [[face]] = tables(webnn_browser, site, "demo-detection", sample="data/astronaut_small.jpg")
    with demo(webnn_browser, site, "demo-detection") as page:
        assert f"face {face['score']:.1%}" in page.says("ready", "Astronaut: ")
    with visiting(webnn_browser, site, "index.html") as visit:
        DemoPage(visit).says("ready", f"The model finds the face: {face['score']:.1%} sure")


def test_the_code_of_segmentation_runs_by_itself(webnn_browser: Browser, site: ServedSite) -> None:
    [rows] = tables(webnn_browser, site, "demo-segmentation")
    shares = {row["label"]: row["share"] for row in rows}
    assert shares["cat"] == pytest.approx(0.768, abs=0.005)
    with demo(webnn_browser, site, "demo-segmentation") as page:
        page.choose_sample("chelsea")
        page.says("ready", f"cat covers {shares['cat']:.1%}")


def test_the_code_of_landmarks_runs_by_itself(webnn_browser: Browser, site: ServedSite) -> None:
    [points] = tables(webnn_browser, site, "demo-landmarks", sample="samples/astronaut.png")
    nose, chin = points[1], points[152]
    # The image is 512 pixels wide and high.
    assert near((512 * nose["x"], 512 * nose["y"]), 223, 129)
    assert near((512 * chin["x"], 512 * chin["y"]), 221, 173)


def test_the_code_of_audio_runs_by_itself(webnn_browser: Browser, site: ServedSite) -> None:
    [notes] = tables(webnn_browser, site, "demo-audio")
    assert [note["midi"] for note in notes] == [69]


def test_the_copied_code_writes_the_pieces_of_native_litert(webnn_browser: Browser, site: ServedSite) -> None:
    """The pieces are those of native LiteRT's tokens."""
    [rows] = tables(webnn_browser, site, "demo-language-model")
    pieces = [piece for piece, _ in generated_files.vocabulary()]
    content = (site.directory / "models/language_model.tflite").read_bytes()
    tokens = decode_natively(content, [pieces.index("\u2581the")], len(rows)).argmax(axis=1)
    assert [row["piece"] for row in rows] == [pieces[token].replace("\u2581", " ") for token in tokens]


def test_the_code_of_sentences_runs_by_itself(webnn_browser: Browser, site: ServedSite) -> None:
    [[row]] = tables(webnn_browser, site, "demo-sentences")
    # Two of three words are the same.
    assert 0.5 < row["similarity"] < 0.8
