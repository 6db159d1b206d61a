"""Python's half of web_tests/pages/vision.html: one program, with MediaPipe's vision tasks and with this project's."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from playwright.sync_api import Page, Request

from web_tests.browsers.page import PageError
from web_tests.browsers.playwright_pages import PlaywrightPage
from web_tests.models.recipes import Array
from web_tests.server.server import Server


@dataclass(frozen=True)
class Segmentation:
    """The masks [height, width] of an image: `confidence` of each class as floats, and the `classes` of the pixels."""

    confidence: list[Array]
    classes: Array | None
    labels: list[str]
    quality: list[float]


class VisionPage:
    """A page whose `@mediapipe/tasks-vision` is this project's if `own`, else the unmodified package.

    `foreign` are the addresses on other servers that it requested; they get no response.
    """

    def __init__(self, page: Page, server: Server, *, own: bool) -> None:
        self.page = page
        self.engine_page = PlaywrightPage(page)
        self.server = server
        self.foreign = foreign_requests(page, server)
        self.engine_page.open(f"{server.origin}/vision.html{'?tflite-webnn' if own else ''}")

    def call(self, name: str, **arguments: Any) -> Any:
        """Call a function of the page's program."""
        return self.engine_page.evaluate("([name, args]) => run(name, args)", [name, arguments])

    def arrays(self, key: str, count: int, dtype: str) -> list[Array]:
        """Return arrays that the page has sent."""
        contents = [self.server.mailbox.take(f"{key}/{index}") for index in range(count)]
        if missing := contents.count(None):
            raise PageError(f"the page sent {missing} of {count} arrays not")
        return [np.frombuffer(content or b"", dtype) for content in contents]

    def segment(
        self,
        model: str,
        image: str,
        options: Mapping[str, Any] | None = None,
        processing: Mapping[str, Any] | None = None,
        way: str = "sync",
    ) -> Segmentation:
        """Segment an image.

        Args:
            model: its address.
            image: its address.
            options: of ImageSegmenter.
            processing: ImageProcessingOptions.
            way: `sync`, `callback`, or `async`, which only this project has.
        """
        key = uuid.uuid4().hex
        arguments = {"model": model, "image": image, "options": dict(options or {}), "key": key, "way": way}
        row = self.call("segment", **arguments, **({"processing": dict(processing)} if processing else {}))
        sizes = [(mask["height"], mask["width"]) for mask in row["confidenceMasks"]]
        confidence = self.arrays(key, len(sizes), "float32")
        classes = None
        if mask := row["categoryMask"]:
            content = self.server.mailbox.take(f"{key}/{len(sizes)}") or b""
            classes = np.frombuffer(content, np.uint8).reshape(mask["height"], mask["width"])
        shaped = [values.reshape(size) for values, size in zip(confidence, sizes, strict=True)]
        return Segmentation(shaped, classes, row["labels"], row["qualityScores"])

    def masks_of_bodies(self, model: str, image: str, **arguments: Any) -> tuple[list[Mapping[str, Any]], list[Array]]:
        """Return what PoseLandmarker says of its masks, and the masks [height, width].

        Args:
            model: its address.
            image: its address.
            arguments: further ones of `masksOfBodies()` in pages/vision.mjs.
        """
        key = uuid.uuid4().hex
        rows = self.call("masksOfBodies", model=model, image=image, key=key, **arguments)
        masks = self.arrays(key, len(rows), "float32")
        return rows, [mask.reshape(row["height"], row["width"]) for row, mask in zip(rows, masks, strict=True)]


def foreign_requests(page: Page, server: Server) -> list[str]:
    """Reject a page's requests to other servers, and return the list to which their addresses will be added."""
    foreign: list[str] = []

    def is_foreign(url: str) -> bool:
        return not url.startswith((f"{server.origin}/", "blob:", "data:"))

    def add(request: Request) -> None:
        if is_foreign(request.url):
            foreign.append(request.url)

    page.on("request", add)
    page.route(is_foreign, lambda route: route.abort())
    return foreign
