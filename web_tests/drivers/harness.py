"""Python's half of web_tests/pages/harness.mjs: loads, runs and times models in a browser's page."""

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from playwright.sync_api import Page

from web_tests.browsers.page import EnginePage, PageError
from web_tests.browsers.playwright_pages import PlaywrightPage
from web_tests.drivers.page_calls import Inputs as Inputs
from web_tests.drivers.page_calls import ModelError as ModelError
from web_tests.drivers.page_calls import PageCaller, data_url
from web_tests.models.recipes import Array
from web_tests.server.server import Server

MEASUREMENT_TIMEOUT_SECONDS = 600.0
# Warm-up rounds.
WARMUP_ROUNDS = 3
# Warm-up before the first profile: browsers recompile hot code.
PROFILE_WARMUP_RUNS = 10


# Options of a model that goes to WebNN whatever the cost rule says.
ON_WEBNN: Mapping[str, Any] = {"enableWebnnDelegate": True, "webnnDelegateOptions": {"ignorePartitionCost": True}}


@dataclass(frozen=True)
class LoadOptions:
    """Options of loadTFLiteModel; `webnn_options` and `extra` are passed unchanged.

    WebNN runs all that it supports, unless `webnn_options` has ignorePartitionCost: false. One thread, unless `extra`
    overrides that: the number of cores must not change what is tested. None in `extra` leaves an option out.
    """

    webnn: bool = True
    webnn_options: Mapping[str, Any] | None = None
    extra: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        options = {
            "enableWebnnDelegate": self.webnn,
            "webnnDelegateOptions": {"ignorePartitionCost": True, **(self.webnn_options or {})},
            "numThreads": 1,
            **(self.extra or {}),
        }
        return {name: value for name, value in options.items() if value is not None}


CPU = LoadOptions(webnn=False)
POLYFILL = LoadOptions(webnn_options={"polyfill": "tflite"})
# TFLite's kernels alone.
KERNELS = LoadOptions(webnn=False, extra={"enableXnnpackDelegate": False})


@dataclass(frozen=True)
class Turns:
    """How to time a single model.

    Attributes:
        max_turns: maximum number of turns.
        enough_ms: no further turn after this time.
        min_ms: duration of a turn, which is many runs: clocks of pages tick in up to a millisecond.
    """

    max_turns: int
    enough_ms: float
    min_ms: float


class LoadedModel:
    """A model in the page; `report` is the package's ModelReport, `inputs` and `outputs` its TensorInfo rows."""

    def __init__(self, harness: "PageHarness", response: dict[str, Any]) -> None:
        self._harness = harness
        self.id: int = response["id"]
        self.inputs: list[dict[str, Any]] = response["inputs"]
        self.outputs: list[dict[str, Any]] = response["outputs"]
        self.execution_mode: str = response["executionMode"]
        self.report: dict[str, Any] = response["report"]
        self.load_ms: float = response["loadMs"]

    def run(self, inputs: Inputs, *, shapes: bool = False) -> list[Array]:
        """Run once and return the outputs; `shapes` sends each input's shape with its data."""
        return self._harness.run(self, inputs, shapes=shapes)

    def report_now(self) -> dict[str, Any]:
        """Return the present report, with the times of the runs so far and lost contexts."""
        report: dict[str, Any] = self._harness.call("report", {"id": self.id})
        return report

    def report_text(self) -> str:
        """Return the present report as text."""
        text: str = self._harness.call("renderReport", {"id": self.id})
        return text

    def resize(self, shapes: Any, signature: str | None = None) -> None:
        """Resize the inputs, of the model or of a signature: one shape, a list of shapes, or shapes by name."""
        arguments = {"id": self.id, "shapes": shapes} | ({"signature": signature} if signature else {})
        response = self._harness.call("resizeInputs", arguments)
        self.inputs, self.outputs = response["inputs"], response["outputs"]
        self.execution_mode, self.report = response["executionMode"], response["report"]

    def reset_state(self) -> None:
        self._harness.call("resetState", {"id": self.id})

    def run_sync(self, inputs: Inputs) -> list[Array]:
        """Run once by runSync(), which blocks the page's thread, and return the outputs."""
        return self._harness.run(self, inputs, call="runSync")

    def run_signature(self, key: str, inputs: Mapping[str, Array]) -> dict[str, Array]:
        """Run one of the model's signatures."""
        return self._harness.run_signature(self, key, inputs)

    def time(self, inputs: Inputs, turns: Turns) -> list[float]:
        """Return the milliseconds of a run, for each turn."""
        return self._harness.time(self, inputs, turns)

    def profile(self) -> tuple[list[dict[str, Any]], str]:
        """Return the profile of the last run, and its summary."""
        response = self._harness.call("profile", {"id": self.id})
        return response["items"], response["summary"]

    def dispose(self, *, drop: bool = True) -> None:
        """Free the model; without `drop`, the page keeps it, to test its errors."""
        self._harness.call("dispose", {"id": self.id, "drop": drop})

    def cpu_reasons(self) -> dict[str, str]:
        """Return op -> reason of the nodes that stay on the CPU."""
        return {node["op"]: node["reason"] for node in self.report["nodes"] if node["placement"] == "cpu"}


class PageHarness(PageCaller):
    """One page of any engine with the built package. It survives rejected models; after a PageError, open another.

    With `in_worker`, it runs in a worker of the page.
    """

    def __init__(self, engine_page: EnginePage, server: Server, *, in_worker: bool = False) -> None:
        super().__init__(engine_page, server, "harness.html", in_worker=in_worker)
        self._may_hold_models = False

    def load(self, source: bytes | str, options: LoadOptions | None = None) -> LoadedModel:
        """Load a model from its bytes, or from a URL of the server.

        Raises:
            ModelError: the package rejects it.
            PageError: the page crashed or did not respond in time.
        """
        self._may_hold_models = True
        with self.server.serving() as serve:
            return LoadedModel(self, self.call("load", _loading(serve, source, options)))

    def load_and_run(
        self, source: bytes, inputs: Inputs, options: LoadOptions | None = None, *, runs: int = 1, call: str = "run"
    ) -> tuple[LoadedModel, list[list[Array]]]:
        """Load, run and dispose a model in one call, which is quicker; return its description and each run's outputs.

        `call` is `run`, or `runSync` in a worker. It raises what `load` does.
        """
        key = self.new_key()
        with self.server.serving() as serve:
            arguments = {"inputs": self.send_inputs(inputs), "runs": runs, "call": call}
            loading = _loading(serve, data_url(source) or source, options)
            response = self.call("loadAndRun", {**loading, **arguments}, key=key)
        outputs = [
            [self._output(f"{key}/{run}/{index}", info) for index, info in enumerate(infos)]
            for run, infos in enumerate(response["results"])
        ]
        return LoadedModel(self, response), outputs

    def attempt(self, source: bytes, options: LoadOptions) -> None:
        """Load a model, run it on zeros if its inputs have a type for them, and dispose it; raise what `load` does."""
        with self.server.serving() as serve:
            self.call("attempt", _loading(serve, data_url(source) or source, options))

    def run(self, model: LoadedModel, inputs: Inputs, *, shapes: bool = False, call: str = "run") -> list[Array]:
        """Run a model once; the outputs have the shapes and dtypes that the run reports."""
        key = self.new_key()
        sent = self.send_inputs(inputs, shapes=shapes)
        infos = self.call(call, {"id": model.id, "inputs": sent}, key=key)
        return [self._output(f"{key}/{index}", info) for index, info in enumerate(infos)]

    def run_signature(self, model: LoadedModel, signature: str, inputs: Mapping[str, Array]) -> dict[str, Array]:
        """Run a signature of a model once."""
        key = self.new_key()
        arguments = {"id": model.id, "signature": signature, "inputs": self.send_inputs(inputs)}
        infos = self.call("runSignature", arguments, key=key)
        return {info["name"]: self._output(f"{key}/{index}", info) for index, info in enumerate(infos)}

    def run_exported(self, script: str, inputs: Mapping[str, Array]) -> dict[str, bytes]:
        """Run the only graph of a script from `build.py explain --export`; return its outputs' bytes by name."""
        key = self.new_key()
        message = self.send(script.encode())
        arguments = {"script": f"/exchange/{message}", "inputs": self.send_inputs(inputs)}
        names: list[str] = self.call("runExported", arguments, key=key)
        contents = {name: self.server.mailbox.take(f"{key}/{index}") for index, name in enumerate(names)}
        return {name: content for name, content in contents.items() if content is not None}

    def measure(
        self, candidates: Sequence[tuple[LoadedModel, Inputs]], *, rounds: int, min_turn_ms: float | None = None
    ) -> list[list[float]]:
        """Return, per model, the milliseconds of a run in each round; the models alternate within a round.

        Args:
            candidates: the models and their inputs.
            rounds: number of rounds.
            min_turn_ms: minimum duration of a turn, for models below the clock's resolution; None is one run.
        """
        arguments = {
            "candidates": [{"id": model.id, "inputs": self.send_inputs(inputs)} for model, inputs in candidates],
            "rounds": rounds,
            "warmupRounds": WARMUP_ROUNDS,
            "minTurnMs": min_turn_ms,
        }
        times: list[list[float]] = self.call("measure", arguments, timeout_seconds=MEASUREMENT_TIMEOUT_SECONDS)
        return times

    def profile_runs(self, model: LoadedModel, inputs: Inputs, *, runs: int) -> list[dict[str, Any]]:
        """Return `ms` and the profile's `items` of each run of a model loaded with `enableProfiling`."""
        arguments = {
            "id": model.id,
            "inputs": self.send_inputs(inputs),
            "runs": runs,
            "warmupRuns": PROFILE_WARMUP_RUNS,
        }
        profiles: list[dict[str, Any]] = self.call(
            "profileRuns", arguments, timeout_seconds=MEASUREMENT_TIMEOUT_SECONDS
        )
        return profiles

    def time(self, model: LoadedModel, inputs: Inputs, turns: Turns) -> list[float]:
        """Return the milliseconds of a run of one model, for each turn."""
        arguments = {
            "id": model.id,
            "inputs": self.send_inputs(inputs),
            "maxTurns": turns.max_turns,
            "enoughMs": turns.enough_ms,
            "minTurnMs": turns.min_ms,
        }
        times: list[float] = self.call("time", arguments, timeout_seconds=MEASUREMENT_TIMEOUT_SECONDS)
        return times

    def page_info(self) -> dict[str, Any]:
        """Return the page's features, from pages/page_info.mjs."""
        found: dict[str, Any] = self.call("pageInfo", {})
        return found

    def dispose_all(self) -> None:
        """Free every model of the page."""
        if self._may_hold_models and not self.failed:
            self.post("disposeAll", {})
        self._may_hold_models = False

    def run_in_parallel(self, model: LoadedModel, inputs: Sequence[Inputs]) -> list[list[Array]]:
        """Start a run for each of `inputs` without waiting for the previous one; return the outputs of each."""
        key = self.new_key()
        self.call("runInParallel", {"id": model.id, "inputs": [self.send_inputs(one) for one in inputs]}, key=key)
        outputs = [info for _ in inputs for info in model.outputs]
        arrays = [self._output(f"{key}/{index}", info) for index, info in enumerate(outputs)]
        count = len(model.outputs)
        return [arrays[first : first + count] for first in range(0, len(arrays), count)]

    def _output(self, message: str, info: Mapping[str, Any]) -> Array:
        inline: str | None = info.get("base64")
        content = self.server.mailbox.take(message) if inline is None else base64.b64decode(inline)
        if content is None:
            raise PageError(f"the page sent no output {info['name']}")
        return np.frombuffer(content, dtype=np.dtype(info["dtype"])).reshape(info["shape"])


def _loading(serve: Callable[[bytes], str], source: bytes | str, options: LoadOptions | None) -> dict[str, Any]:
    url = serve(source) if isinstance(source, bytes) else source
    return {"source": url, "options": (options or LoadOptions()).to_json()}


class Harness(PageHarness):
    """For tests that need Playwright's own features: routes, events, other pages of the browser."""

    def __init__(self, page: Page, server: Server, *, in_worker: bool = False) -> None:
        super().__init__(PlaywrightPage(page), server, in_worker=in_worker)
        self.page = page
