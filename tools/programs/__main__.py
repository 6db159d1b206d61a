"""Run one of TFLite's tools, or an example in C++, with the delegate.

Compiles one of TFLite's own tools to WebAssembly, from TensorFlow's unmodified sources, or a program of wasm/examples,
and runs it with the arguments that follow its name, in a worker that waits for WebNN. It prints the program's output as
it comes and returns its exit status. The program can read the files that its arguments name; files that it writes are
written here. wasm/examples/README.md explains the examples, and how to link a program of your own.
`--use_webnn=true` applies the delegate, with the flags of docs/reference/delegate-options.md, such as
`--webnn_device_preference=gpu`; `--num_threads` (inference_diff: `--num_interpreter_threads`) sets the number of
threads on the CPU. If a model has signatures, benchmark_model applies XNNPACK first, unless `--use_xnnpack=false` is
provided, too. Options of this command come before the tool's name:
  python3 -m tools.programs benchmark_model --graph=m.tflite --use_webnn=true --enable_op_profiling=true
  python3 -m tools.programs --on node inference_diff --model_file=m.tflite --use_webnn=true
  python3 -m tools.programs --example-model sin.tflite rfc_runner sin.tflite
"""

import argparse
from pathlib import Path

from tools import command_line, making, options
from tools.programs import EXAMPLES, TFLITE_TOOLS

GROUPS = ("run",)


def add_options(parser: argparse.ArgumentParser) -> None:
    options.add_host(parser)
    text = "first write the examples' model, f(x) = sin(x) + x + sin(2x) of 8 floats, to this file"
    parser.add_argument("--example-model", type=Path, metavar="FILE", help=text)
    names = (*TFLITE_TOOLS, *EXAMPLES)
    parser.add_argument("tool", choices=names, metavar="TOOL", help=", ".join(names))
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="its own arguments")


def run(arguments: argparse.Namespace) -> int:
    from tools.programs import tool
    from web_tests.models.handmade import sin_example

    making.for_browser(options.DEFAULT_VARIANT, arguments.browser)
    if arguments.example_model is not None:
        arguments.example_model.write_bytes(sin_example())
    return tool.run(arguments.tool, arguments.arguments, on=arguments.on, browser=arguments.browser)


if __name__ == "__main__":
    command_line.start_tool()
