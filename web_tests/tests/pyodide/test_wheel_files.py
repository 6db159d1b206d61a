"""The wheel for Pyodide, from `build.py pyodide`."""

import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from pyodide_pkg import module, wheel
from support.cache import file_sha256
from support.npm import package_version

pytestmark = pytest.mark.needs("wheel")

STEM = f"tflite_webnn-{package_version()}"


@pytest.fixture(scope="module")
def built() -> Path:
    return wheel.build_wheel()


def test_the_wheel_has_its_name_requirement_and_license(built: Path) -> None:
    assert built.name == f"{STEM}-py3-none-any.whl"
    with zipfile.ZipFile(built) as archive:
        metadata = Parser().parsestr(archive.read(f"{STEM}.dist-info/METADATA").decode())
    assert metadata["Requires-Dist"] == "numpy"
    assert metadata["License-Expression"] == "Apache-2.0"


def test_the_wheel_has_its_assets_types_and_terms(built: Path) -> None:
    with zipfile.ZipFile(built) as archive:
        names = set(archive.namelist())
    terms = {f"{STEM}.dist-info/licenses/{name}" for name in ("LICENSE", "THIRD_PARTY_NOTICES.txt")}
    assets = {f"tflite_webnn/assets/{name}" for name in wheel.ASSETS}
    assert terms | assets | {"tflite_webnn/py.typed", "tflite_webnn/interpreter.py"} <= names


def test_all_but_the_last_line_is_a_classic_script(built: Path) -> None:
    script, line = built.with_name(module.FILE_NAME).read_text().rsplit("\n", 2)[:2]
    assert line == module.EXPORT.strip()
    assert "import.meta" not in script
    assert f"var {module.VARIABLE}=" in script


def test_equal_contents_make_equal_wheels(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = file_sha256(built)
    for asset in wheel.ASSETS:
        (tmp_path / asset).parent.mkdir(exist_ok=True)
        (tmp_path / asset).write_bytes((wheel.PYODIDE_DIR / asset).read_bytes())
    monkeypatch.setattr(wheel, "PYODIDE_DIR", tmp_path)
    module.bundle_module(tmp_path)
    wheel._pack()
    assert file_sha256(tmp_path / built.name) == first
