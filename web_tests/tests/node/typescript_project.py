"""TypeScript projects that install the package, under strict options."""

import json
from collections.abc import Mapping
from pathlib import Path

from support.npm import JS_DIR, MODULES_DIR, run_tool
from support.paths import PACKAGE_DIR

TYPE_TESTS = JS_DIR / "type_tests"


def compile_project(
    directory: Path, scripts: Mapping[str, str], options: Mapping[str, object], packages: tuple[str, ...] = ()
) -> None:
    """Compile scripts, each a module, in a project that has the package and `packages` installed.

    Args:
        directory: empty, or without a project.
        scripts: text by file name.
        options: of the compiler, in place of those of tsconfig.strict.json.
        packages: names of js/node_modules, besides expect-type.

    Raises:
        CommandError: they do not compile.
    """
    (directory / "package.json").write_text('{ "private": true, "type": "module" }')
    for name, text in scripts.items():
        (directory / name).write_text(text)
    strict = str(TYPE_TESTS / "tsconfig.strict.json")
    config = {"extends": strict, "compilerOptions": dict(options), "files": [*scripts]}
    (directory / "tsconfig.json").write_text(json.dumps(config))
    modules = directory / "node_modules"
    modules.mkdir(exist_ok=True)
    installed = {"tflite-webnn": PACKAGE_DIR, **{name: MODULES_DIR / name for name in ("expect-type", *packages)}}
    for name, source in installed.items():
        if not (modules / name).exists():
            (modules / name).symlink_to(source)
    run_tool("tsc", "-p", directory)
