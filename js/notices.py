"""THIRD_PARTY_NOTICES.txt of the package: the wasm module's, and those of the npm packages that are bundled."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from js.node import MODULES_DIR
from tools.support.paths import PROJECT_DIR
from wasm.toolchain.notices import FILE_NAME, licence_texts, notice

OWN_LICENCE = "Apache-2.0"
OWN_LICENCE_FILE = PROJECT_DIR / "LICENSE"


def write_notices(folder: Path, module_notices: Path, made_of: Iterable[Path], modules_dir: Path = MODULES_DIR) -> None:
    """Write the notices of the package into `folder`.

    Args:
        folder: where the package is.
        module_notices: the notices of the wasm module.
        made_of: the files that went into the scripts.
        modules_dir: node_modules, where those of npm packages lie.

    Raises:
        NoLicenceTextError: a bundled package has no licence file.
    """
    (folder / FILE_NAME).write_text(f"{module_notices.read_text()}\n{script_notices(made_of, modules_dir)}")


def script_notices(made_of: Iterable[Path], modules_dir: Path = MODULES_DIR) -> str:
    """Return the notices of the npm packages of which files went into scripts.

    Raises:
        NoLicenceTextError: one has no licence file.
    """
    parts = ["The JavaScript files contain the following packages.\n"]
    for package in sorted(bundled_packages(made_of, modules_dir)):
        about = json.loads((package / "package.json").read_text())
        title = f"{about['name']} {about['version']} ({about['license']})"
        parts.append(notice(title, _terms(package, about)))
    return "\n".join(parts)


def _terms(package: Path, about: Mapping[str, Any]) -> list[str]:
    """Quote a package's terms. Those of TensorFlow.js come without them, only with the name of our own licence."""
    if about["license"] == OWN_LICENCE and not any(package.glob("LICEN[CS]E*")):
        return [OWN_LICENCE_FILE.read_text()]
    return licence_texts(package, about["name"])


def bundled_packages(made_of: Iterable[Path], modules_dir: Path) -> set[Path]:
    """Return the folders of the npm packages to which files belong; nested packages are their own."""
    return {
        next(folder for folder in file.parents if _is_package(folder))
        for file in made_of
        if file.is_relative_to(modules_dir)
    }


def _is_package(folder: Path) -> bool:
    """Tell a package's folder from one inside it, which may have a package.json too, as dist/esm often has."""
    parent = folder.parent.parent if folder.parent.name.startswith("@") else folder.parent
    return parent.name == "node_modules"
