"""One TypeScript program compiles against @mediapipe/tasks-vision's declarations and against tflite-webnn/vision's."""

from pathlib import Path

import pytest

from js import bundle
from js.node import JS_DIR
from tools.support.command import CommandError
from tools.support.paths import PACKAGE_DIR
from web_tests.models import carriers
from web_tests.tests.unit.type_projects import compile_in, make

pytestmark = pytest.mark.needs("package")

PROGRAM = JS_DIR / "type_tests" / "vision.ts"
TASKS = "@mediapipe/tasks-vision"


@pytest.fixture(scope="module")
def ours() -> Path:
    bundle.bundle()
    return PACKAGE_DIR / "vision.d.mts"


@pytest.fixture
def project(ours: Path, tmp_path: Path) -> Path:
    """A project that has installed this package."""
    return make(tmp_path, ours.parent)


def test_the_program_compiles_against_mediapipe(project: Path) -> None:
    declarations = project / "tasks_vision.d.ts"
    row = carriers.table()["programs"]["tasks_vision/vision.d.ts"]
    declarations.write_bytes(carriers.fetch(carriers.member_of(row)).read_bytes())
    compile_in(project, [PROGRAM], {TASKS: declarations}, skip_lib_check=True)


def test_the_program_compiles_against_this_package(project: Path, ours: Path) -> None:
    compile_in(project, [PROGRAM], {TASKS: ours})


def test_a_wrong_use_does_not_compile(project: Path, ours: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    script = tmp_path_factory.mktemp("scripts") / "wrong.ts"
    script.write_text(
        f"import {{ FilesetResolver, ImageClassifier }} from '{TASKS}';\n"
        "const fileset = await FilesetResolver.forVisionTasks();\n"
        "export const task = await ImageClassifier.createFromOptions(fileset, { maxResults: 'all' });\n"
    )
    with pytest.raises(CommandError):
        compile_in(project, [script], {TASKS: ours})
