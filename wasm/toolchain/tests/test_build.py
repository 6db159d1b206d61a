"""The build step on a checkout in a test's directory: what it compiles, reads from caches, and writes."""

import dataclasses
import gzip
import json
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support.cache import file_sha256
from support.console import console
from support.tests.fake_programs import FakePrograms
from wasm.toolchain import build as build_step
from wasm.toolchain import reproducible, variants
from wasm.toolchain.build import ChangedInputsError, build
from wasm.toolchain.emscripten.toolchain import BuildPaths
from wasm.toolchain.reproducible import NotReproducibleError
from wasm.toolchain.sources import registry
from wasm.toolchain.tests import fake_build

WAIT_SECONDS = 60


def artefact(checkout: Path, name: str = "tflite_webnn.wasm") -> Path:
    return checkout / "build" / "wasm" / "simd" / name


def compilations(programs: FakePrograms) -> int:
    return len(fake_build.calls_of(programs, "ninja"))


def test_artefacts_and_manifest_are_written(checkout: Path) -> None:
    build(["simd"])
    wasm = artefact(checkout)
    manifest = json.loads(artefact(checkout, "manifest.json").read_text())
    assert manifest["variant"] == "simd"
    assert manifest["toolchain"] == "fake 3.1.69"
    assert "-msimd128" in manifest["compile_flags"]
    assert manifest["sources"]["tensorflow"]["license"] == "Apache-2.0"
    assert len(manifest["sources"]["tensorflow"]["revision"]) == 40
    described = manifest["files"]["tflite_webnn.wasm"]
    assert described["sha256"] == file_sha256(wasm)
    assert described["size_bytes"] == wasm.stat().st_size
    assert described["gzip_size_bytes"] == len(gzip.compress(wasm.read_bytes(), 9, mtime=0))


@pytest.mark.usefixtures("checkout")
def test_no_change_starts_no_program(programs: FakePrograms, monkeypatch: pytest.MonkeyPatch) -> None:
    build(["simd"])
    before = programs.calls()
    monkeypatch.setattr(build_step, "choose", lambda pin: pytest.fail("looked for a compiler"))
    build(["simd"])
    assert programs.calls() == before


def test_a_fresh_clone_uses_the_artefacts_of_the_same_inputs(checkout: Path, programs: FakePrograms) -> None:
    build(["simd"])
    content = artefact(checkout).read_bytes()
    shutil.rmtree(checkout / "build")
    build(["simd"])
    assert artefact(checkout).read_bytes() == content
    assert compilations(programs) == 1


def test_a_changed_input_compiles_again_and_going_back_does_not(checkout: Path, programs: FakePrograms) -> None:
    own = checkout / "wasm" / "own.cc"
    build(["simd"])
    first = json.loads(artefact(checkout, "manifest.json").read_text())["key"]
    own.write_text("int changed;\n")
    build(["simd"])
    assert compilations(programs) == 2
    own.write_text("int own;\n")
    build(["simd"])
    assert compilations(programs) == 2
    assert json.loads(artefact(checkout, "manifest.json").read_text())["key"] == first


def test_a_changed_cpp_test_does_not_compile_the_module_again(checkout: Path, programs: FakePrograms) -> None:
    build(["simd"])
    (checkout / "wasm" / "own_test.cc").write_text("int test;\n")
    build(["simd"])
    assert compilations(programs) == 1


def test_another_compiler_compiles_again_without_the_objects_of_the_first(
    checkout: Path, programs: FakePrograms, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(["simd"])
    first = json.loads(artefact(checkout, "manifest.json").read_text())
    objects = checkout / "build" / "cmake" / "simd" / "a.o"
    objects.touch()
    other = dataclasses.replace(fake_build.make(programs), identity="another 3.1.69")
    monkeypatch.setattr(build_step, "choose", lambda pin: other)
    monkeypatch.setattr(build_step, "chosen_identity", lambda pin: other.identity)
    build(["simd"])
    assert compilations(programs) == 2
    assert not objects.exists()
    second = json.loads(artefact(checkout, "manifest.json").read_text())
    assert (first["toolchain"], second["toolchain"]) == ("fake 3.1.69", "another 3.1.69")
    assert first["key"] != second["key"]


def test_other_sources_compile_without_the_objects_of_the_first(checkout: Path, tmp_path: Path) -> None:
    objects = checkout / "build" / "cmake" / "simd" / "a.o"
    for revision in ("newer", "older"):
        directory = tmp_path / revision / "tensorflow"
        directory.mkdir(parents=True)
        (directory / "LICENSE").write_text("free\n")
        (directory / "a.cc").write_text(revision)
        build(["simd"], source_overrides={"tensorflow": directory})
        assert not objects.exists()
        objects.touch()
    build(["simd"])
    assert not objects.exists()


def test_other_headers_of_schemas_compile_without_the_objects_of_the_first(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(["simd"])
    objects = checkout / "build" / "cmake" / "simd" / "a.o"
    objects.touch()
    (checkout / "wasm" / "own.cc").write_text("int changed;\n")
    (tmp_path / "other").mkdir()
    monkeypatch.setattr(build_step, "make_headers", lambda toolchain, sources: tmp_path / "other")
    build(["simd"])
    assert not objects.exists()


def test_further_components_of_programs_keep_the_objects_of_the_module(
    checkout: Path, programs: FakePrograms, tmp_path: Path
) -> None:
    build(["simd"])
    directory = checkout / "build" / "cmake" / "simd"
    (directory / "a.o").touch()
    toolchain = fake_build.make(programs)
    pinned = registry.load_for_programs()
    sources = dict.fromkeys(pinned.components, tmp_path / "source")
    paths = BuildPaths(checkout, sources, tmp_path / "generated", directory, tmp_path)
    build_step.prepare_objects(toolchain, paths, pinned, {})
    assert (directory / "a.o").exists()
    changed = dataclasses.replace(paths, sources={**sources, "googletest": tmp_path / "other"})
    build_step.prepare_objects(toolchain, changed, pinned, {})
    assert not (directory / "a.o").exists()


def test_a_second_compilation_waits_and_uses_the_result_of_the_first(
    checkout: Path, programs: FakePrograms, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting, lines = threading.Event(), list[str]()

    def note(line: str, **_: object) -> None:
        lines.append(line)
        if "waiting" in line:
            waiting.set()

    go_on = checkout / "go_on"
    programs.make("ninja", f"while [ ! -e {go_on} ]; do sleep 0.01; done\n{fake_build.NINJA}")
    monkeypatch.setattr(console, "print", note)
    with ThreadPoolExecutor() as pool:
        builds = [pool.submit(build, ["simd"]) for _ in range(2)]
        assert waiting.wait(WAIT_SECONDS)
        go_on.touch()
        for running in builds:
            running.result()
    directory = checkout / "build" / "cmake" / "simd"
    assert f"waiting for another process: compiling in {directory}" in "".join(lines)
    assert compilations(programs) == 1


def test_objects_are_kept_for_the_next_compilation(checkout: Path, programs: FakePrograms) -> None:
    build(["simd"])
    objects = checkout / "build" / "cmake" / "simd" / "a.o"
    objects.touch()
    (checkout / "wasm" / "own.cc").write_text("int changed;\n")
    build(["simd"])
    assert compilations(programs) == 2
    assert objects.exists()


def test_changed_code_of_the_build_compiles_again(
    programs: FakePrograms, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del checkout
    directory = tmp_path / "toolchain"
    (directory / "tests").mkdir(parents=True)
    (directory / "glue.py").write_text("first")
    monkeypatch.setattr(build_step, "TOOLCHAIN_DIR", directory)
    build(["simd"])
    (directory / "tests" / "test_glue.py").write_text("a test determines no byte")
    build(["simd"])
    assert compilations(programs) == 1
    (directory / "glue.py").write_text("second")
    build(["simd"])
    assert compilations(programs) == 2


def test_the_code_of_the_build_is_that_of_the_toolchain() -> None:
    names = {file.relative_to(build_step.TOOLCHAIN_DIR).as_posix() for file in build_step.code()}
    assert {"build.py", "compile.py", "glue.py", "emscripten/debian_root.py", "selection/models.py"} <= names
    assert not any(name.startswith("tests/") for name in names)


def test_each_variant_has_its_own_result(checkout: Path, programs: FakePrograms) -> None:
    build(["all"])
    assert compilations(programs) == len(variants.load().select(["all"]))
    assert (checkout / "build" / "wasm" / "relaxed-simd" / "tflite_webnn.wasm").exists()


def test_an_edited_override_compiles_again(checkout: Path, programs: FakePrograms, tmp_path: Path) -> None:
    own = tmp_path / "tensorflow"
    own.mkdir()
    (own / "LICENSE").write_text("free\n")
    (own / "a.cc").write_text("1")
    build(["simd"], source_overrides={"tensorflow": own})
    manifest = json.loads(artefact(checkout, "manifest.json").read_text())
    assert manifest["sources"]["tensorflow"]["revision"] == "overridden"
    (own / "a.cc").write_text("2")
    build(["simd"], source_overrides={"tensorflow": own})
    assert compilations(programs) == 2


def test_inputs_edited_during_the_compilation_are_noticed(
    checkout: Path, cache_dir: Path, programs: FakePrograms
) -> None:
    programs.make("ninja", f"{fake_build.NINJA}\necho edited > {checkout}/wasm/own.cc")
    with pytest.raises(ChangedInputsError, match="run the same command again"):
        build(["simd"])
    assert not (cache_dir / "artefacts").exists()


@pytest.mark.usefixtures("checkout")
def test_reproducible_results_pass_and_others_are_named(programs: FakePrograms) -> None:
    build(["simd"])
    reproducible.check(["simd"], source_overrides={}, jobs=None)
    assert compilations(programs) == 2
    programs.make("ninja", fake_build.NINJA + 'date +%N > "$2/runtime/$5/tflite_webnn.wasm"')
    with pytest.raises(NotReproducibleError, match=r"tflite_webnn\.wasm: [0-9a-f]{64}, then [0-9a-f]{64}"):
        reproducible.check(["simd"], source_overrides={}, jobs=None)
