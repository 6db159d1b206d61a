"""Control characters of files do not reach the terminal, whichever tool prints them."""

from io import StringIO
from pathlib import Path

from support.console import PrintableConsole
from support.tests.test_printable import ESCAPED, HOSTILE
from tools.profile import tables
from tools.profile.spans import Span
from wasm.toolchain.description import DescriptionError


def test_an_error_of_the_module_is_one_line() -> None:
    assert str(DescriptionError("MALFORMED_MODEL", HOSTILE, Path("m.tflite"))).startswith(f"{ESCAPED}\n  where: m.")


def test_the_nodes_of_a_profile_are_lines() -> None:
    stream = StringIO()
    console = PrintableConsole(file=stream, width=200, color_system=None, markup=False)
    root = Span("run", "", "run", 1.0, (Span("ADD", HOSTILE, "tflite", 1.0, ()),))
    console.print(tables.node_table(root, top=1))
    assert ESCAPED in stream.getvalue()
