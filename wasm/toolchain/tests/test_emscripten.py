"""The choice of Emscripten, and the private Debian root."""

import os
import shutil
from pathlib import Path

import pytest

from tools.support.command import NotRootError
from wasm.toolchain.emscripten import choice, debian_root, namespaces, native
from wasm.toolchain.emscripten.toolchain import Places, ToolchainError
from wasm.toolchain.tests.fake_programs import FakePrograms
from wasm.toolchain.variants import EmscriptenPin

PIN = EmscriptenPin("3.1.69", "file:///none", "trixie", ("emscripten",))


@pytest.fixture(autouse=True)
def _cache(cache_dir: Path) -> None:
    """Hide the user's toolchains from the tests."""


def make_root(cache_dir: Path) -> Path:
    root = cache_dir / "toolchain" / "debian-trixie-emscripten-3.1.69"
    root.mkdir(parents=True)
    (root / debian_root.IDENTITY_FILE).write_text("emcc 3.1.69; clang 19")
    return root


def test_the_pinned_emcc_on_path_comes_first(programs: FakePrograms, cache_dir: Path) -> None:
    make_root(cache_dir)
    emcc = programs.make_emcc("3.1.69")
    toolchain = choice.choose(PIN)
    assert isinstance(toolchain, native.NativeToolchain)
    assert toolchain.emcc == emcc


def test_another_version_is_refused_and_said_so(
    programs: FakePrograms, cache_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make_root(cache_dir)
    programs.make_emcc("3.1.6")
    toolchain = choice.choose(PIN)
    assert isinstance(toolchain, debian_root.DebianRootToolchain)
    assert toolchain.root == root
    assert toolchain.identity == "emcc 3.1.69; clang 19"
    said = " ".join(capsys.readouterr().err.split())
    assert "is Emscripten 3.1.6, the build needs 3.1.69" in said


def test_emsdk_variable_is_followed(programs: FakePrograms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs.make_emcc("4.0.0")
    folder = tmp_path / "emsdk" / "upstream" / "emscripten"
    folder.mkdir(parents=True)
    programs.make_emcc("3.1.69").rename(folder / "emcc")
    monkeypatch.setenv("EMSDK", str(tmp_path / "emsdk"))
    found = native.find(PIN)
    assert found is not None
    assert found.emcc == folder / "emcc"


def test_a_broken_emcc_has_no_version(programs: FakePrograms) -> None:
    assert native.version_of(programs.make("emcc", "exit 1")) == ""


def test_emsdk_that_does_not_answer_is_passed_over(tmp_path: Path) -> None:
    assert native.install_emsdk(PIN) is None


def test_the_last_way_is_a_debian_root(
    programs: FakePrograms, cache_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del programs
    monkeypatch.setattr(native, "candidates", list)

    def bootstrap(pin: EmscriptenPin, folder: Path) -> None:
        folder.mkdir(parents=True)

    monkeypatch.setattr(debian_root, "_bootstrap", bootstrap)
    monkeypatch.setattr(debian_root, "_identity", lambda pin, folder: "emcc 3.1.69")
    monkeypatch.setattr(namespaces, "entry", lambda: namespaces.Entry("none", (), {}, ""))
    toolchain = choice.choose(PIN)
    assert isinstance(toolchain, debian_root.DebianRootToolchain)
    assert toolchain.root == cache_dir / "toolchain" / "debian-trixie-emscripten-3.1.69"
    assert toolchain.identity == "emcc 3.1.69"


def test_debootstrap_failing_everywhere_names_each_mirror(
    programs: FakePrograms, cache_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs.make("debootstrap", 'echo "E: no such suite"; exit 1')
    monkeypatch.setattr(namespaces, "entry", lambda: namespaces.Entry("none", (), {}, ""))
    monkeypatch.setattr(debian_root, "debian_mirrors", lambda: ["http://one.test/debian"])
    with pytest.raises(ToolchainError, match=r"http://one\.test/debian: `env` exited with 1\nE: no such suite"):
        debian_root.make(PIN)
    assert not debian_root.exists(PIN)
    folder = debian_root.folder(PIN)
    partial = folder.with_name(f".{folder.name}.partial")
    expected = f"debootstrap --variant=minbase --include=emscripten trixie {partial} http://one.test/debian"
    assert programs.calls() == [expected]


def test_a_suite_that_moved_on_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(namespaces, "entry", lambda: namespaces.Entry("none", (), {}, ""))
    monkeypatch.setattr(debian_root, "run", lambda *_, **__: "emcc (Emscripten) 4.0.1 ()\n")
    with pytest.raises(ToolchainError, match=r"not the pinned Emscripten 3\.1\.69"):
        debian_root._identity(PIN, tmp_path)


def test_the_root_is_entered_with_fixed_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = namespaces.Entry("sudo", ("sudo", "unshare", "--mount"), {}, "1000:1000")
    monkeypatch.setattr(namespaces, "entry", lambda: entry)
    places = Places(tmp_path / "p", {"ruy": tmp_path / "r y"}, tmp_path / "g", tmp_path / "b", tmp_path / "c")
    command = debian_root.enter_command(tmp_path / "root", ["ninja", "-C", "/build"], places, {"CCACHE_DIR": "/ccache"})
    assert command[:5] == ["sudo", "unshare", "--mount", "sh", "-c"]
    script = command[5]
    assert f"mount --bind '{tmp_path}/r y' {tmp_path}/root/sources/ruy" in script
    assert f"mount --bind {tmp_path}/b {tmp_path}/root/build" in script
    assert "--userspec=1000:1000" in script
    # One folder may serve two purposes.
    same = Places(tmp_path / "p", {}, tmp_path / "b", tmp_path / "b", tmp_path / "b")
    both = debian_root.enter_command(tmp_path / "root", ["true"], same, {})[5]
    for inside in ("generated", "build", "ccache"):
        assert f"mount --bind {tmp_path}/b {tmp_path}/root/{inside}" in both
    assert script.endswith("CCACHE_DIR=/ccache ninja -C /build")
    assert "EM_CACHE" not in script


def test_the_least_privileged_way_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(namespaces, "user_namespaces_work", lambda: True)
    assert namespaces.entry().title == "user namespace"
    monkeypatch.setattr(namespaces, "user_namespaces_work", lambda: False)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert namespaces.entry().title == "sudo"
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(NotRootError, match="install uidmap"):
        namespaces.entry()
