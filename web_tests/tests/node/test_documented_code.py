"""The code in documents compiles with the package's types: no example names what the package lacks."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.command import CommandError
from support.npm import JS_DIR, run_tool
from support.paths import PACKAGE_DIR, PROJECT_DIR

pytestmark = pytest.mark.needs("package")

# Documents with code for pages; a test runs the pages of README.md and js/packages/tasks/README.md in the browser.
DOCUMENTS = ("README.md", "docs", "js/packages")
ENVIRONMENT = JS_DIR / "type_tests" / "environment.d.ts"
# A block of `javascript` is a file that a test runs as it is, without types.
BLOCK = re.compile(r"^```(js|ts|typescript|html)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SCRIPT = re.compile(r'<script type="module">\n(.*?)</script>', re.DOTALL)
# A strict project; a name of an example may go unused.
OPTIONS = {
    "target": "ES2022",
    "module": "ESNext",
    "moduleResolution": "bundler",
    "lib": ["ESNext", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    "types": [],
    "noEmit": True,
    "skipLibCheck": True,
    "strict": True,
    "noUncheckedIndexedAccess": True,
    "exactOptionalPropertyTypes": True,
}


def files() -> Iterator[Path]:
    for name in DOCUMENTS:
        path = PROJECT_DIR / name
        found = sorted(path.rglob("*.md")) if path.is_dir() else [path]
        yield from (file for file in found if "node_modules" not in file.parts)


def code_of(document: Path) -> list[str]:
    """Return the scripts in a document, with the package by its name."""
    text = document.read_text(encoding="utf-8")
    scripts = [
        code
        for language, block in BLOCK.findall(text)
        for code in (SCRIPT.findall(block) if language == "html" else [block])
    ]
    names = {"./package/index.mjs": "tflite-webnn"}
    for entry in ("tasks", "image", "results", "metadata"):
        names[f"./package/{entry}.mjs"] = f"tflite-webnn/{entry}"
    for path, name in names.items():
        scripts = [script.replace(path, name) for script in scripts]
    return scripts


def compile_scripts(project: Path, scripts: dict[str, str]) -> None:
    """Compile each script as a separate module."""
    (project / "package.json").write_text('{ "private": true, "type": "module" }')
    (project / ENVIRONMENT.name).write_text(ENVIRONMENT.read_text())
    for name, script in scripts.items():
        (project / name).write_text(f"{script}\nexport {{}};\n")
    (project / "tsconfig.json").write_text(
        json.dumps({"compilerOptions": OPTIONS, "files": [ENVIRONMENT.name, *scripts]})
    )
    (project / "node_modules").mkdir()
    (project / "node_modules" / "tflite-webnn").symlink_to(PACKAGE_DIR)
    run_tool("tsc", "-p", project)


def test_the_code_of_documents_compiles(tmp_path: Path) -> None:
    scripts = {
        f"{'_'.join(document.relative_to(PROJECT_DIR).with_suffix('').parts)}_{index}.ts": code
        for document in files()
        for index, code in enumerate(code_of(document))
    }
    assert len(scripts) >= 10
    compile_scripts(tmp_path, scripts)


def test_a_name_that_the_package_lacks_does_not_compile(tmp_path: Path) -> None:
    with pytest.raises(CommandError):
        compile_scripts(tmp_path, {"wrong.ts": "import { imageToTensors } from 'tflite-webnn/image';"})
