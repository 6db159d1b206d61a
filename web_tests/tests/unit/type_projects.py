"""TypeScript projects that have installed this package."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from js.node import MODULES_DIR, run_tool

STRICT = {
    "target": "ES2022",
    "module": "NodeNext",
    "lib": ["ESNext", "DOM", "DOM.Iterable"],
    "types": [],
    "noEmit": True,
    "strict": True,
    "noUncheckedIndexedAccess": True,
    "noUnusedLocals": True,
}


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
    options = {**STRICT, "skipLibCheck": skip_lib_check, "paths": {name: [str(path)] for name, path in paths.items()}}
    config = {"compilerOptions": options, "files": [file.name for file in files]}
    (project / "tsconfig.json").write_text(json.dumps(config))
    run_tool("tsc", "-p", project)
