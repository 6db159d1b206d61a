#!/usr/bin/env python3
"""The command line of tflite-webnn: see `python3 build.py --help`."""

import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036  (an older Python comes as far as this line)
    sys.exit("build.py needs Python 3.11 or newer")
# site/ is a search path itself: a package named site would shadow Python's own.
sys.path.insert(0, str(Path(__file__).resolve().parent / "site"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

# Both import the standard library only: help works before anything is installed.
from tools import bootstrap, command_line

if __name__ == "__main__":
    arguments = command_line.parse(sys.argv[1:])
    bootstrap.enter(sys.argv, command_line.groups(arguments))
    sys.exit(command_line.run(arguments))
