"""The script that starts programs of wasm/programs."""

from pathlib import Path

from js import scripts
from js.node import JS_DIR, run_tool
from js.scripts import Script

SCRIPT = Script("run_program.mjs", JS_DIR / "programs" / "src" / "index.ts", source_map=False)


def bundle(folder: Path) -> None:
    """Write the script into `folder`.

    Raises:
        CommandError: the TypeScript cannot be bundled; esbuild has printed the errors.
    """
    folder.mkdir(parents=True, exist_ok=True)
    run_tool("esbuild", *scripts.arguments(SCRIPT, (), folder), quiet=True)
