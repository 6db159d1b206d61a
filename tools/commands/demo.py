"""Run models in a browser: time and difference to native LiteRT.

Builds what is missing (the variant simd), then runs the demo models, or your own, in a browser, on XNNPACK in wasm and
on WebNN, interleaved. It prints a table: nodes delegated, difference to native LiteRT on a real image, milliseconds.
Without WebNN the models run on the CPU, and the table says why.
"""

import argparse

from tools import making, options

GROUPS = ("run",)


def add_options(parser: argparse.ArgumentParser) -> None:
    options.add_measurement(parser)
    options.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from tools.demo import demo

    making.for_browser(options.DEFAULT_VARIANT, arguments.browser)
    rounds = arguments.rounds or options.DEFAULT_ROUNDS
    return demo.run(arguments.model, json_output=arguments.json, browser=arguments.browser, rounds=rounds)
