"""Chooses the toolchain: the private Debian root that CI and releases use, or, if the user says so, an own emcc."""

import os

from support.console import console
from wasm.toolchain.emscripten import debian_root, native
from wasm.toolchain.emscripten.toolchain import Toolchain, ToolchainError
from wasm.toolchain.variants import EmscriptenPin

VARIABLE = "TFLITE_WEBNN_TOOLCHAIN"
DEBIAN, NATIVE = "debian", "native"


def chosen_identity(pin: EmscriptenPin) -> str:
    """Return the identity of the toolchain that `choose` would return. Debian's is pinned, so nothing is installed.

    Raises:
        ToolchainError: the user's own Emscripten is missing or has another version.
    """
    return native.find(pin).identity if _origin() == NATIVE else debian_root.pinned_identity(pin)


def choose(pin: EmscriptenPin) -> Toolchain:
    """Return the toolchain; make the Debian root if it is missing.

    Raises:
        ToolchainError: there is no such toolchain, or it has another version.
        NotRootError: a Debian root needs rights that this user lacks; the message has the ways out.
    """
    toolchain: Toolchain = native.find(pin) if _origin() == NATIVE else debian_root.make(pin)
    console.print(f"    toolchain: {toolchain.title}", markup=False)
    return toolchain


def _origin() -> str:
    origin = os.environ.get(VARIABLE) or DEBIAN
    if origin not in (DEBIAN, NATIVE):
        raise ToolchainError(f"there is no toolchain {origin!r}", hint=f"set {VARIABLE} to {DEBIAN} or {NATIVE}")
    return origin
