"""A scratch copy of the checkout, in which mutants are compiled and tested."""

import shutil
from pathlib import Path

from js.node import MODULES_DIR, install
from support.command import run
from support.paths import BUILD_DIR, PROJECT_DIR

# Kept between runs, with its build/: a second one compiles only what an edit changes.
CHECKOUT = BUILD_DIR / "mutation" / "checkout"


def update(folder: Path = CHECKOUT, project: Path = PROJECT_DIR) -> Path:
    """Make `folder` have the project's files as they are now, without build/ and what else git ignores.

    Equal files keep their time. Files that only `folder` has stay.
    """
    install()
    listing = run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=project, capture=True, quiet=True
    )
    for name in filter(None, listing.split("\0")):
        source, target = project / name, folder / name
        if not source.is_file() or (target.exists() and target.read_bytes() == source.read_bytes()):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    modules = folder / MODULES_DIR.relative_to(PROJECT_DIR)
    if not modules.is_symlink():
        modules.symlink_to(MODULES_DIR)
    return folder
