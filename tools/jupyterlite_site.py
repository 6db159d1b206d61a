"""A JupyterLite site with the wheel and a notebook that uses it, self-contained.

Any static server can serve build/jupyterlite; the notebook is notebooks/index.html?path=classify.ipynb.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from pyodide_pkg import tools
from support.cache import content_hash, remove
from support.command import run
from support.console import step
from support.paths import BUILD_DIR, PROJECT_DIR
from web_tests.models import package_assets
from web_tests.models.catalogue import all_models

SITE_DIR = BUILD_DIR / "jupyterlite"
STAMP_FILE = SITE_DIR / ".stamp"
NOTEBOOK = PROJECT_DIR / "pyodide_pkg" / "examples" / "classify.ipynb"
MODEL = "efficientnet_lite0_int8"
IMAGE = "chelsea"
LOCK_FILE = "pyodide-lock.json"
SOURCES = (NOTEBOOK, Path(__file__), package_assets.TABLE_PATH, *sorted(tools.REQUIREMENTS_DIR.iterdir()))


def build(wheel: Path) -> Path:
    """Build the site unless it is up to date, and return its directory.

    Raises:
        CommandError: JupyterLite or Pyodide's tools fail, or cannot be installed.
    """
    stamp = content_hash([*SOURCES, wheel])
    if not STAMP_FILE.exists() or STAMP_FILE.read_text() != stamp:
        jupyterlite = tools.installed(tools.JUPYTERLITE)
        with step("Building the JupyterLite site"), tempfile.TemporaryDirectory(prefix="tflite-webnn-") as name:
            directory = Path(name)
            _lay_out(directory, wheel)
            _configure(directory, jupyterlite)
            remove(SITE_DIR)
            command = [sys.executable, "-P", "-m", "jupyterlite_core", "build"]
            run(command, cwd=directory, env=tools.environment(tools.JUPYTERLITE), quiet=True)
            STAMP_FILE.write_text(stamp)
    return SITE_DIR


def _lay_out(directory: Path, wheel: Path) -> None:
    """Arrange the inputs of `jupyter lite build`: our wheel for its package index, Pyodide, the user's files."""
    index, pyodide, contents = (directory / name for name in ("pypi", "static/pyodide", "contents"))
    for each in (index, pyodide, contents):
        each.mkdir(parents=True)
    shutil.copy(wheel, index)
    for name, row in package_assets.table()["pyodide"].items():
        shutil.copyfile(package_assets.fetch(package_assets.member_of(row)), pyodide / name)
    kernel_wheels = [Path(shutil.copy(file, pyodide)) for file in tools.wheels(tools.JUPYTERLITE_KERNEL)]
    _add_to_lock(pyodide / LOCK_FILE, kernel_wheels)
    shutil.copy(NOTEBOOK, contents)
    shutil.copyfile(all_models()[MODEL].path(), contents / f"{MODEL}.tflite")
    image = package_assets.path_of("images", IMAGE)
    shutil.copyfile(image, contents / f"{IMAGE}.png")


def _add_to_lock(lock: Path, wheels: list[Path]) -> None:
    """Add wheels to Pyodide's lock file."""
    program = "from pyodide_lock.cli import main; main()"
    arguments: list[str | Path] = ["add-wheels", "--input", lock, "--output", lock, *wheels]
    run([sys.executable, "-P", "-c", program, *arguments], env=tools.environment(tools.PYODIDE_TOOLS), quiet=True)


def _configure(directory: Path, jupyterlite: Path) -> None:
    site = {
        "apps": ["notebooks"],
        "contents": ["contents"],
        "output_dir": str(SITE_DIR),
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
    }
    extensions = {"extra_labextensions_path": [str(jupyterlite / "share" / "jupyter" / "labextensions")]}
    config = {"LiteBuildConfig": site, "FederatedExtensionAddon": extensions}
    (directory / "jupyter_lite_config.json").write_text(json.dumps(config))
