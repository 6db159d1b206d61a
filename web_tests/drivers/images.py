"""Python's half of web_tests/pages/images.mjs: images and tasks in a page, a worker or Node."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from web_tests.browsers.page import PageError
from web_tests.drivers.page_calls import PageCaller
from web_tests.models.recipes import Array

Options = Mapping[str, Any]


@dataclass(frozen=True)
class Conversion:
    """A call of imageToTensor().

    Attributes:
        kind: what the image is provided as, a key of OPEN in images.mjs.
        url: the image's file, on the page's server.
        shape: of the model's input.
        dtype: of the model's input.
        options: of imageToTensor().
    """

    kind: str
    url: str
    shape: tuple[int, ...]
    dtype: str = "float32"
    options: Options = field(default_factory=dict)

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of the page's calls."""
        row = {"shape": list(self.shape), "dtype": self.dtype}
        return {"kind": self.kind, "url": self.url, "input": row, "options": dict(self.options)}


def convert(page: PageCaller, conversion: Conversion) -> tuple[Array, dict[str, Any]]:
    """Return the tensor, and its placement in the image.

    Raises:
        ModelError: imageToTensor() rejects something.
    """
    key = page.new_key()
    response = page.call("convertImage", conversion.arguments(), key=key)
    return _taken(page, key, conversion.dtype).reshape(conversion.shape), response["placement"]


def run_task(
    page: PageCaller, task: str, model: str, url: str, options: Options, head: tuple[str, Options] | None = None
) -> Any:
    """Return what a task of tasks.mjs says of an image; an ImageSegmenter's class mask as an array.

    `head` is a function of results.mjs that creates a detector's head, and its options.
    """
    key = page.new_key()
    arguments = {"task": task, "model": model, "url": url, "options": dict(options), "head": head}
    response = page.call("runTask", arguments, key=key)
    if task != "ImageSegmenter":
        return response
    return _taken(page, key, "uint8").reshape(response["height"], response["width"])


def _taken(page: PageCaller, key: str, dtype: str) -> Array:
    content = page.server.mailbox.take(f"{key}/0")
    if content is None:
        raise PageError("the page sent no values")
    return np.frombuffer(content, dtype)
