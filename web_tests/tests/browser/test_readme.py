"""The README's pages, copied as a reader would."""

import re
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
    """The labels are in the model's metadata."""
    model = all_models()["efficientnet_lite0_int8"].content()
    files = {
        "model.tflite": (model, "application/octet-stream"),
        "picture.png": (picture_path("chelsea").read_bytes(), "image/png"),
    }
    (words,) = logged_words(webnn, examples()[0], files, count=1)
    label, _, score = words.rpartition(" ")
    assert label == "Egyptian cat"
    assert float(score) > 0.5


def test_numbers_run_on_webnn(webnn: Harness) -> None:
    files = {"model.tflite": (handmade.tiny_network(), "application/octet-stream")}
    where, scores = logged_words(webnn, examples()[1], files, count=2)
    assert where == "direct null"
    assert scores.startswith("scores float32 [1, 5] Float32Array(5)")


def logged_words(webnn: Harness, example: str, files: Files, *, count: int) -> list[str]:
    """Open a page with files beside it, and return its first log messages."""
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
        with page.expect_console_message(lambda _: len(logged) >= count):
            page.goto(f"{webnn.server.origin}/readme.html")
        return logged[:count]
    finally:
        page.close()
        print(logged)


def _serving(body: bytes, content_type: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(body=body, content_type=content_type)
