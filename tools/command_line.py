"""The command line of build.py: all registered commands.

Only the standard library at the top: `--help` works before anything is installed.
"""

import argparse
import importlib
import pkgutil
from collections.abc import Sequence

from tools import commands
from tools.registry import COMMANDS

DESCRIPTION = """\
tflite-webnn: TensorFlow Lite in the browser, on WebNN where the browser has it.

Every command first makes what it needs and does not find: on a bare machine `demo` alone installs the Python packages,
makes the compiler, fetches and compiles the sources, and installs a browser. A second run reuses all of that and starts
within seconds."""

EPILOG = """\
examples:
  python3 build.py demo                        six models, wasm against WebNN, with the difference to native LiteRT
  python3 build.py demo --model my.tflite      the same with your own model
  python3 build.py explain my.tflite           what runs where, and why; --json, --export graph.js, --memory
  python3 build.py profile my.tflite           where the time goes: tables, and a flame graph
  python3 build.py bench --model my.tflite     your model on every engine: this one, its peers from npm, native
  python3 build.py bench --twins --model a.tflite --model b.tflite   which of two models is faster, and by how much
  python3 build.py matrix --model oww_alexa    one model in every browser, in every way
  python3 build.py build --variant simd        one wasm module, and the package in build/package
  python3 build.py build --model my.tflite     a smaller module for this model, and its package in build/selected
  python3 build.py build --source tensorflow=~/tensorflow   with your own checkout of a component
  python3 build.py serve                       the site on http://127.0.0.1:8000/
  python3 build.py lint                        style, types and layers, before anything else
  python3 build.py test --tier unit            only what needs no compiler and no browser
  python3 build.py test -k softmax -x          arguments that build.py does not know go to pytest
  python3 build.py tool benchmark_model --graph=my.tflite --use_webnn=true   TFLite's own tools on the delegate
  python3 build.py kernel-tests --filter softmax   TFLite's own tests of a kernel on the delegate
  python3 build.py doctor                      what is missing on this machine, and the command that installs it

where things are:
  build/wasm/VARIANT/    tflite_webnn.mjs and .wasm, manifest.json (versions, hashes, flags), build.log
  build/pyodide/         the wheel for Python in the browser
  build/site/            the static site
  build/package/         what a page imports: index.mjs, types, one folder per variant
  ~/.cache/tflite-webnn  downloads, sources, compiler, browsers, compiled objects; shared by all checkouts

environment variables:
  TFLITE_WEBNN_CACHE           another folder for the cache
  TFLITE_WEBNN_PREBUILT        a release's folder or address, whose wasm modules are taken instead of compiled
  TFLITE_WEBNN_DEBIAN_MIRROR   a Debian mirror to try before those of apt
  TFLITE_WEBNN_TOOLCHAIN       native: your own emcc of the pinned version (wasm/variants.toml), on PATH or under EMSDK,
                               instead of the one in a private Debian folder

`build.py COMMAND --help` explains a command step by step."""

for _module in pkgutil.iter_modules(commands.__path__):
    importlib.import_module(f"{commands.__name__}.{_module.name}")


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the command's options. Exits for --help and for mistakes."""
    parser = _parser()
    arguments, rest = parser.parse_known_args(argv)
    if rest and not COMMANDS[arguments.command].passes_on_rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    arguments.rest = rest
    return arguments


def groups(arguments: argparse.Namespace) -> Sequence[str]:
    """Return the groups of Python packages that the command needs."""
    return COMMANDS[arguments.command].groups


def run(arguments: argparse.Namespace) -> int:
    """Run the command, in the virtual environment, and return the exit status."""
    from rich.markup import escape

    from support.console import console
    from support.errors import BuildError

    try:
        return COMMANDS[arguments.command].run(arguments) or 0
    except BuildError as error:
        title = f"build.py {arguments.command}: {type(error).__name__}"
        console.print(f"\n[red]{title}[/red]\n{escape(str(error))}", soft_wrap=True)
        return error.exit_code
    except KeyboardInterrupt:
        console.print("\nstopped")
        return 130


def _parser() -> argparse.ArgumentParser:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="build.py", description=DESCRIPTION, epilog=EPILOG, formatter_class=form)
    parsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS.values():
        command.add_options(
            parsers.add_parser(
                command.name, help=command.summary, description=command.description, formatter_class=form
            )
        )
    return parser
