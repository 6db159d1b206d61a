"""Makes the virtual environment of all commands. Only the standard library may be imported here."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

PROJECT_DIR = Path(__file__).resolve().parents[1]
FINISHED_MARK = ".finished"
INSIDE_VARIABLE = "TFLITE_WEBNN_VENV"  # set in the re-executed process


def enter(argv: list[str]) -> None:
    """Return if this process runs in the virtual environment; otherwise make it and execute `argv` again in it."""
    venv = venv_dir()
    if os.environ.get(INSIDE_VARIABLE) == str(venv) and Path(sys.prefix) == venv:
        return
    if not (venv / FINISHED_MARK).exists():
        make(venv)
    python = venv / "bin" / "python"
    # The packages' own programs (node, npm, cmake, ninja) come first: the same versions on every machine.
    path = os.pathsep.join([str(venv / "bin"), os.environ["PATH"]])
    os.execve(python, [str(python), *argv], {**_with_bytecode(), INSIDE_VARIABLE: str(venv), "PATH": path})


def venv_dir() -> Path:
    """Return the environment's folder, one per list of packages and Python version."""
    key = hashlib.sha256("\n".join([*requirements(), sys.version]).encode()).hexdigest()[:16]
    return cache_dir() / "venv" / key


def cache_dir() -> Path:
    """Return the user cache, as tools/support/paths.py does with platformdirs."""
    chosen = os.environ.get("TFLITE_WEBNN_CACHE")
    if chosen:
        return Path(chosen).expanduser().resolve()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tflite-webnn"


def requirements() -> list[str]:
    table = tomllib.loads((PROJECT_DIR / "pyproject.toml").read_text())
    packages: list[str] = table["project"]["dependencies"]
    return packages


def _with_bytecode() -> dict[str, str]:
    """Return the environment with bytecode in the cache: many images turn it off, and each process compiles all."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {"PYTHONPYCACHEPREFIX": str(cache_dir() / "bytecode"), **kept}


def make(venv: Path) -> None:
    """Make the environment under a lock; a stopped or failed attempt starts again."""
    venv.parent.mkdir(parents=True, exist_ok=True)
    with (venv.parent / f"{venv.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (venv / FINISHED_MARK).exists():
            return
        print(f"==> Installing {len(requirements())} Python packages into {venv}", file=sys.stderr, flush=True)
        shutil.rmtree(venv, ignore_errors=True)
        _make_empty(venv)
        pip = [str(venv / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if subprocess.run([*pip, *requirements()], stdout=sys.stderr, check=False).returncode:
            sys.exit("build.py: pip could not install the packages of pyproject.toml (its reason is above)")
        (venv / FINISHED_MARK).touch()


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
    sys.exit(f"build.py: no virtual environment can be made\n{first.stdout.strip()}\n  mend:  {' '.join(apt)}")
