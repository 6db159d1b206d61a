"""Python's half of web_tests/pages/tfjs_tflite.html: the unmodified @tensorflow/tfjs-tflite in a page."""

import itertools
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from playwright.sync_api import Page

from web_tests.browsers.page import EnginePage
from web_tests.browsers.playwright_pages import PlaywrightPage
from web_tests.models.recipes import Array
from web_tests.server.server import PAGES_DIR, Server

PAGE = PAGES_DIR / "tfjs_tflite.html"
OWN_WASM = "/package/tfjs-tflite/"
PEER_WASM = "/tfjs/"
# Tasks on images, and the method of each.
TASKS = {"ImageClassifier": "classify", "ImageSegmenter": "segment", "ObjectDetector": "detect"}


# Tasks on text, likewise.
TEXT_TASKS = {"NLClassifier": "classify", "BertNLClassifier": "classify", "BertQuestionAnswerer": "answer"}


class TfjsModel:
    def __init__(self, client: "TfjsPage", response: Mapping[str, Any]) -> None:
        self._client = client
        self._id = response["id"]
        self.inputs: list[dict[str, Any]] = response["inputs"]
        self.outputs: list[dict[str, Any]] = response["outputs"]

    def predict(self, inputs: Sequence[Array], like: Sequence[Array]) -> list[Array]:
        """Run once; the outputs are cast to the dtypes of `like`, of which tfjs knows only two."""
        return self._client.predict(self._id, inputs, like)

    def profile(self) -> dict[str, Any]:
        """Return the profiling results and their summary."""
        found: dict[str, Any] = self._client.engine_page.evaluate("profile", {"id": self._id})
        return found

    def clean_up(self) -> None:
        """Free the model."""
        self._client.engine_page.evaluate("cleanUp", {"id": self._id})


class TfjsPage:
    """A page of any engine with the client. An isolated page has threads, so the client loads other files.

    With `in_worker`, the client is in a worker of the page.
    """

    def __init__(self, engine_page: EnginePage, server: Server, *, in_worker: bool = False) -> None:
        self.engine_page = engine_page
        self.server = server
        self._keys = (f"{uuid.uuid4().hex}-{number}" for number in itertools.count())
        engine_page.open(f"{server.origin}/{PAGE.name}{'?worker' if in_worker else ''}")

    def load(self, model: str, wasm_path: str, options: Mapping[str, Any] | None = None) -> TfjsModel:
        """Load a model, by its name or a URL of the server, with the wasm files of a directory."""
        url = model if model.startswith("/") else f"/models/{model}.tflite"
        arguments = {"wasmPath": wasm_path, "url": url, "options": dict(options or {})}
        return TfjsModel(self, self.engine_page.evaluate("load", arguments))

    def run_task(
        self, task: str, url: str, image: Array, wasm_path: str, options: Mapping[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        """Run a task of the task library once.

        Args:
            task: a key of TASKS.
            url: of the model, on the server.
            image: uint8 [height, width, 4], RGBA.
            wasm_path: a directory of wasm files.
            options: the client's, for the task.
        """
        message = next(self._keys)
        self.server.mailbox.put(message, np.ascontiguousarray(image).tobytes())
        sent = {"url": f"/exchange/{message}", "width": image.shape[1], "height": image.shape[0]}
        arguments = {"task": task, "method": TASKS[task], "wasmPath": wasm_path, "url": url, "image": sent}
        found: list[dict[str, Any]] = self.engine_page.evaluate(
            "runTask", {**arguments, "options": dict(options or {})}
        )
        return found

    def run_text_task(
        self,
        task: str,
        url: str,
        texts: Sequence[Sequence[str]],
        wasm_path: str,
        options: Mapping[str, Any] | None = None,
    ) -> list[list[dict[str, Any]]]:
        """Return a task's results for texts.

        Args:
            task: a key of TEXT_TASKS.
            url: of the model, on the server.
            texts: arguments of each call: a text, or a text and a question.
            wasm_path: a directory of wasm files.
            options: the client's, for the task.
        """
        arguments = {"task": task, "method": TEXT_TASKS[task], "wasmPath": wasm_path, "url": url}
        found: list[list[dict[str, Any]]] = self.engine_page.evaluate(
            "runTextTask", {**arguments, "texts": [list(row) for row in texts], "options": options}
        )
        return found

    def predict(self, model: int, inputs: Sequence[Array], like: Sequence[Array]) -> list[Array]:
        """See TfjsModel.predict."""
        key = next(self._keys)
        self.engine_page.evaluate(
            "predict", {"id": model, "inputs": [self._send(array) for array in inputs], "key": key}
        )
        found = []
        for index, array in enumerate(like):
            content = self.server.mailbox.take(f"{key}/{index}")
            assert content is not None
            values = np.frombuffer(content, np.float32 if array.dtype == np.float32 else np.int32)
            found.append(values.astype(array.dtype).reshape(array.shape))
        return found

    def _send(self, array: Array) -> dict[str, Any]:
        message = next(self._keys)
        self.server.mailbox.put(message, np.ascontiguousarray(array).tobytes())
        return {"url": f"/exchange/{message}", "dtype": array.dtype.name, "shape": list(array.shape)}


class TfjsClient(TfjsPage):
    """For tests that need Playwright's own features."""

    def __init__(self, page: Page, server: Server, *, isolated: bool, in_worker: bool = False) -> None:
        self.page = page
        self.warnings: list[str] = []
        page.on("console", lambda message: self.warnings.append(message.text) if message.type != "log" else None)
        if not isolated:  # a response without the server's headers
            page.route(f"**/{PAGE.name}", lambda route: route.fulfill(path=PAGE, content_type="text/html"))
        super().__init__(PlaywrightPage(page), server, in_worker=in_worker)
