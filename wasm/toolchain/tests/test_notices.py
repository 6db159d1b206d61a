"""The notices of a module quote each component's license."""

from pathlib import Path

import pytest

from support.tests.fake_programs import FakePrograms
from wasm.toolchain import notices
from wasm.toolchain.emscripten.toolchain import Toolchain
from wasm.toolchain.notices import NoLicenseTextError, write_notices
from wasm.toolchain.sources import registry
from wasm.toolchain.tests import fake_build


@pytest.fixture
def directories(tmp_path: Path) -> dict[str, Path]:
    """Sources of all components, each with a license file."""
    found = {}
    for name in registry.load().components:
        directory = tmp_path / name
        directory.mkdir()
        (directory / "LICENSE").write_text(f"terms of {name}\n")
        found[name] = directory
    return found


@pytest.fixture
def toolchain(programs: FakePrograms) -> Toolchain:
    return fake_build.make(programs)


def test_every_component_is_named_with_its_terms(
    tmp_path: Path, directories: dict[str, Path], toolchain: Toolchain
) -> None:
    sources = registry.load()
    write_notices(tmp_path, sources, directories, toolchain)
    text = (tmp_path / notices.FILE_NAME).read_text()
    for name, component in sources.components.items():
        assert f"{name} {component.revision} ({component.license})" in text
        assert f"terms of {name}\n" in text
    assert f"Runtime of {toolchain.identity}\n" in text
    assert "terms of fake Emscripten\n" in text


def test_all_license_files_are_quoted(tmp_path: Path, directories: dict[str, Path], toolchain: Toolchain) -> None:
    (directories["eigen3"] / "COPYING.MPL2").write_text("Mozilla\n")
    write_notices(tmp_path, registry.load(), directories, toolchain)
    assert "Mozilla\n" in (tmp_path / notices.FILE_NAME).read_text()


def test_a_component_without_license_file_is_rejected(
    tmp_path: Path, directories: dict[str, Path], toolchain: Toolchain
) -> None:
    (directories["ruy"] / "LICENSE").unlink()
    with pytest.raises(NoLicenseTextError, match="ruy has no license file"):
        write_notices(tmp_path, registry.load(), directories, toolchain)
