"""Finds and starts the JavaScript and WebAssembly of this package.

Sources of the JavaScript; the first available one is used:

1. a module that the page registered: `pyodide.registerJsModule("tflite_webnn_js", ...)`
2. the address passed to setup(), a directory with the files next to the wheel
3. the package's own files, which Python evaluates synchronously
4. the directory that the wheel was installed from, if evaluation is forbidden

The WebAssembly comes from the address if there is one, else from the package's own files. A content security policy
that has `wasm-unsafe-eval`, but not `unsafe-eval`, leaves the ways 1, 2 and 4.
"""

import asyncio
import base64
import importlib
import sys
from collections.abc import Awaitable
from functools import cache
from importlib import metadata, resources
from typing import Any

from tflite_webnn.backend import Backend
from tflite_webnn.errors import BackendUnavailableError, translated

REGISTERED_NAME = "tflite_webnn_js"
MODULE = "tflite_webnn.mjs"
HELPER = "webnn_helper.mjs"
GLOBAL_SCRIPT = "tflite_webnn_global.mjs"
WASM = "{variant}/tflite_webnn.wasm"
# Global variable that the module sets, without its last line, the export.
VARIABLE = "tfliteWebnnPyodide"
# Where loadPackage() and micropip record a wheel's origin.
ORIGIN_FILES = ("PYODIDE_URL", "PYODIDE_SOURCE")


class AssetsError(BackendUnavailableError):
    """A file of this package is not where it should be."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "ASSETS_UNAVAILABLE")


class EvaluationForbiddenError(BackendUnavailableError):
    """The page's content security policy forbids evaluating the package's JavaScript."""

    def __init__(self) -> None:
        super().__init__(
            "The content security policy of this page forbids evaluating JavaScript, which starts tflite_webnn. "
            f"First, register its module: pyodide.registerJsModule('{REGISTERED_NAME}', await import('.../{MODULE}')), "
            "or `await tflite_webnn.setup(base_url=...)` once with the address of its directory, before the "
            "first Interpreter.",
            "EVALUATION_FORBIDDEN",
        )


_backend: Backend | None = None


async def setup(*, base_url: str | None = None) -> None:
    """Start the backend of all interpreters. Only needed in two cases; else the first Interpreter starts it.

    + The page's content security policy forbids evaluating text.
    + `invoke()` is to wait for WebNN in a browser without JSPI: that needs a worker, in an isolated page, and
      starting it takes an `await`.

    Args:
        base_url: address of the directory with the files next to the wheel (`tflite_webnn.mjs` and the others),
            relative to the page. Default: the package's own files, or the directory of the installed wheel.

    Raises:
        AssetsError: a file is missing.
        EvaluationForbiddenError: the page has to register the module.
        BackendUnavailableError: the browser's WebAssembly has no SIMD.
    """
    _require_pyodide()
    if base_url is not None:
        use_backend(await _backend_from(_directory(base_url)))
    else:
        try:
            current_backend()
        except EvaluationForbiddenError:
            wheel = _wheel_address()
            if wheel is None:
                raise
            use_backend(await _backend_from(wheel.rpartition("/")[0] + "/"))
    await current_backend().startHelper()


def use_backend(backend: Backend | None) -> None:
    """Use a backend for all interpreters created from now on; None: start it with the next one."""
    global _backend
    _backend = backend


def current_backend() -> Backend:
    """Return the backend; the first time, start the package's own files synchronously.

    Raises:
        EvaluationForbiddenError: a content security policy forbids it.
        BackendUnavailableError: this is not Pyodide, or the browser's WebAssembly has no SIMD.
    """
    if _backend is None:
        use_backend(_own_backend())
    assert _backend is not None
    return _backend


def _own_backend() -> Backend:
    _require_pyodide()
    library = _registered() or _evaluated()
    with translated():
        variant = library.chooseVariant()
        wasm = _to_js(_content(WASM.format(variant=variant)))
        return _started(library, variant, wasm, _helper_url())


async def _backend_from(directory: str) -> Backend:
    library = _registered() or await _imported(directory)
    with translated():
        variant = library.chooseVariant()
        wasm = await _compiled(directory + WASM.format(variant=variant))
        return _started(library, variant, wasm, directory + HELPER)


def _started(library: Any, variant: str, wasm: Any, helper_url: str | None) -> Backend:
    started: Backend = library.createBackend(variant, wasm, helper_url)
    return started


def _registered() -> Any:
    """Return the module that the page registered, as it is or as `import()` returns it; None if there is none."""
    try:
        module: Any = importlib.import_module(REGISTERED_NAME)
    except ModuleNotFoundError:
        return None
    return getattr(module, "default", module)


@cache
def _evaluated() -> Any:
    script = _content(MODULE).decode().rpartition("export ")[0]
    return _evaluate(f"(() => {{ {script}\nreturn {VARIABLE}; }})()")


async def _imported(directory: str) -> Any:
    """Import the module from an address: with evaluated text if allowed, else with an element of the page."""
    try:
        importing: Awaitable[Any] = _evaluate("(address) => import(address)")(directory + MODULE)
    except EvaluationForbiddenError:
        return await _imported_by_page(directory)
    try:
        return (await importing).default
    except Exception as error:
        raise _missing(directory + MODULE, error) from error


async def _imported_by_page(directory: str) -> Any:
    document = getattr(_js(), "document", None)
    if document is None:  # a worker, which can only import its own scripts
        raise EvaluationForbiddenError
    from pyodide.ffi import create_once_callable

    loaded = asyncio.get_running_loop().create_future()
    script = document.createElement("script")
    script.type = "module"
    script.src = directory + GLOBAL_SCRIPT
    script.onload = create_once_callable(lambda _: loaded.set_result(None))
    script.onerror = create_once_callable(lambda _: loaded.set_exception(_missing(script.src)))
    document.head.append(script)
    await loaded
    script.remove()
    return getattr(_js(), VARIABLE)


async def _compiled(address: str) -> Any:
    js = _js()
    try:
        response = await js.fetch(address)
    except Exception as error:
        raise _missing(address, error) from error
    if not response.ok:
        raise _missing(address, f"HTTP {response.status}")
    # Not compileStreaming(): it insists on a Content-Type that some servers do not send.
    return await js.WebAssembly.compile(await response.arrayBuffer())


def _helper_url() -> str | None:
    """Return an address of the helper worker's script. It is never revoked: the worker may start at any time."""
    js = _js()
    script = _content(MODULE).decode().rpartition("export ")[0] + f"\n{VARIABLE}.runHelper();"
    if hasattr(js, "Worker"):
        parts = _to_js([script])
        address: str = js.URL.createObjectURL(js.Blob.new(parts, type="text/javascript"))
        return address
    # Node's workers accept data URLs
    return "data:text/javascript;base64," + base64.b64encode(script.encode()).decode()


def _evaluate(script: str) -> Any:
    from pyodide.code import run_js

    try:
        return run_js(script)
    except Exception as error:
        if getattr(error, "name", "") == "EvalError":
            raise EvaluationForbiddenError from error
        raise


def _content(name: str) -> bytes:
    file = resources.files("tflite_webnn").joinpath("assets", name)
    try:
        return file.read_bytes()
    except FileNotFoundError as error:
        raise AssetsError(f"{file} is missing: install tflite_webnn from its wheel.") from error


def _wheel_address() -> str | None:
    """Return where the wheel was installed from; None if that was not recorded."""
    try:
        distribution = metadata.distribution("tflite-webnn")
    except metadata.PackageNotFoundError:
        return None
    origins = (distribution.read_text(name) or "" for name in ORIGIN_FILES)
    return next((origin.strip() for origin in origins if "://" in origin), None)


def _directory(base_url: str) -> str:
    js = _js()
    page = js.document.baseURI if hasattr(js, "document") else getattr(getattr(js, "location", None), "href", None)
    address: str = js.URL.new(base_url if base_url.endswith("/") else f"{base_url}/", page).href
    return address


def _missing(address: str, why: object = "") -> AssetsError:
    reason = f" ({why})" if why else ""
    return AssetsError(
        f"Could not load {address}{reason}. "
        "The directory needs all files that `python3 build.py pyodide` puts next to the wheel."
    )


def _js() -> Any:
    """Return JavaScript's globals, which Pyodide exposes as a module."""
    return importlib.import_module("js")


def _require_pyodide() -> None:
    if sys.platform != "emscripten":
        message = "tflite_webnn runs in Pyodide, Python in the browser. Elsewhere, use the package ai_edge_litert."
        raise BackendUnavailableError(message, "NOT_IN_PYODIDE")


def _to_js(value: Any) -> Any:
    from pyodide.ffi import to_js

    return to_js(value)
