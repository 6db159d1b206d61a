"""Files of visitors: the error of a wrong one says what it is and what to do; pages accept files dropped anywhere."""

import io
import zipfile

import pytest
from playwright.sync_api import Browser, FilePayload

from web_tests.models import handmade
from web_tests.models.catalogue import all_models
from web_tests.models.recipes import image_path
from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.demo_page import IN_VIEW, PAGES, DemoPage, demo
from web_tests.tests.site.test_run_tab import sound_classifier
from web_tests.tests.site.visit import PHONE, drop, page_function, visiting

# Whether the table of classes has these names.
SHOWS = """(names) => {
    const heads = [...document.querySelectorAll('#results th[scope=row]')].map(({ textContent }) => textContent);
    return names.every((name) => heads.includes(name));
}"""
NAMES = ["first", "second", "third", "fourth", "fifth"]
PAGES_WITH_MODELS = ("explorer", "benchmark", "python", "index", *(name for name in PAGES if name.startswith("demo-")))


def archive(*names: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as written:
        for name in names:
            written.writestr(name, "x")
    return content.getvalue()


WRONG = {
    "model.onnx": (b"\x08\x07\x12\x07pytorch\x1a\x03", "is an ONNX model", "onnx2tf"),
    "model.zip": (archive("readme.txt", "model.tflite"), "is a zip archive", "Unpack it"),
    "page.tflite": (b"<!doctype html><title>404</title>", "is a web page", "Download it again"),
    "model.h5": (b"\x89HDF\r\n\x1a\n", "is a Keras model in HDF5", "TFLiteConverter"),
    "model.pt": (archive("archive/data.pkl"), "is a PyTorch model", "litert-torch"),
    "pointer.tflite": (b"version https://git-lfs.github.com/spec/v1\n", "is a Git LFS pointer", "git lfs pull"),
    "document.pdf": (b"%PDF-1.7", "is a PDF document", ""),
}


@pytest.mark.parametrize("name", PAGES_WITH_MODELS)
def test_a_wrong_file_says_what_it_is_on_each_page(webnn_browser: Browser, site: ServedSite, name: str) -> None:
    with visiting(webnn_browser, site, PAGES[name].file) as visit:
        page = DemoPage(visit)
        if name != "python":
            page.page.wait_for_selector("#status[data-kind=ready]", state="attached")
        for file, (content, what, hint) in WRONG.items():
            drop(page.page, file, content)
            status = page.says("error", what)
            assert status.startswith(file)
            assert hint in status
        assert page.page.url.startswith(site.address)
        assert "Choose" in status  # what the page accepts


def test_what_a_wrong_file_is_can_be_read_on_a_phone(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, PAGES["index"].file, viewport=PHONE) as visit:
        page = DemoPage(visit)
        page.says("ready")
        page.page.evaluate("document.getElementById('copy').scrollIntoView({ block: 'start' })")
        page.page.set_input_files("#file", FilePayload(name="x.pdf", mimeType="", buffer=b"%PDF-1.7"))
        page.says("error", "x.pdf is a PDF document")
        assert page.page.evaluate(IN_VIEW, "#status")


def test_a_huge_file_says_its_size(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, PAGES["explorer"].file) as visit:
        page = DemoPage(visit)
        page.says("ready")
        drop(page.page, "huge.tflite", b"\x1c\0\0\0TFL3", size=5_200_000_000)
        assert "huge.tflite has 5.2 GB" in page.says("error", "at most 2.1 GB")


def test_text_is_not_an_image_of_a_demo(webnn_browser: Browser, site: ServedSite) -> None:
    with demo(webnn_browser, site, "demo-landmarks") as page:
        drop(page.page, "labels.txt", b"cat\ndog")
        page.says("error", "labels.txt is a text file (7 B). Choose an image, or a .task model.")
        drop(page.page, "image.png", image_path("astronaut").read_bytes())
        page.says("ready", "image.png: 1 face found")


def test_labels_come_with_a_model(webnn_browser: Browser, site: ServedSite) -> None:
    """Chosen together in any order; the next model has its own."""
    labels, three = (
        FilePayload(name="labels.txt", mimeType="text/plain", buffer="\n".join(names).encode())
        for names in (NAMES, NAMES[:3])
    )
    with demo(webnn_browser, site, "demo-classification") as page:
        model = FilePayload(name="mine.tflite", mimeType="", buffer=handmade.tiny_network())
        page.page.set_input_files("#model-file", [labels, model])
        page.page.wait_for_function(SHOWS, arg=NAMES)
        assert page.page.inner_text("#labels-name") == ", labels: labels.txt"
        page.page.set_input_files("#model-file", [model])
        page.page.wait_for_function(SHOWS, arg=[f"class {index}" for index in range(len(NAMES))])
        page.page.click("#sample-model")
        assert "Egyptian cat" in page.says("ready", "Cat: Egyptian")
    with demo(webnn_browser, site, "demo-audio") as page:
        model = FilePayload(name="mine.tflite", mimeType="", buffer=sound_classifier())
        page.page.set_input_files("#model-file", [three, model])
        page.says("ready", "third")
        assert {row[0] for row in page.rows()} == set(NAMES[:3])


def test_a_model_dropped_on_home_is_run_by_the_explorer(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, PAGES["index"].file) as visit:
        drop(visit.page, "mine.tflite", all_models()["face_detection_short_range"].content())
        visit.page.wait_for_url("**/explorer.html*")
        visit.page.wait_for_selector("#run-status[data-kind=ready]:text('mine: ')", timeout=60_000)
        visit.page.reload()
        visit.page.wait_for_selector(
            "#run-status[data-kind=ready]:text('face_detection_short_range: 1 found: face 9')", timeout=60_000
        )
        assert visit.console_errors == []


def test_a_demo_of_images_runs_an_own_model_and_rejects_another_kind(webnn_browser: Browser, site: ServedSite) -> None:
    with demo(webnn_browser, site, "demo-detection") as page:
        assert "face 9" in page.says("ready")
        palm = all_models()["palm_detection_lite"].content()
        page.page.set_input_files("#model-file", FilePayload(name="palm.tflite", mimeType="", buffer=palm))
        page.page.wait_for_function("() => document.getElementById('where').textContent.includes('palm.tflite')")
        assert page.page.inner_text("#model-name") == "palm.tflite"
        wrong = all_models()["deeplabv3_257"].content()
        drop(page.page, "deeplab.tflite", wrong)
        page.says("error", "seems to return a mask, and this demo shows boxes")
        page.page.click("#sample-model")
        assert "face 9" in page.says("ready", "face")
        assert page.page.inner_text("#model-name") == "this page’s"


def test_demos_of_sounds_and_landmarks_run_own_models_and_reject_others(
    webnn_browser: Browser, site: ServedSite
) -> None:
    with demo(webnn_browser, site, "demo-audio") as page:
        tone = all_models()["basic_pitch_nmp"].content()
        drop(page.page, "mine.tflite", tone)
        page.page.wait_for_function("() => document.getElementById('where').textContent.includes('mine.tflite')")
        drop(page.page, "other.tflite", all_models()["mlperftiny_kws_int8"].content())
        page.says("error", "accepts no samples of a sound")
    with demo(webnn_browser, site, "demo-landmarks") as page:
        drop(page.page, "mine.task", (site.directory / "models" / "face_landmarker.task").read_bytes())
        page.page.wait_for_function("() => document.getElementById('where').textContent.includes('mine.task')")
        drop(page.page, "mine.tflite", tone)
        page.says("error", "mine.tflite is a TensorFlow Lite model")


def test_text_is_dropped_where_it_is_dragged(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, PAGES["demo-sentences"].file) as visit:
        assert visit.page.evaluate(page_function("dropText"), "textarea")
