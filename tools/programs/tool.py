"""`python3 -m tools.programs`: one of TFLite's tools or an example, with its own flags, on this project's delegate."""

import sys
from collections.abc import Sequence
from pathlib import Path

from tools.options import HostName
from tools.programs.hosts import open_host
from tools.programs.invocation import invocation
from wasm.toolchain.programs import build_programs


def run(name: str, arguments: Sequence[str], *, on: HostName, browser: Path | None) -> int:
    """Run a tool, print its output as it comes, and return its exit status.

    Raises:
        BuildError: it cannot be compiled, or the host is unavailable.
    """
    build_programs([name])
    with open_host(on, browser=browser) as host:
        return host.run(invocation(name, arguments), _print)


def _print(line: str, is_error: bool) -> None:
    print(line, file=sys.stderr if is_error else sys.stdout, flush=True)
