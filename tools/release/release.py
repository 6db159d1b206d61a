"""Makes build/release from what is built: two runs produce the same bytes.

- tflite-webnn-VERSION.tgz: the npm package
- tflite_webnn-VERSION-py3-none-any.whl: the wheel for Pyodide
- wasm-VARIANT-KEY.zip: each wasm module, for TFLITE_WEBNN_PREBUILT
- tflite-webnn-{tfjs-tflite, polyfill, site}-VERSION.zip: the drop-in, the polyfill and the site, for a static host
- integrity.json: the subresource integrity of each file of the npm package that a page loads
- tflite-webnn-VERSION.cdx.json: the bill of materials (CycloneDX)
- RELEASE_NOTES.md: the version's part of CHANGELOG.md, and the compiler
- SHA256SUMS: the hashes of all these files
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from site_generator.paths import OUTPUT_DIR as SITE_DIR

from pyodide_pkg import wheel
from support.archive import files_below, write_zip
from support.cache import file_sha256, remove, subresource_integrity
from support.command import run
from support.console import console, step
from support.errors import BuildError
from support.npm import PACKAGE_FILE, package_version
from support.paths import BUILD_DIR, PACKAGE_DIR, artefact_dir
from tools.release import bill_of_materials, changelog
from wasm.toolchain import notices, prebuilt
from wasm.toolchain.variants import packaged_variants

RELEASE_DIR = BUILD_DIR / "release"
INTEGRITY = "integrity.json"
NOTES = "RELEASE_NOTES.md"
LOADED_SUFFIXES = (".js", ".mjs", ".wasm")
DROP_IN_DIR = "tfjs-tflite"
TERMS = ("LICENSE", notices.FILE_NAME)
POLYFILL = ("polyfill*.mjs*", "webnn_polyfill.js*")


class VersionError(BuildError):
    """A version cannot be published: the checkout has another one, no notes on it, or no public repository."""


def make(version: str | None = None, directory: Path = RELEASE_DIR) -> None:
    """Write the release from build/package, build/pyodide and build/site.

    Args:
        version: what is to be published; None for a trial with the checkout's own version.
        directory: it is emptied first.

    Raises:
        VersionError: js/packages/core/package.json has another version or no repository, or CHANGELOG.md no
            section for it.
        ChangelogError: CHANGELOG.md has no notes at all.
        CommandError: npm cannot pack the package.
    """
    own = _check(version)
    with step(f"Making the release {own}"):
        remove(directory)
        directory.mkdir(parents=True)
        run(["npm", "pack", PACKAGE_DIR, "--ignore-scripts", "--pack-destination", directory], capture=True)
        shutil.copy2(next(wheel.PYODIDE_DIR.glob("*.whl")), directory)
        for variant in packaged_variants():
            prebuilt.pack(artefact_dir(variant), directory)
        for name, files in _archives().items():
            write_zip(directory / f"tflite-webnn-{name}-{own}.zip", files)
        (directory / INTEGRITY).write_text(json.dumps(integrity(PACKAGE_DIR), indent=2) + "\n")
        manifest = json.loads((PACKAGE_DIR / "manifest.json").read_text())
        bill_of_materials.write(directory / f"tflite-webnn-{own}.cdx.json", own, manifest)
        (directory / NOTES).write_text(notes(own, manifest))
        _write_sums(directory)
    for file in sorted(directory.iterdir()):
        console.print(f"    {file.stat().st_size / 1e6:7.2f} MB  {file.name}")


def notes(version: str, manifest: Mapping[str, Any]) -> str:
    """Return a release's notes: its part of CHANGELOG.md, and the compiler of the modules in the package's manifest."""
    compilers = sorted({variant["toolchain"] for variant in manifest["variants"].values()})
    return f"# tflite-webnn {version}\n\n{changelog.notes(version)}\n\nCompiled by {' and '.join(compilers)}.\n"


def integrity(directory: Path) -> dict[str, str]:
    """Return the value of the attribute `integrity` (SHA-384) of each script and module in a package's directory."""
    files = {name: file for name, file in files_below(directory).items() if file.suffix in LOADED_SUFFIXES}
    return {name: subresource_integrity(files[name]) for name in sorted(files)}


def _check(version: str | None) -> str:
    own = package_version()
    if version is None:
        return own
    if version != own:
        raise VersionError(
            f"this checkout is version {own}, not {version}",
            where=str(PACKAGE_FILE),
            hint="change its version and commit",
        )
    if "repository" not in json.loads(PACKAGE_FILE.read_text()):
        # npm checks it against the provenance, and derives the addresses of homepage and issues from it.
        raise VersionError(
            "the address of the public repository is not set",
            where=str(PACKAGE_FILE),
            hint='add "repository": "github:OWNER/NAME"',
        )
    if not changelog.has_section(version):
        raise VersionError(
            f"CHANGELOG.md has no section for {version}",
            where=str(changelog.CHANGELOG),
            hint=f"rename `## [{changelog.UNRELEASED}]` to `## [{version}]` with its date",
        )
    return own


def _archives() -> Mapping[str, Mapping[str, Path]]:
    package = files_below(PACKAGE_DIR)
    terms = {name: package[name] for name in TERMS}
    drop_in = files_below(PACKAGE_DIR / DROP_IN_DIR)
    own = {file.name: file for pattern in POLYFILL for file in PACKAGE_DIR.glob(pattern)}
    variants = packaged_variants()
    modules = {name: file for name, file in package.items() if Path(name).parent.name in variants}
    types = {name: file for name, file in package.items() if name.startswith("types/polyfill/")}
    return {
        DROP_IN_DIR: {**drop_in, **terms},
        "polyfill": {**own, **modules, **types, "polyfill.d.mts": package["polyfill.d.mts"], **terms},
        "site": files_below(SITE_DIR),
    }


def _write_sums(directory: Path) -> None:
    files = sorted(directory.iterdir())
    (directory / prebuilt.SUMS).write_text("".join(f"{file_sha256(file)}  {file.name}\n" for file in files))
