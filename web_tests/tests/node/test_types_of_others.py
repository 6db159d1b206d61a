"""A TypeScript program compiles against another library's declarations and against this package's."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from support.command import CommandError
from support.paths import PACKAGE_DIR
from web_tests.models import package_assets
from web_tests.tests.node.typescript_project import TYPE_TESTS, compile_project

pytestmark = pytest.mark.needs("package")


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


def compile_with(directory: Path, library: Library, text: str, declarations: Path, *, skip_lib_check: bool) -> None:
    """Compile a program of a library, with its declarations elsewhere."""
    paths = {library.name: [str(declarations)]}
    compile_project(directory, {"program.ts": text}, {"paths": paths, "skipLibCheck": skip_lib_check})


@each_library
def test_the_program_compiles_against_the_library(tmp_path: Path, library: Library) -> None:
    declarations = tmp_path / "library.d.ts"
    row = package_assets.table()["programs"][library.declarations]
    declarations.write_bytes(package_assets.fetch(package_assets.member_of(row)).read_bytes())
    # LiteRT.js' declarations import the types of @litertjs/wasm-utils, which the program does not use.
    compile_with(tmp_path, library, library.program.read_text(), declarations, skip_lib_check=True)


@each_library
def test_the_program_compiles_against_this_package(tmp_path: Path, library: Library) -> None:
    compile_with(tmp_path, library, library.program.read_text(), library.package_types, skip_lib_check=False)


def test_what_goes_beyond_litert_js_compiles(tmp_path: Path) -> None:
    compile_project(tmp_path, {"program.ts": (TYPE_TESTS / "litert_beyond.ts").read_text()}, {})


@each_library
def test_a_wrong_use_does_not_compile(tmp_path: Path, library: Library) -> None:
    with pytest.raises(CommandError):
        compile_with(tmp_path, library, library.wrong, library.package_types, skip_lib_check=False)
