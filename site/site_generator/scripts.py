"""The scripts of pages and workers, which js/scripts/bundling/site.mjs bundles."""

from pathlib import Path

from site_generator.output_directory import OutputDirectory
from site_generator.paths import CLASSIC_SCRIPTS_DIR, SCRIPTS_DIR, SERVICE_WORKER
from support.npm import run_script
from wasm.toolchain import notices


def entries() -> list[Path]:
    """Return the entry points of pages and workers: the files directly in scripts/."""
    return sorted(SCRIPTS_DIR.glob("*.ts"))


def bundle_scripts(output: OutputDirectory) -> None:
    """Write the modules scripts/*.mjs, the classic scripts scripts/*.js and the service worker.

    Raises:
        CommandError: a script cannot be bundled; esbuild has printed the errors.
    """
    run_script("build", "site", output.path.absolute())
    written = [f"scripts/{notices.FILE_NAME}", f"{SERVICE_WORKER.stem}.js"]
    written += [f"scripts/{entry.stem}.mjs" for entry in entries()]
    written += [f"scripts/{script.stem}.js" for script in CLASSIC_SCRIPTS_DIR.glob("*.ts")]
    for name in written:
        output.keep(name)
