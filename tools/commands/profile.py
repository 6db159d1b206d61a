"""Show where a model's time goes, node by node.

Builds what is missing (all variants), runs models many times in a real browser with TFLite's profiler on, and prints
where their time goes: by type of node, and for the most expensive nodes. XNNPACK measures its own operators inside its
partitions; a partition on WebNN is one entry; "outside of nodes" is the remainder of run(): copies, and JavaScript.
A model is a file, or the name of a known one. The files in a directory of build/profile, or in --out:
  profile.speedscope.json  the flame graph: open it at https://www.speedscope.app, which keeps the file in the browser
  profile.json             all numbers
Profiling itself takes time: compare profiles with each other, and use `bench` to see how fast a model is.
"""

import argparse
from pathlib import Path

from tools import making, options

GROUPS = ("run",)

EXECUTIONS = ("cpu", "webnn", "blocking", "polyfill")


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("model", type=Path, nargs="+", metavar="MODEL.tflite", help="files, or names of known models")
    text = "XNNPACK in wasm (the default), the browser's WebNN, WebNN in a worker that waits, or the polyfill"
    add("--execution", choices=EXECUTIONS, default=EXECUTIONS[0], help=text)
    text = "of the wasm module, e.g. simd; auto (the default): the best that the browser runs"
    add("--variant", default="auto", metavar="NAME", help=text)
    add("--threads", type=int, default=1, metavar="N", help="threads on the CPU (%(default)s)")
    add("--runs", type=int, default=50, metavar="N", help="profiled runs (%(default)s)")
    add("--top", type=int, default=20, metavar="N", help="nodes in the table (%(default)s)")
    options.add_browser(parser)
    add("--out", type=Path, metavar="DIR", help="the files' directory (default: one in build/profile)")


def run(arguments: argparse.Namespace) -> int:
    from tools.profile import command
    from web_tests.browsers import setup

    making.package(["all"])
    setup.prepare(need_browser=arguments.browser is None)
    request = command.Request(
        models=arguments.model,
        execution=arguments.execution,
        variant=arguments.variant,
        threads=arguments.threads,
        runs=arguments.runs,
        top=arguments.top,
        browser=arguments.browser,
        out=arguments.out,
    )
    return command.run(request)
