"""Scripts that js/scripts/bundling bundles with esbuild: what Python asks it for, and what it reports."""

import json
import tempfile
from pathlib import Path

from js.node import JS_DIR, find_node, install
from support.command import run
from support.paths import BUILD_DIR

BUNDLING_DIR = JS_DIR / "scripts" / "bundling"
COMMAND = BUNDLING_DIR / "bundle.mjs"
# Names in OTHER_SCRIPTS of scripts/bundling/scripts.mjs.
PROGRAMS = "programs"
PROBES = "probes"
PYODIDE = "pyodide"


def bundle_package(root: Path = BUILD_DIR) -> set[Path]:
    """Write the scripts, the types and the modules of `root`/wasm into `root`/package; return the source files.

    Raises:
        CommandError: the TypeScript cannot be bundled; the errors have been printed.
    """
    return _bundle("package", root, quiet=False)


def bundle_script(name: str, directory: Path) -> set[Path]:
    """Write a script that is in no package, e.g. PROGRAMS; return its source files.

    Raises:
        CommandError: the TypeScript cannot be bundled; esbuild has printed the errors.
    """
    return _bundle("script", name, directory)


def bundle_test_script(entry: Path, file: Path) -> None:
    """Write a script of a test: .mjs for Node; .js for a page, a global with the file's name has its exports.

    Raises:
        CommandError: the TypeScript cannot be bundled; esbuild has printed the errors.
    """
    _bundle("test-script", entry, file)


def _bundle(*arguments: str | Path, quiet: bool = True) -> set[Path]:
    install()
    with tempfile.TemporaryDirectory() as directory:
        sources = Path(directory) / "sources.json"
        run([find_node(), COMMAND, *arguments, f"--sources={sources}"], quiet=quiet)
        return set(map(Path, json.loads(sources.read_text())))


def package_version() -> str:
    version: str = json.loads((JS_DIR / "packages" / "core" / "package.json").read_text())["version"]
    return version
