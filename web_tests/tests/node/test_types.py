"""The package's types in a strict TypeScript project that installs the package."""

import json
import re
from pathlib import Path

import pytest

from support.command import CommandError
from support.paths import PACKAGE_DIR
from web_tests.tests.node.typescript_project import TYPE_TESTS, compile_project

pytestmark = pytest.mark.needs("package")


def compile_test(directory: Path, name: str, *, packages: tuple[str, ...] = (), **options: object) -> None:
    """Compile a script of js/type_tests."""
    compile_project(directory, {name: (TYPE_TESTS / name).read_text()}, options, packages)


def test_the_types_for_pages_compile_strictly(tmp_path: Path) -> None:
    compile_test(tmp_path, "package.ts", module="esnext", moduleResolution="bundler")


@pytest.mark.parametrize("module", ["node16", "nodenext"])
def test_the_types_for_node_compile_strictly_without_those_of_pages(tmp_path: Path, module: str) -> None:
    lib = ["es2023", "esnext.disposable"]
    packages = ("@types", "undici-types")
    compile_test(
        tmp_path, "node.ts", packages=packages, module=module, moduleResolution=module, lib=lib, types=["node"]
    )


@pytest.mark.parametrize("resolution", ["node16", "nodenext", "bundler"])
def test_every_entry_point_compiles_alone_with_the_types_of_older_browsers(tmp_path: Path, resolution: str) -> None:
    exports = json.loads((PACKAGE_DIR / "package.json").read_text())["exports"]
    names = [name for name, value in exports.items() if isinstance(value, dict) and "types" in json.dumps(value)]
    assert len(names) > 10
    script = "\n".join(f"export * as e{n} from 'tflite-webnn{name[1:]}';" for n, name in enumerate(names))
    module = "esnext" if resolution == "bundler" else resolution
    options = {"module": module, "moduleResolution": resolution, "lib": ["es2022", "dom"]}
    compile_project(tmp_path, {"exports.ts": script}, options)


def test_predict_compiles_with_the_types_of_tensorflow_js(tmp_path: Path) -> None:
    # TensorFlow.js' own declarations fail the check.
    compile_test(tmp_path, "tensorflow.ts", packages=("@tensorflow",), skipLibCheck=True)


def test_a_wrong_use_does_not_compile(tmp_path: Path) -> None:
    wrong = "import { loadTFLiteModel } from 'tflite-webnn';\nexport const model = loadTFLiteModel(42);\n"
    with pytest.raises(CommandError):
        compile_project(tmp_path, {"wrong.ts": wrong}, {})


def test_no_declaration_has_the_type_any() -> None:
    comment = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
    files = sorted((PACKAGE_DIR / "types").rglob("*.d.ts"))
    assert files
    assert [str(file) for file in files if re.search(r"\bany\b", comment.sub("", file.read_text()))] == []
