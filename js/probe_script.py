"""The probes of WebNN as a script for the pages of web_tests; the site bundles the same sources with its scripts."""

from pathlib import Path

from js import scripts
from js.node import JS_DIR, run_tool
from js.scripts import Script

SCRIPT = Script("index.mjs", JS_DIR / "probes" / "src" / "index.ts", source_map=False)


def bundle(folder: Path) -> None:
    """Write the script into `folder`.

    Raises:
        CommandError: the TypeScript cannot be bundled; esbuild has printed the errors.
    """
    folder.mkdir(parents=True, exist_ok=True)
    run_tool("esbuild", *scripts.arguments(SCRIPT, (), folder), quiet=True)
