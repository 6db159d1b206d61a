"""The rest of `build.py docs`: docs/api.md, from the TSDoc comments of what the package exports."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from js.node import JS_DIR, run_tool
from wasm.toolchain.support.paths import PROJECT_DIR

DOCUMENT = PROJECT_DIR / "docs" / "api.md"
# A workspace of its own: typedoc cannot read with the TypeScript of the others yet.
TYPEDOC_DIR = JS_DIR / "api_docs"
NOTE = "<!-- Made by `python3 build.py docs` of the comments in js/{runtime,webnn-polyfill}/src, with js/api_docs. -->"


def write() -> None:
    """Write docs/api.md."""
    DOCUMENT.write_text(text())


def text() -> str:
    """Return what docs/api.md must say.

    Raises:
        CommandError: something that is exported has no comment; typedoc's words have been printed.
    """
    with TemporaryDirectory() as folder:
        run_typedoc("--out", folder)
        title, *rest = (Path(folder) / "README.md").read_text().splitlines()
    return "\n".join([title, "", NOTE, *(line.rstrip() for line in rest)]) + "\n"


def run_typedoc(*arguments: str | Path) -> None:
    """Run typedoc with the settings of TYPEDOC_DIR, and `arguments` on top.

    Raises:
        CommandError: it found something to complain of, which has been printed.
    """
    run_tool("typedoc", "--logLevel", "Warn", *arguments, workspace=TYPEDOC_DIR)
