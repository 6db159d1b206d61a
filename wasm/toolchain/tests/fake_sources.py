"""Two small components, in an archive and in git repositories in a test's folder."""

import dataclasses
import os
import subprocess
from pathlib import Path

from tools.support.cache import file_sha256
from wasm.toolchain.sources import selection
from wasm.toolchain.sources.registry import Archive, Component, Sources

ROOT = "browser-1.0"
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
    made = Component(
        name=name,
        licence="MIT",
        git=git,
        revision=revision,
        archive_path=f"third_party/{name}",
        archive_patches="",
        keep=("LICENSE", "src/"),
        drop=("*testdata/*",),
        suffixes=(".c", ".h"),
        sha256="",
    )
    return dataclasses.replace(made, **changes)  # type: ignore[arg-type]


def make(folder: Path) -> tuple[Sources, Path]:
    """Return the sources, with correct hashes, and their archive."""
    plain = _repository(folder / "git" / "plain", PLAIN_FILES)
    patched = _repository(folder / "git" / "patched", PATCHED_FILES)
    components = {
        "plain": component("plain", git=plain[0], revision=plain[1]),
        "patched": component("patched", git=patched[0], revision=patched[1], archive_patches="patches"),
    }
    for name, unpinned in components.items():
        sha256 = selection.content_hash(unpinned, folder / "git" / name)
        components[name] = dataclasses.replace(unpinned, sha256=sha256)
    archive = _archive(folder)
    return Sources(Archive("pool/x.tar.xz", file_sha256(archive), archive.stat().st_size, ROOT), components), archive


def _write(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _repository(folder: Path, files: dict[str, bytes]) -> tuple[str, str]:
    _write(folder, files)

    def git(*arguments: str) -> str:
        environment = {**os.environ, **GIT_IDENTITY, "GIT_CONFIG_GLOBAL": "/dev/null"}
        return subprocess.run(
            ["git", *arguments], cwd=folder, env=environment, check=True, capture_output=True, text=True
        ).stdout.strip()

    git("init", "--quiet")
    # Commit with the bytes unchanged, as others do.
    (folder / ".git" / "info").mkdir(exist_ok=True)
    (folder / ".git" / "info" / "attributes").write_text("* -text\n")
    git("add", "--all")
    git("commit", "--quiet", "--message=all")
    git("config", "uploadpack.allowFilter", "true")
    git("config", "uploadpack.allowAnySHA1InWant", "true")
    return f"file://{folder}", git("rev-parse", "HEAD")


def _archive(folder: Path) -> Path:
    root = folder / "archive" / ROOT
    _write(root / "third_party" / "plain", {**PLAIN_FILES, "README.packager": b"not upstream's\n"})
    changed = {**PATCHED_FILES, "src/patched.c": b"int packager;\n", "patches/0001-change": PATCH.encode()}
    _write(root / "third_party" / "patched", changed)
    _write(root / "other", {"large.c": b"never unpacked\n"})
    path = folder / "x.tar.xz"
    subprocess.run(["tar", "--create", "--xz", "--file", path, "--directory", folder / "archive", ROOT], check=True)
    return path
