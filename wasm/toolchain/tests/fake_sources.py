"""Two small components, in an archive and in git repositories in a test's directory."""

import dataclasses
import http.server
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.command import run
from wasm.toolchain.sources import archive_parts, selection
from wasm.toolchain.sources.registry import Archive, Component, Sources

ROOT = "browser-1.0"
BLOCK_BYTES = 4096
SHUTDOWN_SECONDS = 0.01  # the server looks so often whether it shall stop
GIT_IDENTITY = {f"GIT_{role}_{what}": "t@e.test" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}

# The last file has Windows line ends, which must survive; tests/ and README.packager are dropped.
PLAIN_FILES = {
    "LICENSE": b"free\n",
    "src/plain.c": b"int plain;\n",
    "src/windows.h": b"#define A\r\n#define B\r\n",
    "src/tests/testdata/data.c": b"not kept\n",
    "tests/test.c": b"not kept\n",
    ".gitattributes": b"*.h text eol=lf\n",
}
PATCHED_FILES = {"LICENSE": b"free\n", "src/patched.c": b"int upstream;\n"}
PATCH = """\
--- a/third_party/patched/src/patched.c
+++ b/third_party/patched/src/patched.c
@@ -1 +1 @@
-int upstream;
+int packager;
"""


def component(name: str, *, git: str, revision: str, **changes: object) -> Component:
    """Return a component that keeps LICENSE and the C files of src/, without a hash."""
    created = Component(
        name=name,
        license="MIT",
        git=git,
        revision=revision,
        archive_path=f"third_party/{name}",
        archive_parts=(),
        archive_patches="",
        keep=("LICENSE", "src/"),
        drop=("*testdata/*",),
        suffixes=(".c", ".h"),
        sha256="",
    )
    return dataclasses.replace(created, **changes)  # type: ignore[arg-type]


def make(directory: Path) -> Sources:
    """Return the sources, with correct hashes, and make their archive, `directory`/x.tar.xz."""
    plain = _repository(directory / "git" / "plain", PLAIN_FILES)
    patched = _repository(directory / "git" / "patched", PATCHED_FILES)
    components = {
        "plain": component("plain", git=plain[0], revision=plain[1]),
        "patched": component("patched", git=patched[0], revision=patched[1], archive_patches="patches"),
    }
    for name, unpinned in components.items():
        sha256 = selection.content_hash(unpinned, directory / "git" / name)
        components[name] = dataclasses.replace(unpinned, sha256=sha256)
    path = _archive(directory)
    archive = Archive("x.tar.xz", ROOT)
    parts = archive_parts.find_parts(path, archive, list(components.values()))
    for name, unlocated in components.items():
        components[name] = dataclasses.replace(unlocated, archive_parts=tuple(parts[name]))
    return Sources(archive, components)


def _write(directory: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _repository(directory: Path, files: dict[str, bytes]) -> tuple[str, str]:
    _write(directory, files)

    def git(*arguments: str) -> str:
        environment = {**GIT_IDENTITY, "GIT_CONFIG_GLOBAL": "/dev/null"}
        return run(["git", *arguments], cwd=directory, env=environment, capture=True, quiet=True).strip()

    git("init", "--quiet")
    # Commit with the bytes unchanged, as others do.
    (directory / ".git" / "info").mkdir(exist_ok=True)
    (directory / ".git" / "info" / "attributes").write_text("* -text\n")
    git("add", "--all")
    git("commit", "--quiet", "--message=all")
    git("config", "uploadpack.allowFilter", "true")
    git("config", "uploadpack.allowAnySHA1InWant", "true")
    return f"file://{directory}", git("rev-parse", "HEAD")


def _archive(directory: Path) -> Path:
    root = directory / "archive" / ROOT
    _write(root / "third_party" / "plain", {**PLAIN_FILES, "README.packager": b"not upstream's\n"})
    changed = {**PATCHED_FILES, "src/patched.c": b"int packager;\n", "patches/0001-change": PATCH.encode()}
    _write(root / "third_party" / "patched", changed)
    _write(root / "other", {"large.bin": random.Random(1).randbytes(20 * BLOCK_BYTES)})
    path = directory / "x.tar.xz"
    options = ["--sort=name", "--use-compress-program", f"xz --block-size={BLOCK_BYTES}"]
    run(["tar", "--create", *options, "--file", path, "--directory", directory / "archive", ROOT], quiet=True)
    return path


@dataclasses.dataclass
class Mirror:
    """A directory on a local server.

    Attributes:
        url: its address.
        ranges: what was requested.
        drops: how many of the next responses end half way.
        serves_parts: whether it responds with the requested range.
    """

    url: str
    ranges: list[tuple[int, int]]
    drops: int = 0
    serves_parts: bool = True


@contextmanager
def serving(directory: Path) -> Iterator[Mirror]:
    """Serve a directory by HTTP, with ranges."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = (directory / self.path.lstrip("/")).read_bytes()
            first, last = map(int, self.headers["Range"].removeprefix("bytes=").split("-"))
            mirror.ranges.append((first, last + 1))
            part = content[first : last + 1] if mirror.serves_parts else content
            self.send_response(206 if mirror.serves_parts else 200)
            self.send_header("Content-Length", str(len(part)))
            self.end_headers()
            drops, mirror.drops = mirror.drops > 0, mirror.drops - 1
            self.wfile.write(part[: len(part) // 2] if drops else part)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        mirror = Mirror(f"http://127.0.0.1:{server.server_port}", [])
        threading.Thread(target=server.serve_forever, args=(SHUTDOWN_SECONDS,), daemon=True).start()
        yield mirror
        server.shutdown()
