"""One TypeScript program compiles against @litertjs/core's declarations and against tflite-webnn/litert's."""

from pathlib import Path

import pytest

from js import bundle
from js.node import JS_DIR
from tools.support.command import CommandError
from tools.support.paths import PACKAGE_DIR
from web_tests.models import carriers
from web_tests.tests.unit.type_projects import compile_in, make

pytestmark = pytest.mark.needs("package")

PROGRAM = JS_DIR / "type_tests" / "litert.ts"
BEYOND = JS_DIR / "type_tests" / "litert_beyond.ts"
CORE = "@litertjs/core"


@pytest.fixture(scope="module")
def ours() -> Path:
    bundle.bundle()
    return PACKAGE_DIR / "litert.d.mts"


@pytest.fixture
def project(ours: Path, tmp_path: Path) -> Path:
    """A project that has installed this package."""
    return make(tmp_path, ours.parent)


def test_the_program_compiles_against_litert_js(project: Path) -> None:
    declarations = project / "litert_core.d.ts"
    row = carriers.table()["programs"]["litert_core.d.ts"]
    declarations.write_bytes(carriers.fetch(carriers.member_of(row)).read_bytes())
    # They import the types of @litertjs/wasm-utils, which the program does not use.
    compile_in(project, [PROGRAM], {CORE: declarations}, skip_lib_check=True)


def test_the_program_compiles_against_this_package(project: Path, ours: Path) -> None:
    compile_in(project, [PROGRAM], {CORE: ours})


def test_more_than_litert_js_has(project: Path) -> None:
    compile_in(project, [BEYOND], {})


def test_a_wrong_use_does_not_compile(project: Path, ours: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    script = tmp_path_factory.mktemp("scripts") / "wrong.ts"
    script.write_text(f"import {{ Tensor }} from '{CORE}';\nexport const tensor = new Tensor('pixels');\n")
    with pytest.raises(CommandError):
        compile_in(project, [script], {CORE: ours})
