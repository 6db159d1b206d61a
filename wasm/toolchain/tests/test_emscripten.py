"""The choice of Emscripten, and the private Debian root."""

import dataclasses
import os
import shutil
from pathlib import Path

import pytest

from support import debian
from support.command import NotRootError
from support.tests.fake_programs import FakePrograms
from wasm.toolchain.emscripten import choice, debian_root, namespaces, native
from wasm.toolchain.emscripten.toolchain import BuildPaths, ToolchainError
from wasm.toolchain.variants import EmscriptenPin

VERSIONS = {"clang-19": "1:19.1.7-3", "emscripten": "3.1.69+dfsg-3"}
PIN = EmscriptenPin("3.1.69", "trixie", ("emscripten",), VERSIONS)
IDENTITY = "Emscripten 3.1.69 of Debian trixie: clang-19 1:19.1.7-3, emscripten 3.1.69+dfsg-3"


@pytest.fixture(autouse=True)
def _cache(cache_dir: Path) -> None:
    """Hide the user's toolchains from the tests."""


@pytest.fixture
def own_emcc(programs: FakePrograms, monkeypatch: pytest.MonkeyPatch) -> None:
    del programs  # it unsets the variable
    monkeypatch.setenv(choice.VARIABLE, "native")


def write_status(root: Path, versions: dict[str, str]) -> None:
    """Write dpkg's list of a root's packages."""
    stanzas = [f"Package: {name}\nStatus: installed\nVersion: {version}\n" for name, version in versions.items()]
    (root / "var" / "lib" / "dpkg").mkdir(parents=True)
    (root / "var" / "lib" / "dpkg" / "status").write_text("\n".join(stanzas))


def test_a_debian_root_is_the_default(programs: FakePrograms, cache_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs.make_emcc("3.1.69")
    monkeypatch.setattr(debian_root, "_bootstrap", lambda pin, root: write_status(root, VERSIONS))
    monkeypatch.setattr(namespaces, "entry", lambda: namespaces.Entry("none", (), {}, ""))
    toolchain = choice.choose(PIN)
    assert isinstance(toolchain, debian_root.DebianRootToolchain)
    assert toolchain.root == debian_root.directory(PIN)
    assert toolchain.root.parent == cache_dir / "toolchain"
    assert toolchain.root.name.startswith("debian-trixie-emscripten-3.1.69-")
    assert toolchain.identity == IDENTITY
    monkeypatch.setattr(debian_root, "_bootstrap", lambda pin, root: pytest.fail("created it again"))
    assert choice.choose(PIN) == toolchain


@pytest.mark.usefixtures("programs")
def test_the_identity_of_debians_compiler_is_known_before_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian_root, "run", lambda *_, **__: pytest.fail("started a program"))
    assert choice.chosen_identity(PIN) == IDENTITY
    assert not debian_root.exists(PIN)


def test_other_versions_are_other_roots() -> None:
    other = dataclasses.replace(PIN, debian_versions={**VERSIONS, "clang-19": "1:19.1.7-4"})
    assert debian_root.directory(PIN) != debian_root.directory(other)


@pytest.mark.usefixtures("own_emcc")
def test_the_users_emcc_is_used_on_request(programs: FakePrograms, capsys: pytest.CaptureFixture[str]) -> None:
    emcc = programs.make_emcc("3.1.69", "clang version 20.0.0git (llvm-project 5cfa7)")
    toolchain = choice.choose(PIN)
    assert isinstance(toolchain, native.NativeToolchain)
    assert toolchain.emcc == emcc
    expected = "emcc (Emscripten gcc/clang-like replacement) 3.1.69 (); clang version 20.0.0git (llvm-project 5cfa7)"
    assert toolchain.identity == choice.chosen_identity(PIN) == expected
    assert toolchain.title == f"Emscripten 3.1.69 at {emcc}"
    assert "toolchain: Emscripten 3.1.69" in capsys.readouterr().err


@pytest.mark.usefixtures("own_emcc")
def test_an_emcc_of_another_version_is_an_error(programs: FakePrograms) -> None:
    emcc = programs.make_emcc("3.1.6")
    for select in (choice.choose, choice.chosen_identity):
        with pytest.raises(ToolchainError, match=r"there is no emcc 3\.1\.69 on PATH or under EMSDK") as error:
            select(PIN)
        assert f"{emcc} is Emscripten 3.1.6" in str(error.value)
        assert "unset TFLITE_WEBNN_TOOLCHAIN" in error.value.hint


def test_an_unknown_toolchain_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(choice.VARIABLE, "emsdk")
    with pytest.raises(ToolchainError, match="there is no toolchain 'emsdk'") as error:
        choice.choose(PIN)
    assert error.value.hint == "set TFLITE_WEBNN_TOOLCHAIN to debian or native"


def test_emsdk_variable_is_followed(programs: FakePrograms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs.make_emcc("4.0.0")
    directory = tmp_path / "emsdk" / "upstream" / "emscripten"
    directory.mkdir(parents=True)
    programs.make_emcc("3.1.69").rename(directory / "emcc")
    monkeypatch.setenv("EMSDK", str(tmp_path / "emsdk"))
    assert native.find(PIN).emcc == directory / "emcc"


def test_a_broken_emcc_has_no_version(programs: FakePrograms) -> None:
    assert native.version_of(programs.make("emcc", "exit 1")) == ""


def test_debootstrap_failing_everywhere_names_each_mirror(
    programs: FakePrograms, cache_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs.make("debootstrap", 'echo "E: no such suite"; exit 1')
    programs.make("gpgv", "exit 1")
    monkeypatch.setattr(debian_root, "KEYRING", Path(__file__))
    monkeypatch.setattr(namespaces, "entry", lambda: namespaces.Entry("none", (), {}, ""))
    monkeypatch.setattr(debian_root, "debian_mirrors", lambda: ["http://one.test/debian"])
    with pytest.raises(ToolchainError, match=r"http://one\.test/debian: `env` exited with 1\nE: no such suite"):
        debian_root.make(PIN)
    assert not debian_root.exists(PIN)
    directory = debian_root.directory(PIN)
    partial = directory.with_name(f".{directory.name}.partial")
    signed = f"--force-check-gpg --keyring={debian_root.KEYRING}"
    expected = f"debootstrap {signed} --variant=minbase --include=emscripten trixie {partial} http://one.test/debian"
    assert programs.calls() == [expected]


@pytest.mark.parametrize("missing", ["debootstrap", "gpgv", "the keyring"])
def test_a_root_is_not_created_without_what_verifies_it(
    missing: str, programs: FakePrograms, cache_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in {"debootstrap", "gpgv"} - {missing}:
        programs.make(name, "exit 1")
    monkeypatch.setattr(debian_root, "KEYRING", Path("/nowhere" if missing == "the keyring" else __file__))
    monkeypatch.setattr(shutil, "which", lambda name, path: name if name != missing else None)
    installed: list[str] = []

    def install(packages: list[str], *, why: str) -> None:
        installed.extend(packages)
        raise NotRootError(why)

    monkeypatch.setattr(debian, "install", install)
    with pytest.raises(NotRootError):
        debian_root.make(PIN)
    assert installed == ["debootstrap", "debian-archive-keyring", "gpgv"]
    assert not debian_root.exists(PIN)


def test_rebuilds_of_the_pinned_packages_are_the_same_compiler(tmp_path: Path) -> None:
    write_status(tmp_path, {**VERSIONS, "clang-19": "1:19.1.7-3+b1", "libc6": "2.41-12"})
    debian_root.check_versions(PIN, tmp_path)


@pytest.mark.usefixtures("programs")
def test_a_suite_that_moved_on_is_an_error_and_leaves_nothing(cache_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"emscripten": "4.0.1+dfsg-1"}
    monkeypatch.setattr(debian_root, "_bootstrap", lambda pin, root: write_status(root, found))
    monkeypatch.setattr(namespaces, "entry", lambda: namespaces.Entry("none", (), {}, ""))
    with pytest.raises(ToolchainError, match="Debian trixie has other versions of the compiler's packages") as error:
        choice.choose(PIN)
    assert "  clang-19: missing, pinned is 1:19.1.7-3" in error.value.what
    assert "  emscripten: 4.0.1+dfsg-1, pinned is 3.1.69+dfsg-3" in error.value.what
    assert "set debian_versions to these" in error.value.hint
    assert list((cache_dir / "toolchain").iterdir()) == []


def test_the_root_is_entered_with_fixed_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = namespaces.Entry("sudo", ("sudo", "unshare", "--mount"), {}, "1000:1000")
    monkeypatch.setattr(namespaces, "entry", lambda: entry)
    paths = BuildPaths(tmp_path / "p", {"ruy": tmp_path / "r y"}, tmp_path / "g", tmp_path / "b", tmp_path / "c")
    command = debian_root.enter_command(tmp_path / "root", ["ninja", "-C", "/build"], paths, {"CCACHE_DIR": "/ccache"})
    assert command[:5] == ["sudo", "unshare", "--mount", "sh", "-c"]
    script = command[5]
    assert f"mount --bind '{tmp_path}/r y' {tmp_path}/root/sources/ruy" in script
    assert f"mount --bind {tmp_path}/b {tmp_path}/root/build" in script
    assert "--userspec=1000:1000" in script
    # One directory may serve two purposes.
    same = BuildPaths(tmp_path / "p", {}, tmp_path / "b", tmp_path / "b", tmp_path / "b")
    both = debian_root.enter_command(tmp_path / "root", ["true"], same, {})[5]
    for inside in ("generated", "build", "ccache"):
        assert f"mount --bind {tmp_path}/b {tmp_path}/root/{inside}" in both
    assert script.endswith("CCACHE_DIR=/ccache ninja -C /build")
    assert "EM_CACHE" not in script


def test_the_least_privileged_way_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(namespaces, "works", lambda prefix: True)
    assert namespaces.entry().title == "user namespace"
    monkeypatch.setattr(namespaces, "works", lambda prefix: False)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert namespaces.entry().title == "sudo"
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(NotRootError, match="install uidmap"):
        namespaces.entry()


def test_a_container_without_rights_to_mount_is_an_error(
    programs: FakePrograms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    programs.make("unshare")
    assert namespaces.entry().title == "root"
    programs.make("unshare", "exit 1")
    with pytest.raises(NotRootError, match="needs to mount, which this container does not allow") as error:
        namespaces.entry()
    assert error.value.hint.startswith("start the container with --privileged, or put the pinned emcc on PATH")
