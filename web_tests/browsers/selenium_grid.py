"""A Selenium Grid on this machine with Debian's Chromium, for tests of web_tests/tests/matrix with --grid."""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from web_tests.browsers.chromium_selenium import DRIVER
from web_tests.browsers.installed import BrowserStartError
from web_tests.models import package_assets
from web_tests.server.server import LOOPBACK

JAVA = "java"
JAR = "selenium-server.jar"
SESSIONS = 2
START_SECONDS = 90.0

# Only the installed driver: no search, no download.
CONFIGURATION = """
[node]
detect-drivers = false
max-sessions = {sessions}

[[node.driver-configuration]]
display-name = "chrome"
webdriver-executable = "{driver}"
stereotype = '{{"browserName": "chrome"}}'
max-sessions = {sessions}
"""
OFFLINE = {"SE_OFFLINE": "true", "SE_AVOID_STATS": "true"}


def missing() -> str:
    """Return why the Grid cannot start, with the command that installs what is missing; empty if it can."""
    programs = {JAVA: "default-jre-headless", DRIVER: "chromium-driver", "chromium": "chromium"}
    packages = [package for program, package in programs.items() if not shutil.which(program)]
    return f"a Selenium Grid needs what is not installed: apt-get install {' '.join(packages)}" if packages else ""


@contextmanager
def running(directory: Path) -> Iterator[str]:
    """Run a Grid for a with-block and yield its address; its files go into the directory.

    Raises:
        BrowserStartError: it does not start.
    """
    jar = package_assets.path_of("tools", JAR)
    configuration, log = directory / "grid.toml", directory / "grid.log"
    configuration.write_text(CONFIGURATION.format(sessions=SESSIONS, driver=shutil.which(DRIVER)), encoding="utf-8")
    port = _free_port()
    command = [JAVA, "-jar", str(jar), "standalone", "--host", LOOPBACK, "--port", str(port)]
    with log.open("wb") as stream:
        grid = subprocess.Popen(
            [*command, "--config", str(configuration)],
            stdout=stream,
            stderr=subprocess.STDOUT,
            env={**os.environ, **OFFLINE},
        )
    try:
        address = f"http://{LOOPBACK}:{port}"
        _wait_for(address, grid, log)
        yield address
    finally:
        grid.terminate()
        grid.wait()


def _free_port() -> int:
    with closing(socket.socket()) as found:
        found.bind((LOOPBACK, 0))
        port: int = found.getsockname()[1]
        return port


def _wait_for(address: str, grid: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and grid.poll() is None:
        with suppress(URLError, TimeoutError), urlopen(f"{address}/status", timeout=5) as response:
            if json.load(response)["value"]["ready"]:
                return
        time.sleep(0.2)
    last = " ".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-5:])
    raise BrowserStartError(f"the Selenium Grid does not start: {last}", where=str(log))
