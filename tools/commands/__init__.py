"""The commands of build.py: a module each, as tools/command_line.py describes it."""

from collections.abc import Mapping

from tools.command_line import Command
from tools.commands import (
    bench,
    build,
    check,
    demo,
    docs,
    doctor,
    explain,
    lint,
    profile,
    pyodide,
    release,
    serve,
    setup,
    test,
)

COMMANDS: Mapping[str, Command] = {
    "setup": setup,
    "build": build,
    "demo": demo,
    "test": test,
    "lint": lint,
    "serve": serve,
    "docs": docs,
    "explain": explain,
    "check": check,
    "bench": bench,
    "profile": profile,
    "pyodide": pyodide,
    "release": release,
    "doctor": doctor,
}
