"""The README's page, copied as a reader would."""

import re

from playwright.sync_api import Route

from tools.support.paths import PROJECT_DIR
from web_tests.drivers.harness import Harness
from web_tests.models import handmade


def example() -> str:
    """Return the README's first HTML block."""
    match = re.search(r"```html\n(.*?)```", (PROJECT_DIR / "README.md").read_text(), re.DOTALL)
    assert match
    return match[1]


def test_the_example_is_ten_lines_long() -> None:
    assert len([line for line in example().splitlines() if "script" not in line and line.strip()]) <= 10


def test_the_example_runs_on_webnn(webnn: Harness) -> None:
    browser = webnn.page.context.browser
    assert browser
    page = browser.new_page()
    logged: list[str] = []
    page.on("console", lambda message: logged.append(message.text))
    page.on("pageerror", lambda error: logged.append(f"error: {error}"))

    def serve(body: bytes | str, content_type: str) -> None:
        path = "**/readme.html" if content_type == "text/html" else "**/model.tflite"
        page.route(path, lambda route: _fulfill(route, body, content_type))

    serve(f"<!doctype html><title>README</title>{example()}", "text/html")
    serve(handmade.tiny_network(), "application/octet-stream")
    with page.expect_console_message() as message:
        page.goto(f"{webnn.server.origin}/readme.html")
    assert message.value.text.startswith("direct null Float32Array(5)"), logged
    page.close()


def _fulfill(route: Route, body: bytes | str, content_type: str) -> None:
    route.fulfill(body=body, content_type=content_type)
