"""The server of `build.py serve` and of the site's tests."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from site_generator.static_server import server

ISOLATING = "Cross-Origin-Embedder-Policy"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    (tmp_path / "secret.txt").write_text("not of the site")
    (tmp_path / "site" / "index.html").write_text("<p>home")
    (tmp_path / "site" / "module.wasm").write_bytes(b"\0asm")
    return tmp_path / "site"


def test_a_plain_server_sends_no_headers_of_isolation(folder: Path) -> None:
    with _answer(folder, "/") as answer:
        assert answer.read() == b"<p>home"
        assert answer.headers[ISOLATING] is None


def test_isolation(folder: Path) -> None:
    with _answer(folder, "/index.html", isolated=True) as answer:
        assert answer.headers[ISOLATING] == "require-corp"


def test_types_do_not_depend_on_the_machine(folder: Path) -> None:
    with _answer(folder, "/module.wasm") as answer:
        assert answer.headers["Content-Type"] == "application/wasm"


def test_only_what_is_below_the_prefix_is_served(folder: Path) -> None:
    with _answer(folder, "/some/folder/index.html", prefix="/some/folder/") as answer:
        assert answer.status == 200
    for path in ("/index.html", "/some/folder/../../secret.txt", "/some/folder/nothing.html"):
        with pytest.raises(HTTPError, match="404"), _answer(folder, path, prefix="/some/folder/"):
            pass


@contextmanager
def _answer(folder: Path, path: str, *, prefix: str = "/", isolated: bool = False) -> Iterator[HTTPResponse]:
    with server(folder, prefix=prefix, isolated=isolated) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        try:
            with urlopen(f"http://127.0.0.1:{running.server_port}{path}") as answer:
                yield answer
        finally:
            running.shutdown()
