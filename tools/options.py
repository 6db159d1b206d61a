"""Options shared by several commands, and what they can be. Only the standard library: help needs nothing installed."""

import argparse
from pathlib import Path
from typing import Literal, get_args

DEFAULT_VARIANT = "simd"
DEFAULT_ROUNDS = 20
HostName = Literal["webnn", "polyfill", "node"]
HOSTS: tuple[HostName, ...] = get_args(HostName)
# Of tests: tools/suite/needs.py says which tier a test is of, and web_tests/browsers/engines.py has the engines.
TIERS = ("unit", "node", "browser", "other", "all")
ENGINES = ("webnn", "chromium", "chromium-selenium", "firefox", "webkitgtk")


def add_browser(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--browser", type=Path, metavar="PATH", help="your own Chromium-based browser, e.g. Chrome")


def add_json(parser: argparse.ArgumentParser, text: str = "print only JSON on standard output") -> None:
    parser.add_argument("--json", action="store_true", help=text)


def add_measurement(parser: argparse.ArgumentParser) -> None:
    """Add the options of commands that time models in a browser."""
    text = "your own model, or the name of a known one (repeatable)"
    parser.add_argument("--model", type=Path, action="append", default=[], metavar="FILE", help=text)
    add_browser(parser)
    text = f"timed runs per backend ({DEFAULT_ROUNDS}, unless said otherwise above)"
    parser.add_argument("--rounds", type=int, metavar="N", help=text)


def add_host(parser: argparse.ArgumentParser) -> None:
    """Add the options for where a C++ program runs."""
    text = "a browser's WebNN (the default), the polyfill in a browser, or the polyfill in Node"
    parser.add_argument("--on", choices=HOSTS, default=HOSTS[0], help=text)
    add_browser(parser)


def add_sources(parser: argparse.ArgumentParser) -> None:
    """Add the option for the third-party sources."""
    text = "use your own directory for a component of wasm/third_party/sources.toml (repeatable)"
    parser.add_argument("--source", type=_source, action="append", default=[], metavar="NAME=DIR", help=text)


def _source(text: str) -> tuple[str, Path]:
    name, separator, directory = text.partition("=")
    if not separator:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=DIR")
    return name, Path(directory).expanduser().resolve()
