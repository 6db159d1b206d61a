"""The step behind `build.py pyodide`: the wheel for Pyodide, with its files next to it.

build/pyodide/
- tflite_webnn-<version>-py3-none-any.whl
- meta.yaml, lock_entry.json: a recipe for pyodide-build, and the wheel's entry of a Pyodide lock file
- tflite_webnn.mjs, <variant>/tflite_webnn.wasm: the same as in the wheel, for pages whose content security policy
      forbids evaluating text; webnn_helper.mjs and tflite_webnn_global.mjs are for them, too
- THIRD_PARTY_NOTICES.txt: as in the wheel
"""

import shutil
import sys
import tempfile
from pathlib import Path

from pyodide_pkg import module, tools
from pyodide_pkg.module import VARIANTS
from support.cache import content_hash, remove
from support.command import run
from support.console import step
from support.npm import JS_DIR, LOCK_FILE, PACKAGE_FILE
from support.paths import BUILD_DIR, PROJECT_DIR, artefact_dir
from wasm.toolchain import notices

PYODIDE_DIR = BUILD_DIR / "pyodide"
STAMP_FILE = PYODIDE_DIR / ".stamp"
OWN_DIR = PROJECT_DIR / "pyodide_pkg"
PACKAGE = Path("src") / "tflite_webnn"
WASM = "tflite_webnn.wasm"
ASSETS = (module.FILE_NAME, *(f"{variant}/{WASM}" for variant in VARIANTS))
RECIPE = "meta.yaml"
LOCK_ENTRY = "lock_entry.json"
DESCRIBE = OWN_DIR / "describe_wheel.py"
# Sources of the wheel; the wasm artefacts come on top.
SOURCES = (
    *(JS_DIR / "packages" / name / "src" for name in ("core", "webnn-polyfill")),
    module.SOURCE_DIR,
    JS_DIR / "scripts" / "bundling",
    LOCK_FILE,
    PACKAGE_FILE,
    PROJECT_DIR / "LICENSE",
    OWN_DIR / PACKAGE,
    *(OWN_DIR / name for name in ("pyproject.toml", "README.md", "module.py", "wheel.py")),
    DESCRIBE,
    tools.PYODIDE_TOOLS,
)


def build_wheel(address: str = "") -> Path:
    """Make build/pyodide unless it is up to date, and return the wheel.

    Args:
        address: the directory that the wheel will be served from, for recipe and lock entry; without one they name the
            wheel as a file next to them.

    Raises:
        CommandError: the TypeScript cannot be bundled, or the build of the wheel fails.
        FileNotFoundError: a variant has not been compiled.
    """
    stamp = content_hash([*SOURCES, *(artefact_dir(variant) / "manifest.json" for variant in VARIANTS)], address)
    if not STAMP_FILE.exists() or STAMP_FILE.read_text() != stamp:
        with step("Building the wheel for Pyodide"):
            remove(PYODIDE_DIR)
            PYODIDE_DIR.mkdir(parents=True)
            module.bundle_module(PYODIDE_DIR)
            _copy_wasm()
            _pack()
            describe(next(PYODIDE_DIR.glob("*.whl")), PYODIDE_DIR, address)
            STAMP_FILE.write_text(stamp)
    return next(PYODIDE_DIR.glob("*.whl"))


def _copy_wasm() -> None:
    for variant in VARIANTS:
        (PYODIDE_DIR / variant).mkdir()
        shutil.copyfile(artefact_dir(variant) / WASM, PYODIDE_DIR / variant / WASM)


def _pack() -> None:
    """Build the wheel in a directory with all its files: its builder includes none from outside.

    All files get the same date (that of SOURCE_DATE_EPOCH, if set): equal contents make equal wheels.
    """
    with tempfile.TemporaryDirectory(prefix="tflite-webnn-") as name:
        directory = Path(name)
        own = (OWN_DIR / "pyproject.toml", OWN_DIR / "README.md", PROJECT_DIR / "LICENSE", PACKAGE_FILE)
        for file in (*own, PYODIDE_DIR / notices.FILE_NAME):
            shutil.copyfile(file, directory / file.name)
        shutil.copytree(OWN_DIR / PACKAGE, directory / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
        for asset in ASSETS:
            target = directory / PACKAGE / "assets" / asset
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(PYODIDE_DIR / asset, target)
        hatchling = [sys.executable, "-m", "hatchling"]
        run([*hatchling, "build", "--target", "wheel", "--directory", str(PYODIDE_DIR)], cwd=directory, quiet=True)


def describe(wheel: Path, directory: Path, address: str) -> None:
    """Write recipe and lock entry of a wheel into a directory; `address` as for build_wheel().

    Raises:
        CommandError: Pyodide's tools reject it, or cannot be installed.
    """
    command: list[str | Path] = [
        sys.executable,
        "-P",
        DESCRIBE,
        wheel,
        directory / RECIPE,
        directory / LOCK_ENTRY,
        *([address] if address else []),
    ]
    run(command, env=tools.environment(tools.PYODIDE_TOOLS), quiet=True)
