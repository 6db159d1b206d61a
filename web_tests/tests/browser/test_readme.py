"""The README's pages, copied as a reader would."""

import io
import re
import zipfile
from collections.abc import Callable, Mapping

import pytest
from playwright.sync_api import Route

from tools.support.paths import PROJECT_DIR
from web_tests.drivers.harness import Harness
from web_tests.models import handmade
from web_tests.models.catalogue import all_models
from web_tests.models.recipes import picture_path

# Served beside a page: content and type.
Files = Mapping[str, tuple[bytes, str]]


def examples() -> list[str]:
    """Return the README's HTML blocks."""
    return re.findall(r"```html\n(.*?)```", (PROJECT_DIR / "README.md").read_text(), re.DOTALL)


@pytest.mark.parametrize("example", examples(), ids=["picture", "numbers"])
def test_the_examples_are_ten_lines_long(example: str) -> None:
    assert len([line for line in example.splitlines() if "script" not in line and line.strip()]) <= 10


def test_a_picture_is_labelled(webnn: Harness) -> None:
    model = all_models()["efficientnet_lite0_int8"].content()
    with zipfile.ZipFile(io.BytesIO(model)) as archive:
        (labels,) = (archive.read(name) for name in archive.namelist() if name.endswith(".txt"))
    files = {
        "model.tflite": (model, "application/octet-stream"),
        "labels.txt": (labels, "text/plain"),
        "picture.png": (picture_path("chelsea").read_bytes(), "image/png"),
    }
    label, _, score = first_words(webnn, examples()[0], files).rpartition(" ")
    assert label == "Egyptian cat"
    assert float(score) > 0.5


def test_numbers_run_on_webnn(webnn: Harness) -> None:
    files = {"model.tflite": (handmade.tiny_network(), "application/octet-stream")}
    assert first_words(webnn, examples()[1], files).startswith("direct null Float32Array(5)")


def first_words(webnn: Harness, example: str, files: Files) -> str:
    """Open a page with files beside it, and return its first log message."""
    browser = webnn.page.context.browser
    assert browser
    page = browser.new_page()
    logged: list[str] = []
    page.on("console", lambda message: logged.append(message.text))
    page.on("pageerror", lambda error: logged.append(f"error: {error}"))
    document = f"<!doctype html><title>README</title>{example}".encode()
    for name, (content, kind) in {**files, "readme.html": (document, "text/html")}.items():
        page.route(f"**/{name}", _serving(content, kind))
    try:
        with page.expect_console_message() as message:
            page.goto(f"{webnn.server.origin}/readme.html")
        return message.value.text
    finally:
        page.close()
        print(logged)


def _serving(body: bytes, content_type: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(body=body, content_type=content_type)
