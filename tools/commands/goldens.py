"""`build.py goldens`."""

import argparse

from tools import making, options
from tools.registry import Command, register

DESCRIPTION = """\
Builds what is missing (the variant simd), then rewrites the golden files of all tests, Python's and TypeScript's: what
the delegate makes of each op, what `explain` prints for each model, which TFLite nodes the polyfill's operators become.
No browser is started. Read the difference before you commit it."""


def run(_: argparse.Namespace) -> int:
    import js.bundle
    from tools.suite import running

    making.package([options.DEFAULT_VARIANT])
    js.bundle.update_snapshots()
    return running.update_goldens()


register(
    Command("goldens", "rewrite the golden files that tests compare with", DESCRIPTION, run, groups=("run", "test"))
)
