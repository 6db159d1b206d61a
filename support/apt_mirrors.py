"""The Debian mirrors in this machine's apt configuration, which is only read."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

APT_DIR = Path("/etc/apt")
DEBOOTSTRAP_SCRIPTS = Path("/usr/share/debootstrap/scripts")
MIRROR_VARIABLE = "TFLITE_WEBNN_DEBIAN_MIRROR"

# Suites that only Debian itself has: a derivative's mirror does not serve Debian's packages.
DEBIAN_SUITES = re.compile(
    r"(oldoldstable|oldstable|stable|testing|unstable|sid|bullseye|bookworm|trixie|forky)(-updates)?"
)


def debian_mirrors(apt_dir: Path = APT_DIR, scripts: Path = DEBOOTSTRAP_SCRIPTS) -> list[str]:
    """Return base URIs of Debian mirrors without a final slash, best first.

    First $TFLITE_WEBNN_DEBIAN_MIRROR, then apt's mirrors, last debootstrap's default.
    """
    chosen = os.environ.get(MIRROR_VARIABLE)
    found = [chosen] if chosen else []
    for uri, suite in _configured(apt_dir):
        if DEBIAN_SUITES.fullmatch(suite):
            found.extend(_resolve(uri))
    found.extend(_debootstrap_default(scripts))
    return list(dict.fromkeys(uri.rstrip("/") for uri in found))


def _configured(apt_dir: Path) -> Iterator[tuple[str, str]]:
    """Yield (URI, suite) of every enabled entry, in apt's order of files."""
    parts = apt_dir / "sources.list.d"
    for path in [apt_dir / "sources.list", *sorted(parts.glob("*.list")), *sorted(parts.glob("*.sources"))]:
        if not path.is_file():
            continue
        lines = path.read_text(errors="replace").splitlines()
        yield from _deb822(lines) if path.suffix == ".sources" else _one_line(lines)


def _one_line(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        match = re.match(r"\s*deb(?:-src)?\s+(?:\[[^\]]*\]\s+)?(\S+)\s+(\S+)", line)
        if match:
            yield match[1], match[2]


def _deb822(lines: list[str]) -> Iterator[tuple[str, str]]:
    for stanza in _stanzas(lines):
        if stanza.get("enabled", "yes").lower() in ("no", "false", "0"):
            continue
        for uri in stanza.get("uris", "").split():
            for suite in stanza.get("suites", "").split():
                yield uri, suite


def _stanzas(lines: list[str]) -> Iterator[dict[str, str]]:
    stanza: dict[str, str] = {}
    key = ""
    for line in [*lines, ""]:
        if line.startswith("#"):
            continue
        if not line.strip():
            if stanza:
                yield stanza
            stanza, key = {}, ""
        elif line[0].isspace():
            stanza[key] = f"{stanza.get(key, '')} {line.strip()}"
        else:
            key, _, value = line.partition(":")
            key = key.strip().lower()
            stanza[key] = value.strip()


def _resolve(uri: str) -> list[str]:
    """Return the http(s) mirrors of an apt URI (cloud images name a file with a list)."""
    if uri.startswith(("http://", "https://")):
        return [uri]
    match = re.fullmatch(r"mirror\+file:(?://)?(/.+)", uri)
    if match and Path(match[1]).is_file():
        words = (line.split() for line in Path(match[1]).read_text().splitlines())
        return [line[0] for line in words if line and line[0].startswith("http")]
    return []


def _debootstrap_default(scripts: Path) -> list[str]:
    script = scripts / "sid"
    if not script.is_file():
        return []
    match = re.search(r"^\s*default_mirror\s+(\S+)", script.read_text(), re.MULTILINE)
    return [match[1]] if match else []
