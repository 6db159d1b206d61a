"""The licenses of Emscripten's own parts."""

from pathlib import Path

import pytest

from wasm.toolchain.emscripten.terms import license_texts, linked_parts
from wasm.toolchain.emscripten.toolchain import ToolchainError

DEBIAN = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/

Files:
 *
Copyright:
  2010  The Emscripten Authors
License: Expat or NCSA~Mozilla

Files:
 test/third_party/freetype/*
Copyright:
  1996  David Turner
License: FTL or GPL-2

Files:
 system/lib/compiler-rt/*
Copyright:
  Howard Hinnant
License: Apache-2.0 with LLVM exception
 The exception's text.

License: Apache-2.0
 Apache's text.

License: Expat
 Expat's text.

License: GPL-2
 GNU's text.
"""


def test_of_debians_file_only_linked_code_is_quoted() -> None:
    text = linked_parts(DEBIAN)
    for expected in (
        "The Emscripten Authors",
        "Howard Hinnant",
        "The exception's text",
        "Apache's text",
        "Expat's text",
    ):
        assert expected in text
    assert "freetype" not in text
    assert "GNU" not in text


def test_an_installed_emscripten_has_license_files(tmp_path: Path) -> None:
    for name in ("LICENSE", "system/lib/libc/musl/COPYRIGHT", "system/lib/libcxx/LICENSE.TXT"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"text of {name}")
    assert license_texts(tmp_path, tmp_path / "missing") == [
        "text of LICENSE\n",
        "text of system/lib/libc/musl/COPYRIGHT\n",
        "text of system/lib/libcxx/LICENSE.TXT\n",
    ]


def test_an_emscripten_without_terms_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(ToolchainError, match="no license file"):
        license_texts(tmp_path)
