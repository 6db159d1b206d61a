"""`build.py doctor`."""

import argparse

from tools.registry import Command, register

DESCRIPTION = """\
Prints a table: each thing that the build uses, what was found, and the command that installs what is missing. It
installs nothing. The exit status is 1 when something is missing that the build cannot get by itself."""


def run(_: argparse.Namespace) -> int:
    from tools import doctor

    return doctor.report()


register(
    Command("doctor", "report what is missing on this machine, and the command that installs it", DESCRIPTION, run)
)
