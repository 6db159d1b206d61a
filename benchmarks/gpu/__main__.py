"""Measure models on a GPU: the polyfill's WebGPU engine, this project's CPU, LiteRT.js and onnxruntime-web on WebGPU.

In Node, with Dawn (npm's `webgpu`); here on SwiftShader, a GPU in software. --pack writes gpu.tar.xz for a Linux with a
GPU and its Vulkan driver: there, `tar -xJf gpu.tar.xz && sh gpu/run.sh result.json` takes eight minutes at most. --read
prints that result. The committed one is site/results/gpu.json; --document writes docs/reference/gpu.md from it.
"""

import argparse
from pathlib import Path

from tools import command_line, making, options

GROUPS = ("run",)


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--model", action="append", metavar="NAME", help="a known model instead of the six (repeatable)")
    add("--pack", type=Path, metavar="DIR", help="write gpu.tar.xz into this directory; measure nothing")
    add("--read", type=Path, metavar="FILE", help="print a result; measure nothing")
    add(
        "--document", action="store_true", help="write docs/reference/gpu.md from the committed result; measure nothing"
    )
    add("--out", type=Path, metavar="FILE", help="the result's file (default: build/bench/gpu.json)")


def run(arguments: argparse.Namespace) -> int:
    from benchmarks.gpu import document, measuring

    if arguments.document:
        document.write()
        return 0
    if arguments.read:
        return measuring.report(arguments.read)
    making.package([options.DEFAULT_VARIANT])
    if arguments.pack:
        return measuring.pack_into(arguments.pack, arguments.model)
    return measuring.run(arguments.model, out=arguments.out)


if __name__ == "__main__":
    command_line.start_tool()
