"""The doctor step: what the build uses, what is missing on this machine, and the command that installs it."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from support.apt_mirrors import MIRROR_VARIABLE, debian_mirrors
from support.command import CommandError, NotRootError, run
from support.console import output
from support.paths import BUILD_DIR, cache_dir
from wasm.toolchain import variants
from wasm.toolchain.emscripten import choice, debian_root, namespaces, native
from wasm.toolchain.sources import registry
from wasm.toolchain.sources.fetch import entry
from wasm.toolchain.variants import EmscriptenPin

# The private Debian directory, sources, objects, browsers and Python packages, with a margin.
NEEDED_BYTES = 8_000_000_000
VERSION_SECONDS = 30
MISSING_PROGRAMS = {
    "node": "installed by build.py, with its Python packages",
    "npm": "installed by build.py, with its Python packages",
    "git": "optional: sources come from Debian's archive; or: apt-get install git",
    "patch": "installed when needed, or: apt-get install patch",
}


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
    checks: Sequence[Callable[[], Iterator[CheckResult]]] = (
        _programs,
        lambda: _emscripten(pin),
        lambda: _ways_to_emscripten(pin),
        _sources,
        _artefacts,
        _browsers,
        _disk,
    )
    return [result for check in checks for result in check()]


def _programs() -> Iterator[CheckResult]:
    for program in ("node", "npm", "git"):
        path = shutil.which(program)
        yield CheckResult(program, _version(path) if path else "missing", "" if path else MISSING_PROGRAMS[program])
    patch = shutil.which("patch")
    yield CheckResult("patch", patch or "missing", "" if patch else MISSING_PROGRAMS["patch"])


def _emscripten(pin: EmscriptenPin) -> Iterator[CheckResult]:
    for emcc in native.candidates():
        version = native.version_of(emcc)
        use = f"used if {choice.VARIABLE}={choice.NATIVE}" if version == pin.version else f"not {pin.version}, not used"
        yield CheckResult("emcc", f"{emcc}: {version or 'no version'}", "" if _is_native() else use)
    if _is_native():
        return
    if debian_root.exists(pin):
        yield CheckResult("Debian directory with Emscripten", str(debian_root.directory(pin)))
    else:
        yield CheckResult("Debian directory with Emscripten", "not created", "created by `build.py setup`")


def _ways_to_emscripten(pin: EmscriptenPin) -> Iterator[CheckResult]:
    """Yield the requirements of the chosen compiler, which only matter while it is missing."""
    if _is_native():
        ready = any(native.version_of(emcc) == pin.version for emcc in native.candidates())
        hint = "" if ready else f"install emcc {pin.version} on PATH or under EMSDK, or unset {choice.VARIABLE}"
        yield CheckResult(f"emcc {pin.version}", "found" if ready else "missing", hint, ok=ready)
        return
    ready = debian_root.exists(pin)
    found = rights()
    hint = "" if found else f"put emcc {pin.version} on PATH and set {choice.VARIABLE}={choice.NATIVE}"
    yield CheckResult("rights to make a Debian directory", found or "none", hint, ok=ready or bool(found))
    program = shutil.which("debootstrap", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    yield CheckResult(
        "debootstrap", program or "missing", "" if program else "installed when needed, or: apt-get install debootstrap"
    )
    mirrors = debian_mirrors()
    none = f"set {MIRROR_VARIABLE} to a Debian mirror"
    yield CheckResult(
        "Debian mirrors", ", ".join(mirrors) or "none", "" if mirrors else none, ok=ready or bool(mirrors)
    )


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


def _artefacts() -> Iterator[CheckResult]:
    for name in variants.load().variants:
        is_built = (BUILD_DIR / "wasm" / name / "tflite_webnn.wasm").exists()
        command = f"python3 build.py build --variant {name}"
        yield CheckResult(f"wasm module {name}", "built" if is_built else "not built", "" if is_built else command)


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


def _version(program: str) -> str:
    try:
        text = run([program, "--version"], capture=True, quiet=True, timeout_seconds=VERSION_SECONDS)
    except CommandError as error:
        return f"{program} does not run: {error.what}"
    return f"{text.strip().splitlines()[0]} ({Path(program)})"
