"""Report what this machine lacks, and how to install it.

Prints a table: what the build cannot get by itself, and what it still has to get, with the command for that. It
installs nothing. The exit status is 1 when something is missing that the build cannot get by itself.
"""

import argparse

GROUPS = ("run",)


def add_options(_: argparse.ArgumentParser) -> None:
    pass


def run(_: argparse.Namespace) -> int:
    from tools import doctor

    return doctor.report()
