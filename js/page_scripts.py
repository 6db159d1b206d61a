"""Scripts for the pages of tools and tests; the package has none of them."""

from pathlib import Path

from js import scripts
from js.node import JS_DIR, run_tool
from js.scripts import Script

# Starts programs of wasm/programs.
PROGRAMS = Script("run_program.mjs", JS_DIR / "programs" / "src" / "index.ts", source_map=False)
# The probes of WebNN; the site bundles the same sources with its scripts.
PROBES = Script("index.mjs", JS_DIR / "probes" / "src" / "index.ts", source_map=False)


def bundle(script: Script, folder: Path) -> None:
    """Write a script into `folder`.

    Raises:
        CommandError: the TypeScript cannot be bundled; esbuild has printed the errors.
    """
    folder.mkdir(parents=True, exist_ok=True)
    run_tool("esbuild", *scripts.arguments(script, (), folder), quiet=True)
