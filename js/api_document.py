"""build/docs/api.md, the site's API page, from the TSDoc comments of the package's exports."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from js.bundle import PARTS
from js.node import JS_DIR, LOCK_FILE, run_tool
from tools.support import cache
from tools.support.paths import BUILD_DIR

DOCUMENT = BUILD_DIR / "docs" / "api.md"
# A separate workspace: typedoc does not support the TypeScript version of the others yet.
TYPEDOC_DIR = JS_DIR / "api_docs"
SOURCES = (
    JS_DIR / "runtime" / "src",
    *(JS_DIR / name / "src" for name in PARTS),
    JS_DIR / "webnn-polyfill" / "src",
    TYPEDOC_DIR / "src",
    *(TYPEDOC_DIR / name for name in ("markdown.mjs", "tsconfig.json", "typedoc.json")),
    JS_DIR / "tsconfig.base.json",
    LOCK_FILE,
    Path(__file__),
)


def build() -> Path:
    """Write the document and return it; typedoc only runs when a comment or an export has changed.

    Raises:
        CommandError: an export has no comment; typedoc has printed which.
    """
    made = cache.get(f"generated/api-{cache.content_hash(SOURCES)}.md", _make, title="Making the API page")
    DOCUMENT.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(made, DOCUMENT)
    return DOCUMENT


def _make(file: Path) -> None:
    with TemporaryDirectory() as folder:
        run_typedoc("--out", folder)
        lines = (Path(folder) / "README.md").read_text().splitlines()
    file.write_text("\n".join(line.rstrip() for line in lines) + "\n")


def run_typedoc(*arguments: str | Path) -> None:
    """Run typedoc with the settings of TYPEDOC_DIR, and `arguments` on top.

    Raises:
        CommandError: typedoc found a mistake and has printed it.
    """
    run_tool("typedoc", "--logLevel", "Warn", *arguments, workspace=TYPEDOC_DIR)
