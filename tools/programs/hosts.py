"""The hosts of programs; each is a context that runs any number of programs."""

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal, Protocol

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from support.errors import BuildError
from support.npm import JS_DIR, pinned_node, run_script
from support.paths import PACKAGE_DIR
from tools.measuring.browser import NoWebnnError, choose_webnn_browser
from tools.options import HostName
from tools.programs.invocation import Invocation
from wasm.toolchain.programs import PROGRAMS_DIR
from web_tests.browsers import installed
from web_tests.server.server import Server

NODE_SCRIPT = JS_DIR / "scripts" / "tools" / "run_program.mjs"
# The default time limit of a program.
TIMEOUT_SECONDS = 3600.0

# Receives a line without its end, and whether it comes from standard error.
OnLine = Callable[[str, bool], None]


class ProgramError(BuildError):
    """A program did not finish: its page crashed, or it took too long."""


class Host(Protocol):
    """Runs programs."""

    def run(self, invocation: Invocation, on_line: OnLine, *, timeout_seconds: float = TIMEOUT_SECONDS) -> int:
        """Run a program, copy the files that it writes to this machine, and return its exit status.

        Raises:
            ProgramError: it did not finish.
        """


@contextmanager
def open_host(name: HostName, *, browser: Path | None = None) -> Iterator[Host]:
    """Open a host for a with-block.

    Args:
        name: WebNN of a browser, the polyfill in a browser, or the polyfill in Node.
        browser: the user's own browser; None means the first with WebNN, or Debian's Chromium for the polyfill.

    Raises:
        NoWebnnError: no browser has WebNN.
    """
    run_script("build", "script", "programs", PROGRAMS_DIR, quiet=True)
    if name == "node":
        yield NodeHost()
        return
    with sync_playwright() as playwright, Server() as server:
        if name == "webnn":
            program, _ = choose_webnn_browser(playwright, browser, "choose another --on")
        else:
            found = installed.at_path(browser) if browser else installed.debian_chromium() or installed.shell()
            if found is None:
                raise NoWebnnError("no browser was found", hint="python3 build.py setup")
            program = found
        with installed.launched(playwright, program) as running:
            yield PageHost(running, server, "never" if name == "webnn" else "tflite")


class NodeHost:
    """Node on the polyfill."""

    def run(self, invocation: Invocation, on_line: OnLine, *, timeout_seconds: float = TIMEOUT_SECONDS) -> int:
        request = {**_request(invocation, "tflite"), "files": [str(path) for path in invocation.files]}
        command = [pinned_node(), "--no-warnings", str(NODE_SCRIPT), str(PROGRAMS_DIR), str(PACKAGE_DIR)]
        process = subprocess.Popen(
            [*command, json.dumps(request)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        timer = threading.Timer(timeout_seconds, process.kill)
        timer.start()
        readers = [
            threading.Thread(target=_forward, args=(stream, on_line, is_error))
            for stream, is_error in ((process.stdout, False), (process.stderr, True))
        ]
        try:
            for reader in readers:
                reader.start()
            status = process.wait()
        finally:
            process.kill()
            for reader in readers:
                reader.join()
        if not timer.is_alive():
            raise ProgramError(f"{invocation.name} took longer than {timeout_seconds:.0f} s")
        timer.cancel()
        return status


def _forward(stream: IO[str], on_line: OnLine, is_error: bool) -> None:
    for line in stream:
        on_line(line.rstrip("\n"), is_error)


@dataclass(frozen=True)
class PageHost:
    """Workers of pages of a browser."""

    browser: Browser
    server: Server
    polyfill: Literal["never", "tflite"]

    def run(self, invocation: Invocation, on_line: OnLine, *, timeout_seconds: float = TIMEOUT_SECONDS) -> int:
        with self.server.serving() as serve:
            files = [{"path": str(path), "url": serve(path.read_bytes())} for path in invocation.files]
            outputs = serve(b"").removeprefix("/exchange/")
            request = {**_request(invocation, self.polyfill), "files": files, "outputUrl": f"/exchange/{outputs}"}
            page = self.browser.new_page()
            try:
                status = self._run(page, request, on_line, timeout_seconds)
            except PlaywrightError as error:
                raise ProgramError(f"{invocation.name} did not finish: {error}") from error
            finally:
                page.close()
            for name, content in self.server.mailbox.take_below(f"{outputs}/").items():
                Path(f"/{name}").write_bytes(content)
            return status

    def _run(self, page: Page, request: dict[str, Any], on_line: OnLine, timeout_seconds: float) -> int:
        def report_lines(lines: list[dict[str, Any]]) -> None:
            for line in lines:
                on_line(line["line"], line["isError"])

        page.expose_function("reportLines", report_lines)
        page.goto(f"{self.server.origin}/program.html")
        page.wait_for_function("() => globalThis.isReady")
        page.evaluate("(request) => startProgram(request)", request)
        page.wait_for_function("() => globalThis.ended", timeout=timeout_seconds * 1000)
        ended: dict[str, Any] = page.evaluate("() => globalThis.ended")
        if "error" in ended:
            raise PlaywrightError(ended["error"])
        status: int = ended["status"]
        return status


def _request(invocation: Invocation, polyfill: str) -> dict[str, Any]:
    return {
        "name": invocation.name,
        "arguments": invocation.arguments,
        "workingDirectory": str(invocation.working_dir),
        "directories": [str(path) for path in invocation.directories],
        "polyfill": polyfill,
    }
