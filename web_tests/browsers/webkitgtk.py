"""WebKitGTK's MiniBrowser, driven by Selenium on a virtual screen."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import Playwright

from web_tests.browsers.installed import BrowserMissingError, BrowserStartError
from web_tests.browsers.page import SCRIPT_SECONDS, EngineBrowser

if TYPE_CHECKING:
    from selenium.webdriver import WebKitGTK

DRIVER = "WebKitWebDriver"
SCREEN = "Xvfb"
SCREEN_SECONDS = 10

ENVIRONMENT = {
    # bubblewrap needs privileges that neither root nor containers have; only pages of this project are opened.
    "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
    # Drawing on the CPU needs no shared GPU memory, which containers lack, too.
    "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
}


def mini_browser() -> Path | None:
    """Return the newest MiniBrowser, which Debian keeps out of PATH."""
    found = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
    return found[-1] if found else None


@contextmanager
def webkitgtk(_: Playwright) -> Iterator[EngineBrowser]:
    # Only commands that drive this browser install Selenium.
    from web_tests.browsers.webdriver_pages import WebDriverBrowser

    program, executable = shutil.which(DRIVER), mini_browser()
    if program is None or executable is None:
        raise BrowserMissingError(f"{DRIVER} or WebKitGTK's MiniBrowser is missing")
    with screen() as display:
        browser = WebDriverBrowser(lambda: _started(program, executable, display))
        try:
            yield browser
        finally:
            browser.quit()


def _started(program: str, executable: Path, display: str) -> "WebKitGTK":
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver import WebKitGTK
    from selenium.webdriver.webkitgtk.options import Options
    from selenium.webdriver.webkitgtk.service import Service

    options = Options()
    options.binary_location = str(executable)
    options.add_argument("--automation")
    service = Service(program, env={**os.environ, **ENVIRONMENT, "DISPLAY": display})
    try:
        driver = WebKitGTK(options, service)
    except WebDriverException as error:
        raise BrowserStartError(f"WebKitGTK does not start: {error.msg}", where=str(executable)) from error
    driver.set_script_timeout(SCRIPT_SECONDS)
    return driver


@contextmanager
def screen() -> Iterator[str]:
    """Run a virtual X server and yield the name of its display, which the server chooses."""
    program = shutil.which(SCREEN)
    if program is None:
        raise BrowserMissingError(f"{SCREEN} is missing")
    read, write = os.pipe()
    command = [program, "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as reader:
            number = reader.readline().strip()  # ends when the server does
        if not number:
            raise BrowserStartError(f"{SCREEN} exited with {server.wait(SCREEN_SECONDS)}", where=program)
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(SCREEN_SECONDS)
