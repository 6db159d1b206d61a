"""Compile the wasm modules and bundle the package.

Compiles build/wasm/VARIANT and bundles build/package:
  1. the toolchain and the sources, as in `setup`
  2. generates the headers that third-party code expects, compiles with a compiler cache, links
  3. writes manifest.json next to the module, and keeps the result for other checkouts with the same inputs
  4. bundles the TypeScript and the modules
The first build compiles TensorFlow Lite, which takes minutes per variant. If nothing changed, nothing runs.
With --model or --ops the modules contain only the kernels, and the part of XNNPACK, that these can reach; they go to
build/selected with their package. Their manifest.json lists the ops. A model that needs another op is rejected with the
op's name.
"""

import argparse
from pathlib import Path

from tools import making, options

GROUPS = ("run",)


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--variant", action="append", metavar="NAME", help="simd (the default), relaxed-simd, or all")
    add("--jobs", type=int, metavar="N", help="parallel compiler processes; default: one per core")
    add(
        "--check-reproducible",
        action="store_true",
        help="then compile everything again without any cache, and compare the results byte by byte",
    )
    text = "put only what this model needs into the module; the package is build/selected (repeatable)"
    add("--model", type=Path, action="append", default=[], metavar="FILE", help=text)
    text = "only these ops, by TFLite's names, e.g. CONV_2D; added to what --model needs"
    add("--ops", type=_names, default=[], metavar="A,B,...", help=text)
    add("--without-webnn", dest="webnn", action="store_false", help="leave out the WebNN delegate")
    add("--without-xnnpack", dest="xnnpack", action="store_false", help="leave out XNNPACK's delegate")
    options.add_sources(parser)


def run(arguments: argparse.Namespace) -> None:
    from support.console import console
    from support.paths import BUILD_DIR, PACKAGE_DIR, SELECTED_DIR
    from wasm.toolchain import build, reproducible, variants
    from wasm.toolchain.selection.errors import SelectionError
    from wasm.toolchain.selection.selection import EVERYTHING, select

    selection = select(arguments.model, arguments.ops, with_webnn=arguments.webnn, with_xnnpack=arguments.xnnpack)
    if arguments.check_reproducible and selection != EVERYTHING:
        raise SelectionError("--check-reproducible compares the package's modules, with all ops")
    root = BUILD_DIR if selection == EVERYTHING else SELECTED_DIR
    names = arguments.variant or [options.DEFAULT_VARIANT]
    overrides, jobs = dict(arguments.source), arguments.jobs
    build.build(names, source_overrides=overrides, jobs=jobs, selection=selection)
    if arguments.check_reproducible:
        reproducible.check(names, source_overrides=overrides, jobs=jobs)
    if any(variant.packaged for variant in variants.load().select(names)):
        making.bundle(root)
        console.print(f"    the package is in {root / PACKAGE_DIR.name}")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]
