"""The server: isolation headers, MIME types, messages, and nothing outside its directories."""

import gzip
import http.client
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from web_tests.server.server import Server, kit_routes, site_routes


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Server]:
    package = tmp_path / "package"
    package.mkdir()
    (package / "index.mjs").write_text("export {}")
    (package / "tflite_webnn.wasm").write_bytes(b"\0asm")
    (tmp_path / "secret.txt").write_text("secret")
    with Server(kit_routes(package)) as server:
        yield server


def request(
    server: Server, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(server.origin.removeprefix("http://"), timeout=10)
    connection.request(method, path, body=body, headers=headers or {})
    return connection.getresponse()


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("/harness.html", "text/html; charset=utf-8"),
        ("/", "text/html; charset=utf-8"),
        ("/harness.mjs", "text/javascript; charset=utf-8"),
        ("/package/index.mjs", "text/javascript; charset=utf-8"),
        ("/package/tflite_webnn.wasm", "application/wasm"),
    ],
)
def test_pages_are_isolated_and_typed(running: Server, path: str, content_type: str) -> None:
    response = request(running, "GET", path)
    assert response.status == 200
    assert response.headers["Content-Type"] == content_type
    assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert response.headers["Cross-Origin-Embedder-Policy"] == "require-corp"


def test_a_server_has_the_headers_and_types_that_it_is_started_with() -> None:
    policy = {"Content-Security-Policy": "default-src 'self'"}
    with Server(headers=policy, content_types={".mjs": "text/plain"}) as server:
        response = request(server, "GET", "/harness.mjs")
        assert response.read()
        assert response.headers["Content-Security-Policy"] == "default-src 'self'"
        assert response.headers["Content-Type"] == "text/plain"
        assert "Cross-Origin-Embedder-Policy" not in response.headers


def test_text_is_compressed_for_who_accepts_that(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<h1>" * 100)
    (tmp_path / "model.tflite").write_bytes(b"model")
    accepted = {"Accept-Encoding": "gzip, deflate"}
    with Server(site_routes(tmp_path), compresses=True) as server:
        page = request(server, "GET", "/page.html", headers=accepted)
        assert page.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(page.read()) == b"<h1>" * 100
        assert request(server, "GET", "/page.html").read() == b"<h1>" * 100
        assert request(server, "GET", "/model.tflite", headers=accepted).read() == b"model"
    with Server(site_routes(tmp_path)) as server:
        assert request(server, "GET", "/page.html", headers=accepted).read() == b"<h1>" * 100


@pytest.mark.parametrize(
    "path", ["/package/../secret.txt", "/package/%2e%2e/secret.txt", "/../server.py", "/none.html"]
)
def test_a_path_outside_of_the_routes_is_not_served(running: Server, path: str) -> None:
    assert request(running, "GET", path).status == 404


@pytest.fixture
def site(tmp_path: Path) -> Path:
    directory = tmp_path / "site"
    directory.mkdir()
    (tmp_path / "secret.txt").write_text("not of the site")
    (directory / "index.html").write_text("<p>home")
    return directory


@pytest.mark.parametrize("path", ["/", "/index.html"])
def test_a_site_is_served_without_headers_of_isolation(path: str, site: Path) -> None:
    with Server(site_routes(site), headers={}) as server:
        response = request(server, "GET", path)
        assert response.read() == b"<p>home"
        assert response.headers["Content-Type"] == "text/html; charset=utf-8"
        assert "Cross-Origin-Embedder-Policy" not in response.headers


def test_a_site_is_only_below_its_prefix(site: Path) -> None:
    with Server(site_routes(site, "some/directory/")) as server:
        assert request(server, "GET", "/some/directory/").read() == b"<p>home"
        for path in ("/", "/index.html", "/some/directory/../../secret.txt", "/some/directory/nothing.html"):
            assert request(server, "GET", path).status == 404


@pytest.mark.parametrize("path", ["/package/index.mjs", "/exchange/"])
def test_only_messages_can_be_put(running: Server, path: str) -> None:
    assert request(running, "PUT", path, b"x").status == 404


def test_messages_are_raw_bytes_both_ways(running: Server) -> None:
    content = bytes(range(256))
    assert request(running, "PUT", "/exchange/a/0", content).status == 200
    assert request(running, "GET", "/exchange/a/0").read() == content
    assert running.mailbox.take("a/0") == content
    assert running.mailbox.take("a/0", timeout_seconds=0.01) is None
    assert request(running, "GET", "/exchange/a/0").status == 404


def test_the_server_listens_on_the_loopback_only(running: Server) -> None:
    assert running.origin.startswith("http://127.0.0.1:")


@pytest.mark.parametrize(
    "header",
    [
        ("Content-Length", "many"),
        ("Content-Length", "-1"),
        ("Content-Length", "1" * 10),
        ("Content-Length", "\u0662"),
        ("Transfer-Encoding", "chunked"),
        ("Content-Encoding", "gzip"),
    ],
)
def test_a_body_of_unknown_length_is_a_bad_request(running: Server, header: tuple[str, str]) -> None:
    connection = http.client.HTTPConnection(running.origin.removeprefix("http://"), timeout=10)
    connection.putrequest("PUT", "/exchange/message")
    connection.putheader(header[0], header[1].encode())
    connection.endheaders()
    response = connection.getresponse()
    assert response.status == 400
    assert b"Content-Length" in response.read()


def response_to(server: Server, request: bytes) -> bytes:
    """Send bytes and nothing more, and return the entire response."""
    with socket.create_connection(("127.0.0.1", int(server.origin.rpartition(":")[2])), timeout=10) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize(
    "path", [b"/a%00b", b"/%ff.html", b"/a%0ab", b"/" + 1001 * b"a", b"/exchange/%00", b"http://[/"]
)
@pytest.mark.parametrize("method", [b"GET", b"PUT"])
def test_a_path_of_no_file_is_a_bad_request(running: Server, method: bytes, path: bytes) -> None:
    response = response_to(running, b"%s %s HTTP/1.1\r\n\r\n" % (method, path))
    assert response.startswith(b"HTTP/1.1 400 ")
    assert response.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("headers", [b"Content-Length: 9", b"Content-Length: 2\r\nContent-Length: 3"])
def test_a_body_of_another_length_is_a_bad_request(running: Server, headers: bytes) -> None:
    response = response_to(running, b"PUT /exchange/message HTTP/1.1\r\n%s\r\n\r\nabc" % headers)
    assert response.startswith(b"HTTP/1.1 400 ")
    assert running.mailbox.take("message") is None
