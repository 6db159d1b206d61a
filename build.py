#!/usr/bin/env python3
"""The command line of tflite-webnn: see `python3 build.py --help`."""

import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036  (an older Python comes as far as this line)
    sys.exit("build.py needs Python 3.11 or newer")
sys.path.insert(0, str(Path(__file__).resolve().parent))

from tools import command_line
from tools.commands import COMMANDS

if __name__ == "__main__":
    command_line.start(COMMANDS)
