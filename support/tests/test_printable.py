"""Control characters of files do not reach the terminal."""

import io

import pytest
from rich.table import Table

from support import printable
from support.console import PrintableConsole

HOSTILE = "a\x1b[2J\r\n::error::b\u202e\x9b"
ESCAPED = r"a\u001b[2J\u000d\u000a::error::b\u202e\u009b"


@pytest.fixture
def console() -> PrintableConsole:
    return PrintableConsole(file=io.StringIO(), width=200, color_system=None, markup=False)


def printed(console: PrintableConsole) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_name_is_one_line_of_printable_characters() -> None:
    assert printable.printable(HOSTILE) == ESCAPED
    assert printable.printable("x" * 10_001) == "x" * 10_000 + " (and 1 more characters)"


def test_consoles_escape_what_they_print(console: PrintableConsole) -> None:
    console.print(HOSTILE)
    grid = Table("name")
    grid.add_row(HOSTILE)
    console.print(grid)
    assert not {"\x1b", "\r", "\u202e", "\x9b"} & set(printed(console))
    assert printed(console).count(r"a\u001b[2J\u000d") == 2


@pytest.mark.parametrize("command", ["::error::x", "  ::add-mask::x", "a ##[error]x", "##vso[task.setvariable]x"])
def test_commands_of_ci_are_text(console: PrintableConsole, command: str) -> None:
    escaped = command.replace("::", r"\u003a:", 1) if "::" in command else command.replace("#", r"\u0023", 1)
    assert printable.printable(command) == escaped
    console.print(f"a::b\n{command}")
    assert printed(console) == f"a::b\n{escaped}\n"
