"""A toolchain whose programs log their calls; its ninja writes a module of a few bytes."""

from support.tests.fake_programs import FakePrograms
from wasm.toolchain.emscripten.native import NativeToolchain

NINJA = """\
echo "[1/2] Building CXX object a.o"
echo "[2/2] Linking CXX executable tflite_webnn.mjs"
mkdir -p "$2/runtime/$5"
echo module > "$2/runtime/$5/tflite_webnn.mjs"
echo wasm > "$2/runtime/$5/tflite_webnn.wasm"
"""


def make(programs: FakePrograms, *, ninja: str = NINJA) -> NativeToolchain:
    """Return the toolchain; `ninja` is the script of its ninja (called as `ninja -C BUILD -j N TARGET`)."""
    programs.make("emcmake")
    programs.make("ccache")
    programs.make("ninja", ninja)
    emcc = programs.make_emcc("3.1.69")
    (emcc.parent / "LICENSE").write_text("terms of fake Emscripten\n")
    return NativeToolchain(emcc, "fake Emscripten", "fake 3.1.69")


def calls_of(programs: FakePrograms, name: str) -> list[str]:
    return [call for call in programs.calls() if call.startswith(f"{name} ")]
