"""Node and the packages of js/, with logging placeholders for npm."""

import json
from pathlib import Path

import pytest

from support import npm

NPM = """#!/bin/sh
echo "$1 $2 $TFLITE_WEBNN_PREBUILT" >> {directory}/ran.txt
case "$1" in ci) mkdir -p {directory}/node_modules;; esac
"""


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory in place of js/, and a program in place of npm."""
    program = tmp_path / "bin" / "npm"
    program.parent.mkdir()
    program.write_text(NPM.format(directory=tmp_path))
    program.chmod(0o755)
    (tmp_path / "package-lock.json").write_text("{}")
    monkeypatch.setattr(npm, "_find_npm", lambda: str(program))
    monkeypatch.setattr(npm, "JS_DIR", tmp_path)
    monkeypatch.setattr(npm, "LOCK_FILE", tmp_path / "package-lock.json")
    monkeypatch.setattr(npm, "STAMP_FILE", tmp_path / "node_modules" / ".stamp")
    npm.install.cache_clear()
    return tmp_path


def ran(directory: Path) -> list[str]:
    return (directory / "ran.txt").read_text().splitlines()


def test_packages_are_installed_again_only_after_a_change(directory: Path) -> None:
    for text in ("{}", "{}", "{ }"):
        (directory / "package-lock.json").write_text(text)
        npm.install.cache_clear()
        npm.install()
    assert [line.split()[0] for line in ran(directory)] == ["ci", "run", "run", "ci", "run"]


def test_npm_gets_no_modules_of_a_release(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """build.py uses them, by their keys."""
    monkeypatch.setenv("TFLITE_WEBNN_PREBUILT", "/release")
    npm.run_script("build", directory=directory)
    assert ran(directory)[-1].split() == ["run", "--silent"]


def test_missing_node_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(npm.NodeMissingError, match="install Node 20"):
        npm.find_node()


def test_an_old_node_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "node"
    old.write_text("#!/bin/sh\necho v18.19.0\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(npm.NodeMissingError, match=r"v18\.19\.0"):
        npm.find_node()


def test_the_pinned_node_is_no_script(monkeypatch: pytest.MonkeyPatch) -> None:
    """A script would start Python for each start of Node."""
    pinned = Path(npm.pinned_node())
    assert pinned.is_absolute()
    with pinned.open("rb") as stream:
        assert stream.read(2) != b"#!"
    monkeypatch.setattr(npm, "find_spec", lambda _: None)
    assert npm.pinned_node() == "node"


def test_the_lock_names_no_registry_and_every_platform() -> None:
    packages = json.loads(npm.LOCK_FILE.read_text())["packages"]
    assert not any("://" in str(entry.get("resolved", "")) for entry in packages.values())
    expected = {name for entry in packages.values() for name in entry.get("optionalDependencies", {})}
    assert {name for name in expected if f"node_modules/{name}" not in packages} == set()
