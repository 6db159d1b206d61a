"""The contracts of pyproject.toml and js/.dependency-cruiser.cjs: an upward import breaks them."""

import json
import re
import shutil
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from support import npm
from support.command import CommandError
from support.npm import JS_DIR, MODULES_DIR
from support.paths import PROJECT_DIR
from tools import lint

ROOTS = ("benchmarks", "support", "tools", "web_tests", "site/site_generator", "pyodide_pkg", "wasm")
RUNTIME = JS_DIR / "packages" / "core" / "src"
# Each package below these directories is a layer; every other root is one layer.
DIVIDED = ("benchmarks", "tools", "web_tests")


def test_every_package_has_its_layer() -> None:
    contracts = tomllib.loads((PROJECT_DIR / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = {name for line in contracts[0]["layers"] for name in re.split(r" [:|] ", line)}
    found = set()
    for root in DIVIDED:
        modules = [file.stem for file in (PROJECT_DIR / root).glob("*.py") if file.stem != "__init__"]
        packages = [file.parent.name for file in (PROJECT_DIR / root).glob("*/*.py")]
        found |= {f"{root}.{name}" for name in [*modules, *packages]}
    assert found - layers == {"web_tests.pages"}, "add them to [tool.importlinter] of pyproject.toml"


# An import for a file that breaks the contract.
UPWARD_MODULES = {
    "support/paths.py": "tools.doctor",
    "wasm/toolchain/variants.py": "web_tests.models.catalogue",
    "web_tests/models/recipes.py": "tools.demo.demo",
    "site/site_generator/pages.py": "web_tests.tests.conftest",
}


def test_an_import_that_points_up_and_a_cycle_are_rejected(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for root in ROOTS:
        shutil.copytree(PROJECT_DIR / root, tmp_path / root, ignore=_all_but_python)
    shutil.copy(PROJECT_DIR / "pyproject.toml", tmp_path)
    for file, imported in UPWARD_MODULES.items():
        with (tmp_path / file).open("a") as source:
            source.write(f"\nimport {imported}\n")
    with (tmp_path / "pyodide_pkg/src/tflite_webnn/tensors.py").open("a") as source:
        source.write("\nimport tflite_webnn.interpreter\n")
    with pytest.raises(CommandError):
        lint.layers(tmp_path)
    shown = capfd.readouterr().err
    assert "An import points down BROKEN" in shown
    assert "No cycles are allowed in tflite_webnn." in shown
    importers = {file: file.removeprefix("site/").removesuffix(".py").replace("/", ".") for file in UPWARD_MODULES}
    expected = [f"{importers[file]} -> {imported}" for file, imported in UPWARD_MODULES.items()]
    assert [line for line in expected if line not in shown] == []


def layered_directories() -> list[str]:
    """Return the directories that `npm run layers` checks."""
    command = json.loads((JS_DIR / "package.json").read_text())["scripts"]["layers"]
    return [word for word in command.split()[1:] if not word.startswith("--")]


def test_every_directory_of_typescript_has_its_layer() -> None:
    """A directory without a package.json, or that .dependency-cruiser.cjs does not name, could import everything."""
    packages = [directory.parent for top in ("packages", "apps") for directory in (JS_DIR / top).glob("*/src")]
    assert [str(directory) for directory in packages if not (directory / "package.json").exists()] == []
    rules = (JS_DIR / ".dependency-cruiser.cjs").read_text()
    layered = (RUNTIME, PROJECT_DIR / "site" / "scripts")
    directories = {path.name for root in layered for path in root.iterdir() if path.is_dir()} - {"generated", "tests"}
    assert {name for name in directories if f"'{name}'" not in rules} == set()


def test_packages_of_typescript_have_no_cycle() -> None:
    manifests = [json.loads(file.read_text()) for file in JS_DIR.glob("packages/*/package.json")]
    graph = {about["name"]: set(about.get("dependencies", ())) for about in manifests}
    TopologicalSorter(graph).prepare()


def test_the_architecture_names_every_directory_and_no_other() -> None:
    text = (PROJECT_DIR / "docs" / "architecture.md").read_text()
    tops = [PROJECT_DIR / name for name in ("benchmarks", "js", "site", "support", "tools", "wasm", "web_tests")]
    directories = [path for top in tops for path in top.iterdir() if path.name != "tests" and _has_files(path)]
    assert [str(path) for path in directories if not re.search(rf"\b{re.escape(path.name)}\b", text)] == []
    named = re.findall(rf"`((?:{'|'.join(top.name for top in tops)})/[\w/.-]+)`", text)
    assert [name for name in named if not any((root / name).exists() for root in (PROJECT_DIR, RUNTIME))] == []


def _has_files(path: Path) -> bool:
    """Whether a path is a directory of the tree: what is installed or cached does not count."""
    if not path.is_dir() or path.name == "node_modules" or path.name.startswith((".", "__")):
        return False
    return any(child.is_file() or _has_files(child) for child in path.iterdir())


# The same for files of js/, and the rule that each breaks.
UPWARD = {
    "packages/core/src/webnn/webnn_context.ts": (
        "../model/schedule.js",
        "packages/core/src/webnn imports nothing above it",
    ),
    "packages/core/src/options.ts": ("./model/schedule.js", "packages/core/src/options.ts imports nothing above it"),
    "packages/core/src/support/tasks.ts": ("../index.js", "packages/core/src/support imports nothing above it"),
    "packages/core/src/dtypes.ts": ("./description.js", "no cycle"),
    "packages/webnn-polyfill/src/engine.ts": (
        "tflite-webnn/errors",
        "the polyfill imports only wasm and half-precision numbers of the core",
    ),
    "packages/media/src/images/grid.ts": ("../../../core/src/index.js", "packages import each other by name"),
    "packages/media/src/images/pillow.ts": ("tflite-webnn/dtypes", "one set of error classes"),
    "packages/media/src/results/masks.ts": ("@tflite-webnn/tasks", "@tflite-webnn/media imports its dependencies"),
    "packages/media/src/results/classes.ts": (
        "../images/index.js",
        "images, results and sound import each other by name",
    ),
    "packages/tasks/src/task.ts": ("./text/index.js", "tasks import text by name"),
    "packages/tasks/src/language/sampling.ts": ("../task.js", "language imports tasks by name"),
    "apps/pyodide/src/index.ts": ("../../../packages/core/src/errors.js", "packages import each other by name"),
    "../site/scripts/vision/blur.ts": ("../demos/notes.js", "../site/scripts/vision imports nothing above it"),
    "../site/scripts/demos/camera.ts": ("../index.js", "../site/scripts/demos imports nothing above it"),
    "../site/classic_scripts/theme_start.ts": (
        "../../js/packages/media/src/images/grid.js",
        "the site imports what is published",
    ),
    "../site/scripts/common/dom.ts": ("../../../js/packages/core/src/dtypes.js", "the site imports what is published"),
}


def test_an_import_of_typescript_that_points_up_is_rejected(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Types count, too."""
    js = tmp_path / "js"
    shutil.copytree(JS_DIR, js, ignore=shutil.ignore_patterns("node_modules", "*.py", "golden"))
    for scripts in layered_directories():
        if scripts.startswith("../site/"):
            shutil.copytree(JS_DIR / scripts, js / scripts)
    _link_modules(js)
    for file, (imported, _) in UPWARD.items():
        with (js / file).open("a") as source:
            source.write(f"export type * from '{imported}';\n")
    with pytest.raises(CommandError):
        npm.run_script("layers", directory=js)
    shown = capfd.readouterr().err
    # A cycle is named by any of its files.
    errors = [f"error {rule}: {'' if rule == 'no cycle' else file}" for file, (_, rule) in UPWARD.items()]
    assert [error for error in errors if error not in shown] == []
    assert "Move what both need to the lower directory" in " ".join(shown.split())


def _link_modules(js: Path) -> None:
    """Link what is installed; the links to packages of js/ lead to the copies."""
    for path in [*MODULES_DIR.iterdir(), *MODULES_DIR.glob("@tflite-webnn/*")]:
        link = js / "node_modules" / path.relative_to(MODULES_DIR)
        link.parent.mkdir(parents=True, exist_ok=True)
        if path.name != "@tflite-webnn":
            link.symlink_to(path.readlink() if path.is_symlink() else path)


def _all_but_python(directory: str, names: list[str]) -> set[str]:
    return {
        name for name in names if name == "node_modules" or not (name.endswith(".py") or Path(directory, name).is_dir())
    }
