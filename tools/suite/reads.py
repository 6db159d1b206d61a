"""Which of the project's files the tests of this process read, by Python's audit events.

That includes the files of pages: the server is a thread of this process, and forbids browsers to keep them. It does not
include what other programs read, apart from browsers: give Playwright's driver the contents of files, not their paths.
"""

import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tools.support.paths import BUILD_DIR, PACKAGE_DIR, PROJECT_DIR

# Where it matters what a test reads; Python, and the other folders, count as a whole (passed.py).
ROOTS = (BUILD_DIR, *(PROJECT_DIR / name for name in ("js", "pyodide_pkg", "site", "wasm")))
LIBRARIES_DIR = PROJECT_DIR / "js" / "libraries"
# What a page that tests share has from the start, or has loaded for an earlier test.
SHARED = tuple(PACKAGE_DIR / f"{name}.mjs" for name in ("gpu_faults", "index", "webnn_helper", "worker"))
GLUE = "tflite_webnn.mjs"  # of each variant
POLYFILL = tuple(PACKAGE_DIR / f"{name}.mjs" for name in ("polyfill", "polyfill_worker"))

# Programs that read none of ROOTS, by the start of their names.
HARMLESS = ("ldconfig", "ldd", "uname", "chrom", "firefox", "MiniBrowser", "WebKitWebDriver", "Xvfb")
PLAYWRIGHT = f"{os.sep}playwright{os.sep}driver{os.sep}"
LISTINGS = ("os.listdir", "os.scandir")
STARTS = ("subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system")
WRITES = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


class Reads:
    """What each group of tests has read, and what all of them have: outside of `by`."""

    def __init__(self) -> None:
        self._of: defaultdict[str, set[Path]] = defaultdict(set)
        self._blind: set[str] = set()
        self._finished: list[set[Path]] = []  # each one's scripts
        self._group = self._last = ""

    def watch(self) -> None:
        """Start watching this process, which cannot be undone."""
        sys.addaudithook(self.note)

    @contextmanager
    def by(self, group: str) -> Iterator[None]:
        """Attribute what is read in a with-block to a group of tests, or to all of them for ""."""
        if group not in ("", self._last):
            self._finished.append({file for file in self._of[self._last] if _is_script(file)})
            self._last = group
        before, self._group = self._group, group
        try:
            yield
        finally:
            self._group = before

    def begin(self) -> None:
        """Forget the programs that imports have started: tests of graphs use their results, and none in a browser."""
        self._blind.clear()

    def known(self, group: str) -> frozenset[Path] | None:
        """Return the files and the listed folders that a group may have read, None if a program may have read more."""
        return None if self._blind & {group, ""} else frozenset(self._of[group] | self._of[""])

    def mark(self) -> int:
        """Return a moment for `has_more_than`."""
        return len(self._finished)

    def has_more_than(self, files: Sequence[Path], since: int) -> bool:
        """Whether a group that ended since a moment may have loaded other scripts into a shared page."""
        return not set[Path]().union(*self._finished[since:]) <= {*files}

    def note(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Take an audit event."""
        if event == "open":
            path, mode, flags = arguments
            if not (flags & WRITES if mode is None else {*"wax"} & {*mode}):
                self._note_path(path)
        elif event in LISTINGS:
            self._note_path(arguments[0] if arguments[0] is not None else ".")
        elif event in STARTS and not _reads_nothing(arguments[0] if arguments else None):
            self._blind.add(self._group)

    def _note_path(self, path: object) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            return
        name = os.path.realpath(os.fsdecode(path))
        if name.startswith(ROOT_PREFIXES) and not name.endswith((".py", ".pyc")):
            self._of[self._group].add(Path(name))


ROOT_PREFIXES = tuple(f"{root.resolve()}{os.sep}" for root in ROOTS)


def _is_script(file: Path) -> bool:
    """Whether a page keeps it, and not each of its tests counts it anyway (passed.py)."""
    return file.suffix in (".js", ".mjs") and file.name != GLUE and not file.is_relative_to(LIBRARIES_DIR)


def _reads_nothing(program: object) -> bool:
    """Whether a program reads none of the project's files by itself: a browser, or Playwright's driver."""
    if not isinstance(program, str | bytes | os.PathLike):
        return False
    name = os.fsdecode(program)
    return PLAYWRIGHT in name or Path(name).name.startswith(HARMLESS)


READS = Reads()
