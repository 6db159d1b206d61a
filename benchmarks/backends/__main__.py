"""Measure, for each signature of models, where it is faster, on WebNN or on the CPU.

Also which of them the default device selects, and LiteRT.js on both. --model also accepts directories; without it, all
known models. Each model gets a new browser, and a page per runtime that is ended when it hangs. The result,
backends.jsonl, gets a line when a model is done, and the same command goes on from there; a model whose line is deleted
is measured again. docs/reference/models.md has the table of the committed result, site/results/backends.jsonl.

--decoders writes generated language models of 147 MB as float32 (float32, decode alone, float16, int8) into a
directory that --model accepts. --memory prints instead what the processes of a browser hold of each model of --model,
and what it costs to prepare its signatures, on the CPU, on WebNN, on WebNN with float16 weights, and by default.
"""

import argparse
from pathlib import Path

from tools import command_line, making, options

GROUPS = ("run",)


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    text = "a model, a directory of models, or the name of a known model (repeatable)"
    add("--model", type=Path, action="append", default=[], metavar="FILE", help=text)
    add("--rounds", type=int, metavar="N", help="timings per runtime (6)")
    add("--out", type=Path, metavar="DIR", help="the result's directory (default: build/bench/backends)")
    add("--decoders", type=Path, metavar="DIR", help="write generated language models into this directory, and end")
    add("--memory", action="store_true", help="measure memory and preparation of the models instead")
    options.add_browser(parser)


def run(arguments: argparse.Namespace) -> int:
    from benchmarks.backends import decoders, measuring, memory
    from web_tests.browsers import setup

    if arguments.decoders is not None:
        decoders.write(arguments.decoders)
        return 0
    making.package(["all"])
    setup.prepare(need_browser=arguments.browser is None)
    if arguments.memory:
        models = measuring.models_of(arguments.model)
        return memory.run(models, browser=arguments.browser, rounds=arguments.rounds)
    return measuring.run(arguments.model, browser=arguments.browser, rounds=arguments.rounds, out=arguments.out)


if __name__ == "__main__":
    command_line.start_tool()
