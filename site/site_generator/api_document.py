"""The site's API pages, from the TSDoc comments of the package's exports: typedoc's own, with its search."""

from pathlib import Path

from support import cache
from support.npm import JS_DIR, LOCK_FILE, run_script

# A separate workspace: typedoc does not support the TypeScript version of the others yet.
TYPEDOC_DIR = JS_DIR / "apps" / "api-docs"


def build() -> Path:
    """Return the directory of the pages, with its index.html; typedoc only runs after a change of comments or exports.

    Raises:
        CommandError: an export has no comment; typedoc has printed which.
    """
    settings = [TYPEDOC_DIR / name for name in ("one_package.mjs", "tsconfig.json", "typedoc.json")]
    sources = [*JS_DIR.glob("packages/*/src"), *JS_DIR.glob("packages/*/package.json"), JS_DIR / "tsconfig.base.json"]
    name = f"generated/api-{cache.content_hash([*settings, *sources, LOCK_FILE])}"
    return cache.get(name, lambda directory: run_script("docs", "--out", directory), title="Making the API pages")
