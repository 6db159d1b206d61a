"""The code in documents compiles with the package's types: no example names what the package lacks."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.command import CommandError
from support.paths import PROJECT_DIR
from web_tests.tests.node.typescript_project import TYPE_TESTS, compile_project

pytestmark = pytest.mark.needs("package")

# Documents with code for pages; a test runs the pages of README.md and js/packages/tasks/README.md in the browser.
DOCUMENTS = ("README.md", "docs", "js/packages")
ENVIRONMENT = TYPE_TESTS / "environment.d.ts"
# A block of `javascript` is a file that a test runs as it is, without types.
BLOCK = re.compile(r"^```(js|ts|typescript|html)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SCRIPT = re.compile(r'<script type="module">\n(.*?)</script>', re.DOTALL)
# A name of an example may go unused.
OPTIONS = {
    "module": "ESNext",
    "moduleResolution": "bundler",
    "lib": ["ESNext", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    "skipLibCheck": True,
    "noPropertyAccessFromIndexSignature": False,
    "noUnusedLocals": False,
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


def compile_scripts(directory: Path, scripts: dict[str, str]) -> None:
    """Compile each script as a separate module, next to what examples expect of their page."""
    modules = {name: f"{script}\nexport {{}};\n" for name, script in scripts.items()}
    compile_project(directory, {ENVIRONMENT.name: ENVIRONMENT.read_text(), **modules}, OPTIONS)


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
