"""Try the patches of third-party sources on the pinned or on other ones.

Tries the patches of wasm/third_party/patches, one after another, on the pinned sources or on other ones, and prints a
line for each: applies, applies with offset, already upstream (its reverse applies), or conflicts, with git's reason. It
changes no file. The exit status is 1 if one conflicts. docs/contributing/upgrading.md says what to do then.
"""

import argparse

from tools import command_line, options

GROUPS = ("run",)
add_options = options.add_sources


def run(arguments: argparse.Namespace) -> int:
    from support.console import output
    from wasm.toolchain.sources import registry
    from wasm.toolchain.sources.fetch import fetch
    from wasm.toolchain.sources.patches import State, check

    overrides = dict(arguments.source)
    pinned = registry.load_for_programs()
    pinned.check_overrides(overrides)
    sources = overrides or fetch(pinned, overrides)
    conflicts = 0
    for result in check(sources):
        name = f"{result.patch.parent.name}/{result.patch.name}"
        output.print(
            f"{result.state:20}{name}{': ' if result.reason else ''}{result.reason}", markup=False, soft_wrap=True
        )
        conflicts += result.state == State.CONFLICT
    return 1 if conflicts else 0


if __name__ == "__main__":
    command_line.start_tool()
