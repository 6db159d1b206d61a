"""THIRD_PARTY_NOTICES.txt of the package: notices of the wasm module and of the bundled npm packages."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from js.node import MODULES_DIR
from support.paths import PROJECT_DIR
from wasm.toolchain.notices import FILE_NAME, license_texts, notice

OWN_LICENSE = "Apache-2.0"
OWN_LICENSE_FILE = PROJECT_DIR / "LICENSE"


def write_notices(folder: Path, module_notices: Path, made_of: Iterable[Path], modules_dir: Path = MODULES_DIR) -> None:
    """Write the notices of the package into `folder`.

    Args:
        folder: the package.
        module_notices: the notices of the wasm module.
        made_of: the bundled source files.
        modules_dir: the folder node_modules.

    Raises:
        NoLicenseTextError: a bundled package has no license file.
    """
    (folder / FILE_NAME).write_text(f"{module_notices.read_text()}\n{script_notices(made_of, modules_dir)}")


def script_notices(made_of: Iterable[Path], modules_dir: Path = MODULES_DIR) -> str:
    """Return the notices of the npm packages whose files are bundled.

    Raises:
        NoLicenseTextError: a package has no license file.
    """
    parts = ["The JavaScript files contain the following packages.\n"]
    for package in sorted(bundled_packages(made_of, modules_dir)):
        about = json.loads((package / "package.json").read_text())
        title = f"{about['name']} {about['version']} ({about['license']})"
        parts.append(notice(title, _terms(package, about)))
    return "\n".join(parts)


def _terms(package: Path, about: Mapping[str, Any]) -> list[str]:
    """Return a package's terms. TensorFlow.js ships no text, only the name of our own license."""
    if about["license"] == OWN_LICENSE and not any(package.glob("LICEN[CS]E*")):
        return [OWN_LICENSE_FILE.read_text()]
    return license_texts(package, about["name"])


def bundled_packages(made_of: Iterable[Path], modules_dir: Path) -> set[Path]:
    """Return the folders of the npm packages that own the files; a nested package owns its files."""
    return {
        next(folder for folder in file.parents if _is_package(folder))
        for file in made_of
        if file.is_relative_to(modules_dir)
    }


def _is_package(folder: Path) -> bool:
    """Distinguish a package from a folder inside it that has a package.json, too, such as dist/esm."""
    parent = folder.parent.parent if folder.parent.name.startswith("@") else folder.parent
    return parent.name == "node_modules"
