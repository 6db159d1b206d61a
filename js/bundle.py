"""Bundles build/package, which pages import, from the TypeScript packages and the compiled wasm variants.

js/scripts/bundling/package.mjs writes the scripts, the types and the modules, and lists them. This adds what else is
published:
- manifest.json: the variants, with the manifest of each, and the npm packages in the scripts
- report.schema.json: JSON schema of the report on a model, made from js/report.py
- THIRD_PARTY_NOTICES.txt: licenses of the code in the module and in the scripts
"""

import json
from pathlib import Path
from typing import Any

from js import report, scripts, vitest
from js.node import JS_DIR, LOCK_FILE, MODULES_DIR, POLYFILL_DIR, install, run_tool
from js.notices import bundled_packages, write_notices
from support.cache import content_hash
from support.console import step
from support.errors import BuildError
from support.paths import BUILD_DIR, PACKAGE_DIR, PROJECT_DIR, artefact_dir
from wasm.toolchain import notices

RUNTIME_DIR = JS_DIR / "packages" / "core"
REPORT_SCHEMA = "report.schema.json"
STAMP = ".stamp"
# Those of scripts/bundling/scripts.mjs.
VARIANTS = ("simd", "relaxed-simd", "simd-threads", "relaxed-simd-threads")
ARTEFACTS = ("tflite_webnn.mjs", "tflite_webnn.wasm", "manifest.json")
NOTICES = notices.FILE_NAME
# Folders that the package publishes as entries, with the runtime and the polyfill.
PARTS = (
    "packages/cpu",
    "packages/media/images",
    "packages/media/results",
    "packages/media/sound",
    "packages/tasks/text",
    "packages/tasks/tasks",
    "packages/compat-litert",
    "packages/compat-tfjs",
    "packages/compat-mediapipe",
)
# Sources of the bundled files; the wasm artefacts come on top.
SOURCES = (
    RUNTIME_DIR / "src",
    *(JS_DIR / name / "src" for name in PARTS),
    JS_DIR / "packages" / "compat-tfjs-tflite" / "src",
    POLYFILL_DIR / "src",
    POLYFILL_DIR / "tsconfig.json",
    JS_DIR / "tsconfig.base.json",
    JS_DIR / "tsconfig.types.json",
    LOCK_FILE,
    RUNTIME_DIR / "package.json",
    RUNTIME_DIR / "README.md",
    PROJECT_DIR / "LICENSE",
    *scripts.BUNDLING_DIR.glob("*.mjs"),
    *(JS_DIR / name for name in ("bundle.py", "notices.py", "report.py", "scripts.py")),
)
# What layers() checks. The runtime's own tests may import all of it; dependency-cruiser cannot read their `using`.
LAYERED = (
    "packages/core/src",
    *PARTS,
    "packages/webnn-polyfill",
    "packages/compat-tfjs-tflite",
    "apps/pyodide",
    "apps/probes",
    "apps/programs",
    "scripts",
    "apps/libraries",
    "../site/scripts",
    "../site/classic_scripts",
    "../site/service_worker",
)


class NoWasmError(BuildError):
    """No wasm variant has been built yet."""


def bundle(root: Path = BUILD_DIR) -> None:
    """Make `root`/package from the modules in `root`/wasm, unless it is up to date.

    Raises:
        NoWasmError: no variant has been compiled.
        CommandError: the TypeScript does not compile.
    """
    variants = built_variants(root)
    if not variants:
        raise NoWasmError(
            "there is no wasm module to put into the package",
            where=str(artefact_dir(VARIANTS[0], root)),
            hint="compile one: python3 build.py build",
        )
    install()
    stamp = _stamp(variants, root)
    package_dir = root / PACKAGE_DIR.name
    stamp_file = package_dir / STAMP
    if stamp_file.exists() and stamp_file.read_text() == stamp:
        return
    with step(f"Bundling the package ({', '.join(variants)})"):
        stamp_file.unlink(missing_ok=True)
        made_of = scripts.bundle_package(root)
        _write_manifest(variants, package_dir, made_of)
        write_notices(package_dir, artefact_dir(variants[0], root) / NOTICES, made_of)
        (package_dir / REPORT_SCHEMA).write_text(report.schema_text())
        stamp_file.write_text(stamp)


def built_variants(root: Path = BUILD_DIR) -> list[str]:
    """Return the variants whose artefacts are complete in `root`/wasm."""
    files = (*ARTEFACTS, NOTICES)
    return [name for name in VARIANTS if all((artefact_dir(name, root) / file).exists() for file in files)]


def check_style(*, fix: bool = False) -> None:
    """Check format and style of the TypeScript with biome; with `fix`, it writes what it can.

    Raises:
        CommandError: a file is wrong; biome has printed why.
    """
    options = ["check", "--error-on-warnings", *(["--write"] if fix else [])]
    run_tool("biome", *options, ".")
    # biome reads the configuration of the folder above; site/ has its own.
    run_tool("biome", *options, "--config-path=.", "../site")


def check_types() -> None:
    """Check the types of the TypeScript, its tests and the site's scripts included.

    Raises:
        CommandError: it does not compile; the compiler has printed why.
    """
    for project in ("../js", "../site"):  # tsc keeps what it knows of files that have not changed
        known = BUILD_DIR / "tsc" / f"{Path(project).name}.tsbuildinfo"
        run_tool("tsc", "-p", f"{project}/tsconfig.json", "--incremental", "--tsBuildInfoFile", str(known))


def layers(folder: Path = JS_DIR) -> None:
    """Check with dependency-cruiser that imports point down, and that packages meet at their entry files only.

    Args:
        folder: has js/'s files, and node_modules; the site's scripts are next to it.

    Raises:
        CommandError: an import breaks a rule of .dependency-cruiser.cjs; it has been printed, with what to do.
    """
    run_tool("depcruise", "--config=.dependency-cruiser.cjs", "--output-type=err-long", *LAYERED, workspace=folder)


def update_snapshots() -> None:
    """Rewrite the snapshots of the TypeScript tests, golden files included.

    Raises:
        CommandError: a test failed for another reason and has printed its output.
    """
    scripts_with_snapshots = [file for file in vitest.test_files() if "Snapshot(" in file.read_text()]
    run_tool("vitest", "run", "--update", *scripts_with_snapshots)


def _stamp(variants: list[str], root: Path) -> str:
    """Hash the inputs of the package. A variant's manifest holds the hashes of its artefacts."""
    manifests = [artefact_dir(variant, root) / "manifest.json" for variant in variants]
    return content_hash([*SOURCES, *manifests], extra=_artefact_state(variants, root))


def _artefact_state(variants: list[str], root: Path) -> str:
    """Identify artefacts by size and time: hashing megabytes would slow down every build."""
    files = [artefact_dir(variant, root) / name for variant in variants for name in ARTEFACTS]
    states = [(file, file.stat()) for file in files]
    return json.dumps([(str(file.relative_to(root)), state.st_size, state.st_mtime_ns) for file, state in states])


def _write_manifest(variants: list[str], package_dir: Path, made_of: set[Path]) -> None:
    manifests: dict[str, Any] = {
        variant: json.loads((package_dir / variant / "manifest.json").read_text()) for variant in variants
    }
    about = [json.loads((folder / "package.json").read_text()) for folder in bundled_packages(made_of, MODULES_DIR)]
    packages = {row["name"]: {"version": row["version"], "license": row["license"]} for row in about}
    text = json.dumps({"variants": manifests, "packages": packages}, indent=2, sort_keys=True)
    (package_dir / "manifest.json").write_text(text + "\n")
