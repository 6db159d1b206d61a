"""TypeScript projects that have installed this package."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from js.node import JS_DIR, MODULES_DIR, run_tool

STRICT = JS_DIR / "type_tests" / "tsconfig.strict.json"


def make(project: Path, package: Path) -> Path:
    """Install the package in an empty folder."""
    (project / "package.json").write_text('{ "private": true, "type": "module" }')
    modules = project / "node_modules"
    modules.mkdir()
    (modules / "tflite-webnn").symlink_to(package)
    (modules / "expect-type").symlink_to(MODULES_DIR / "expect-type")
    return project


def compile_in(
    project: Path, files: Sequence[Path], paths: Mapping[str, Path], *, skip_lib_check: bool = False
) -> None:
    """Compile files, with the declarations of some packages elsewhere.

    Raises:
        CommandError: they do not compile; the errors are printed.
    """
    for file in files:
        (project / file.name).write_text(file.read_text())
    options = {"skipLibCheck": skip_lib_check, "paths": {name: [str(path)] for name, path in paths.items()}}
    config = {"extends": str(STRICT), "compilerOptions": options, "files": [file.name for file in files]}
    (project / "tsconfig.json").write_text(json.dumps(config))
    run_tool("tsc", "-p", project)
