"""Make the site and serve it on this machine.

Builds what is missing (all variants, the wheel for Pyodide), writes the site to build/site, and serves it on 127.0.0.1
until Ctrl+C. Its responses have the headers of cross-origin isolation, which threads need. --plain omits them, as on a
host that cannot set headers; the site's service worker then adds them.
With --output it serves nothing: the site is plain files for any static host, in any directory of it. Its pages contact
only that host. Next to pages, models and files of the package lies FILE.br, for hosts that send it to browsers that
accept brotli.
Unchanged files are not written again. site/README.md explains how to add a page.
"""

import argparse
from pathlib import Path

from tools import making

GROUPS = ("run", "site")


def add_options(parser: argparse.ArgumentParser) -> None:
    text = "default: %(default)s; 0 for a free one"
    parser.add_argument("--port", type=int, default=8000, metavar="N", help=text)
    parser.add_argument("--plain", action="store_true", help="send no headers of cross-origin isolation")
    text = "only write the site, to a directory that is new, empty, or already has the site, e.g. build/site"
    parser.add_argument("--output", type=Path, metavar="DIRECTORY", help=text)


def run(arguments: argparse.Namespace) -> None:
    from site_generator import paths

    from support.console import console
    from web_tests.server.server import ISOLATION_HEADERS, Server, site_routes

    # esbuild runs in another directory.
    make_site(arguments.output.resolve() if arguments.output else paths.OUTPUT_DIR, with_brotli=bool(arguments.output))
    if arguments.output:
        return
    headers = {} if arguments.plain else ISOLATION_HEADERS
    with Server(site_routes(paths.OUTPUT_DIR), headers=headers, port=arguments.port) as server:
        console.print(f"    the site is at {server.origin}/ (Ctrl+C ends it)")
        server.wait()


def make_site(output: Path, *, with_brotli: bool = False) -> None:
    """Build everything that the site serves, and write the site to `output`; `generator.generate()` says how."""
    from site_generator import generator

    making.wheel()
    making.bundle()
    generator.generate(output, with_brotli=with_brotli)
