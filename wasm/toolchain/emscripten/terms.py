"""The terms of Emscripten's own parts of a module: its JavaScript, musl, libc++, compiler-rt, malloc."""

import re
from pathlib import Path

from wasm.toolchain.emscripten.toolchain import ToolchainError

# In Emscripten's own directory. Debian omits all but musl's, because its copyright file has them.
LICENSE_FILES = ("LICENSE", "system/lib/libc/musl/COPYRIGHT", "system/lib/*/LICENSE.TXT")
DEBIAN_COPYRIGHT = "usr/share/doc/emscripten/copyright"
# The paths in Debian's copyright file whose code is linked: most of the file covers Emscripten's tests.
LINKED = re.compile(
    r"^ (\*|src/library\.js|system/lib/(compiler-rt|libcxx|libcxxabi|libunwind)/\*|system/lib/dlmalloc\.c)$", re.M
)


def license_texts(emscripten: Path, debian_copyright: Path | None = None) -> list[str]:
    """Return the texts of the licenses of Emscripten's runtime.

    Args:
        emscripten: Emscripten's directory.
        debian_copyright: the copyright file of Debian's package.

    Raises:
        ToolchainError: the directory has no license file.
    """
    files = [file for pattern in LICENSE_FILES for file in sorted(emscripten.glob(pattern))]
    texts = [file.read_text(errors="replace").strip() + "\n" for file in files]
    if debian_copyright is not None and debian_copyright.exists():
        texts.insert(0, linked_parts(debian_copyright.read_text(errors="replace")))
    if not texts:
        raise ToolchainError(
            "Emscripten has no license file to quote",
            where=str(emscripten),
            hint=f"install Emscripten with its {LICENSE_FILES[0]}",
        )
    return texts


def linked_parts(copyright_text: str) -> str:
    """Return the paragraphs of a Debian copyright file about linked code, and their licenses.

    The format is https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/.
    """
    paragraphs = copyright_text.strip().split("\n\n")
    linked = [text for text in paragraphs if text.startswith("Files:") and LINKED.search(text)]
    named = {name for text in linked for name in _license_names(text)}
    licenses = [text for text in paragraphs if text.startswith("License:") and named.intersection(_license_names(text))]
    return "\n\n".join(linked + licenses) + "\n"


def _license_names(paragraph: str) -> set[str]:
    """Return e.g. {"Expat", "Apache-2.0"} of a paragraph with `License: Expat or Apache-2.0 with LLVM exception`."""
    expression = re.search(r"^License: *(.*)$", paragraph, re.M)
    names = re.split(r"[()]| or | and ", expression[1]) if expression else []
    return {name.partition(" with ")[0].strip() for name in names} - {""}
