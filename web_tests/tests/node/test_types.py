"""The package's types in a strict TypeScript project that installs the package."""

import json
import re
from pathlib import Path

import pytest

from support.command import CommandError
from support.npm import JS_DIR, MODULES_DIR, run_tool
from support.paths import PACKAGE_DIR

pytestmark = pytest.mark.needs("package")

TYPE_TESTS = JS_DIR / "type_tests"
STRICT = TYPE_TESTS / "tsconfig.strict.json"


def compile_strictly(project: Path, script: Path, *, packages: tuple[str, ...] = (), **more: object) -> None:
    """Compile `script` in a project that has the package and `packages` installed."""
    (project / "package.json").write_text('{ "private": true, "type": "module" }')
    options = {"extends": str(STRICT), "compilerOptions": more, "files": [script.name]}
    (project / "tsconfig.json").write_text(json.dumps(options))
    (project / script.name).write_text(script.read_text())
    modules = project / "node_modules"
    modules.mkdir()
    (modules / "tflite-webnn").symlink_to(PACKAGE_DIR)
    for name in ("expect-type", *packages):
        (modules / name).symlink_to(MODULES_DIR / name)
    run_tool("tsc", "-p", project)


def test_the_types_for_pages_compile_strictly(tmp_path: Path) -> None:
    compile_strictly(tmp_path, TYPE_TESTS / "package.ts", module="esnext", moduleResolution="bundler")


@pytest.mark.parametrize("module", ["node16", "nodenext"])
def test_the_types_for_node_compile_strictly_without_those_of_pages(tmp_path: Path, module: str) -> None:
    types = {"lib": ["es2023", "esnext.disposable"], "types": ["node"]}
    project = {"module": module, "moduleResolution": module, **types}
    compile_strictly(tmp_path, TYPE_TESTS / "node.ts", packages=("@types", "undici-types"), **project)


@pytest.mark.parametrize("resolution", ["node16", "nodenext", "bundler"])
def test_every_entry_point_alone_with_what_browsers_have_had_for_long(tmp_path: Path, resolution: str) -> None:
    exports = json.loads((PACKAGE_DIR / "package.json").read_text())["exports"]
    names = [name for name, value in exports.items() if isinstance(value, dict) and "types" in json.dumps(value)]
    assert len(names) > 10
    script = tmp_path / "exports.ts"
    lines = [f"export * as e{n} from 'tflite-webnn{name[1:]}';" for n, name in enumerate(names)]
    script.write_text("\n".join(lines))
    project = tmp_path / "project"
    project.mkdir()
    module = "esnext" if resolution == "bundler" else resolution
    compile_strictly(project, script, module=module, moduleResolution=resolution, lib=["es2022", "dom"])


def test_predict_on_the_real_tensors(tmp_path: Path) -> None:
    # TensorFlow.js' own declarations fail the check.
    compile_strictly(tmp_path, TYPE_TESTS / "tensorflow.ts", packages=("@tensorflow",), skipLibCheck=True)


def test_a_wrong_use_does_not_compile(tmp_path: Path) -> None:
    script = tmp_path / "wrong.ts"
    script.write_text("import { loadTFLiteModel } from 'tflite-webnn';\nexport const model = loadTFLiteModel(42);\n")
    project = tmp_path / "project"
    project.mkdir()
    with pytest.raises(CommandError):
        compile_strictly(project, script)


def test_no_declaration_has_the_type_any() -> None:
    comment = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
    files = sorted((PACKAGE_DIR / "types").rglob("*.d.ts"))
    assert files
    assert [str(file) for file in files if re.search(r"\bany\b", comment.sub("", file.read_text()))] == []
