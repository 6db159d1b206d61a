"""Measure runtimes on models: speed, loading, outputs.

Builds what is missing (all variants), fetches the other runtimes from npm, and measures in a real browser:
  1. speed: each runtime loads the model, and all are interleaved in every round; the result is the median over the
     rounds of the ratios, never a comparison of two separate runs
  2. outputs: each runtime's difference to native LiteRT, in the same row
  3. loading: library, model and first run in a fresh browser; bytes, memory, the page's longest wait
The runtimes: this project on WebNN (direct, blocking), on its polyfill and on the CPU with each variant that is built;
LiteRT.js, tfjs-tflite and onnxruntime-web on WebNN and on the CPU with one thread and two; native LiteRT; the same
graph written by hand. With --package they are packages of this project instead, each on WebNN and on the CPU.
The result, bench.json, goes to a directory in build/bench, or to --out.
docs/contributing/benchmarking.md explains the columns. Without --model it measures all real models and MobileNetV2
in float and int8, which takes about an hour; --quick takes two minutes.
Chromium compiles its WebNN runtime without AVX-512. On an x86 processor without AVX-VNNI (avx_vnni in /proc/cpuinfo;
avx512_vnni does not count) int8 runs on AVX2 kernels there, which need not be faster than float's.
"""

import argparse
from pathlib import Path

from tools import making, options

GROUPS = ("run",)


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    options.add_measurement(parser)
    add("--quick", action="store_true", help="three models, a few rounds: two minutes")
    text = "only runtimes of this name, e.g. litert.js/wasm or 'tflite-webnn/*' (repeatable)"
    add("--runtime", action="append", default=[], metavar="NAME", help=text)
    text = "compare packages, built with the same variants, with the first one (repeatable)"
    add("--package", action="append", default=[], type=Path, metavar="DIR", help=text)
    text = "fresh browsers per runtime and model for the time to the first result (3; 1 with --quick); 0 skips it"
    add("--load-rounds", type=int, metavar="N", help=text)
    add("--out", type=Path, metavar="DIR", help="the result's directory (default: one in build/bench)")


def run(arguments: argparse.Namespace) -> int:
    from tools.bench import command
    from web_tests.browsers import setup

    making.package(["all"])
    setup.prepare(need_browser=arguments.browser is None)
    return command.run(
        command.Request(
            models=arguments.model,
            patterns=arguments.runtime,
            packages=arguments.package,
            rounds=arguments.rounds,
            load_rounds=arguments.load_rounds,
            quick=arguments.quick,
            browser=arguments.browser,
            out=arguments.out,
        )
    )
