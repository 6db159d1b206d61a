"""The wheel of `build.py pyodide`, and how Pyodide's own tools read its recipe and lock entry."""

import json
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pyodide_pkg import module, tools
from pyodide_pkg.wheel import LOCK_ENTRY, PYODIDE_DIR, RECIPE, describe
from support.cache import file_sha256
from support.command import CommandError, run
from support.errors import BuildError
from support.npm import package_version
from support.paths import PROJECT_DIR

pytestmark = pytest.mark.needs("wheel")

READER = Path(__file__).with_name("recipe_reader.py")
ADDRESS = "https://example.org/wheels"
SIZE_LIMIT_BYTES = 2_200_000


@pytest.fixture(scope="module")
def wheel() -> Path:
    return next(PYODIDE_DIR.glob("*.whl"))


@pytest.fixture(scope="module")
def described(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with recipe and lock entry for an address."""
    directory = tmp_path_factory.mktemp("wheel")
    describe(wheel, directory, ADDRESS)
    return directory


def read(recipe: Path) -> Any:
    """Return a recipe as pyodide-build reads it, or raise its error."""
    command: list[str | Path] = [sys.executable, "-P", READER, recipe]
    return json.loads(run(command, env=tools.environment(tools.PYODIDE_TOOLS), capture=True, quiet=True))


def test_the_wheel_has_exactly_the_variants_of_js_pyodide(wheel: Path) -> None:
    """It has exactly the variants of js/apps/pyodide."""
    with zipfile.ZipFile(wheel) as archive:
        assets = {name.partition("/assets/")[2] for name in archive.namelist() if "/assets/" in name}
    assert assets == {module.FILE_NAME, *(f"{variant}/tflite_webnn.wasm" for variant in module.VARIANTS)}
    source = (PROJECT_DIR / "js" / "apps" / "pyodide" / "src" / "embedded_wasm.ts").read_text()
    (listed,) = re.findall(r"EMBEDDED_VARIANTS = \[(.*)\]", source)
    assert tuple(re.findall(r"'(.+?)'", listed)) == module.VARIANTS
    assert wheel.stat().st_size <= SIZE_LIMIT_BYTES


def test_the_recipe_describes_the_wheel(described: Path, wheel: Path) -> None:
    recipe = read(described / RECIPE)
    assert recipe["package"] == {
        "name": "tflite-webnn",
        "version": package_version(),
        "top_level": ["tflite_webnn"],
        "tag": [],
        "disabled": False,
        "pinned": False,
    }
    assert recipe["source"]["url"] == f"{ADDRESS}/{wheel.name}"
    assert recipe["source"]["sha256"] == file_sha256(wheel)
    assert recipe["requirements"]["run"] == ["numpy"]
    assert recipe["test"]["imports"] == ["tflite_webnn"]


@pytest.mark.parametrize(
    ("line", "other", "complaint"),
    [
        ("  sha256: .*\n", "", "must have a 'source/sha256' hash"),
        ("  name: ", "  title: ", "title"),
        ("requirements:\n", "requirements:\n  host: [numpy]\n", "cannot have host"),
    ],
)
def test_a_changed_recipe_is_rejected_with_its_reason(
    described: Path, tmp_path: Path, line: str, other: str, complaint: str
) -> None:
    text, changes = re.subn(line, other, (described / RECIPE).read_text())
    assert changes == 1
    (tmp_path / RECIPE).write_text(text)
    with pytest.raises(CommandError, match=complaint):
        read(tmp_path / RECIPE)


def test_the_lock_entry_describes_the_wheel(described: Path, wheel: Path) -> None:
    entry = json.loads((described / LOCK_ENTRY).read_text())["tflite-webnn"]
    assert entry["file_name"] == f"{ADDRESS}/{wheel.name}"
    assert entry["sha256"] == file_sha256(wheel)
    assert (entry["version"], entry["depends"], entry["imports"]) == (package_version(), ["numpy"], ["tflite_webnn"])


def test_recipe_and_lock_entry_name_the_file_where_there_is_no_address(wheel: Path) -> None:
    assert read(PYODIDE_DIR / RECIPE)["source"]["url"] == wheel.name
    assert json.loads((PYODIDE_DIR / LOCK_ENTRY).read_text())["tflite-webnn"]["file_name"] == wheel.name


def test_a_file_that_is_no_wheel_ends_with_an_error(tmp_path: Path) -> None:
    text = tmp_path / "tflite_webnn-0.1.0-py3-none-any.whl"
    text.write_text("nothing")
    with pytest.raises(BuildError, match="exited with 1"):
        describe(text, tmp_path, "")
