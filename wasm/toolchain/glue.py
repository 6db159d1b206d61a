"""Emscripten's JavaScript of a module, changed so that every bundler accepts it, also from another origin.

- Emscripten requests Node's modules by import(). webpack, esbuild and Parcel resolve such a call even where a page
  never reaches it, and fail. process.getBuiltinModule() (Node 20.16 and later) is nothing to them.
- A thread is a worker that runs the same script. Turbopack hangs on a script that starts itself, and Parcel fails;
  where they do not see the worker, they carry the script along as a file.
- Browsers accept a worker's script from the page's own origin only. From a content delivery network, a thread starts
  from a blob that imports the script.
"""

import re

from support.errors import BuildError

IMPORT_OF_NODE = re.compile(r"""\(?await import\((["'])(?:node:)?(module|worker_threads)\1\)\)?""")
WORKER = re.compile(r"new Worker\((\w+),")
FROM_ANY_ORIGIN = (
    r"new globalThis.Worker(/^http/.test(\1)&&\1.origin!=globalThis.origin?"
    r'URL.createObjectURL(new Blob(["import "+JSON.stringify(\1)],{type:"text/javascript"})):\1,'
)
# Not in the comments, which variants linked with -O1 keep.
ANY_IMPORT = re.compile(r"^(?!\s*//).*?(\bimport\(.{0,60})", re.MULTILINE)


class GlueError(BuildError):
    """Emscripten's JavaScript imports something that this step does not know."""


def for_bundlers(text: str) -> str:
    """Return the JavaScript without dynamic imports, and without workers that a bundler sees.

    Raises:
        GlueError: it imports something else than Node's modules, or makes workers in another way.
    """
    changed = IMPORT_OF_NODE.sub(r'process.getBuiltinModule("\2")', text)
    if left := ANY_IMPORT.search(changed):
        raise GlueError(
            f"Emscripten's JavaScript has a dynamic import: {left[1]}",
            hint="bundlers resolve it: replace it in wasm/toolchain/glue.py",
        )
    changed = WORKER.sub(FROM_ANY_ORIGIN, changed)
    if left := re.search(r"new Worker\(.{0,60}", changed):
        raise GlueError(f"Emscripten's JavaScript has another worker: {left[0]}", hint="extend WORKER in glue.py")
    return changed
