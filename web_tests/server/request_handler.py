"""How the server handles a request: files by routes, and messages."""

import gzip
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import unquote, urlsplit

from web_tests.server.mailbox import Mailbox

DEFAULT_CONTENT_TYPE = "application/octet-stream"
MAX_PATH_LENGTH = 1000

# Maps the remainder of a path to a file, if there is one.
Route = Callable[[str], Path | None]
# Routes by path prefix, without its leading slash; the first match is used.
Routes = Mapping[str, Route]


def handler_class(
    mailbox: Mailbox,
    routes: Routes,
    headers: Mapping[str, str],
    content_types: Mapping[str, str],
    recordings: Sequence[dict[str, bytes]],
    first_script: bytes,
    *,
    compresses: bool,
) -> type[BaseHTTPRequestHandler]:
    """Return the handler of a server's requests; `Server` has the parameters."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # keep-alive: a page sends hundreds of small requests
        disable_nagle_algorithm = True
        wbufsize = -1  # headers and body leave together

        def do_GET(self) -> None:
            path = self._path()
            if path is None:
                return
            first, _, remainder = path.partition("/")
            if first == "exchange":
                self._respond(mailbox.peek(remainder), DEFAULT_CONTENT_TYPE)
                return
            file = _routed(routes, path)
            content = file.read_bytes() if file and file.is_file() else None
            if content is not None:
                for recording in recordings:
                    recording[path] = content
            if content is not None and first_script and file and file.suffix == ".html":
                content = content.replace(b"<head>", b"<head>" + first_script, 1)
            self._respond(content, content_types.get(file.suffix if file else "", DEFAULT_CONTENT_TYPE))

        def do_PUT(self) -> None:
            lengths = self.headers.get_all("Content-Length") or ["0"]
            length = lengths[0] if len(set(lengths)) == 1 else ""
            is_encoded = "Transfer-Encoding" in self.headers or "Content-Encoding" in self.headers
            if not re.fullmatch("[0-9]{1,9}", length) or is_encoded:
                self._reject("the body needs a Content-Length, and neither Transfer-Encoding nor Content-Encoding")
                return
            content = self.rfile.read(int(length))
            if len(content) < int(length):
                self._reject(f"the body has {len(content)} bytes, and its Content-Length is {length}")
                return
            path = self._path()
            if path is None:
                return
            first, _, name = path.partition("/")
            if first != "exchange" or not name:
                self._respond(None, DEFAULT_CONTENT_TYPE)
                return
            mailbox.put(name, content)
            self._respond(b"", DEFAULT_CONTENT_TYPE)

        def _path(self) -> str | None:
            """Return the path without its first slashes; reject one that no file can have, and return None."""
            try:
                path = unquote(urlsplit(self.path).path, errors="strict").lstrip("/")
            except ValueError:  # also of UTF-8
                path = "\0"
            if path.isprintable() and len(path) <= MAX_PATH_LENGTH:
                return path
            self._reject("the path is no address of a file")
            return None

        def _reject(self, reason: str) -> None:
            self.close_connection = True  # where the request ends is not known
            self.send_error(HTTPStatus.BAD_REQUEST, reason)

        def _respond(self, content: bytes | None, content_type: str) -> None:
            found = content is not None
            body = content if content is not None else b"not found"
            accepts = "gzip" in self.headers.get("Accept-Encoding", "")
            is_zipped = compresses and accepts and content_type.startswith(("text/", "image/svg", "application/json"))
            if is_zipped:
                body = gzip.compress(body)
            # A reader of a message may close the page before the page has its response.
            with suppress(ConnectionError):
                self.send_response(HTTPStatus.OK if found else HTTPStatus.NOT_FOUND)
                self.send_header("Content-Type", content_type if found else "text/plain")
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Cache-Control", "no-store")
                if is_zipped:
                    self.send_header("Content-Encoding", "gzip")
                for header, value in headers.items():
                    self.send_header(header, value)
                self.end_headers()
                self.wfile.write(body)
                self.wfile.flush()

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing: a page collects what failed to load."""

    return Handler


def _routed(routes: Routes, path: str) -> Path | None:
    for prefix, route in routes.items():
        if path.startswith(prefix):
            return route(path.removeprefix(prefix))
    return None
