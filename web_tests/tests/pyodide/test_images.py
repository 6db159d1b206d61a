"""The example page, which classifies and segments an image in Python, under the site's content security policy."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from web_tests.drivers.python_page import wheel_url
from web_tests.models import package_assets
from web_tests.models.catalogue import all_models
from web_tests.references import native_litert
from web_tests.references.inputs import inputs_for
from web_tests.server.server import ISOLATION_HEADERS, Server

pytestmark = pytest.mark.needs("wheel")

POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self' data:"
TIMEOUT_MS = 120_000


@pytest.fixture(scope="module")
def strict_server() -> Iterator[Server]:
    with Server(headers={**ISOLATION_HEADERS, "Content-Security-Policy": POLICY}) as server:
        yield server


def press(page: Page, button: str, *, webnn: bool) -> list[tuple[str, float]]:
    """Press a button; return the labels with their percentages."""
    page.get_by_label("on WebNN").set_checked(webnn)
    page.get_by_role("status").evaluate("(status) => status.replaceChildren()")  # it has the last result's
    page.get_by_role("button", name=button).click()
    where = "[1-9][0-9]* of [0-9]+ nodes on WebNN$" if webnn else "on the CPU$"
    expect(page.get_by_role("status")).to_have_text(re.compile(where), timeout=TIMEOUT_MS)
    rows = [re.fullmatch(r"(.+): (.+) %", row) for row in page.locator("li").all_inner_texts()]
    return [(row[1], float(row[2])) for row in rows if row]


def test_the_example_classifies_images_and_survives_none(own_page: Page, strict_server: Server, tmp_path: Path) -> None:
    """One page for all, because Python starts slowly: the example's image, no image, another image."""
    own_page.goto(f"{strict_server.origin}/python_images.html?wheel={wheel_url().rpartition('/')[2]}")
    expect(own_page.get_by_role("status")).to_have_text("Python is ready.", timeout=TIMEOUT_MS)
    assert own_page.get_by_role("img").evaluate("canvas => [canvas.width, canvas.height]") == [451, 300]
    assert "async def classify" in (own_page.locator("pre").text_content() or "")
    for webnn in (True, False):
        label, percent = press(own_page, "What is it?", webnn=webnn)[0]
        assert label == "Egyptian cat"
        assert percent == pytest.approx(77.3, abs=2)
        found = dict(press(own_page, "What is where?", webnn=webnn))
        assert found["cat"] == pytest.approx(percent_of_cat(), abs=1)
        own_page.screenshot(path=tmp_path / f"images-{'webnn' if webnn else 'cpu'}.png", full_page=True)
    image = own_page.get_by_label("Another image")
    image.set_input_files({"name": "text.png", "mimeType": "image/png", "buffer": b"no image"})
    expect(own_page.get_by_role("status")).to_contain_text(
        "This failed: PIL.UnidentifiedImageError", timeout=TIMEOUT_MS
    )
    astronaut = package_assets.path_of("images", "astronaut")
    image.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": astronaut.read_bytes()})
    expect(own_page.get_by_role("status")).to_have_text("The image is there.", timeout=TIMEOUT_MS)
    assert dict(press(own_page, "What is where?", webnn=True))["person"] > 20


def percent_of_cat() -> float:
    """Return native LiteRT's share of class 8, the cat."""
    model = all_models()["deeplabv3_257"]
    (scores,) = native_litert.outputs_of(model.content(), inputs_for(model))
    return float(np.mean(scores[0].argmax(axis=-1) == 8) * 100)
