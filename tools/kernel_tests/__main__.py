"""Run TFLite's own tests of its kernels, and of its XNNPACK delegate, with the delegate.

Compiles TFLite's tests of its kernels (tensorflow/lite/kernels/*_test.cc, unmodified) to WebAssembly and runs each with
`--use_webnn=true` in a worker that waits for WebNN; then those of its XNNPACK delegate (delegates/xnnpack/*_test.cc),
called xnnpack_*, with the WebNN delegate in place of XNNPACK's. It prints per test file how many cases ran, how many of
them WebNN computed, and of those how many pass, fail, and fail without a reason in
wasm/tests/kernels/*expectations.toml, which makes the exit status 1. Cases that fail run again without the delegate
(those of XNNPACK's with XNNPACK's own); failures that remain are not counted. The first run compiles for almost an
hour; `--filter add` or `--filter "xnnpack_*add"` takes a minute or two once the module's objects are compiled.
"""

import argparse

from tools import command_line, making, options

GROUPS = ("run",)


def add_options(parser: argparse.ArgumentParser) -> None:
    options.add_host(parser)
    text = "test files, e.g. add or 'unidirectional*' (repeatable); default: all"
    parser.add_argument("--filter", action="append", default=[], metavar="PATTERN", help=text)
    parser.add_argument(
        "--write-docs", action="store_true", help="write docs/reference/kernel-tests.md from the result"
    )


def run(arguments: argparse.Namespace) -> int:
    from tools.kernel_tests import command

    making.for_browser(options.DEFAULT_VARIANT, arguments.browser)
    return command.run(arguments.filter, on=arguments.on, browser=arguments.browser, write_docs=arguments.write_docs)


if __name__ == "__main__":
    command_line.start_tool()
