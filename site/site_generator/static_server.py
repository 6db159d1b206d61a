"""`build.py serve`: the site on loopback, as a static host would serve it."""

from __future__ import annotations

import http.server
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from wasm.toolchain.support.console import console

# As a host sends them on which headers can be set; elsewhere the site's service worker adds them.
ISOLATION_HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class StaticHandler(http.server.SimpleHTTPRequestHandler):
    """Files of a folder below `prefix`, e.g. `/some/folder/`; nothing elsewhere."""

    protocol_version = "HTTP/1.1"
    # Written out: mimetypes reads the machine's tables, which may lack some.
    extensions_map = {  # noqa: RUF012  (declared so by the base class)
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".json": "application/json",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".whl": "application/zip",
    }

    def __init__(self, *args: object, prefix: str, headers: Mapping[str, str], directory: str) -> None:
        self._prefix = prefix
        self._headers = headers
        super().__init__(*args, directory=directory)  # type: ignore[arg-type]

    def translate_path(self, path: str) -> str:
        """Return the file of an address; what is not below the prefix is a name that no file has."""
        if not path.startswith(self._prefix):
            return str(Path(self.directory) / "not-below-the-prefix")
        return super().translate_path("/" + path.removeprefix(self._prefix))

    def end_headers(self) -> None:
        """Send this server's own headers with every answer."""
        self.send_header("Cache-Control", "no-cache")
        for name, value in self._headers.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Stay quiet: a browser's console tells what failed to load."""


def server(
    folder: Path, *, port: int = 0, prefix: str = "/", isolated: bool = False
) -> http.server.ThreadingHTTPServer:
    """Return a server on loopback that has not been started.

    Args:
        folder: what it serves.
        port: 0 for one that is free.
        prefix: where the folder is; it begins and ends with a slash.
        isolated: whether the headers of cross-origin isolation are sent.
    """
    headers = ISOLATION_HEADERS if isolated else {}
    handler = partial(StaticHandler, prefix=prefix, headers=headers, directory=str(folder))
    return http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)


def serve(folder: Path, *, port: int, isolated: bool) -> None:
    """Serve until the user stops it."""
    with server(folder, port=port, isolated=isolated) as running:
        console.print(f"    the site is at http://127.0.0.1:{running.server_port}/ (Ctrl+C ends it)")
        running.serve_forever()
