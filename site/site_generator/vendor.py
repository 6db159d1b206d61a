"""Other libraries for the benchmark page: the npm files that `build.py bench` uses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_generator.output_directory import OutputDirectory
from support.paths import PROJECT_DIR
from web_tests.models import package_assets

# Browsers do not resolve bare import names; this one becomes the URL of the file next to it.
LITERT_CORE = "litert_core.js"
LITERT_BARE_IMPORT = '"@litertjs/wasm-utils"'
LITERT_UTILS = '"./litert_wasm_utils.js"'


@dataclass(frozen=True)
class Library:
    """Files of a table of models.toml whose names begin with one of the prefixes; `note` goes into the README."""

    table: str
    prefixes: Sequence[str]
    note: str = ""

    def files(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield names and rows."""
        for name, row in package_assets.table()[self.table].items():
            if name.startswith(tuple(self.prefixes)):
                yield name, row


LIBRARIES: Mapping[str, Library] = {
    "litert": Library("programs", ("litert_",), f"{LITERT_CORE} is patched to import its other file by URL."),
    "tfjs_tflite": Library("scripts", ("tf-", "tflite_web_api_cc")),
}


# What the home page fetches of each library: one thread, no accelerator.
SINGLE_THREADED = ("litert_core.js", "litert_wasm_utils", "litert_wasm_internal", "tf-", "tflite_web_api_cc_simd.")


def single_threaded_bytes() -> int:
    """Return the size of the files that run models on one thread of the CPU."""
    files = [row for library in LIBRARIES.values() for name, row in library.files() if name.startswith(SINGLE_THREADED)]
    return sum(package_assets.fetch(package_assets.member_of(row)).stat().st_size for row in files)


def copy_vendor(output: OutputDirectory) -> None:
    """Copy each library into `vendor/NAME` with its license, which is Apache-2.0 for all, as for this project."""
    for name, library in LIBRARIES.items():
        directory = f"vendor/{name}"
        for file, row in library.files():
            _put(package_assets.fetch(package_assets.member_of(row)), f"{directory}/{file}", output)
        output.write(f"{directory}/README.txt", _origin(library))
        output.copy(PROJECT_DIR / "LICENSE", f"{directory}/LICENSE")


def _put(source: Path, name: str, output: OutputDirectory) -> None:
    if not name.endswith(LITERT_CORE):
        output.copy(source, name)
        return
    text = source.read_text(encoding="utf-8")
    assert LITERT_BARE_IMPORT in text, f"{LITERT_CORE} has changed: check its imports"
    output.write(name, text.replace(LITERT_BARE_IMPORT, LITERT_UTILS))


def _origin(library: Library) -> str:
    packages = {row["package"] for _, row in library.files()}
    versions = package_assets.table()["packages"]
    lines = [f"{package} {versions[package]['version']}" for package in sorted(packages)]
    return "\n".join(["From npm, license Apache-2.0:", *lines, library.note, ""])
