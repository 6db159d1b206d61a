"""`build.py serve`."""

import argparse

from tools import making
from tools.registry import Command, register

DESCRIPTION = """\
Makes the site as `site` does and serves it on 127.0.0.1 until Ctrl+C. Its responses have the headers of cross-origin
isolation, which threads need. --plain omits them, as on a host that cannot set headers; the site's service worker then
adds them."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=int, default=8000, metavar="N", help="%(default)s if not given; 0 for a free one"
    )
    parser.add_argument("--plain", action="store_true", help="send no headers of cross-origin isolation")


def run(arguments: argparse.Namespace) -> None:
    from site_generator import paths

    from support.console import console
    from web_tests.server.server import ISOLATION_HEADERS, Server, site_routes

    making.site(paths.OUTPUT_DIR)
    headers = {} if arguments.plain else ISOLATION_HEADERS
    with Server(site_routes(paths.OUTPUT_DIR), headers=headers, port=arguments.port) as server:
        console.print(f"    the site is at {server.origin}/ (Ctrl+C ends it)")
        server.wait()


register(
    Command(
        "serve", "make the site and serve it on this machine", DESCRIPTION, run, add_options, groups=("run", "site")
    )
)
