"""Programs on PATH that log their arguments."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class FakePrograms:
    """A directory first on PATH. Each program created in it appends its name and arguments to a log."""

    directory: Path
    log: Path

    def make(self, name: str, script: str = "") -> Path:
        """Make a program that logs its call and then runs `script` (sh, with the arguments as $@)."""
        path = self.directory / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >> "{self.log}"\n{script}\n')
        path.chmod(0o755)
        return path

    def make_emcc(self, version: str, clang: str = "clang version 19.1.7") -> Path:
        """Make an emcc that only knows its version, and with -v also that of its clang."""
        text = f"emcc (Emscripten gcc/clang-like replacement) {version} ()"
        return self.make("emcc", f'echo "{text}" >&2; [ "$1" = -v ] && echo "{clang}" >&2 || echo "{text}"')

    def calls(self) -> list[str]:
        """Return the logged calls, e.g. "ninja -C build"."""
        return self.log.read_text().splitlines() if self.log.exists() else []
