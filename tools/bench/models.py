"""The models of the benchmark, in each runtime's form."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.errors import BuildError
from tools.bench.runtimes import Form
from tools.explain import without_browser
from tools.explain.without_browser import Request
from tools.measuring.measurement import MeasuredModel, native_outputs
from web_tests.drivers.harness import LoadedModel, LoadOptions, PageHarness
from web_tests.models import catalogue, package_assets
from web_tests.models.recipes import Array
from web_tests.references import native_litert
from web_tests.references.inputs import inputs_for, seeded_inputs

# In addition to the real models of models.toml.
GENERATED_MODELS = ("mobilenet_v2", "mobilenet_v2_int8", "mobilenet_v2_int8_uint8_io")
QUICK_MODELS = ("mobilenet_v2", "mobilenet_v2_int8_uint8_io", "face_detection_short_range")
# Models whose authors also publish them as ONNX.
PUBLISHED_ONNX = {
    "oww_alexa": "alexa_v0.1.onnx",
    "oww_embedding": "embedding_model.onnx",
    "basic_pitch_nmp": "nmp.onnx",
}


class NoFormError(BuildError):
    """A model lacks the form that a runtime accepts."""


@dataclass(frozen=True)
class Task:
    """A model, its inputs and the expected outputs.

    Attributes:
        inputs: in the order of the model's inputs.
        infos: tensor index, name, dtype, shape of each input.
        output_infos: the same for the outputs.
        expected: native LiteRT's outputs, one array per name; empty if there are none.
        reference_error: why native LiteRT has no outputs.
        nodes: number of nodes of the model.
        forms: the model in each form, or the error that explains its absence.
        signature: the signature that runs; empty for the entire main subgraph.
        persistent: inputs of the signature that are outputs, too, and are not copied between the runs of a turn.
    """

    model: MeasuredModel
    inputs: Sequence[Array]
    infos: Sequence[Mapping[str, Any]]
    output_infos: Sequence[Mapping[str, Any]]
    expected: Sequence[Array]
    expected_names: Sequence[str]
    reference_error: str
    nodes: int
    forms: Mapping[Form, bytes | BuildError] = field(repr=False)
    signature: str = ""
    persistent: Sequence[str] = ()

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    @property
    def quantized(self) -> bool:
        """Whether outputs are compared in quantization steps."""
        return self.model.known.quantized if self.model.known else False

    def form(self, form: Form) -> bytes:
        """Return the model in a form.

        Raises:
            BuildError: the model lacks the form.
        """
        found = self.forms[form]
        if isinstance(found, BuildError):
            raise found
        return found


def default_models() -> list[str]:
    """Return the names of the models that `build.py bench` measures by default."""
    return [*catalogue.all_models(), *GENERATED_MODELS]


def prepare(harness: PageHarness, model: MeasuredModel) -> Task:
    """Load a model with our own package for its inputs and graph, and run it with native LiteRT.

    Raises:
        ModelError: the package rejects the model.
        PageError: the page crashed or hung.
    """
    loaded = harness.load(model.content, LoadOptions(webnn_options={"polyfill": "never"}))
    inputs = inputs_for(model.known) if model.known else seeded_inputs(loaded.inputs)
    forms: dict[Form, bytes | BuildError] = {"tflite": model.content}
    forms["script"] = _attempt(lambda: script_of(model, loaded).encode())
    forms["onnx"] = _attempt(lambda: onnx_of(model.name))
    loaded.dispose()
    expected, reason = native_outputs(model, inputs)
    names = [detail.name for detail in native_litert.output_details(model.content)] if expected else []
    infos, output_infos = (
        [{key: info[key] for key in ("index", "name", "dtype", "shape")} for info in tensors]
        for tensors in (loaded.inputs, loaded.outputs)
    )
    return Task(model, inputs, infos, output_infos, expected, names, reason, loaded.report["totals"]["nodes"], forms)


def onnx_of(name: str) -> bytes:
    """Return a model as its authors publish it for ONNX.

    Raises:
        NoFormError: they do not.
    """
    if name not in PUBLISHED_ONNX:
        raise NoFormError("its authors do not publish it as ONNX", where=name)
    return package_assets.path_of("programs", PUBLISHED_ONNX[name]).read_bytes()


def script_of(model: MeasuredModel, loaded: LoadedModel) -> str:
    """Return the script of the only WebNN graph of a model in this browser.

    Raises:
        NoFormError: WebNN does not run the entire model.
    """
    if loaded.execution_mode != "direct":
        raise NoFormError(
            f"WebNN does not run the entire model: its mode is {loaded.execution_mode}",
            where=model.name,
            hint="name models that run entirely on WebNN; `build.py explain` lists the nodes that it runs",
        )
    webnn = loaded.report["webnn"]
    with tempfile.TemporaryDirectory() as directory:
        model_file, script = Path(directory) / "model.tflite", Path(directory) / "graph.js"
        model_file.write_bytes(model.content)
        options = {"workarounds": webnn["workarounds"]}
        request = Request(loaded.report["variant"], options, webnn["excludedNodes"], script)
        without_browser.explain(model_file, webnn["opSupportLimits"], request)
        return script.read_text(encoding="utf-8")


def _attempt(make: Any) -> bytes | BuildError:
    try:
        form: bytes = make()
    except BuildError as error:
        return error
    return form
