"""Compare models on WebNN and the CPU with native LiteRT.

Runs models in a browser on WebNN and on the CPU, and compares each signature's outputs with native LiteRT's on seeded
random inputs. Prints a line per model and execution: where its nodes run, and the largest difference over the output's
range. docs/reference/models.md names the models that it was run on. The exit status is 1 if a model does not load or
run; differences are for the reader to judge, as quantized models differ between native LiteRT's kernels, too.
"""

import argparse
from pathlib import Path

from tools import making, options

GROUPS = ("run",)


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("models", type=Path, nargs="+", metavar="FILE", help=".tflite models, and directories of them")
    text = "webnn or cpu; both without it (repeatable)"
    add("--execution", action="append", choices=["webnn", "cpu"], default=[], help=text)
    text = "simd (the default) or relaxed-simd"
    add("--variant", default=options.DEFAULT_VARIANT, metavar="NAME", help=text)
    text = "file for the rows as JSON, with the reasons of nodes on the CPU (build/check.json)"
    add("--out", type=Path, default=Path("build/check.json"), metavar="FILE", help=text)
    options.add_browser(parser)


def run(arguments: argparse.Namespace) -> int:
    from tools.explain import check

    making.for_browser(arguments.variant, arguments.browser)
    return check.run(
        arguments.models,
        variant=arguments.variant,
        browser=arguments.browser,
        executions=arguments.execution or check.EXECUTIONS,
        out=arguments.out,
    )
