"""Modules from TFLITE_WEBNN_PREBUILT: a directory, an address, and everything that can be wrong there."""

import functools
import http.server
import shutil
import threading
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import cache
from support.tests.fake_programs import FakePrograms
from wasm.toolchain import build as build_step
from wasm.toolchain import prebuilt, variants
from wasm.toolchain.build import build
from wasm.toolchain.manifest import FILE_NAME as MANIFEST
from wasm.toolchain.prebuilt import PrebuiltError
from wasm.toolchain.tests import fake_build

COMPILER = "fake 3.1.69"


@pytest.fixture
def release(checkout: Path, cache_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A release's directory with the variant simd; the checkout and the cache have none of it."""
    build(["simd"])
    directory = tmp_path / "release"
    directory.mkdir()
    packed = prebuilt.pack(checkout / "build" / "wasm" / "simd", directory)
    write_sums(directory, cache.file_sha256(packed), packed.name)
    shutil.rmtree(checkout / "build")
    shutil.rmtree(cache_dir / "artefacts")
    monkeypatch.setenv(prebuilt.VARIABLE, str(directory))
    return directory


@pytest.fixture
def address(release: Path) -> Iterator[str]:
    """The release's directory on a local server."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(release))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_step, "choose", lambda pin: pytest.fail("looked for a compiler"))


def write_sums(directory: Path, digest: str, name: str) -> None:
    (directory / prebuilt.SUMS).write_text(f"{digest}  {name}\n")


def the_archive(release: Path) -> Path:
    return next(release.glob("*.zip"))


@pytest.mark.usefixtures("release", "no_compiler")
def test_a_directory_replaces_the_compiler(checkout: Path, cache_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(["simd"])
    assert (checkout / "build" / "wasm" / "simd" / "tflite_webnn.wasm").read_text() == "wasm\n"
    monkeypatch.delenv(prebuilt.VARIABLE)
    shutil.rmtree(checkout / "build")
    build(["simd"])  # the cache has it now
    assert len(list((cache_dir / "artefacts").iterdir())) == 1


@pytest.mark.usefixtures("no_compiler")
@pytest.mark.parametrize("end", ["/", ""])
def test_an_address_replaces_the_compiler(
    checkout: Path, address: str, end: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    location = address.rstrip("/") + end
    monkeypatch.setenv(prebuilt.VARIABLE, location)
    build(["simd"])
    assert f"variant simd comes from {location}" in " ".join(capsys.readouterr().err.split())
    assert (checkout / "build" / "wasm" / "simd" / "tflite_webnn.wasm").read_text() == "wasm\n"


@pytest.mark.usefixtures("no_compiler", "release")
@pytest.mark.parametrize(
    "location",
    ["http://modules.test/", "HTTP://127.0.0.1.modules.test", "http://user@modules.test", "ftp://modules.test"],
)
def test_an_address_that_anyone_on_the_way_can_change_is_an_error(
    location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(urllib.request.OpenerDirector, "open", lambda *_, **__: pytest.fail("contacted the server"))
    monkeypatch.setenv(prebuilt.VARIABLE, location)
    with pytest.raises(PrebuiltError, match="plain http or ftp, which anyone on the way can change: use https"):
        build(["simd"])


@pytest.mark.usefixtures("no_compiler", "release")
def test_a_redirect_to_such_an_address_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Moved(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", "http://modules.test/SHA256SUMS")
            self.end_headers()

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Moved) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv(prebuilt.VARIABLE, f"http://127.0.0.1:{server.server_port}")
        with pytest.raises(PrebuiltError, match=r"it is at http://modules\.test/SHA256SUMS now; the modules"):
            build(["simd"])
        server.shutdown()


@pytest.mark.usefixtures("no_compiler")
def test_a_directory_may_be_below_the_home_directory(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its sums are those of `sha256sum --binary`, with a remark."""
    digest, name = (release / prebuilt.SUMS).read_text().split()
    (release / prebuilt.SUMS).write_bytes(f"# of the release\xff\n\n{digest} *{name}\n".encode("latin-1"))
    monkeypatch.setenv("HOME", str(release.parent))
    monkeypatch.setenv(prebuilt.VARIABLE, f"~/{release.name}")
    build(["simd"])


@pytest.mark.usefixtures("release")
def test_an_empty_variable_names_no_location(programs: FakePrograms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(prebuilt.VARIABLE, "")
    build(["simd"])
    assert len(fake_build.calls_of(programs, "ninja")) == 2


@pytest.mark.usefixtures("release")
def test_a_missing_variant_is_compiled(programs: FakePrograms, capsys: pytest.CaptureFixture[str]) -> None:
    build(["simd", "relaxed-simd"])
    assert len(fake_build.calls_of(programs, "ninja")) == 2  # the fixture's, and relaxed-simd
    name = prebuilt.archive_name(
        "relaxed-simd", build_step.variant_key(variants.load().variants["relaxed-simd"], {}, COMPILER)
    )
    assert f"has no {name}: variant relaxed-simd is compiled" in " ".join(capsys.readouterr().err.split())


@pytest.mark.usefixtures("release")
def test_another_state_of_the_checkout_is_compiled(checkout: Path, programs: FakePrograms) -> None:
    (checkout / "wasm" / "own.cc").write_text("int changed;\n")
    build(["simd"])
    assert len(fake_build.calls_of(programs, "ninja")) == 2


def test_a_damaged_archive_is_an_error(release: Path, checkout: Path) -> None:
    the_archive(release).write_bytes(the_archive(release).read_bytes()[:-1])
    with pytest.raises(PrebuiltError, match=r"is damaged: its SHA-256 is [0-9a-f]{64}"):
        build(["simd"])
    assert not (checkout / "build" / "wasm" / "simd").exists()


@pytest.mark.parametrize("manifest", [{}, {MANIFEST: "no JSON"}, {MANIFEST: "[]"}, {MANIFEST: "{}"}], ids=str)
def test_an_archive_without_a_manifest_is_an_error(release: Path, manifest: dict[str, str]) -> None:
    archive = the_archive(release)
    files = {name: "" for name in prebuilt.FILES if name != MANIFEST} | manifest
    with zipfile.ZipFile(archive, "w") as content:
        for name, text in files.items():
            content.writestr(name, text)
    write_sums(release, cache.file_sha256(archive), archive.name)
    with pytest.raises(PrebuiltError, match=f"{archive.name} is not an archive of a module"):
        build(["simd"])


def test_a_file_that_is_no_archive_is_an_error(release: Path) -> None:
    archive = the_archive(release)
    archive.write_text("not a zip")
    write_sums(release, cache.file_sha256(archive), archive.name)
    with pytest.raises(PrebuiltError, match="is not an archive of a module") as error:
        build(["simd"])
    assert error.value.where == str(release)
    assert error.value.hint == "set TFLITE_WEBNN_PREBUILT to the files of a release, or unset it to compile"


def test_an_archive_of_another_key_is_an_error(release: Path, checkout: Path) -> None:
    (checkout / "wasm" / "own.cc").write_text("int changed;\n")
    old = the_archive(release)
    key = build_step.variant_key(variants.load().variants["simd"], {}, COMPILER)
    new = old.rename(release / prebuilt.archive_name("simd", key))
    write_sums(release, cache.file_sha256(new), new.name)
    with pytest.raises(PrebuiltError, match="has another key"):
        build(["simd"])


@pytest.mark.usefixtures("checkout")
def test_an_unreadable_location_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for location in (str(tmp_path / "nowhere"), "http://127.0.0.1:9/", "odd://location"):
        monkeypatch.setenv(prebuilt.VARIABLE, location)
        with pytest.raises(PrebuiltError, match=f"cannot read {prebuilt.SUMS}"):
            build(["simd"])


@pytest.mark.usefixtures("checkout")
def test_equal_artefacts_make_equal_archives(checkout: Path, tmp_path: Path) -> None:
    build(["simd"])
    artefacts = checkout / "build" / "wasm" / "simd"
    directories = [tmp_path / name for name in ("a", "b")]
    for directory in directories:
        directory.mkdir()
    first = prebuilt.pack(artefacts, directories[0])
    for file in artefacts.iterdir():
        file.touch()
    assert prebuilt.pack(artefacts, directories[1]).read_bytes() == first.read_bytes()
