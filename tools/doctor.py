"""The doctor step: what the build cannot get by itself, what it still has to get, and the commands for that."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass

from rich.table import Table

from support.apt_mirrors import MIRROR_VARIABLE, debian_mirrors
from support.command import NotRootError
from support.console import output
from support.paths import cache_dir
from wasm.toolchain import variants
from wasm.toolchain.emscripten import choice, debian_root, namespaces, native
from wasm.toolchain.sources import registry
from wasm.toolchain.sources.fetch import entry
from wasm.toolchain.variants import EmscriptenPin

# The private Debian directory, sources, objects, browsers and Python packages, with a margin.
NEEDED_BYTES = 8_000_000_000


@dataclass(frozen=True)
class CheckResult:
    """One row: `ok` is False if the build lacks the thing and cannot get it by itself."""

    name: str
    found: str
    hint: str = ""
    ok: bool = True


def report() -> int:
    """Print the table; return 1 if something is missing that the build cannot get by itself."""
    results = examine()
    table = Table("what", "found", "to do", box=None, pad_edge=False)
    for result in results:
        colour = "red" if not result.ok else "yellow" if result.hint else "green"
        table.add_row(f"[{colour}]{result.name}[/{colour}]", result.found, result.hint)
    output.print(table)
    return 0 if all(result.ok for result in results) else 1


def examine() -> list[CheckResult]:
    """Return all results; nothing is installed or changed."""
    pin = variants.load().emscripten
    compiler = _own_compiler(pin) if _is_native() else _debian_compiler(pin)
    return [*compiler, *_sources(), *_browsers(), *_disk()]


def _own_compiler(pin: EmscriptenPin) -> Iterator[CheckResult]:
    found = {emcc: native.version_of(emcc) for emcc in native.candidates()}
    ready = pin.version in found.values()
    hint = "" if ready else f"install emcc {pin.version} on PATH or under EMSDK, or unset {choice.VARIABLE}"
    text = ", ".join(f"{emcc}: {version or 'no version'}" for emcc, version in found.items())
    yield CheckResult(f"emcc {pin.version}", text or "missing", hint, ok=ready)


def _debian_compiler(pin: EmscriptenPin) -> Iterator[CheckResult]:
    if debian_root.exists(pin):
        yield CheckResult("Debian directory with Emscripten", str(debian_root.directory(pin)))
        return
    yield CheckResult("Debian directory with Emscripten", "not created", "created by `build.py setup`")
    way = rights()
    hint = "" if way else f"put emcc {pin.version} on PATH and set {choice.VARIABLE}={choice.NATIVE}"
    yield CheckResult("rights to make a Debian directory", way or "none", hint, ok=bool(way))
    mirrors = debian_mirrors()
    hint = "" if mirrors else f"set {MIRROR_VARIABLE} to a Debian mirror"
    yield CheckResult("Debian mirrors", ", ".join(mirrors) or "none", hint, ok=bool(mirrors))


def _is_native() -> bool:
    return os.environ.get(choice.VARIABLE) == choice.NATIVE


def rights() -> str:
    """Return the way to create a private Debian directory ("root", "user namespace", "sudo"), or an empty string."""
    try:
        return namespaces.entry().title
    except NotRootError:
        return ""


def _sources() -> Iterator[CheckResult]:
    components = registry.load().components.values()
    missing = [component.name for component in components if not entry(component).exists()]
    found = f"{len(components) - len(missing)} of {len(components)} components in the cache"
    yield CheckResult("sources", found, f"fetched by `build.py setup`: {', '.join(missing)}" if missing else "")


def _browsers() -> Iterator[CheckResult]:
    from web_tests.browsers import installed
    from web_tests.browsers.engines import CHROMIUM_SELENIUM, ENGINES

    found = installed.discover()
    for browser in found:
        yield CheckResult("browser", f"{browser.title}: {browser.executable}")
    if not found:
        yield CheckResult("browser", "none", "installed by `build.py setup`")
    listed = {browser.executable for browser in found}
    for engine in (*ENGINES, CHROMIUM_SELENIUM):
        missing = " ".join(engine.missing_packages())
        if missing:
            hint = f"installed by `build.py setup` and `test`, or: apt-get install {missing}"
            yield CheckResult("browser to test in", f"{engine.title} lacks {missing}", hint)
        elif engine.executable() not in listed:
            yield CheckResult("browser to test in", f"{engine.title}: {engine.executable()}")


def _disk() -> Iterator[CheckResult]:
    directory = cache_dir()
    existing = next(path for path in (directory, *directory.parents) if path.exists())
    free = shutil.disk_usage(existing).free
    enough = free >= NEEDED_BYTES or (directory / "toolchain").exists()
    hint = "" if enough else f"free {NEEDED_BYTES / 1e9:.0f} GB there, or set TFLITE_WEBNN_CACHE to a larger disk"
    yield CheckResult("cache", f"{directory}, {free / 1e9:.0f} GB free", hint, ok=enough)
