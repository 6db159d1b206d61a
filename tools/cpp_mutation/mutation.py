"""Applies the edits to a copy of wasm/ and runs the unit tests that are compiled from it."""

import re
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.markup import escape

from support.command import CommandError
from support.command import run as run_program
from support.console import output, step
from support.errors import BuildError
from support.npm import find_node
from support.paths import BUILD_DIR, PROJECT_DIR
from wasm.toolchain import build, programs
from wasm.toolchain.compile import CompileError
from wasm.toolchain.programs import UNIT_TESTS, ProgramCompiler

WASM_DIR = PROJECT_DIR / "wasm"
EDITS_FILE = Path(__file__).with_name("edits.toml")
WORK_DIR = BUILD_DIR / "cpp_mutation"
COPY_DIR = WORK_DIR / "project" / "wasm"
OBJECTS_DIR = WORK_DIR / "objects"
# A loop that an edit makes endless fails, too.
TIMEOUT_SECONDS = 120
CASE = re.compile(r"\[( RUN {6}|  FAILED  )\] (\w+\.\w+)")

SURVIVED, MISFIT = 1, 2


class FailingTestsError(BuildError):
    """The unit tests fail without any edit."""


@dataclass(frozen=True)
class Edit:
    """A change of a file below wasm/, in which `old` is once."""

    file: str
    old: str
    new: str

    def fits(self) -> bool:
        """Return whether the file has the text exactly once."""
        path = WASM_DIR / self.file
        return path.exists() and path.read_text().count(self.old) == 1

    def __str__(self) -> str:
        return f"{self.file}: {self.old} -> {self.new}"


def load(parts: Sequence[str] = ()) -> list[Edit]:
    """Return the edits of files with one of these texts in their paths; of all files without one."""
    table = tomllib.loads(EDITS_FILE.read_text())
    edits = [Edit(file, row["old"], row["new"]) for file, rows in table.items() for row in rows]
    return [edit for edit in edits if not parts or any(part in edit.file for part in parts)]


def run(parts: Sequence[str], *, jobs: int | None) -> int:
    """Try the edits of these files and return the exit status.

    Raises:
        FailingTestsError: a test fails without any edit.
    """
    edits = load(parts)
    misfits = [edit for edit in edits if not edit.fits()]
    for edit in misfits:
        output.print(f"no longer once in its file: {escape(str(edit))}", soft_wrap=True)
    if misfits:
        return MISFIT
    with step("Compiling the unit tests of a copy"):
        _copy_sources()
        compiler = ProgramCompiler(COPY_DIR.parent, OBJECTS_DIR, WORK_DIR / "build.log", jobs)
        if failed := _failing_case(compiler):
            raise FailingTestsError(f"{failed} fails without any edit")
    statuses = [_try(edit, compiler) for edit in edits]
    output.print(f"{statuses.count(0)} of {len(edits)} edits were noticed")
    return max(statuses, default=0)


def _try(edit: Edit, compiler: ProgramCompiler) -> int:
    """Return the exit status for one edit."""
    path = COPY_DIR / edit.file
    original = path.read_text()
    start = time.monotonic()
    path.write_text(original.replace(edit.old, edit.new))
    try:
        failed = _failing_case(compiler)
        status, result = (0, f"noticed by {failed}") if failed else (SURVIVED, "[red]survived[/red]")
    except CompileError as error:
        status, result = MISFIT, f"[red]does not compile[/red]\n{escape(str(error))}"
    finally:
        path.write_text(original)
    output.print(f"{time.monotonic() - start:5.1f} s  {escape(str(edit))}: {result}", soft_wrap=True)
    return status


def _copy_sources() -> None:
    """Bring the copy up to date. Files that are the same keep their times, by which Ninja knows them."""
    roots = [*build.INPUTS, *programs.INPUTS, WASM_DIR / "tools"]
    files = {file for root in roots for file in ([root] if root.is_file() else root.rglob("*")) if file.is_file()}
    expected = {COPY_DIR / file.relative_to(WASM_DIR): file.read_bytes() for file in files}
    for path in COPY_DIR.rglob("*"):
        if path.is_file() and path not in expected:
            path.unlink()
    for path, content in expected.items():
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def _failing_case(compiler: ProgramCompiler) -> str:
    """Compile the copy's unit tests and run them until one fails; return its name, or an empty string.

    Raises:
        CompileError: the copy does not compile.
    """
    compiler.compile([UNIT_TESTS])
    script = COPY_DIR / "tests" / "unit" / "run_unit_tests.mjs"
    program = OBJECTS_DIR / "bin" / f"{UNIT_TESTS}.mjs"
    lines: list[str] = []
    try:
        run_program(
            [find_node(), script, program, "--gtest_fail_fast"],
            quiet=True,
            timeout_seconds=TIMEOUT_SECONDS,
            on_line=lines.append,
        )
    except CommandError:
        found = [match.groups() for line in lines if (match := CASE.match(line))]
        # A case that ends the program has only started.
        return next((name for kind, name in found if "FAILED" in kind), found[-1][1] if found else "no case")
    return ""
