"""Saved limits: the opSupportLimits() of a browser, as `build.py limits` writes them."""

import json
import re
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from js.node import JS_DIR, pinned_node
from tools.support.errors import BuildError
from tools.support.paths import BUILD_DIR, PROJECT_DIR

# The pinned headless shell on the CPU: for tests, and for `explain` without a browser.
CHROMIUM_147 = PROJECT_DIR / "web_tests" / "limits" / "chromium-147.json"
SCRIPT = JS_DIR / "tools" / "limits_text.mjs"
KNOWN_FAULTS = JS_DIR / "probes" / "src" / "known_faults.json"
TIMEOUT_SECONDS = 60


class LimitsFileError(BuildError):
    """A file of saved limits cannot be used."""


def read_limits(path: Path) -> dict[str, Any]:
    """Return the opSupportLimits() that a file holds.

    Raises:
        LimitsFileError: it cannot be read, or is something else.
    """
    mend = f"write one: python3 build.py limits --out {path}"
    try:
        limits = json.loads(path.read_text())["opSupportLimits"]
    except OSError as error:
        raise LimitsFileError(f"cannot read the limits: {error.strerror}", where=str(path), mend=mend) from error
    except (ValueError, KeyError, TypeError) as error:
        raise LimitsFileError("not a file of `build.py limits`", where=str(path), mend=mend) from error
    if not isinstance(limits, dict):
        raise LimitsFileError("opSupportLimits is not an object", where=str(path), mend=mend)
    return limits


def kept_limits(path: Path) -> dict[str, Any]:
    """Return the limits as the runtime gives them to the delegate: without the known faults of the file's browser.

    The runtime does the same in js/runtime/src/webnn/kept_promises.ts.

    Raises:
        LimitsFileError: as read_limits().
    """
    limits = read_limits(path)
    agent = json.loads(path.read_text()).get("browser", {}).get("userAgent", "")
    chrome = re.search(r"Chrome/(\d+)", agent)
    for fault in json.loads(KNOWN_FAULTS.read_text()) if chrome else []:
        fixed = [int(version.rpartition(" ")[2]) for version in fault.get("fixed", [])]
        if chrome and fixed and int(chrome[1]) >= min(fixed):
            continue
        for op in fault["ops"] if "limits" in fault else []:
            for operand, narrow in fault["limits"].items():
                ranks = limits.get(op, {}).get(operand, {}).get("rankRange")
                if ranks:
                    ranks["max"] = min(ranks["max"], narrow["maxRank"])
    return limits


@cache
def limits_file(path: Path) -> Path:
    """Return a file with the same limits in the delegate's format (wasm/delegate/op_support_limits.h).

    The runtime's own conversion runs in Node.

    Raises:
        LimitsFileError: the saved limits cannot be used.
    """
    command = [pinned_node(), "--no-warnings", "--experimental-strip-types", str(SCRIPT)]
    limits = json.dumps(read_limits(path))
    result = subprocess.run(command, input=limits, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    if result.returncode != 0:
        raise LimitsFileError(f"Node cannot convert the limits: {result.stderr.strip()[-600:]}", where=str(path))
    target = BUILD_DIR / "limits" / f"{path.stem}.txt"
    target.parent.mkdir(parents=True, exist_ok=True)
    # Tests in other processes may be reading it.
    with tempfile.NamedTemporaryFile("w", dir=target.parent, delete=False) as file:
        file.write(result.stdout)
    return Path(file.name).replace(target)
