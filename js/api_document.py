"""The site's API pages, from the TSDoc comments of the package's exports: typedoc's own, with its search."""

from pathlib import Path

from js.bundle import PARTS
from js.node import JS_DIR, LOCK_FILE, run_tool
from support import cache

# A separate workspace: typedoc does not support the TypeScript version of the others yet.
TYPEDOC_DIR = JS_DIR / "apps" / "api-docs"
SOURCES = (
    JS_DIR / "packages" / "core" / "src",
    *(JS_DIR / name / "src" for name in PARTS),
    JS_DIR / "packages" / "webnn-polyfill" / "src",
    *(TYPEDOC_DIR / name for name in ("tsconfig.json", "typedoc.json")),
    JS_DIR / "tsconfig.base.json",
    LOCK_FILE,
    Path(__file__),
)


def build() -> Path:
    """Return the folder of the pages, with its index.html; typedoc only runs after a change of comments or exports.

    Raises:
        CommandError: an export has no comment; typedoc has printed which.
    """
    name = f"generated/api-{cache.content_hash(SOURCES)}"
    return cache.get(name, lambda folder: run_typedoc("--out", folder), title="Making the API pages")


def run_typedoc(*arguments: str | Path) -> None:
    """Run typedoc with the settings of TYPEDOC_DIR, and `arguments` on top.

    Raises:
        CommandError: typedoc found a mistake and has printed it.
    """
    run_tool("typedoc", "--logLevel", "Warn", *arguments, workspace=TYPEDOC_DIR)
