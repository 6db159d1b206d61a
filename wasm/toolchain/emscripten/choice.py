"""Chooses the toolchain: the installed one, else emsdk, else a private Debian root."""

from tools.support.console import console
from wasm.toolchain.emscripten import debian_root, native
from wasm.toolchain.emscripten.toolchain import Toolchain
from wasm.toolchain.variants import EmscriptenPin


def choose(pin: EmscriptenPin) -> Toolchain:
    """Return Emscripten of the pinned version; install it if it is missing.

    Raises:
        ToolchainError: none of the three ways worked.
        NotRootError: the last way needs root; the message has the command to type.
    """
    found: Toolchain | None = native.find(pin) or _made_before(pin) or native.install_emsdk(pin)
    toolchain = found or debian_root.make(pin)
    console.print(f"    toolchain: {toolchain.title}", markup=False)
    return toolchain


def _made_before(pin: EmscriptenPin) -> Toolchain | None:
    """The Debian root of an earlier run: retrying emsdk's host each time would cost seconds."""
    return debian_root.make(pin) if debian_root.exists(pin) else None
