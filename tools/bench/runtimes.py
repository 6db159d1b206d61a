"""The runtimes of the benchmark: this project in all its modes, its peers from npm, native LiteRT, WebNN by hand."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from support.errors import BuildError
from support.npm import package_version
from support.paths import PACKAGE_DIR
from web_tests.models import package_assets
from web_tests.references import native_litert

OWN_LIBRARY = "tflite-webnn"
HAND_WRITTEN = "hand-written/webnn"
# Of a shorter run, a ratio would say how small the model is: it is compared in microseconds, and has no target.
MIN_HAND_WRITTEN_MS = 0.4
NATIVE = "native"
# Our default, by preference: the measure of the others.
VARIANT_ORDER = ("relaxed-simd", "simd")
THREADS_SUFFIX = "-threads"
THREADS = 2
# WebNN needs static shapes: the names of the batch in the ONNX files of bench/models.py.
ONNX_BATCH = {"freeDimensionOverrides": dict.fromkeys([f"unk__{index}" for index in (316, 317, *range(749, 753))], 1)}
LITERT_ON_WEBNN = {"accelerator": "webnn", "webNNOptions": {"devicePreference": "cpu"}}

Group = Literal["WebNN", "CPU, 1 thread", "CPU, 2 threads", "WebGL"]
HostKind = Literal["page", "worker", "process"]
Form = Literal["tflite", "onnx", "script"]


class UnknownRuntimeError(BuildError):
    """No runtime's name matches what the user requested."""


class VariantsError(BuildError):
    """The packages to compare have different variants of the wasm module."""


@dataclass(frozen=True)
class RuntimeRow:
    """A runtime in a result.

    Attributes:
        name: the library and, behind a slash, how it is used.
        group: the runtimes that it can be compared with.
        version: of the library.
        is_measure: whether the others of the group are compared with it.
    """

    name: str
    group: Group
    version: str
    is_measure: bool = False

    @property
    def library(self) -> str:
        """The part of the name before the slash."""
        return self.name.split("/")[0]

    @property
    def is_own(self) -> bool:
        """Whether it is this project's."""
        return self.library == OWN_LIBRARY

    @property
    def threads(self) -> int:
        """Number of computing threads."""
        return THREADS if self.group == "CPU, 2 threads" else 1


@dataclass(frozen=True)
class Runtime(RuntimeRow):
    """One way to run a model.

    Attributes:
        host: where it runs: in a page, in a page's worker, or in a process of this machine.
        adapter: URL of the library's adapter script.
        open_options, load_options: for the adapter's open() and load().
        form: the model as a TFLite file, as an ONNX file, or as a script of its WebNN graph.
        isolated: whether the page is cross-origin isolated.
        computes_on_webnn: whether outputs are judged by WebNN's tolerances or the CPU's.
        package: the directory that the page finds as /package/.
    """

    host: HostKind = "page"
    adapter: str = ""
    open_options: Mapping[str, Any] = field(default_factory=dict)
    load_options: Mapping[str, Any] = field(default_factory=dict)
    form: Form = "tflite"
    isolated: bool = True
    computes_on_webnn: bool = False
    package: Path = PACKAGE_DIR


def built_variants(package_dir: Path = PACKAGE_DIR) -> list[str]:
    """Return the package's variants of the wasm module."""
    manifest = json.loads((package_dir / "manifest.json").read_text(encoding="utf-8"))
    return list(manifest["variants"])


def all_runtimes(variants: Sequence[str]) -> list[Runtime]:
    """Return every runtime, this project's first; `variants` are those of the package."""
    return [*_own(variants), *_peers(), *_native()]


def of_packages(packages: Sequence[Path]) -> list[Runtime]:
    """Return packages of this project, of any revisions, on WebNN and on the CPU; others are compared with the first.

    Raises:
        VariantsError: they have different variants of the wasm module, so the browser would run different ones.
    """
    variants = [sorted(built_variants(package)) for package in packages]
    if any(one != variants[0] for one in variants):
        what = "; ".join(f"{path} has {', '.join(names)}" for path, names in zip(packages, variants, strict=True))
        raise VariantsError(what, hint="build each with `python3 build.py build --variant all`")
    modes: Sequence[tuple[str, Group, Mapping[str, Any]]] = (
        ("webnn", "WebNN", webnn(polyfill="never")),
        ("cpu", "CPU, 1 thread", {"enableWebnnDelegate": False, "numThreads": 1}),
    )
    return [
        Runtime(
            f"{OWN_LIBRARY}/{mode}-{number}",
            group,
            str(package),
            is_measure=number == 1,
            adapter="./package.mjs",
            load_options=options,
            computes_on_webnn=group == "WebNN",
            package=package,
        )
        for mode, group, options in modes
        for number, package in enumerate(packages, start=1)
    ]


def select(runtimes: Sequence[Runtime], patterns: Sequence[str]) -> list[Runtime]:
    """Return the runtimes whose names match one of the shell-style patterns; all without a pattern.

    Raises:
        UnknownRuntimeError: a pattern matches none.
    """
    for pattern in patterns:
        if not any(fnmatchcase(runtime.name, pattern) for runtime in runtimes):
            names = ", ".join(runtime.name for runtime in runtimes)
            raise UnknownRuntimeError(f"no runtime is called {pattern}", hint=f"one of: {names}; * stands for any text")
    return [
        runtime
        for runtime in runtimes
        if not patterns or any(fnmatchcase(runtime.name, pattern) for pattern in patterns)
    ]


def measures(runtimes: Sequence[Runtime]) -> dict[Group, Runtime]:
    """Return what others of a group are compared with: its measure, else the first chosen one of this project's."""
    found: dict[Group, Runtime] = {}
    for runtime in runtimes:
        if runtime.is_measure or (runtime.is_own and runtime.group not in found):
            found[runtime.group] = runtime
    return found


def npm_version(package: str) -> str:
    """Return the version of a peer that models.toml names."""
    found: str = package_assets.table()["packages"][package]["version"]
    return found


def webnn(**options: Any) -> dict[str, Any]:
    """Return the options of a model that goes to WebNN whatever the cost rule says."""
    return {"enableWebnnDelegate": True, "webnnDelegateOptions": {"ignorePartitionCost": True, **options}}


def _own(variants: Sequence[str]) -> list[Runtime]:
    release = package_version()

    def own(name: str, group: Group, options: Mapping[str, Any], **more: Any) -> Runtime:
        adapter, directory = "/libraries/tflite_webnn.mjs", {"directory": "/package/"}
        return Runtime(
            f"{OWN_LIBRARY}/{name}",
            group,
            release,
            adapter=adapter,
            open_options=directory,
            load_options=options,
            **more,
        )

    rows = [
        own("webnn", "WebNN", webnn(polyfill="never"), computes_on_webnn=True, is_measure=True),
        own("blocking", "WebNN", webnn(polyfill="never", blocking=True), host="worker", computes_on_webnn=True),
        own("polyfill", "CPU, 1 thread", webnn(polyfill="tflite"), host="worker"),
    ]
    for suffix, group, threads in (("", "CPU, 1 thread", 1), (THREADS_SUFFIX, "CPU, 2 threads", THREADS)):
        here = [name for name in variants if name.endswith(THREADS_SUFFIX) == bool(suffix)]
        here.sort(key=lambda name: _rank(name.removesuffix(THREADS_SUFFIX)))
        for position, name in enumerate(here):
            options = {"device": "cpu", "variant": name, "numThreads": threads}
            rows.append(own(name, group, options, is_measure=position == 0))  # type: ignore[arg-type]
    return [*rows, *_own_as_litert(release)]


def _own_as_litert(release: str) -> list[Runtime]:
    """Return this project behind the API of LiteRT.js."""
    script = {"directory": "/package/", "script": "litert.mjs"}

    def runtime(
        name: str, group: Group, options: Mapping[str, Any], *, webnn: bool = False, threads: bool = False
    ) -> Runtime:
        adapter = "/libraries/litert.mjs"
        return Runtime(
            f"{OWN_LIBRARY}/{name}",
            group,
            release,
            adapter=adapter,
            open_options={**script, "threads": threads},
            load_options=options,
            computes_on_webnn=webnn,
        )

    def wasm(threads: int) -> dict[str, Any]:
        return {"accelerator": "wasm", "cpuOptions": {"numThreads": threads}}

    return [
        runtime("litert-webnn", "WebNN", LITERT_ON_WEBNN, webnn=True),
        runtime("litert-wasm", "CPU, 1 thread", wasm(1)),
        runtime("litert-wasm-threads", "CPU, 2 threads", wasm(THREADS), threads=True),
    ]


def _rank(variant: str) -> int:
    return VARIANT_ORDER.index(variant) if variant in VARIANT_ORDER else len(VARIANT_ORDER)


def _peers() -> list[Runtime]:
    return [
        Runtime(HAND_WRITTEN, "WebNN", "", adapter="./hand_written.mjs", form="script", computes_on_webnn=True),
        *_litert(),
        *_tfjs_tflite(),
        *_onnxruntime(),
    ]


def _litert() -> list[Runtime]:
    release = npm_version("@litertjs/core")

    def litert(name: str, group: Group, options: Mapping[str, Any], compile_options: Mapping[str, Any]) -> Runtime:
        return Runtime(
            f"litert.js/{name}",
            group,
            release,
            adapter="/libraries/litert.mjs",
            open_options={"directory": "/programs/", **options},
            load_options=compile_options,
            computes_on_webnn=group == "WebNN",
        )

    def wasm(threads: int) -> dict[str, Any]:
        return {"accelerator": "wasm", "cpuOptions": {"numThreads": threads}}

    return [
        litert("webnn", "WebNN", {"jspi": True}, LITERT_ON_WEBNN),
        litert("wasm", "CPU, 1 thread", {}, wasm(1)),
        litert("wasm-threads", "CPU, 2 threads", {"threads": True}, wasm(THREADS)),
    ]


def _tfjs_tflite() -> list[Runtime]:
    release = npm_version("@tensorflow/tfjs-tflite")

    def tfjs(name: str, group: Group, threads: int) -> Runtime:
        options = {"numThreads": threads}
        isolated = threads > 1  # the library uses its threaded build whenever there are threads
        return Runtime(
            f"tfjs-tflite/{name}",
            group,
            release,
            adapter="/libraries/tfjs_tflite.mjs",
            open_options={"directory": "/tfjs/"},
            load_options=options,
            isolated=isolated,
        )

    return [tfjs("simd", "CPU, 1 thread", 1), tfjs("simd-threads", "CPU, 2 threads", THREADS)]


def _onnxruntime() -> list[Runtime]:
    release = npm_version("onnxruntime-web")

    def onnxruntime(name: str, group: Group, bundle: str, threads: int, provider: Any) -> Runtime:
        return Runtime(
            f"onnxruntime-web/{name}",
            group,
            release,
            adapter="./onnxruntime.mjs",
            open_options={"bundle": bundle, "numThreads": threads},
            load_options={"executionProviders": [provider], "logSeverityLevel": 3, **ONNX_BATCH},
            form="onnx",
            computes_on_webnn=group == "WebNN",
        )

    on_cpu = "ort.wasm.min.mjs"
    webnn = {"name": "webnn", "deviceType": "cpu"}
    return [
        onnxruntime("webnn", "WebNN", "ort.all.bundle.min.mjs", 1, webnn),
        onnxruntime("wasm", "CPU, 1 thread", on_cpu, 1, "wasm"),
        onnxruntime("wasm-threads", "CPU, 2 threads", on_cpu, THREADS, "wasm"),
    ]


def _native() -> list[Runtime]:
    release = version(native_litert.PACKAGE)
    return [
        Runtime(f"{NATIVE}/1-thread", "CPU, 1 thread", release, host="process"),
        Runtime(f"{NATIVE}/2-threads", "CPU, 2 threads", release, host="process"),
    ]
