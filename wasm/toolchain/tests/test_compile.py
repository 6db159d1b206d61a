"""Configuring and compiling with programs that only log their calls."""

from pathlib import Path

import pytest

from support.tests.fake_programs import FakePrograms
from wasm.toolchain import compile as compile_step
from wasm.toolchain import variants
from wasm.toolchain.compile import CompileError, compile_variant, configure_arguments, failing_part
from wasm.toolchain.emscripten.native import NativeToolchain
from wasm.toolchain.emscripten.toolchain import BuildPaths
from wasm.toolchain.tests import fake_build


@pytest.fixture
def paths(tmp_path: Path) -> BuildPaths:
    directories = {name: tmp_path / name for name in ("project", "generated", "build", "ccache", "ruy")}
    for directory in directories.values():
        directory.mkdir()
    sources = {"ruy": directories["ruy"]}
    return BuildPaths(
        directories["project"], sources, directories["generated"], directories["build"], directories["ccache"]
    )


def compile_relaxed(toolchain: NativeToolchain, paths: BuildPaths, log: Path) -> Path:
    variant = variants.load().variants["relaxed-simd"]
    return compile_variant(toolchain, paths, variant, xnnpack_commit="abc", jobs=3, log=log)


def test_cmake_gets_the_variants_flags_and_ninja_the_target(
    programs: FakePrograms, paths: BuildPaths, tmp_path: Path
) -> None:
    compiled = compile_relaxed(fake_build.make(programs), paths, tmp_path / "build.log")
    assert (compiled / "tflite_webnn.wasm").read_text() == "wasm\n"
    (configure,) = fake_build.calls_of(programs, "emcmake")
    for part in (
        f"cmake -G Ninja -S {paths.project}/wasm -B {paths.build}",
        "-mrelaxed-simd",
        f"-ffile-prefix-map={paths.project}=.",
        "-DRELAXED_SIMD=ON",
        "-DVARIANT=relaxed-simd",
        "-DXNNPACK_COMMIT=abc",
        "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache",
        f"-DSOURCES_DIR={paths.build}/sources",
    ):
        assert part in configure
    assert fake_build.calls_of(programs, "ninja") == [f"ninja -C {paths.build} -j 3 tflite_webnn"]
    assert (paths.build / "sources" / "ruy").resolve() == paths.sources["ruy"]


def test_threads_are_another_target_of_the_same_objects(
    programs: FakePrograms, paths: BuildPaths, tmp_path: Path
) -> None:
    variant = variants.load().variants["relaxed-simd-threads"]
    toolchain = fake_build.make(programs)
    compiled = compile_variant(toolchain, paths, variant, xnnpack_commit="abc", jobs=3, log=tmp_path / "build.log")
    assert compiled == paths.build / "runtime" / "tflite_webnn_threads"
    (configure,) = fake_build.calls_of(programs, "emcmake")
    assert "-DVARIANT=relaxed-simd " in configure
    assert "-DOBJECT_FLAGS=-pthread" in configure
    assert fake_build.calls_of(programs, "ninja") == [f"ninja -C {paths.build} -j 3 tflite_webnn_threads"]


def test_cmake_gets_further_flags_as_lists(programs: FakePrograms, paths: BuildPaths) -> None:
    toolchain = fake_build.make(programs)
    known = variants.load().variants
    arguments = configure_arguments(toolchain, paths, known["sanitizer"], "abc")
    flags = next(argument for argument in arguments if argument.startswith("-DRUNTIME_COMPILE_FLAGS="))
    assert flags == "-DRUNTIME_COMPILE_FLAGS=-fsanitize=address;-O1"
    assert "-DRUNTIME_COMPILE_FLAGS=" in configure_arguments(toolchain, paths, known["simd"], "abc")


def test_everything_printed_is_in_the_log(programs: FakePrograms, paths: BuildPaths, tmp_path: Path) -> None:
    log = tmp_path / "logs" / "build.log"
    compile_relaxed(fake_build.make(programs), paths, log)
    assert "[2/2] Linking CXX executable tflite_webnn.mjs" in log.read_text()


def test_a_compile_error_shows_the_failing_part(programs: FakePrograms, paths: BuildPaths, tmp_path: Path) -> None:
    ninja = 'echo "[1/2] fine"; echo "FAILED: a.o"; echo "a.cc:1: error: what"; exit 1'
    log = tmp_path / "build.log"
    with pytest.raises(CompileError) as caught:
        compile_relaxed(fake_build.make(programs, ninja=ninja), paths, log)
    text = str(caught.value)
    assert "relaxed-simd could not be built\nFAILED: a.o\na.cc:1: error: what" in text
    assert "fine" not in text
    assert str(log) in text
    assert "[1/2] fine" in log.read_text()


def test_failing_part_of_an_output_without_marks_is_its_end() -> None:
    lines = [str(number) for number in range(100)]
    assert failing_part(lines).splitlines() == lines[-40:]
    assert failing_part(["x", "FAILED: y", "z" * 1000]) == "FAILED: y\n" + "z" * 400


def test_progress_is_printed_where_there_is_no_terminal(
    programs: FakePrograms, paths: BuildPaths, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compile_step.SHOWN_EVERY > 2
    compile_relaxed(fake_build.make(programs), paths, tmp_path / "build.log")
    assert "compiling relaxed-simd: 2/2" in capsys.readouterr().err
