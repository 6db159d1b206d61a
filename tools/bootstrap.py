"""Makes the virtual environment of all commands. Only the standard library may be imported here."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

PROJECT_DIR = Path(__file__).resolve().parents[1]
PROJECT_FILE = PROJECT_DIR / "pyproject.toml"
LOCKS_DIR = PROJECT_DIR / "tools" / "locks"
BASE, NATIVE = "base", "native"  # groups that commands do not name
FINISHED_MARK = ".finished"  # of a group
UNFINISHED_MARK = ".unfinished"  # next to an environment that is being created
INSTALLING_MARK = ".installing"  # of a group: pip has begun and has not succeeded
INSIDE_VARIABLE = "TFLITE_WEBNN_VENV"  # set in the re-executed process


def enter(argv: Sequence[str], groups: Sequence[str]) -> None:
    """Return if this process runs in the virtual environment with these groups of packages.

    Otherwise make it, or add the missing groups, and execute `argv` again in it.
    """
    groups = [BASE, *groups, *([NATIVE] if os.environ.get("TFLITE_WEBNN_TOOLCHAIN") == NATIVE else [])]
    venv = venv_dir()
    if missing(venv, groups):
        install(venv, groups)
    if os.environ.get(INSIDE_VARIABLE) == str(venv) and Path(sys.prefix) == venv:
        return
    python = venv / "bin" / "python"
    # The packages' own programs (node, npm, cmake, ninja) come first: the same versions on every machine.
    path = os.pathsep.join([str(venv / "bin"), os.environ["PATH"]])
    os.execve(python, [str(python), *argv], {**_with_bytecode(), INSIDE_VARIABLE: str(venv), "PATH": path})


def venv_dir() -> Path:
    """Return the environment's directory, one per state of the locks and Python version."""
    texts = [file.read_text() for file in sorted(LOCKS_DIR.glob("*.txt"))]
    key = hashlib.sha256("\n".join([*texts, sys.version]).encode()).hexdigest()[:16]
    return cache_dir() / "venv" / key


def groups_of_project() -> dict[str, list[str]]:
    """Return the requirements of each group of pyproject.toml."""
    groups: dict[str, list[str]] = tomllib.loads(PROJECT_FILE.read_text())["dependency-groups"]
    return groups


def lock_file(group: str) -> Path:
    """Return the file with all packages of a group and their hashes."""
    return LOCKS_DIR / f"{group}.txt"


def missing(venv: Path, groups: Iterable[str]) -> list[str]:
    """Return the groups that are not installed."""
    return [group for group in dict.fromkeys(groups) if not (venv / f"{FINISHED_MARK}-{group}").exists()]


def cache_dir() -> Path:
    """Return the user cache, as support/paths.py does with platformdirs."""
    chosen = os.environ.get("TFLITE_WEBNN_CACHE")
    if chosen:
        return Path(chosen).expanduser().resolve()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tflite-webnn"


def _with_bytecode() -> dict[str, str]:
    """Return the environment with bytecode in the cache: many images turn it off, and each process compiles all."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {"PYTHONPYCACHEPREFIX": str(cache_dir() / "bytecode"), **kept}


def install(venv: Path, groups: Sequence[str]) -> None:
    """Add groups to the environment, under a lock; make it if it is missing or was not finished.

    The locks pin one version of each package, so a group never changes what another one has installed.
    """
    venv.parent.mkdir(parents=True, exist_ok=True)
    unfinished = venv.with_name(f"{venv.name}{UNFINISHED_MARK}")
    with (venv.parent / f"{venv.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if unfinished.exists() or not (venv / "bin").exists():
            unfinished.touch()
            shutil.rmtree(venv, ignore_errors=True)
            _make_empty(venv)
            unfinished.unlink()
        added = missing(venv, groups)
        if not added:
            return
        print(f"==> Installing Python packages ({', '.join(added)}) into {venv}", file=sys.stderr, flush=True)
        pip = [str(venv / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        # A stopped pip may leave half a package, which the next one would mistake for installed.
        again = ["--ignore-installed"] if any(venv.glob(f"{INSTALLING_MARK}-*")) else []
        locks = [word for group in added for word in ("--requirement", str(lock_file(group)))]
        for group in added:
            (venv / f"{INSTALLING_MARK}-{group}").touch()
        if subprocess.run([*pip, *again, "--require-hashes", *locks], stdout=sys.stderr, check=False).returncode:
            sys.exit(
                "build.py: pip could not install the packages of tools/locks (its reason is above)\n"
                "  hint:  run the same command again when that is repaired: only these packages are installed again"
            )
        for group in added:
            (venv / f"{INSTALLING_MARK}-{group}").rename(venv / f"{FINISHED_MARK}-{group}")


def _make_empty(venv: Path) -> None:
    """Make an environment with pip. Debian packages the modules for that separately."""
    command = [sys.executable, "-m", "venv", str(venv)]
    first = subprocess.run(command, capture_output=True, text=True, check=False)
    if first.returncode == 0:
        return
    package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    root = [] if os.geteuid() == 0 else ["sudo"]
    apt = [*root, "apt-get", "install", "--yes", "--no-install-recommends", package]
    can_install = shutil.which("apt-get") and (not root or shutil.which("sudo"))
    print(f"==> This Python cannot make virtual environments; installing {package}", file=sys.stderr, flush=True)
    if can_install:
        subprocess.run([*root, "apt-get", "update", "--quiet=2"], stdout=sys.stderr, check=False)
        subprocess.run(apt, stdout=sys.stderr, check=False)
        shutil.rmtree(venv, ignore_errors=True)
        if subprocess.run(command, stdout=sys.stderr, check=False).returncode == 0:
            return
    sys.exit(f"build.py: no virtual environment can be created\n{first.stdout.strip()}\n  hint:  {' '.join(apt)}")
