"""Writes a wheel's recipe and lock-file entry for distributions of Pyodide.

Runs in a Python with pyodide-build and pyodide-lock (tools.py), and uses their own classes:
describe_wheel.py WHEEL RECIPE LOCK_ENTRY [ADDRESS], where ADDRESS is the directory that the wheel will be served from.
"""

import json
import platform
import sys
import tempfile
from pathlib import Path
from typing import Any

from pkginfo import get_metadata
from pyodide_build.recipe.spec import MetaConfig
from pyodide_lock import PyodideLockSpec
from pyodide_lock.spec import InfoSpec
from pyodide_lock.utils import add_wheels_to_spec

# A lock file's head. It decides which lines of a wheel's requirements count; this wheel's always do.
INFO = InfoSpec(platform="emscripten_0_0_0", python=platform.python_version())


def main(wheel: Path, recipe: Path, lock_entry: Path, address: str = "") -> None:
    """Write both files."""
    directory = f"{address.rstrip('/')}/" if address else ""
    entry = _lock_entry(wheel, directory)
    lock_entry.write_text(json.dumps({entry["name"]: entry}, indent=2) + "\n")
    MetaConfig.from_dict(_recipe(wheel, entry)).to_yaml(recipe)
    MetaConfig.from_yaml(recipe)  # as pyodide-build will


def _lock_entry(wheel: Path, directory: str) -> dict[str, Any]:
    nothing = PyodideLockSpec(info=INFO, packages={})
    lock = add_wheels_to_spec(nothing, [wheel], base_url=directory, ignore_missing_dependencies=True)
    with tempfile.TemporaryDirectory(prefix="tflite-webnn-") as name:  # only complete lock files can be written
        lock_file = Path(name) / "pyodide-lock.json"
        lock.to_json(lock_file)
        (entry,) = json.loads(lock_file.read_text())["packages"].values()
    return dict(entry)


def _recipe(wheel: Path, entry: dict[str, Any]) -> dict[str, Any]:
    metadata = get_metadata(str(wheel))
    return {
        "package": {"name": entry["name"], "version": entry["version"], "top-level": entry["imports"]},
        "source": {"url": entry["file_name"], "sha256": entry["sha256"]},
        "requirements": {"run": entry["depends"]},
        "test": {"imports": entry["imports"]},
        "about": {"summary": metadata.summary, "license": metadata.license_expression},
    }


if __name__ == "__main__":
    wheel_file, recipe_file, lock_entry_file, *directory_address = sys.argv[1:]
    main(Path(wheel_file), Path(recipe_file), Path(lock_entry_file), *directory_address)
