"""A TypeScript program compiles against another library's declarations and against this package's."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.command import CommandError
from support.npm import JS_DIR, MODULES_DIR, run_tool
from support.paths import PACKAGE_DIR
from web_tests.models import package_assets

pytestmark = pytest.mark.needs("package")

TYPE_TESTS = JS_DIR / "type_tests"


@dataclass(frozen=True)
class Library:
    """A library and the part of this package that has its API.

    Attributes:
        declarations: the row of models.toml with the library's own.
        wrong: a program that must not compile.
    """

    name: str
    part: str
    declarations: str
    wrong: str

    @property
    def program(self) -> Path:
        return TYPE_TESTS / f"{self.part}.ts"

    @property
    def package_types(self) -> Path:
        return PACKAGE_DIR / f"{self.part}.d.mts"


LIBRARIES = (
    Library(
        "@litertjs/core",
        "litert",
        "litert_core.d.ts",
        "import { Tensor } from '@litertjs/core';\nexport const tensor = new Tensor('pixels');\n",
    ),
    Library(
        "@mediapipe/tasks-vision",
        "vision",
        "tasks_vision/vision.d.ts",
        "import { FilesetResolver, ImageClassifier } from '@mediapipe/tasks-vision';\n"
        "const fileset = await FilesetResolver.forVisionTasks();\n"
        "export const task = await ImageClassifier.createFromOptions(fileset, { maxResults: 'all' });\n",
    ),
)
each_library = pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.part)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that has installed this package."""
    (tmp_path / "package.json").write_text('{ "private": true, "type": "module" }')
    modules = tmp_path / "node_modules"
    modules.mkdir()
    (modules / "tflite-webnn").symlink_to(PACKAGE_DIR)
    (modules / "expect-type").symlink_to(MODULES_DIR / "expect-type")
    return tmp_path


def compile_in(project: Path, text: str, paths: Mapping[str, Path], *, skip_lib_check: bool = False) -> None:
    """Compile a program, with the declarations of some packages elsewhere."""
    (project / "program.ts").write_text(text)
    options = {"skipLibCheck": skip_lib_check, "paths": {name: [str(path)] for name, path in paths.items()}}
    strict = str(TYPE_TESTS / "tsconfig.strict.json")
    config = {"extends": strict, "compilerOptions": options, "files": ["program.ts"]}
    (project / "tsconfig.json").write_text(json.dumps(config))
    run_tool("tsc", "-p", project)


@each_library
def test_the_program_compiles_against_the_library(project: Path, library: Library) -> None:
    declarations = project / "library.d.ts"
    row = package_assets.table()["programs"][library.declarations]
    declarations.write_bytes(package_assets.fetch(package_assets.member_of(row)).read_bytes())
    # LiteRT.js' declarations import the types of @litertjs/wasm-utils, which the program does not use.
    compile_in(project, library.program.read_text(), {library.name: declarations}, skip_lib_check=True)


@each_library
def test_the_program_compiles_against_this_package(project: Path, library: Library) -> None:
    compile_in(project, library.program.read_text(), {library.name: library.package_types})


def test_what_goes_beyond_litert_js_compiles(project: Path) -> None:
    compile_in(project, (TYPE_TESTS / "litert_beyond.ts").read_text(), {})


@each_library
def test_a_wrong_use_does_not_compile(project: Path, library: Library) -> None:
    with pytest.raises(CommandError):
        compile_in(project, library.wrong, {library.name: library.package_types})
