"""`build.py clean`."""

import argparse

from tools.registry import Command, register

DESCRIPTION = """\
Deletes build/ and the npm packages of js/; with --all also the user cache: compiler, sources, downloads, browsers."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="delete the user cache, too, for all checkouts")


def run(arguments: argparse.Namespace) -> None:
    import shutil

    from support.console import console
    from support.paths import BUILD_DIR, PROJECT_DIR, cache_dir
    from wasm.toolchain.emscripten import debian_root

    js = PROJECT_DIR / "js"
    for folder in (BUILD_DIR, js / "node_modules", *js.glob("*/node_modules")):
        if folder.exists():
            console.print(f"    deleting {folder}")
            shutil.rmtree(folder)
    if arguments.all and cache_dir().exists():
        console.print(f"    deleting {cache_dir()}")
        for root in (cache_dir() / "toolchain").glob("*debian-*"):
            debian_root.delete(root)
        # This deletes the packages of this process: import nothing after this.
        shutil.rmtree(cache_dir())


register(Command("clean", "delete what was generated", DESCRIPTION, run, add_options, groups=()))
