"""The scripts of the package, bundled by esbuild and shrunk by SWC."""

import json
import re
import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from js.node import JS_DIR, find_node, run_tool
from tools.support.cache import file_sha256
from tools.support.command import run
from tools.support.paths import BUILD_DIR, artefact_dir

SOURCE_DIR = JS_DIR / "runtime" / "src"
POLYFILL_DIR = JS_DIR / "webnn-polyfill" / "src"
CLASSIC_SCRIPT_URL = SOURCE_DIR / "classic_script_url.ts"
# esbuild's definition of whether a variant is in the package, for wasm_files.ts.
VARIANT_FLAGS = {
    "simd": "__PACKAGED__.simd",
    "relaxed-simd": "__PACKAGED__.relaxedSimd",
    "simd-threads": "__PACKAGED__.simdThreads",
    "relaxed-simd-threads": "__PACKAGED__.relaxedSimdThreads",
}
# Scripts that contain a variant's JavaScript part have that of this one, which every browser runs.
EMBEDDED_VARIANT = "simd"
# The drop-in for @tensorflow/tfjs-tflite. The client loads the script that matches the browser's features; all are the
# same, and detect the features themselves.
DROP_IN_DIR = "tfjs-tflite"
DROP_IN_NAMES = tuple(f"tflite_web_api_cc{suffix}.js" for suffix in ("_simd", "", "_threaded", "_simd_threaded"))
DROP_IN_WASM = "tflite_web_api_cc_simd.wasm"
CPU_DIR = JS_DIR / "cpu" / "src"
WORKLET_GLOBALS = CPU_DIR / "worklet_globals.ts"
# Emscripten's part of a module calls the module's exports by these names.
EXPORT_OF_WASM = re.compile(r'=wasmExports\["([^"]+)"\]\)\(')
HASH_DIGITS = 12
# The entry that has the names for metadata only. Its code is index.mjs': one file is there sooner than two.
METADATA = "metadata.mjs"
METADATA_TEXT = "export * from './index.mjs';\n"
# The worker of blocking mode, for the package and the drop-in.
HELPER = "webnn_helper.mjs"
# Parts of the package that import others by the names of the package's exports, and the files that have them.
EXPORTS = {
    "tflite-webnn": "index.mjs",
    "tflite-webnn/metadata": "index.mjs",
    "tflite-webnn/image": "image.mjs",
    "tflite-webnn/results": "results.mjs",
    "tflite-webnn/text": "text.mjs",
    "tflite-webnn/tasks": "tasks.mjs",
}
# The package and the helper load this once a node has ended the browser's GPU process.
GPU_FAULTS = "gpu_faults.mjs"
IMPORT_OF_ADDRESS = re.compile(r"\bimport\((\w+\.\s*href)\)")
# The polyfill loads this for its GPU engines.
GPU_ENGINES = "polyfill_gpu.mjs"
# TensorFlow.js keeps its engine and kernels in globals, which all its copies in a page share. The polyfill's copy
# renames them: the page's backend stays as it is, and versions do not collide.
TFJS_GLOBALS = POLYFILL_DIR / "tfjs" / "globals.json"


@dataclass(frozen=True)
class Script:
    """One script: `entry` and its imports.

    Attributes:
        classic: for a `<script>` tag, which cannot export.
        global_name: the global with the exports of a classic script.
        embedded: contains EMBEDDED_VARIANT's JavaScript part; else the variants lie beside the script.
        worklet: runs in AudioWorklets, too, which lack some globals.
        split: dynamic imports become separate scripts, `<stem>-*.mjs`.
        tfjs: contains TensorFlow.js, separate from the page's copy.
        source_map: write a map beside it.
    """

    name: str
    entry: Path
    classic: bool = False
    global_name: str | None = None
    embedded: bool = False
    worklet: bool = False
    split: bool = False
    tfjs: bool = False
    source_map: bool = True


SCRIPTS = (
    Script("index.mjs", SOURCE_DIR / "index.ts"),
    Script("explain.mjs", SOURCE_DIR / "explain.ts"),
    Script("image.mjs", JS_DIR / "images" / "src" / "index.ts"),
    Script("results.mjs", JS_DIR / "results" / "src" / "index.ts"),
    Script("sound.mjs", JS_DIR / "sound" / "src" / "index.ts"),
    Script("text.mjs", JS_DIR / "text" / "src" / "index.ts", split=True),
    Script("tasks.mjs", JS_DIR / "tasks" / "src" / "index.ts"),
    Script("cpu.mjs", CPU_DIR / "index.ts", embedded=True, worklet=True),
    Script("tflite_cpu.js", CPU_DIR / "classic.ts", classic=True, embedded=True, worklet=True),
    Script("litert.mjs", JS_DIR / "litert" / "src" / "index.ts"),
    Script("vision.mjs", JS_DIR / "vision" / "src" / "index.ts"),
    Script("worker.mjs", SOURCE_DIR / "worker.ts"),
    Script(HELPER, SOURCE_DIR / "webnn_helper.ts"),
    Script(GPU_FAULTS, SOURCE_DIR / "webnn" / "gpu_faults.ts"),
    Script("polyfill.mjs", POLYFILL_DIR / "index.ts"),
    Script("polyfill_worker.mjs", POLYFILL_DIR / "tflite" / "engine" / "worker.ts"),
    # TensorFlow.js' own maps lack their sources, which Parcel then looks for.
    Script(GPU_ENGINES, POLYFILL_DIR / "tfjs" / "index.ts", tfjs=True, source_map=False),
    Script("webnn_polyfill.js", POLYFILL_DIR / "classic.ts", classic=True, global_name="webnnPolyfill"),
    Script("tflite_webnn.js", SOURCE_DIR / "index.ts", classic=True, global_name="tfliteWebnn"),
    Script(
        f"{DROP_IN_DIR}/{DROP_IN_NAMES[0]}",
        JS_DIR / "tfjs-tflite" / "src" / "module_factory.ts",
        classic=True,
        embedded=True,
    ),
)


def bundle_scripts(variants: Collection[str], folder: Path, root: Path = BUILD_DIR) -> set[Path]:
    """Write the scripts and their source maps into `folder`; return their source files.

    `root`/wasm has the modules.

    Raises:
        CommandError: the TypeScript cannot be bundled; esbuild has printed the errors.
    """
    made_of: set[Path] = set()
    outputs: list[Path] = []
    for script in SCRIPTS:
        if script.embedded and EMBEDDED_VARIANT not in variants:
            continue
        if script.split:
            for part in folder.glob(f"{Path(script.name).stem}-*.mjs*"):
                part.unlink()  # from an earlier build: the names contain hashes
        metafile = folder / "esbuild.meta.json"
        run_tool("esbuild", *arguments(script, variants, folder, root), f"--metafile={metafile}")
        metadata = json.loads(metafile.read_text())
        made_of.update(parts(metadata))
        outputs += [file for output in metadata["outputs"] if (file := JS_DIR / output).suffix != ".map"]
        metafile.unlink()
    run([find_node(), JS_DIR / "tools" / "shrink.mjs", *outputs], quiet=True)
    for output in outputs:
        _keep_from_bundlers(output)
    (folder / METADATA).write_text(METADATA_TEXT)
    return made_of


def _keep_from_bundlers(script: Path) -> None:
    """Mark the imports of addresses, which bundlers cannot resolve: such comments are dropped when it is minified."""
    marked = IMPORT_OF_ADDRESS.sub(r"import(/*webpackIgnore:true*//*@vite-ignore*/\1)", script.read_text())
    script.write_text(marked)


def parts(metadata: Mapping[str, Any]) -> set[Path]:
    """Return the source files that a script contains, from esbuild's metadata."""
    inputs = [item for output in metadata["outputs"].values() for item in output["inputs"].items()]
    return {JS_DIR / name for name, part in inputs if part["bytesInOutput"] > 0}


def complete_drop_in(folder: Path) -> None:
    """Put the drop-in's other script names, its module and the helper's scripts into the package."""
    script, *others = (folder / DROP_IN_DIR / name for name in DROP_IN_NAMES)
    for other in others:
        shutil.copyfile(script, other)
    shutil.copyfile(folder / EMBEDDED_VARIANT / "tflite_webnn.wasm", script.with_name(DROP_IN_WASM))
    for name in (HELPER, GPU_FAULTS):
        shutil.copyfile(folder / name, script.with_name(name))


def external_arguments() -> list[str]:
    """Return esbuild's arguments for files that a script loads at run time, from beside it."""
    variants = (f"{variant}/*" for variant in VARIANT_FLAGS)
    names = (*variants, *EXPORTS.values(), "polyfill.mjs", GPU_ENGINES, GPU_FAULTS)
    return [f"--external:./{name}" for name in names]


def export_arguments() -> list[str]:
    """Return esbuild's arguments for imports by the names of the package's exports: files beside the script."""
    return [f"--alias:{name}=./{file}" for name, file in EXPORTS.items()]


def arguments(script: Script, variants: Collection[str], folder: Path, root: Path = BUILD_DIR) -> list[str]:
    """Return esbuild's arguments."""
    return [
        *(
            _splitting_arguments(script, folder)
            if script.split
            else (script.entry, f"--outfile={folder / script.name}")
        ),
        *define_arguments(() if script.embedded else variants, root),
        "--define:__FOR_NODE__=undefined",
        *(_embedding_arguments(root) if script.embedded else export_arguments()),
        *external_arguments(),
        *(_classic_arguments(script) if script.classic else ["--format=esm"]),
        *([f"--inject:{WORKLET_GLOBALS}"] if script.worklet else []),
        "--bundle",
        *(_tfjs_arguments() if script.tfjs else ("--platform=neutral", "--main-fields=module,main")),
        "--target=es2022",
        "--minify",
        *(["--sourcemap"] if script.source_map else []),
        "--log-level=warning",
    ]


def define_arguments(beside: Collection[str], root: Path) -> list[str]:
    """Return esbuild's definitions: the version, and the hashes of the modules that lie beside a script."""
    hashes = _module_hashes(beside, root)
    return [
        *(f"--define:{flag}={json.dumps(hashes.get(name, False))}" for name, flag in VARIANT_FLAGS.items()),
        f"--define:__VERSION__={json.dumps(package_version())}",
    ]


def _module_hashes(variants: Collection[str], root: Path) -> dict[str, str]:
    """Return the beginning of each module's hash: enough to distinguish versions."""
    modules = {variant: artefact_dir(variant, root) / "tflite_webnn.wasm" for variant in variants}
    return {variant: file_sha256(file)[:HASH_DIGITS] for variant, file in modules.items()}


def package_version() -> str:
    version: str = json.loads((SOURCE_DIR.parent / "package.json").read_text())["version"]
    return version


def _splitting_arguments(script: Script, folder: Path) -> list[str]:
    stem = Path(script.name).stem
    names = ["--entry-names=[name]", f"--chunk-names={stem}-[name]-[hash]", "--out-extension:.js=.mjs"]
    return [f"{stem}={script.entry}", f"--outdir={folder}", "--splitting", *names]


def _classic_arguments(script: Script) -> list[str]:
    return [
        "--format=iife",
        *([f"--global-name={script.global_name}"] if script.global_name else []),
        f"--inject:{CLASSIC_SCRIPT_URL}",
        "--define:import.meta.url=classicScriptUrl",
    ]


def _tfjs_arguments() -> list[str]:
    # For browsers, its packages name the Node modules to leave out there.
    names = "|".join(json.loads(TFJS_GLOBALS.read_text()))
    return [
        "--platform=browser",
        "--main-fields=browser,module,main",
        f"--mangle-props=^({names})$",
        f"--mangle-cache={TFJS_GLOBALS}",
    ]


def _embedding_arguments(root: Path) -> list[str]:
    folder = artefact_dir(EMBEDDED_VARIANT, root)
    exported = sorted(set(EXPORT_OF_WASM.findall((folder / "tflite_webnn.mjs").read_text())))
    # It has no file beside it, so it contains what it imports of the package.
    internals = f"--alias:tflite-webnn={SOURCE_DIR / 'internals.ts'}"
    return [f"--alias:wasm-module={folder}", internals, f"--define:__WASM_EXPORTS__={json.dumps(exported)}"]
