"""Configures, compiles and links one variant, with progress."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from support.command import CommandError
from support.console import console
from support.errors import BuildError
from wasm.toolchain.emscripten.toolchain import BuildPaths, Toolchain
from wasm.toolchain.selection.selection import EVERYTHING
from wasm.toolchain.variants import FURTHER_FLAGS, Variant

TARGET = "tflite_webnn"
NINJA_PROGRESS = re.compile(r"\[(\d+)/(\d+)\]")
SHOWN_EVERY = 50  # steps between lines if the output is not a terminal
# A file is identified by content, not by path: all checkouts of a user share compiled objects.
CCACHE_ENVIRONMENT = {
    "CCACHE_NOHASHDIR": "1",
    "CCACHE_MAXSIZE": "4G",
    "CCACHE_SLOPPINESS": "include_file_mtime,include_file_ctime,pch_defines,time_macros",
}


class CompileError(BuildError):
    """A source file does not compile, or the module does not link. Carries the compiler's output."""


def compile_variant(
    toolchain: Toolchain, paths: BuildPaths, variant: Variant, *, xnnpack_commit: str, jobs: int | None, log: Path
) -> Path:
    """Return the directory that holds tflite_webnn.mjs and tflite_webnn.wasm.

    Args:
        toolchain: the compiler.
        paths: its directories; `paths.build` belongs to the variant's objects.
        variant: flags and name.
        xnnpack_commit: the module reports it; identifies packed weights.
        jobs: parallel compiler processes; None for one per core.
        log: receives the output of CMake and Ninja.

    Raises:
        CompileError: the failing part of the output is in the message.
    """
    target = target_of(variant)
    configure = configure_arguments(toolchain, paths, variant, xnnpack_commit)
    compile_targets(toolchain, paths, configure, [target], title=variant.name, jobs=jobs, log=log)
    return paths.build / "runtime" / target


def compile_targets(
    toolchain: Toolchain,
    paths: BuildPaths,
    configure: Sequence[str],
    targets: Sequence[str],
    *,
    title: str,
    jobs: int | None,
    log: Path,
) -> None:
    """Configure with CMake, unless `configure` is empty, and build targets with Ninja.

    Raises:
        CompileError: the failing part of the output is in the message.
    """
    environment = {"CCACHE_DIR": str(toolchain.inside(paths).ccache), **CCACHE_ENVIRONMENT}
    build = str(toolchain.inside(paths).build)
    parallel = str(jobs or os.cpu_count() or 1)
    lines: list[str] = []
    try:
        if configure:
            toolchain.run(["emcmake", "cmake", *configure], paths, env=environment, on_line=lines.append)
        with _progress(title, lines) as show:
            ninja = ["ninja", "-C", build, "-j", parallel, *targets]
            toolchain.run(ninja, paths, env=environment, on_line=show)
    except CommandError as error:
        raise CompileError(
            f"{title} could not be built\n{failing_part(lines)}",
            where=str(log),
            hint="the log has the entire output; `python3 build.py doctor` checks the toolchain",
        ) from error
    finally:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("\n".join(lines) + "\n")


def target_of(variant: Variant) -> str:
    """Return the CMake target of a module."""
    kinds = ["threads"] if variant.threads_of else []
    kinds += ["selected"] if variant.selection != EVERYTHING else []
    return "_".join([TARGET, *kinds])


def configure_arguments(
    toolchain: Toolchain, paths: BuildPaths, variant: Variant, xnnpack_commit: str, *, with_programs: bool = False
) -> list[str]:
    """Return CMake's arguments for the project in wasm/; its programs need further sources.

    Paths in object files are mapped to fixed ones, so results do not depend on them.
    """
    inside = toolchain.inside(paths)
    maps = [f"-ffile-prefix-map={path}=." for path in (inside.sources, inside.project, inside.build)]
    flags = " ".join([*variant.compile_flags, *maps])
    release = " ".join(variant.release_flags)
    launcher = "ccache" if toolchain.has_ccache() else ""
    definitions = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_C_FLAGS": flags,
        "CMAKE_CXX_FLAGS": flags,
        "CMAKE_C_FLAGS_RELEASE": release,
        "CMAKE_CXX_FLAGS_RELEASE": release,
        "CMAKE_C_COMPILER_LAUNCHER": launcher,
        "CMAKE_CXX_COMPILER_LAUNCHER": launcher,
        "SOURCES_DIR": str(inside.sources),
        "GENERATED_DIR": str(inside.generated),
        "VARIANT": variant.objects,
        "RELAXED_SIMD": "ON" if variant.relaxed_simd else "OFF",
        "XNNPACK_COMMIT": xnnpack_commit,
        "PROGRAMS": "ON" if with_programs else "OFF",
        "SELECTION": "ON" if variant.selection != EVERYTHING else "OFF",
        "SELECTED_OPS": " ".join(variant.selection.ops or ()),
        "SELECTED_TYPES": " ".join(variant.selection.types or ()),
        "WITHOUT_WEBNN": "OFF" if variant.selection.with_webnn else "ON",
        "WITHOUT_XNNPACK": "OFF" if variant.selection.with_xnnpack else "ON",
        **{kind.upper(): ";".join(variant.flags.get(kind, ())) for kind in FURTHER_FLAGS},
    }
    source = str(inside.project / "wasm")
    return [
        "-G",
        "Ninja",
        "-S",
        source,
        "-B",
        str(inside.build),
        *(f"-D{key}={text}" for key, text in definitions.items()),
    ]


def failing_part(lines: list[str], context_lines: int = 40) -> str:
    """Return the first failure in CMake's or Ninja's output with its context, else the last lines."""
    starts = [index for index, line in enumerate(lines) if line.startswith(("FAILED:", "CMake Error"))]
    first = starts[0] if starts else max(len(lines) - context_lines, 0)
    # Ninja repeats the command line, thousands of uninformative characters.
    return "\n".join(line[:400] for line in lines[first : first + context_lines])


@contextmanager
def _progress(title: str, lines: list[str]) -> Iterator[Callable[[str], None]]:
    """Yield a function that records a line of Ninja's output in `lines`, and shows the progress."""
    columns = (TextColumn("    {task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"compiling {title}", total=None)

        def show(line: str) -> None:
            lines.append(line)
            match = NINJA_PROGRESS.match(line)
            if not match:
                return
            done, total = int(match[1]), int(match[2])
            progress.update(task, completed=done, total=total)
            if not console.is_terminal and (done % SHOWN_EVERY == 0 or done == total):
                console.print(f"    compiling {title}: {done}/{total}")

        yield show
