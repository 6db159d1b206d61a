"""`build.py tool`."""

import argparse

from tools import making, options
from tools.programs import TFLITE_TOOLS
from tools.registry import Command, register

DESCRIPTION = """\
Compiles one of TFLite's own tools to WebAssembly, from TensorFlow's unmodified sources, and runs it with the arguments
that follow its name, in a worker that waits for WebNN. It prints the tool's output as it comes and returns its exit
status. The tool can read the files that its arguments name; the files that it writes are written here.
`--use_webnn=true` applies the delegate, with the flags of docs/delegate-options.md, such as
`--webnn_device_preference=gpu`; `--num_threads` (inference_diff: `--num_interpreter_threads`) sets the number of
threads on the CPU. If a model has signatures, benchmark_model applies XNNPACK first, unless `--use_xnnpack=false` is
given, too. Options of this command come before the tool's name:
  python3 build.py tool benchmark_model --graph=m.tflite --use_webnn=true --enable_op_profiling=true
  python3 build.py tool --on node inference_diff --model_file=m.tflite --use_webnn=true"""


def add_options(parser: argparse.ArgumentParser) -> None:
    options.add_place(parser)
    parser.add_argument("tool", choices=TFLITE_TOOLS, metavar="TOOL", help=" or ".join(TFLITE_TOOLS))
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="the tool's own flags")


def run(arguments: argparse.Namespace) -> int:
    from tools.programs import tool

    making.for_browser(options.DEFAULT_VARIANT, arguments.browser)
    return tool.run(arguments.tool, arguments.arguments, on=arguments.on, browser=arguments.browser)


register(
    Command("tool", "run TFLite's benchmark_model or inference_diff with the delegate", DESCRIPTION, run, add_options)
)
