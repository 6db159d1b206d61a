"""Bundles the scripts of pages and workers with esbuild, each into one file; the package stays external."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from js.node import JS_DIR, run_tool
from js.notices import script_notices
from site_generator.output_folder import OutputFolder
from site_generator.paths import CLASSIC_SCRIPTS_DIR, SCRIPTS_DIR, SERVICE_WORKER
from wasm.toolchain.notices import FILE_NAME

# Scripts import `tflite-webnn` at run time from the package next to them.
PACKAGE_ARGUMENTS = (
    "--alias:tflite-webnn=../package/index.mjs",
    "--alias:tflite-webnn/image=../package/image.mjs",
    "--alias:tflite-webnn/language=../package/language.mjs",
    "--alias:tflite-webnn/results=../package/results.mjs",
    "--alias:tflite-webnn/sound=../package/sound.mjs",
    "--alias:tflite-webnn/tasks=../package/tasks.mjs",
    "--alias:tflite-webnn/text=../package/text.mjs",
    "--alias:tflite-webnn/vision=../package/vision.mjs",
    "--alias:tflite-webnn/explain=../package/explain.mjs",
    "--alias:tflite-webnn/metadata=../package/index.mjs",
    "--alias:tflite-webnn/polyfill=../package/polyfill.mjs",
    "--alias:tflite-webnn/worker=../package/worker.mjs",
    "--external:../package/*",
)
COMMON_ARGUMENTS = (
    "--bundle",
    "--platform=browser",
    "--target=es2022",
    "--minify",
    "--log-level=warning",
)


def entries() -> list[Path]:
    """Return the entry points of pages and workers: the files directly in scripts/."""
    return sorted(SCRIPTS_DIR.glob("*.ts"))


def bundle_scripts(output: OutputFolder) -> None:
    """Write the modules scripts/*.mjs, the classic scripts scripts/*.js and the service worker.

    Raises:
        CommandError: a script cannot be bundled; esbuild has printed the errors.
    """
    metafile = output.path / "scripts.meta.json"
    run_tool(
        "esbuild",
        *entries(),
        *COMMON_ARGUMENTS,
        *PACKAGE_ARGUMENTS,
        "--format=esm",
        f"--outdir={output.path / 'scripts'}",
        f"--outbase={SCRIPTS_DIR}",
        "--out-extension:.js=.mjs",
        f"--metafile={metafile}",
    )
    metadata = json.loads(metafile.read_text())
    for file in metadata["outputs"]:
        output.keep(f"scripts/{Path(file).name}")
    output.write(f"scripts/{FILE_NAME}", script_notices(_sources(metadata)))
    metafile.unlink()
    _bundle_classic(SERVICE_WORKER, output, "service_worker.js")  # in the top folder, which is its scope
    for script in CLASSIC_SCRIPTS_DIR.glob("*.ts"):
        _bundle_classic(script, output, f"scripts/{script.stem}.js")


def _bundle_classic(source: Path, output: OutputFolder, name: str) -> None:
    run_tool("esbuild", source, *COMMON_ARGUMENTS, "--format=iife", f"--outfile={output.path / name}")
    output.keep(name)


def _sources(metadata: Mapping[str, Any]) -> set[Path]:
    """Return the source files that a script contains, from esbuild's metadata."""
    inputs = [item for output in metadata["outputs"].values() for item in output["inputs"].items()]
    return {JS_DIR / name for name, part in inputs if part["bytesInOutput"] > 0}
