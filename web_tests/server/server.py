"""The static server of the tests, the tools and `build.py serve`: cross-origin isolated, with a mailbox for arrays.

It listens on the loopback address unless `host` is another address of this machine. `site_routes` serves one directory,
`kit_routes` serves:

- `/`: web_tests/pages, with what tests call below `/tests/`
- `/package/`: build/package
- `/examples/`: js/apps/examples
- `/libraries/`: js/apps/libraries
- `/models/`: the models of models.toml, as NAME.tflite
- `/tfjs/`: its scripts, the unmodified @tensorflow/tfjs-tflite with its own wasm files
- `/programs/`: its programs that use WebNN
- `/pyodide/`: Pyodide and its packages, from the same table
- `/wheel/`: build/pyodide
- `/jupyterlite/`: build/jupyterlite
- `/python_examples/`: pyodide_pkg/examples
- `/images/`: the images of models.toml, by name
- `/wasm_programs/`: programs of wasm/programs, and the script that starts them
- `/probes/`: the probes of WebNN, js/apps/probes
- `/exchange/`: PUT and GET of raw bytes in memory: inputs, outputs and responses between Python and a page
"""

import sys
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from support.paths import BUILD_DIR, PACKAGE_DIR, PROJECT_DIR
from wasm.toolchain.programs import PROGRAMS_DIR
from web_tests.models import catalogue, package_assets
from web_tests.server.mailbox import Mailbox
from web_tests.server.request_handler import Routes, handler_class

PAGES_DIR = PROJECT_DIR / "web_tests" / "pages"
KEEP_ERRORS = "keep_errors.js"
EXAMPLES_DIR = PROJECT_DIR / "js" / "apps" / "examples"
PROBES_DIR = BUILD_DIR / "probes"
LIBRARIES_DIR = PROJECT_DIR / "js" / "apps" / "libraries"
PYTHON_EXAMPLES_DIR = PROJECT_DIR / "pyodide_pkg" / "examples"

# Both headers together isolate a page: SharedArrayBuffer, and timers of 5 µs instead of 100 µs.
ISOLATION_HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
}

# Explicit: mimetypes reads the machine's tables, which may lack .mjs or call .wasm octet-stream.
CONTENT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".tflite": "application/octet-stream",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".wav": "audio/wav",
    ".whl": "application/zip",
}

LOOPBACK = "127.0.0.1"

# Time limit for closing the server.
POLL_SECONDS = 0.05


class Server:
    """A server in threads of this process; use as a context manager.

    Args:
        routes: the served files; None means `kit_routes()`.
        headers: headers of every response.
        content_types: by suffix.
        host: the address to listen on, also in URLs.
        port: 0 for any free port.
        compresses: send text with gzip to browsers that accept it, as most hosts do.
        errors_below: serve pages/keep_errors.js below this prefix, as the first script of every page. The kit's pages
            always have it.
    """

    def __init__(
        self,
        routes: Routes | None = None,
        *,
        headers: Mapping[str, str] = ISOLATION_HEADERS,
        content_types: Mapping[str, str] = CONTENT_TYPES,
        host: str = LOOPBACK,
        port: int = 0,
        compresses: bool = False,
        errors_below: str | None = None,
    ) -> None:
        self.mailbox = Mailbox()
        self._host = host
        self._recordings: list[dict[str, bytes]] = []
        used = kit_routes() if routes is None else routes
        first_script = b""
        if errors_below is not None:
            used = {f"{errors_below}{KEEP_ERRORS}": lambda _: PAGES_DIR / KEEP_ERRORS, **used}
            first_script = f'<script src="/{errors_below}{KEEP_ERRORS}"></script>'.encode()
        handler = handler_class(
            self.mailbox, used, headers, content_types, self._recordings, first_script, compresses=compresses
        )
        self._http = _HttpServer((host, port), handler)
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(POLL_SECONDS,), name="server", daemon=True
        )

    @property
    def origin(self) -> str:
        """The origin without a trailing slash, e.g. http://127.0.0.1:41235."""
        return f"http://{self._host}:{self._http.server_port}"

    def wait(self) -> None:
        """Serve until the user interrupts the process."""
        self._thread.join()

    @contextmanager
    def serving(self) -> Iterator[Callable[[bytes], str]]:
        """Yield a function that serves a file at a path until the with-block ends."""
        names: list[str] = []

        def serve(content: bytes) -> str:
            names.append(f"served-{uuid.uuid4().hex}")
            self.mailbox.put(names[-1], content)
            return f"/exchange/{names[-1]}"

        yield serve
        for name in names:
            self.mailbox.take(name)

    @contextmanager
    def recorded(self) -> Iterator[Mapping[str, bytes]]:
        """Yield the responses during a with-block: contents by path, without the mailbox."""
        recording: dict[str, bytes] = {}
        self._recordings.append(recording)
        yield recording
        self._recordings.remove(recording)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _HttpServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of pages that were closed during a request."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def kit_routes(package_dir: Path = PACKAGE_DIR) -> Routes:
    """Return the routes of tests and tools, with `package_dir` as `/package/`."""
    return {
        "package/": lambda path: _below(package_dir, path),
        "examples/": lambda path: _below(EXAMPLES_DIR, path),
        "libraries/": lambda path: _below(LIBRARIES_DIR, path),
        "models/": _model_file,
        "tfjs/": lambda name: _asset_file("scripts", name),
        "programs/": lambda name: _asset_file("programs", name),
        "pyodide/": lambda name: _asset_file("pyodide", name),
        "wheel/": lambda path: _below(BUILD_DIR / "pyodide", path),
        "python_examples/": lambda path: _below(PYTHON_EXAMPLES_DIR, path),
        "images/": lambda name: _asset_file("images", name),
        "jupyterlite/": lambda path: _below(BUILD_DIR / "jupyterlite", path),
        "wasm_programs/": lambda path: _below(PROGRAMS_DIR, path),
        "probes/": lambda path: _below(PROBES_DIR, path),
        "": lambda path: _below(PAGES_DIR, path or "harness.html"),
    }


def site_routes(directory: Path, prefix: str = "") -> Routes:
    """Return the routes of a site, as on any static host, below `/prefix`; `prefix` is empty or ends with a slash."""
    return {prefix: lambda path: _below(directory, path or "index.html")}


def _below(root: Path, path: str) -> Path | None:
    """Return the file at `path` below `root`, None for paths that lead outside."""
    file = (root / path).resolve()
    return file if file.is_relative_to(root.resolve()) else None


def _model_file(path: str) -> Path | None:
    name = path.removesuffix(".tflite")
    model = catalogue.all_models().get(name) or catalogue.generated_models().get(name)
    return model.path() if model else None


def _asset_file(kind: str, name: str) -> Path | None:
    row = package_assets.table()[kind].get(name)
    return package_assets.fetch(package_assets.member_of(row)) if row else None
