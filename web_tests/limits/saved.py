"""Saved limits: the opSupportLimits() of a browser, as `python3 -m tools.probe --limits` writes them."""

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from support.command import CommandError, run
from support.errors import BuildError
from support.npm import JS_DIR, install, pinned_node
from support.paths import BUILD_DIR, PROJECT_DIR

# The pinned headless shell on the CPU: for tests, and for `explain` without a browser.
CHROMIUM_147 = PROJECT_DIR / "web_tests" / "limits" / "chromium-147.json"
SCRIPT = JS_DIR / "scripts" / "tools" / "convert_limits.mjs"
TIMEOUT_SECONDS = 60


class LimitsFileError(BuildError):
    """A file of saved limits cannot be used."""


def read_limits(path: Path) -> dict[str, Any]:
    """Return the opSupportLimits() that a file holds.

    Raises:
        LimitsFileError: it cannot be read, or is something else.
    """
    hint = f"write one: python3 -m tools.probe --limits {path}"
    try:
        limits = json.loads(path.read_text())["opSupportLimits"]
    except OSError as error:
        raise LimitsFileError(f"cannot read the limits: {error.strerror}", where=str(path), hint=hint) from error
    except (ValueError, KeyError, TypeError) as error:
        raise LimitsFileError("not a file of `python3 -m tools.probe --limits`", where=str(path), hint=hint) from error
    if not isinstance(limits, dict):
        raise LimitsFileError("opSupportLimits is not an object", where=str(path), hint=hint)
    return limits


def workarounds(path: Path) -> list[str]:
    """Return what the runtime passes to the delegate as its option of this name, for the file's browser.

    Raises:
        LimitsFileError: the saved limits cannot be used.
    """
    ids: str = _converted(path)["workarounds"]
    return ids.split(",") if ids else []


@cache
def limits_file(path: Path) -> Path:
    """Return a file with the same limits in the delegate's format (wasm/delegate/graph/op_support_limits.h).

    Raises:
        LimitsFileError: the saved limits cannot be used.
    """
    target = BUILD_DIR / "limits" / f"{path.stem}.txt"
    target.parent.mkdir(parents=True, exist_ok=True)
    # Tests in other processes may be reading it.
    with tempfile.NamedTemporaryFile("w", dir=target.parent, delete=False) as file:
        file.write(_converted(path)["text"])
    return Path(file.name).replace(target)


def _converted(path: Path) -> dict[str, Any]:
    """Convert saved limits in Node, by the runtime's own code."""
    limits = read_limits(path)
    install()  # the script imports the runtime by its package's name
    agent = json.loads(path.read_text()).get("browser", {}).get("userAgent", "")
    command = [pinned_node(), "--no-warnings", "--experimental-strip-types", str(SCRIPT)]
    provided = json.dumps({"limits": limits, "userAgent": agent})
    try:
        converted: dict[str, Any] = json.loads(
            run(command, stdin=provided, capture=True, quiet=True, timeout_seconds=TIMEOUT_SECONDS)
        )
    except CommandError as error:
        raise LimitsFileError(f"Node cannot convert the limits: {error.tail[-600:]}", where=str(path)) from error
    return converted
