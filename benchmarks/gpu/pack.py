"""The directory that measures on a bare Linux with a GPU: Node, Dawn, the package, peers, models and native outputs."""

import json
import lzma
import shutil
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from support.console import step
from support.errors import BuildError
from support.npm import JS_DIR, package_version, pinned_node
from support.paths import PACKAGE_DIR, PROJECT_DIR
from tools.bench.models import NoFormError, onnx_of
from tools.bench.result import revision
from tools.bench.runtimes import ONNX_BATCH, npm_version
from web_tests.browsers import downloads
from web_tests.models import package_assets
from web_tests.models.catalogue import Model, known_models
from web_tests.models.recipes import Array
from web_tests.references import native_litert
from web_tests.references.comparison import Table, output_range, tolerance
from web_tests.references.inputs import inputs_for

# Small ones of several kinds: audio, images, int8; the first is also checked for memory and losses.
MODELS = (
    "mlperftiny_kws_int8",
    "oww_embedding",
    "palm_detection_lite",
    "selfie_segmentation",
    "mobilenet_v2_small",
    "basic_pitch_nmp",
)
GPU, CPU = "tflite-webnn/webgpu", "tflite-webnn/simd"
LITERT, ONNXRUNTIME = "litert.js/webgpu", "onnxruntime-web/webgpu"
ARCHIVE = "gpu.tar.xz"
MAX_ARCHIVE_BYTES = 60_000_000
ROUNDS, SECONDS = 30, 20
PAGES_DIR = PROJECT_DIR / "web_tests" / "pages"
OWN_FILES = (
    *(Path(__file__).with_name(name) for name in ("check.mjs", "run.sh")),
    *(JS_DIR / "apps" / "libraries" / name for name in ("in_order.mjs", "litert.mjs", "tflite_webnn.mjs")),
    PAGES_DIR / "gpu_tensors.mjs",
    PAGES_DIR / "bench" / "onnxruntime.mjs",
)
PEER_FILES = (
    "litert_core.js",
    "litert_wasm_internal.js",
    "litert_wasm_internal.wasm",
    "ort.webgpu.bundle.min.mjs",
    "ort-wasm-simd-threaded.asyncify.mjs",
    "ort-wasm-simd-threaded.asyncify.wasm",
)
# litert_core.js imports it by this name.
LITERT_UTILS = "node_modules/@litertjs/wasm-utils/index.js"


class PackTooLargeError(BuildError):
    """The archive is larger than it may be."""


def stage(directory: Path, models: Sequence[str] = MODELS) -> None:
    """Write the directory, uncompressed."""
    shutil.rmtree(directory, ignore_errors=True)
    for name in ("models", "peers", "vulkan"):
        (directory / name).mkdir(parents=True)
    for file in OWN_FILES:
        shutil.copy(file, directory)
    shutil.copytree(
        PACKAGE_DIR, directory / "package", ignore=shutil.ignore_patterns("*.map", "*.d.mts", "tfjs-tflite")
    )
    shutil.copy(pinned_node(), directory / "node")
    shutil.copy(_asset("tools", "dawn.node"), directory)
    shutil.copy(downloads.install_shell().parent / "libvulkan.so.1", directory / "vulkan")
    for name in PEER_FILES:
        shutil.copy(_asset("programs", name), directory / "peers" / name)
    utils = directory / "peers" / LITERT_UTILS
    utils.parent.mkdir(parents=True)
    shutil.copy(_asset("programs", "litert_wasm_utils.js"), utils)
    plan = {
        "revision": revision(),
        "dawn": npm_version("webgpu"),
        "rounds": ROUNDS,
        "seconds": SECONDS,
        "runtimes": _runtimes(),
        "models": [_write_model(known_models()[name], directory) for name in models],
    }
    (directory / "plan.json").write_text(json.dumps(plan), encoding="utf-8")


def archive(directory: Path, file: Path, *, limit: int = MAX_ARCHIVE_BYTES) -> None:
    """Compress the directory.

    Raises:
        PackTooLargeError: the file is larger than `limit`.
    """
    filters = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 6}]
    file.parent.mkdir(parents=True, exist_ok=True)
    with (
        step(f"Compressing {file.name}"),
        lzma.open(file, "wb", filters=filters) as stream,
        tarfile.open(fileobj=stream, mode="w|") as tar,
    ):
        tar.add(directory, arcname=directory.name)
    if file.stat().st_size > limit:
        raise PackTooLargeError(
            f"the archive has {file.stat().st_size / 1e6:.1f} MB, and may have {limit / 1e6:.1f}",
            where=str(file),
            hint="choose fewer or smaller models in benchmarks/gpu/pack.py",
        )


def _runtimes() -> list[dict[str, Any]]:
    """Return the runtimes: adapters, and options of their open() and load()."""
    webnn = {"polyfill": "webgpu", "ignorePartitionCost": True}
    own = {
        "version": package_version(),
        "adapter": "tflite_webnn.mjs",
        "form": "tflite",
        "open": {"directory": "package/"},
    }
    litert = {"accelerator": "webgpu"}
    onnxruntime = {"directory": "peers/", "bundle": "ort.webgpu.bundle.min.mjs", "numThreads": 1}
    return [
        {**own, "name": GPU, "limit": "gpu", "load": {"enableWebnnDelegate": True, "webnnDelegateOptions": webnn}},
        {**own, "name": CPU, "limit": "cpu", "load": {"device": "cpu", "numThreads": 1}},
        {
            "name": LITERT,
            "version": npm_version("@litertjs/core"),
            "adapter": "litert.mjs",
            "form": "tflite",
            "limit": "gpu",
            "open": {"directory": "peers/"},
            "load": litert,
        },
        {
            "name": ONNXRUNTIME,
            "version": npm_version("onnxruntime-web"),
            "adapter": "onnxruntime.mjs",
            "form": "onnx",
            "limit": "gpu",
            "open": onnxruntime,
            "load": {"executionProviders": ["webgpu"], "logSeverityLevel": 3, **ONNX_BATCH},
        },
    ]


def _write_model(model: Model, directory: Path) -> dict[str, Any]:
    content = model.content()
    inputs = inputs_for(model)
    outputs = native_litert.outputs_of(content, inputs)
    forms, missing = {"tflite": content}, ""
    try:
        forms["onnx"] = onnx_of(model.name)
    except NoFormError as error:
        missing = error.what
    for form, data in forms.items():
        (directory / "models" / f"{model.name}.{form}").write_bytes(data)
    in_details, out_details = native_litert.input_details(content), native_litert.output_details(content)
    return {
        "name": model.name,
        "forms": {form: f"models/{model.name}.{form}" for form in forms},
        "missing": missing,
        "limits": {"gpu": _limit("gpu", model, outputs), "cpu": _limit("cpu", model, outputs)},
        "inputs": [
            {**_write_array(array, f"models/{model.name}.in{index}", directory), "name": detail.name}
            for index, (array, detail) in enumerate(zip(inputs, in_details, strict=True))
        ],
        "outputs": [
            {
                **_write_array(array, f"models/{model.name}.out{index}", directory),
                "name": detail.name,
                "range": output_range(array),
            }
            for index, (array, detail) in enumerate(zip(outputs, out_details, strict=True))
        ],
    }


def _write_array(array: Array, file: str, directory: Path) -> dict[str, Any]:
    (directory / file).write_bytes(array.tobytes())
    return {"file": file, "dtype": array.dtype.name, "shape": list(array.shape), "size": array.size}


def _limit(table: Table, model: Model, outputs: Sequence[Array]) -> float:
    """Return the tests' tolerance as a fraction of the range; that of a quantized model is in steps."""
    if model.quantized:
        return tolerance("quantized", model.name).steps / min(map(output_range, outputs))
    return tolerance(table, model.name).relative_to_range


def _asset(kind: str, name: str) -> Path:
    return package_assets.path_of(kind, name)
