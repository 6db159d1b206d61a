"""Upstream git as an origin: one commit, without history, and only the kept files."""

from pathlib import Path
from urllib.parse import urlsplit

from support.command import CommandError, run
from wasm.toolchain.sources.registry import Component

PROBE_SECONDS = 10
FETCH_SECONDS = 900

# No prompt, no user configuration, and an end for stalled transfers.
GIT_ENVIRONMENT = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_HTTP_LOW_SPEED_LIMIT": "1000",
    "GIT_HTTP_LOW_SPEED_TIME": "30",
}


def is_reachable(component: Component) -> bool:
    """Return whether the component has a git upstream whose host responds (checked once per host)."""
    if not component.git:
        return False
    parts = urlsplit(component.git)
    return _is_host_reachable(f"{parts.scheme}://{parts.netloc}", component.git)


_reachable: dict[str, bool] = {}


def _is_host_reachable(host: str, url: str) -> bool:
    if host not in _reachable:
        try:
            run(["git", "ls-remote", url, "HEAD"], env=GIT_ENVIRONMENT, quiet=True, timeout_seconds=PROBE_SECONDS)
            _reachable[host] = True
        except CommandError:
            _reachable[host] = False
    return _reachable[host]


def fetch(component: Component, directory: Path) -> None:
    """Check out the component's commit into `directory`, byte for byte as committed.

    Raises:
        CommandError: git failed or took too long.
    """
    directory.mkdir(parents=True)

    def git(*arguments: str) -> None:
        run(["git", *arguments], cwd=directory, env=GIT_ENVIRONMENT, quiet=True, timeout_seconds=FETCH_SECONDS)

    git("init", "--quiet")
    git("remote", "add", "origin", component.git)
    git("config", "core.autocrlf", "false")
    # These attributes have the highest priority: no line ending, keyword or filter of the repository changes a byte.
    (directory / ".git" / "info").mkdir(exist_ok=True)
    (directory / ".git" / "info" / "attributes").write_text("* -text -eol -ident -filter -working-tree-encoding\n")
    git("sparse-checkout", "set", "--no-cone", *(f"/{entry}" for entry in component.keep))
    git("fetch", "--quiet", "--depth=1", "--no-tags", "--filter=blob:none", "origin", component.revision)
    git("checkout", "--quiet", "--detach", "FETCH_HEAD")
